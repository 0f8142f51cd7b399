/* SPDX-License-Identifier: Apache-2.0 */
/* The URL parser: what it takes is fit to be sent, and means the same when written and read again.
 */
#include "fuzz.h"
#include "http/url.h"

static bool same_text(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static void check_sendable(const struct url *url)
{
    FUZZ_CHECK(url->host[0] != '\0');
    FUZZ_CHECK(url->port >= 1);
    FUZZ_CHECK(url->target[0] == '/');
    for (const char *c = url->target; *c != '\0'; c++) {
        FUZZ_CHECK(*c > ' ' && *c < 0x7f && *c != '#');
    }
    for (const char *c = url->host; *c != '\0'; c++) {
        FUZZ_CHECK(*c > ' ' && *c < 0x7f && strchr("/?#@[]", *c) == NULL);
    }
}

static void check_stable(const struct url *url)
{
    struct url again;
    struct err err;
    struct buf text, second;

    buf_init(&text, 4 * URL_BYTES_MAX);
    buf_init(&second, 4 * URL_BYTES_MAX);
    url_format(url, &text);
    /* Encoding may take it over the limit of what is parsed. */
    if (text.len <= URL_BYTES_MAX) {
        FUZZ_CHECK(url_parse(buf_str(&text), &again, &err));
        FUZZ_CHECK(again.scheme == url->scheme && again.port == url->port);
        FUZZ_CHECK(again.is_ipv6 == url->is_ipv6);
        FUZZ_CHECK(same_text(again.host, url->host) && same_text(again.target, url->target));
        FUZZ_CHECK(again.userinfo == NULL);
        url_format(&again, &second);
        FUZZ_CHECK(str_eq(buf_str(&text), buf_str(&second)));
        url_fini(&again);
    }
    FUZZ_CHECK(!text.overflow);
    buf_reset(&second);
    url_format_host(url, &second);
    FUZZ_CHECK(second.len > 0 && !second.overflow);
    buf_fini(&text);
    buf_fini(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct url url, copy;
    struct err err;

    if (!url_parse(fuzz_text(data, size), &url, &err)) {
        FUZZ_CHECK(err.kind == ERR_USAGE && err.text[0] != '\0');
        FUZZ_CHECK(strpbrk(err.text, "\r\n") == NULL);
        return 0;
    }
    check_sendable(&url);
    check_stable(&url);
    url_copy(&url, &copy);
    url_fini(&url);
    check_stable(&copy);
    url_fini(&copy);
    return 0;
}
