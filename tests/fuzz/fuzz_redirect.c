/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Location resolution: the first line of the input is the URL of the request, the rest the
 * Location. Where it leads is fit to be sent, and a second visit leads to the same place.
 */
#include "base/buf.h"
#include "fuzz.h"
#include "http/redirect.h"

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool has_dot_segment(const char *target)
{
    struct str path = str_of(target), segment;

    path.len = str_find(path, '?');
    while (str_cut(&path, '/', &segment)) {
        if (str_eq(segment, STR(".")) || str_eq(segment, STR(".."))) {
            return true;
        }
    }
    return false;
}

/* The text of the result as a Location of its own. */
static void check_stable(const struct url *url)
{
    struct url again;
    struct err err;
    struct buf text;

    buf_init(&text, 4 * URL_BYTES_MAX);
    url_format(url, &text);
    if (text.len <= URL_BYTES_MAX) {
        FUZZ_CHECK(redirect_resolve(url, buf_str(&text), &again, &err));
        FUZZ_CHECK(redirect_same_origin(url, &again));
        FUZZ_CHECK(same_text(again.target, url->target));
        FUZZ_CHECK(same_text(again.userinfo, url->userinfo));
        url_fini(&again);
    }
    buf_fini(&text);
}

static void check(const struct url *base, struct str location)
{
    struct url url;
    struct err err;

    if (!redirect_resolve(base, location, &url, &err)) {
        FUZZ_CHECK(err.kind == ERR_PEER && err.text[0] != '\0');
        FUZZ_CHECK(strpbrk(err.text, "\r\n") == NULL);
        return;
    }
    FUZZ_CHECK(url.host[0] != '\0' && url.port >= 1 && url.target[0] == '/');
    for (const char *c = url.target; *c != '\0'; c++) {
        FUZZ_CHECK(*c > ' ' && *c < 0x7f && *c != '#');
    }
    FUZZ_CHECK(!has_dot_segment(url.target));
    check_stable(&url);
    url_fini(&url);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size), line;
    struct url base;
    struct err err;

    if (!str_cut(&rest, '\n', &line) || !url_parse(line, &base, &err)) {
        return 0;
    }
    check(&base, rest);
    url_fini(&base);
    return 0;
}
