/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "guard.h"
#include "http/url.h"

/* Parses with an unreadable page right behind the text. */
static bool parse(const char *text, struct url *ret_url, struct err *err)
{
    struct guard guard = guard_put(str_of(text));
    bool ok = url_parse(guard.text, ret_url, err);

    guard_drop(&guard);
    return ok;
}

static void urls_are_taken_as_people_type_them(UNUSED void **state)
{
    static const struct {
        const char *text;
        enum url_scheme scheme;
        const char *host;
        uint16_t port;
        const char *target;
        const char *userinfo;
        const char *host_header;
        const char *whole;
    } rows[] = {
        { "http://h/", URL_HTTP, "h", 80, "/", NULL, "h", "http://h/" },
        { "http://h", URL_HTTP, "h", 80, "/", NULL, "h", "http://h/" },
        { "HTTPS://Example.COM/A", URL_HTTPS, "example.com", 443, "/A", NULL, "example.com",
          "https://example.com/A" },
        { "https://h:443", URL_HTTPS, "h", 443, "/", NULL, "h", "https://h/" },
        { "https://h:80", URL_HTTPS, "h", 80, "/", NULL, "h:80", "https://h:80/" },
        { "http://h:443/", URL_HTTP, "h", 443, "/", NULL, "h:443", "http://h:443/" },
        { "http://h:65535", URL_HTTP, "h", 65535, "/", NULL, "h:65535", "http://h:65535/" },
        { "http://h:/", URL_HTTP, "h", 80, "/", NULL, "h", "http://h/" },
        { "http://h:8080?x=1", URL_HTTP, "h", 8080, "/?x=1", NULL, "h:8080", "http://h:8080/?x=1" },
        { "http://h#frag/ment?x", URL_HTTP, "h", 80, "/", NULL, "h", "http://h/" },
        { "http://h/?a=b?c#d", URL_HTTP, "h", 80, "/?a=b?c", NULL, "h", "http://h/?a=b?c" },
        { "  http://h/a \n", URL_HTTP, "h", 80, "/a", NULL, "h", "http://h/a" },
        /* without a scheme */
        { "localhost", URL_HTTP, "localhost", 80, "/", NULL, "localhost", "http://localhost/" },
        { "LocalHost?a", URL_HTTP, "localhost", 80, "/?a", NULL, "localhost",
          "http://localhost/?a" },
        { "host:81", URL_HTTP, "host", 81, "/", NULL, "host:81", "http://host:81/" },
        { "a.host", URL_HTTP, "a.host", 80, "/", NULL, "a.host", "http://a.host/" },
        { "host/path://x", URL_HTTP, "host", 80, "/path://x", NULL, "host",
          "http://host/path://x" },
        { "10.0.0.1", URL_HTTP, "10.0.0.1", 80, "/", NULL, "10.0.0.1", "http://10.0.0.1/" },
        { "[::1]:81/x", URL_HTTP, "::1", 81, "/x", NULL, "[::1]:81", "http://[::1]:81/x" },
        /* address literals */
        { "http://[::1]:8080/", URL_HTTP, "::1", 8080, "/", NULL, "[::1]:8080",
          "http://[::1]:8080/" },
        { "http://[2001:DB8::7]", URL_HTTP, "2001:db8::7", 80, "/", NULL, "[2001:db8::7]",
          "http://[2001:db8::7]/" },
        { "http://[fe80::1%25eth0]/", URL_HTTP, "fe80::1%eth0", 80, "/", NULL, "[fe80::1]",
          "http://[fe80::1%25eth0]/" },
        { "http://[fe80::1%eth0]:81/", URL_HTTP, "fe80::1%eth0", 81, "/", NULL, "[fe80::1]:81",
          "http://[fe80::1%25eth0]:81/" },
        /* user information */
        { "http://u:p@host/", URL_HTTP, "host", 80, "/", "u:p", "host", "http://host/" },
        { "http://u%40x:p%3a%25@host:81/", URL_HTTP, "host", 81, "/", "u@x:p:%", "host:81",
          "http://host:81/" },
        { "http://u:p@q@host/@", URL_HTTP, "host", 80, "/@", "u:p@q", "host", "http://host/@" },
        { "http://u@[::1]/", URL_HTTP, "::1", 80, "/", "u", "[::1]", "http://[::1]/" },
        { "http://@host/", URL_HTTP, "host", 80, "/", NULL, "host", "http://host/" },
        /* what may not stand in a request line is encoded, once */
        { "http://h/a b?q=\xc3\xbc#frag", URL_HTTP, "h", 80, "/a%20b?q=%C3%BC", NULL, "h",
          "http://h/a%20b?q=%C3%BC" },
        { "http://h/a%20b%c3%BC", URL_HTTP, "h", 80, "/a%20b%c3%BC", NULL, "h",
          "http://h/a%20b%c3%BC" },
        { "http://h/100%", URL_HTTP, "h", 80, "/100%25", NULL, "h", "http://h/100%25" },
        { "http://h/%zz%4", URL_HTTP, "h", 80, "/%25zz%254", NULL, "h", "http://h/%25zz%254" },
        { "http://h/<\"\\^`{|}>", URL_HTTP, "h", 80, "/%3C%22%5C%5E%60%7B%7C%7D%3E", NULL, "h",
          "http://h/%3C%22%5C%5E%60%7B%7C%7D%3E" },
        { "http://h/a[]=1&b=~-._!$'()*+,;=:@/..", URL_HTTP, "h", 80, "/a[]=1&b=~-._!$'()*+,;=:@/..",
          NULL, "h", "http://h/a[]=1&b=~-._!$'()*+,;=:@/.." },
        /* names */
        { "http://xn--mller-kva.de./", URL_HTTP, "xn--mller-kva.de.", 80, "/", NULL,
          "xn--mller-kva.de.", "http://xn--mller-kva.de./" },
        { "http://M\xc3\x9cller.de:81/", URL_HTTP, "xn--mller-kva.de", 81, "/", NULL,
          "xn--mller-kva.de:81", "http://xn--mller-kva.de:81/" },
        { "m\xc3\xbcller.de", URL_HTTP, "xn--mller-kva.de", 80, "/", NULL, "xn--mller-kva.de",
          "http://xn--mller-kva.de/" },
        { "http://my_host-1/", URL_HTTP, "my_host-1", 80, "/", NULL, "my_host-1",
          "http://my_host-1/" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct url url, again;
        struct err err;
        struct buf buf;

        buf_init(&buf, 4096);
        if (!parse(rows[i].text, &url, &err)) {
            fail_msg("'%s': %s", rows[i].text, err.text);
        }
        assert_int_equal(url.scheme, rows[i].scheme);
        assert_string_equal(url.host, rows[i].host);
        assert_int_equal(url.port, rows[i].port);
        assert_string_equal(url.target, rows[i].target);
        assert_int_equal(url.is_ipv6, strchr(rows[i].host, ':') != NULL);
        if (rows[i].userinfo == NULL) {
            assert_null(url.userinfo);
        } else {
            assert_string_equal(url.userinfo, rows[i].userinfo);
        }
        url_format_host(&url, &buf);
        assert_string_equal(buf.data, rows[i].host_header);
        buf_reset(&buf);
        url_format(&url, &buf);
        assert_string_equal(buf.data, rows[i].whole);
        assert_true(parse(buf.data, &again, &err));
        assert_string_equal(again.target, url.target);
        url_fini(&again);
        url_fini(&url);
        buf_fini(&buf);
    }
}

static void what_is_no_url_is_refused_with_the_reason(UNUSED void **state)
{
    static const struct {
        const char *text;
        const char *reason; /* a part of the error */
    } rows[] = {
        { "", "empty" },
        { "  ", "empty" },
        { "htt", "'htt' is not a URL" },
        { "htt?a.b=c/d:e", "'htt' is not a URL" },
        { "user@htt", "'htt' is not a URL" },
        { "50", "'50' is not a URL" },
        { "http", "wants a colon and two slashes" },
        { "http:/x", "wants a colon and two slashes" },
        { "http//host", "wants a colon and two slashes" },
        { "HTTPS:host", "wants a colon and two slashes" },
        { "http://", "names no host" },
        { "http:///path", "names no host" },
        { "http://u:p@/", "names no host" },
        { "http://:80/", "names no host" },
        { "/path", "names no host" },
        { "//host/path", "names no host" },
        { "?x", "names no host" },
        { "://x", "no scheme before '://'" },
        { "ftp://x", "the scheme 'ftp' is not supported" },
        { "htt://x/", "the scheme 'htt' is not supported" },
        { "http://h:0", "the port '0'" },
        { "http://h:65536", "the port '65536'" },
        { "http://h:8o", "the port '8o'" },
        { "http://h:-1/", "the port '-1'" },
        { "http://h: 80", "the port ' 80'" },
        { "host:", "the port ''" },
        { "http://h:80:80/", "several colons" },
        { "http://::1/", "needs brackets" },
        { "::1", "needs brackets" },
        { "http://[::1", "closing bracket" },
        { "http://[::1]80/", "'80' follows the address" },
        { "http://[]/", "not an IPv6 address" },
        { "http://[1.2.3.4]/", "not an IPv6 address" },
        { "http://[::1%25]/", "not an IPv6 address" },
        { "http://[::1%a/b]/", "closing bracket" },
        { "http://[::g]/", "'::g' in brackets is not an IPv6 address" },
        { "http://1.2.3/", "not an IPv4 address" },
        { "1.5", "not an IPv4 address" },
        { "http://256.1.1.1/", "not an IPv4 address" },
        { "http://1.2.3.4./", "not an IPv4 address" },
        { "http://a..b/", "a part of it is empty" },
        { "http://.a/", "a part of it is empty" },
        { "http://./", "a part of it is empty" },
        { "http://a b/", "' ' may not be in a host name" },
        { "http://a%41/", "'%' may not be in a host name" },
        { "http://${URL}/", "'$' may not be in a host name" },
        { "http://m\xfcller.de/", "not UTF-8" },
        { "http://mu\xcc\x88ller.de/", "punycode" },
        { "http://m\xc3\xbc ller.de/", "' ' may not be in a host name" },
        { "http:host:80", "wants a colon and two slashes" },
        { "http:\\\\host", "wants a colon and two slashes" },
        { "http://h/\x01", "control byte (0x01)" },
        { "http://h/a\r\nHost: x", "byte 11 of the URL is a control byte (0x0d)" },
        { "http://h/\x7f.", "control byte (0x7f)" },
        { "http://u%00:p@h/", "zero byte" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct url url = { .port = 7 };
        struct err err;

        if (parse(rows[i].text, &url, &err)) {
            fail_msg("'%s' is taken for a URL", rows[i].text);
        }
        if (strstr(err.text, rows[i].reason) == NULL) {
            fail_msg("'%s': '%s' lacks '%s'", rows[i].text, err.text, rows[i].reason);
        }
        assert_int_equal(err.kind, ERR_USAGE);
        assert_null(strchr(err.text, '\n'));
        assert_int_equal(url.port, 7);
        assert_null(url.host);
    }
}

static void errors_never_show_a_password(UNUSED void **state)
{
    static const char *const rows[] = {
        "http://me:secret@h:99999/", "ftp://me:secret@h/",      "http://me:secret@h h/",
        "http://me:secret@[::/",     "http://me:secret%00@h/",  "me:secret@",
        "http://me:secret@",         "http://me:secret@1.2.3/",
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct url url;
        struct err err;

        assert_false(parse(rows[i], &url, &err));
        assert_null(strstr(err.text, "secret"));
    }
}

static void long_urls_have_a_limit(UNUSED void **state)
{
    static char text[URL_BYTES_MAX + 2];
    struct url url;
    struct err err;

    memset(text, ' ', sizeof(text) - 1);
    memcpy(text, "http://h/", 9);
    text[URL_BYTES_MAX - 1] = '<';
    text[URL_BYTES_MAX] = '\0';
    assert_true(parse(text, &url, &err));
    assert_int_equal(strlen(url.target), 1 + 3 * (URL_BYTES_MAX - 9));
    url_fini(&url);

    text[URL_BYTES_MAX] = 'x';
    assert_false(parse(text, &url, &err));
    assert_non_null(strstr(err.text, "longer than 65536 bytes"));

    memset(text, 'x', URL_BYTES_MAX);
    memcpy(text, "http://", 7);
    text[300] = '\0';
    assert_false(parse(text, &url, &err));
    assert_non_null(strstr(err.text, "longer than 253 bytes"));
}

static void a_copy_owns_its_own_texts(UNUSED void **state)
{
    struct url url, copy;
    struct err err;

    assert_true(parse("https://u:p@h:1/x", &url, &err));
    url_copy(&url, &copy);
    url_fini(&url);
    assert_null(url.host);
    assert_string_equal(copy.host, "h");
    assert_string_equal(copy.target, "/x");
    assert_string_equal(copy.userinfo, "u:p");
    assert_int_equal(copy.port, 1);
    assert_string_equal(url_scheme_word(copy.scheme), "https");
    url_fini(&copy);
    url_fini(&copy);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls_are_taken_as_people_type_them),
        cmocka_unit_test(what_is_no_url_is_refused_with_the_reason),
        cmocka_unit_test(errors_never_show_a_password),
        cmocka_unit_test(long_urls_have_a_limit),
        cmocka_unit_test(a_copy_owns_its_own_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
