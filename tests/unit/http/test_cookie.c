/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "guard.h"
#include "http/cookie.h"

enum { NOW_S = 1700000000 };

static struct url url_of(const char *text)
{
    struct url url;
    struct err err;

    if (!url_parse(str_of(text), &url, &err)) {
        fail_msg("'%s': %s", text, err.text);
    }
    return url;
}

static enum cookie_fate take_at(struct cookie_jar *jar, const char *from, const char *value,
                                int64_t now_s)
{
    struct url url = url_of(from);
    struct guard guard = guard_put(str_of(value));
    enum cookie_fate fate = cookie_jar_take(jar, &url, guard.text, now_s);

    guard_drop(&guard);
    url_fini(&url);
    return fate;
}

static enum cookie_fate take(struct cookie_jar *jar, const char *from, const char *value)
{
    return take_at(jar, from, value, NOW_S);
}

static void assert_sent_at(const struct cookie_jar *jar, const char *to, const char *want,
                           int64_t now_s)
{
    struct url url = url_of(to);
    struct buf buf;
    bool any;

    buf_init(&buf, COOKIE_JAR_BYTES_MAX);
    buf_puts(&buf, "Cookie: ");
    any = cookie_jar_put(jar, &url, now_s, &buf);
    if (any != (want[0] != '\0') || strcmp(buf.data + 8, want) != 0) {
        fail_msg("to %s: '%s', not '%s'", to, buf.data + 8, want);
    }
    buf_fini(&buf);
    url_fini(&url);
}

static void assert_sent(const struct cookie_jar *jar, const char *to, const char *want)
{
    assert_sent_at(jar, to, want, NOW_S);
}

/* Case 13 of the public bug reports is in here. */
static void a_set_cookie_is_kept_or_dropped_by_the_rfc(UNUSED void **state)
{
    static const struct {
        const char *value;
        enum cookie_fate fate;
        const char *sent; /* to the URL it came from */
    } rows[] = {
        { "a=1", COOKIE_KEPT, "a=1" },
        { " a = 1 ; Path=/ ", COOKIE_KEPT, "a=1" },
        { "a=", COOKIE_KEPT, "a=" },
        { "a=b=c", COOKIE_KEPT, "a=b=c" },
        { "a=\"q; x\"", COOKIE_KEPT, "a=\"q" },
        { "a=1;;;=;x;HttpOnly; SameSite=Lax;Secure2", COOKIE_KEPT, "a=1" },
        { "a=\xc3\xbc", COOKIE_KEPT, "a=\xc3\xbc" },
        { "a=1; secure", COOKIE_KEPT, "" },
        { "", COOKIE_NO_NAME, "" },
        { "justvalue", COOKIE_NO_NAME, "" },
        { "justvalue; Path=/", COOKIE_NO_NAME, "" },
        { "=v", COOKIE_NO_NAME, "" },
        { " \t=v", COOKIE_NO_NAME, "" },
        { ";a=1", COOKIE_NO_NAME, "" },
        { "a=\x01", COOKIE_CONTROL_BYTE, "" },
        { "a=1;\r\n Path=/", COOKIE_CONTROL_BYTE, "" },
        /* Domain */
        { "a=1; Domain=www.site.test", COOKIE_KEPT, "a=1" },
        { "a=1; Domain=.SITE.test", COOKIE_KEPT, "a=1" },
        { "a=1; Domain=", COOKIE_KEPT, "a=1" },
        { "a=1; Domain=.", COOKIE_KEPT, "a=1" },
        { "a=1; Domain=other.test; domain=site.test", COOKIE_KEPT, "a=1" },
        { "a=1; Domain=other.test", COOKIE_FOREIGN_DOMAIN, "" },
        { "a=1; Domain=ite.test", COOKIE_FOREIGN_DOMAIN, "" },
        { "a=1; Domain=x.www.site.test", COOKIE_FOREIGN_DOMAIN, "" },
        { "a=1; Domain=..site.test", COOKIE_FOREIGN_DOMAIN, "" },
        { "a=1; Domain=site.test.", COOKIE_FOREIGN_DOMAIN, "" },
        { "a=1; Domain=localhost", COOKIE_FOREIGN_DOMAIN, "" },
        { "a=1; Domain=test", COOKIE_WIDE_DOMAIN, "" },
        /* Path */
        { "a=1; Path=/dir", COOKIE_KEPT, "a=1" },
        { "a=1; Path=/di", COOKIE_KEPT, "" },
        { "a=1; Path=/dir/page", COOKIE_KEPT, "a=1" },
        { "a=1; Path=/dir/page/", COOKIE_KEPT, "" },
        { "a=1; Path=/other; Path=relative", COOKIE_KEPT, "a=1" },
        /* Expires and Max-Age; now is November 2023 */
        { "a=1; Expires=Wed, 23-Aug-2028 00:00:00 GMT", COOKIE_KEPT, "a=1" },
        { "a=1; Expires=Wed, 23-Aug-2023 00:00:00 GMT", COOKIE_REMOVED, "" },
        { "a=1; Expires=Wed, 23-Aug-2023", COOKIE_KEPT, "a=1" },
        { "a=1; Expires=never", COOKIE_KEPT, "a=1" },
        { "a=1; Max-Age=1", COOKIE_KEPT, "a=1" },
        { "a=1; Max-Age=0", COOKIE_REMOVED, "" },
        { "a=1; Max-Age=-5", COOKIE_REMOVED, "" },
        { "a=1; Max-Age=-", COOKIE_KEPT, "a=1" },
        { "a=1; Max-Age=", COOKIE_KEPT, "a=1" },
        { "a=1; Max-Age=1x", COOKIE_KEPT, "a=1" },
        { "a=1; Max-Age=99999999999999999999999", COOKIE_KEPT, "a=1" },
        { "a=1; Max-Age=9223372036854775807", COOKIE_KEPT, "a=1" },
        { "a=1; Max-Age=0; Expires=Wed, 23 Aug 2028 00:00:00 GMT", COOKIE_REMOVED, "" },
        { "a=1; Max-Age=9; Expires=Wed, 23 Aug 2000 00:00:00 GMT", COOKIE_KEPT, "a=1" },
        { "a=1; Expires=Wed, 23 Aug 2000 00:00:00 GMT; Max-Age=9", COOKIE_KEPT, "a=1" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct cookie_jar jar = { 0 };
        enum cookie_fate fate = take(&jar, "http://www.site.test/dir/page?x=/y/z", rows[i].value);

        if (fate != rows[i].fate) {
            fail_msg("'%s': %s", rows[i].value, cookie_fate_word(fate));
        }
        assert_int_equal(jar.count, fate == COOKIE_KEPT);
        assert_int_equal(cookie_dropped(fate), fate != COOKIE_KEPT && fate != COOKIE_REMOVED);
        assert_true(fate == COOKIE_KEPT || jar.bytes == NULL);
        assert_sent(&jar, "http://www.site.test/dir/page?x=/y/z", rows[i].sent);
        cookie_jar_fini(&jar);
    }
}

static void cookies_go_where_they_belong(UNUSED void **state)
{
    struct cookie_jar jar = { 0 };

    assert_int_equal(take(&jar, "http://a.site.test/", "host=1"), COOKIE_KEPT);
    assert_int_equal(take(&jar, "http://a.site.test/", "site=2; domain=site.test"), COOKIE_KEPT);
    assert_int_equal(take(&jar, "http://a.site.test/", "tls=3; secure; path=/"), COOKIE_KEPT);
    assert_int_equal(take(&jar, "http://a.site.test/x/y/", "dir=4"), COOKIE_KEPT);
    assert_int_equal(take(&jar, "http://10.0.0.1/", "address=5; domain=10.0.0.1"), COOKIE_KEPT);
    assert_int_equal(take(&jar, "http://10.0.0.1/", "x=6; domain=0.0.1"), COOKIE_FOREIGN_DOMAIN);
    assert_int_equal(take(&jar, "http://[::1]/", "six=7; domain=::1"), COOKIE_KEPT);
    assert_int_equal(take(&jar, "http://intranet/", "own=8; domain=intranet"), COOKIE_KEPT);
    assert_int_equal(take(&jar, "http://localhost/", "l=9; domain=localhost"), COOKIE_KEPT);
    assert_int_equal(take(&jar, "http://a.localhost/", "m=10; domain=.LOCALHOST"), COOKIE_KEPT);

    assert_sent(&jar, "http://a.site.test/", "host=1; site=2");
    assert_sent(&jar, "https://a.site.test:8443/", "host=1; site=2; tls=3");
    assert_sent(&jar, "http://site.test/", "site=2");
    assert_sent(&jar, "http://b.site.test/", "site=2");
    assert_sent(&jar, "http://b.a.site.test/", "site=2");
    assert_sent(&jar, "http://asite.test/", "");
    assert_sent(&jar, "http://a.site.test/x/y", "dir=4; host=1; site=2");
    assert_sent(&jar, "http://a.site.test/x/y/z?q", "dir=4; host=1; site=2");
    assert_sent(&jar, "http://a.site.test/x/yy", "host=1; site=2");
    assert_sent(&jar, "http://10.0.0.1:81/", "address=5");
    assert_sent(&jar, "http://10.0.0.2/", "");
    assert_sent(&jar, "http://[::1]:81/", "six=7");
    assert_sent(&jar, "http://intranet/", "own=8");
    assert_sent(&jar, "http://x.intranet/", "");
    assert_sent(&jar, "http://b.localhost/", "l=9; m=10");
    assert_sent(&jar, "http://localhost/", "l=9; m=10");
    cookie_jar_fini(&jar);
}

static void longer_paths_come_first_and_then_older_cookies(UNUSED void **state)
{
    struct cookie_jar jar = { 0 };
    static const char *const values[] = { "a=1; path=/",   "b=2; path=/x",  "c=3; path=/x/y",
                                          "d=4; path=/x/", "e=5; path=/x",  "a=6; path=/x/y",
                                          "f=7; path=/",   "b=new; path=/x" };

    for (size_t i = 0; i < COUNT_OF(values); i++) {
        assert_int_equal(take(&jar, "http://h.test/", values[i]), COOKIE_KEPT);
    }
    assert_sent(&jar, "http://h.test/x/y", "c=3; a=6; d=4; b=new; e=5; a=1; f=7");
    assert_int_equal(take(&jar, "http://h.test/", "c=; path=/x/y; max-age=0"), COOKIE_REMOVED);
    assert_int_equal(take(&jar, "http://h.test/", "b=a longer value; path=/x"), COOKIE_KEPT);
    assert_int_equal(take(&jar, "http://h.test/", "A=8; path=/x"), COOKIE_KEPT);
    assert_sent(&jar, "http://h.test/x/y", "a=6; d=4; b=a longer value; e=5; A=8; a=1; f=7");
    assert_int_equal(jar.count, 7);
    cookie_jar_fini(&jar);
    assert_sent(&jar, "http://h.test/x/y", "");
}

static void a_cookie_is_sent_until_it_expires(UNUSED void **state)
{
    struct cookie_jar jar = { 0 };

    assert_int_equal(take(&jar, "http://h.test/", "a=1; max-age=10"), COOKIE_KEPT);
    assert_int_equal(take(&jar, "http://h.test/", "b=2"), COOKIE_KEPT);
    assert_sent_at(&jar, "http://h.test/", "a=1; b=2", NOW_S + 9);
    assert_sent_at(&jar, "http://h.test/", "b=2", NOW_S + 10);
    assert_sent_at(&jar, "http://h.test/", "b=2", INT64_MAX - 1);
    cookie_jar_fini(&jar);
}

static void large_cookies_are_dropped(UNUSED void **state)
{
    static char value[8000];
    struct cookie_jar jar = { 0 };

    memset(value, 'v', sizeof(value) - 1);
    memcpy(value, "n=", 2);
    value[2 + COOKIE_BYTES_MAX - 1] = '\0';
    assert_int_equal(take(&jar, "http://h.test/", value), COOKIE_KEPT);
    assert_sent(&jar, "http://h.test/", value);
    value[2 + COOKIE_BYTES_MAX - 1] = 'v';
    value[2 + COOKIE_BYTES_MAX] = '\0';
    assert_int_equal(take(&jar, "http://h.test/", value), COOKIE_TOO_LARGE);
    memset(value, '/', sizeof(value) - 1);
    memcpy(value, "p=1;path=", 9);
    value[9 + COOKIE_PATH_MAX] = '\0';
    assert_int_equal(take(&jar, "http://h.test/", value), COOKIE_KEPT);
    value[9 + COOKIE_PATH_MAX] = '/';
    value[9 + COOKIE_PATH_MAX + 1] = '\0';
    assert_int_equal(take(&jar, "http://h.test/", value), COOKIE_TOO_LARGE);
    assert_int_equal(jar.count, 2);
    cookie_jar_fini(&jar);
}

static void a_full_jar_first_throws_away_what_has_expired(UNUSED void **state)
{
    struct cookie_jar jar = { 0 };
    char value[64];

    for (unsigned i = 0; i < COOKIE_JAR_COUNT_DEFAULT; i++) {
        (void)snprintf(value, sizeof(value), "c%u=1%s", i, i % 2 == 0 ? "; max-age=10" : "");
        assert_int_equal(take(&jar, "http://h.test/", value), COOKIE_KEPT);
    }
    assert_int_equal(take(&jar, "http://h.test/", "more=1"), COOKIE_JAR_FULL);
    assert_int_equal(take(&jar, "http://h.test/", "c1=instead"), COOKIE_KEPT);
    assert_int_equal(jar.count, COOKIE_JAR_COUNT_DEFAULT);
    assert_int_equal(take_at(&jar, "http://h.test/", "more=1", NOW_S + 10), COOKIE_KEPT);
    assert_int_equal(jar.count, COOKIE_JAR_COUNT_DEFAULT / 2 + 1);
    cookie_jar_fini(&jar);

    jar.count_max = 1;
    assert_int_equal(take(&jar, "http://h.test/", "a=1"), COOKIE_KEPT);
    assert_int_equal(take(&jar, "http://h.test/", "b=1"), COOKIE_JAR_FULL);
    cookie_jar_fini(&jar);
    assert_int_equal(jar.count_max, 1);
    assert_null(jar.bytes);
}

static void a_jar_has_a_size(UNUSED void **state)
{
    struct cookie_jar jar = { 0 };
    static char value[4001];
    unsigned kept = 0;

    memset(value, 'v', sizeof(value) - 1);
    value[2] = '=';
    for (unsigned i = 0; i < 20; i++) {
        enum cookie_fate fate;

        value[0] = (char)('a' + i);
        fate = take(&jar, "http://h.test/", value);
        assert_int_equal(fate, kept == i && i < 16 ? COOKIE_KEPT : COOKIE_JAR_FULL);
        kept += fate == COOKIE_KEPT;
    }
    assert_int_equal(kept, 16);
    assert_true(jar.room <= COOKIE_JAR_BYTES_MAX);
    cookie_jar_fini(&jar);
}

static void a_header_that_does_not_fit_is_left_out_whole(UNUSED void **state)
{
    struct cookie_jar jar = { 0 };
    struct url url = url_of("http://h.test/");
    struct buf buf;

    assert_int_equal(take(&jar, "http://h.test/", "a=1"), COOKIE_KEPT);
    assert_int_equal(take(&jar, "http://h.test/", "b=22222"), COOKIE_KEPT);
    buf_init(&buf, 12);
    buf_puts(&buf, "x");
    assert_false(cookie_jar_put(&jar, &url, NOW_S, &buf));
    assert_true(buf.overflow);
    assert_string_equal(buf.data, "x");
    buf_fini(&buf);
    url_fini(&url);
    cookie_jar_fini(&jar);
}

static void every_fate_has_its_word(UNUSED void **state)
{
    assert_string_equal(cookie_fate_word(COOKIE_NO_NAME), "no-name");
    assert_string_equal(cookie_fate_word(COOKIE_JAR_FULL), "jar-full");
    for (unsigned i = 0; i < COOKIE_FATE_COUNT; i++) {
        assert_true(strlen(cookie_fate_text((enum cookie_fate)i)) > 10);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_cookie_is_kept_or_dropped_by_the_rfc),
        cmocka_unit_test(cookies_go_where_they_belong),
        cmocka_unit_test(longer_paths_come_first_and_then_older_cookies),
        cmocka_unit_test(a_cookie_is_sent_until_it_expires),
        cmocka_unit_test(large_cookies_are_dropped),
        cmocka_unit_test(a_full_jar_first_throws_away_what_has_expired),
        cmocka_unit_test(a_jar_has_a_size),
        cmocka_unit_test(a_header_that_does_not_fit_is_left_out_whole),
        cmocka_unit_test(every_fate_has_its_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
