/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cookies: lines that hold "://" are the URL from then on, each other line is a Set-Cookie, a
 * second after the one before. What is sent is a list of pairs and fits into a header.
 */
#include "base/buf.h"
#include "fuzz.h"
#include "http/cookie.h"
#include "http/cookie_date.h"

/* The jar is kept at few cookies, so that it is soon full. */
enum { COUNT_MAX = 5 };

static void check_sent(const struct cookie_jar *jar, const struct url *url, int64_t now_s)
{
    struct buf buf;
    struct str rest, pair;
    bool any;
    unsigned pairs = 0;

    buf_init(&buf, COOKIE_JAR_BYTES_MAX);
    any = cookie_jar_put(jar, url, now_s, &buf);
    FUZZ_CHECK(!buf.overflow && any == (buf.len > 0));
    rest = buf_str(&buf);
    while (any && str_cut(&rest, ';', &pair)) {
        FUZZ_CHECK(str_find(pair, '=') < pair.len);
        for (size_t i = 0; i < pair.len; i++) {
            unsigned char c = (unsigned char)pair.p[i];

            FUZZ_CHECK((c >= 0x20 || c == '\t') && c != 0x7f);
        }
        pairs++;
    }
    FUZZ_CHECK(pairs <= jar->count);
    buf_fini(&buf);
}

static void check_take(struct cookie_jar *jar, const struct url *url, struct str line,
                       int64_t now_s)
{
    uint16_t count = jar->count;
    enum cookie_fate fate = cookie_jar_take(jar, url, line, now_s);

    FUZZ_CHECK(fate < COOKIE_FATE_COUNT);
    FUZZ_CHECK(jar->count <= COUNT_MAX && jar->len <= COOKIE_JAR_BYTES_MAX);
    FUZZ_CHECK(jar->len <= jar->room && (jar->count == 0) == (jar->len == 0));
    FUZZ_CHECK(fate != COOKIE_KEPT || jar->count > 0);
    FUZZ_CHECK(!cookie_dropped(fate) || jar->count <= count);
    if (fate == COOKIE_KEPT) {
        count = jar->count;
        FUZZ_CHECK(cookie_jar_take(jar, url, line, now_s) == COOKIE_KEPT && jar->count == count);
    }
    check_sent(jar, url, now_s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size), line;
    struct cookie_jar jar = { .count_max = COUNT_MAX };
    struct url url, next;
    struct err err;
    int64_t now_s = 1700000000, date_s = INT64_MAX;

    if (!url_parse(STR("https://a.site.test/x/y/z"), &url, &err)) {
        return 0;
    }
    while (str_cut(&rest, '\n', &line)) {
        if (str_find_str(line, STR("://")) == line.len) {
            check_take(&jar, &url, line, now_s++);
        } else if (url_parse(line, &next, &err)) {
            url_fini(&url);
            url = next;
        }
        FUZZ_CHECK(!cookie_date_parse(line, &date_s) || date_s < INT64_C(300000000000));
    }
    url_fini(&url);
    cookie_jar_fini(&jar);
    return 0;
}
