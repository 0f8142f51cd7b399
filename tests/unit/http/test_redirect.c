/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "guard.h"
#include "http/redirect.h"

static struct url base_of(const char *text)
{
    struct url url;
    struct err err;

    if (!url_parse(str_of(text), &url, &err)) {
        fail_msg("'%s': %s", text, err.text);
    }
    return url;
}

static bool resolve(const char *base_text, const char *location, struct url *ret_url,
                    struct err *err)
{
    struct url base = base_of(base_text);
    struct guard guard = guard_put(str_of(location));
    bool ok = redirect_resolve(&base, guard.text, ret_url, err);

    guard_drop(&guard);
    url_fini(&base);
    return ok;
}

struct row {
    const char *location, *whole;
};

static void assert_rows(const char *base, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct url url;
        struct err err;
        struct buf buf;

        buf_init(&buf, 4096);
        if (!resolve(base, rows[i].location, &url, &err)) {
            fail_msg("'%s': %s", rows[i].location, err.text);
        }
        url_format(&url, &buf);
        if (strcmp(buf.data, rows[i].whole) != 0) {
            fail_msg("'%s' is '%s', not '%s'", rows[i].location, buf.data, rows[i].whole);
        }
        url_fini(&url);
        buf_fini(&buf);
    }
}

static void references_resolve_as_in_the_rfc(UNUSED void **state)
{
    /* RFC 3986 section 5.4, without those of another scheme and without fragments, which are not
     * sent. */
    static const struct row rows[] = {
        { "g", "http://a/b/c/g" },
        { "./g", "http://a/b/c/g" },
        { "g/", "http://a/b/c/g/" },
        { "/g", "http://a/g" },
        { "//g", "http://g/" },
        { "?y", "http://a/b/c/d;p?y" },
        { "g?y", "http://a/b/c/g?y" },
        { "#s", "http://a/b/c/d;p?q" },
        { "g#s", "http://a/b/c/g" },
        { "g?y#s", "http://a/b/c/g?y" },
        { ";x", "http://a/b/c/;x" },
        { "g;x", "http://a/b/c/g;x" },
        { "g;x?y#s", "http://a/b/c/g;x?y" },
        { ".", "http://a/b/c/" },
        { "./", "http://a/b/c/" },
        { "..", "http://a/b/" },
        { "../", "http://a/b/" },
        { "../g", "http://a/b/g" },
        { "../..", "http://a/" },
        { "../../", "http://a/" },
        { "../../g", "http://a/g" },
        { "../../../g", "http://a/g" },
        { "../../../../g", "http://a/g" },
        { "/./g", "http://a/g" },
        { "/../g", "http://a/g" },
        { "g.", "http://a/b/c/g." },
        { ".g", "http://a/b/c/.g" },
        { "g..", "http://a/b/c/g.." },
        { "..g", "http://a/b/c/..g" },
        { "./../g", "http://a/b/g" },
        { "./g/.", "http://a/b/c/g/" },
        { "g/./h", "http://a/b/c/g/h" },
        { "g/../h", "http://a/b/c/h" },
        { "g;x=1/./y", "http://a/b/c/g;x=1/y" },
        { "g;x=1/../y", "http://a/b/c/y" },
        { "g?y/./x", "http://a/b/c/g?y/./x" },
        { "g?y/../x", "http://a/b/c/g?y/../x" },
        { "g#s/../x", "http://a/b/c/g" },
        { "http:g", "http://a/b/c/g" },
    };

    assert_rows("http://a/b/c/d;p?q", rows, COUNT_OF(rows));
}

static void what_servers_send_is_understood(UNUSED void **state)
{
    static const struct row rows[] = {
        { "http://other/", "http://other/" },
        { "HTTP://Other", "http://other/" },
        { "http://other?x#y", "http://other/?x" },
        { "https://h/", "https://h/" },
        { "http://h:81/../a/./b/", "http://h:81/a/b/" },
        { "//other:8080/x?y", "https://other:8080/x?y" },
        { "//[::1]:8443", "https://[::1]:8443/" },
        { " \t/x ", "https://h:8443/x" },
        { "/", "https://h:8443/" },
        { "https:/x", "https://h:8443/x" },
        { "https:", "https://h:8443/a/b?c=/d" },
        { "?", "https://h:8443/a/b?" },
        { "x?", "https://h:8443/a/x?" },
        { "a//b", "https://h:8443/a/a//b" },
        { "//other//b/", "https://other//b/" },
        { "/a//../b", "https://h:8443/a/b" },
        { "/a b\xc3\xbc?q=<\xc3\xbc>%20%zz", "https://h:8443/a%20b%C3%BC?q=%3C%C3%BC%3E%20%25zz" },
        { "./a:b", "https://h:8443/a/a:b" },
        { "a/b:c", "https://h:8443/a/a/b:c" },
        { "/go?to=http://x/../y", "https://h:8443/go?to=http://x/../y" },
        { "1:2", "https://h:8443/a/1:2" },
        { "..\n#x", "https://h:8443/" },
        { "x@y", "https://h:8443/a/x@y" },
    };

    assert_rows("https://h:8443/a/b?c=/d", rows, COUNT_OF(rows));
}

static void a_location_that_leads_nowhere_says_why(UNUSED void **state)
{
    static const struct {
        const char *location, *reason;
    } rows[] = {
        { "", "empty" },
        { " \t ", "empty" },
        { "ftp://h/", "'ftp', not http or https" },
        { "javascript:alert(1)", "'javascript'" },
        { "other:8080/x", "'other'" },
        { "data:,x", "'data'" },
        { "https:/x", "names the scheme https and no host" },
        { "https:", "no host" },
        { "http://", "names no host" },
        { "http:///x", "names no host" },
        { "///x", "names no host" },
        { "http://u:secret@/", "names no host" },
        { "http://h:99999/", "port" },
        { "//h h/", "host name" },
        { "http://m\xfcller.de/", "not UTF-8" },
        { "/a\x01", "control byte" },
        { "/a\r\nHost: x", "control byte" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct url url = { .port = 7 };
        struct err err;

        if (resolve("http://h/a", rows[i].location, &url, &err)) {
            fail_msg("'%s' leads somewhere", rows[i].location);
        }
        if (strstr(err.text, rows[i].reason) == NULL) {
            fail_msg("'%s': '%s' lacks '%s'", rows[i].location, err.text, rows[i].reason);
        }
        assert_non_null(strstr(err.text, "the Location "));
        assert_null(strstr(err.text, "secret"));
        assert_int_equal(err.kind, ERR_PEER);
        assert_int_equal(url.port, 7);
        assert_null(url.host);
    }
}

static void a_location_has_a_limit(UNUSED void **state)
{
    static char text[URL_BYTES_MAX + 2];
    struct url url;
    struct err err;

    memset(text, 'x', URL_BYTES_MAX + 1);
    assert_false(resolve("http://h/", text, &url, &err));
    assert_non_null(strstr(err.text, "longer than 65536 bytes"));
    /* Alone it fits, behind the base it does not. */
    text[URL_BYTES_MAX] = '\0';
    assert_false(resolve("http://h/", text, &url, &err));
    assert_non_null(strstr(err.text, "longer than 65536 bytes"));
    text[URL_BYTES_MAX - 9] = '\0';
    assert_true(resolve("http://h/", text, &url, &err));
    assert_int_equal(strlen(url.target), URL_BYTES_MAX - 8);
    url_fini(&url);
    /* Dot segments alone, as many as there is room for. */
    for (size_t i = 0; i < URL_BYTES_MAX; i++) {
        text[i] = "../"[i % 3];
    }
    assert_true(resolve("http://h/a/b/c", text, &url, &err));
    assert_string_equal(url.target, "/");
    url_fini(&url);
}

static void user_information_stays_within_the_origin(UNUSED void **state)
{
    static const struct {
        const char *location, *userinfo;
    } rows[] = {
        { "/x", "u:p" },           { "http://h/", "u:p" },
        { "http://H:80/", "u:p" }, { "http://v:q@h/", "v:q" },
        { "http://g/", NULL },     { "//h:81/", NULL },
        { "https://h/", NULL },    { "https://h:80/", NULL },
        { "http://v@g/", "v" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct url url;
        struct err err;

        assert_true(resolve("http://u:p@h/", rows[i].location, &url, &err));
        if (rows[i].userinfo == NULL) {
            assert_null(url.userinfo);
        } else {
            assert_string_equal(url.userinfo, rows[i].userinfo);
        }
        url_fini(&url);
    }
}

static void an_origin_is_scheme_host_and_port(UNUSED void **state)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        { "http://h/a", "http://H:80/b?c", true },
        { "http://h/", "https://h/", false },
        { "http://h:443/", "https://h/", false },
        { "http://h/", "http://h:81/", false },
        { "http://h/", "http://h.x/", false },
        { "https://[::1]/", "https://[::1]:443/x", true },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct url a = base_of(rows[i].a), b = base_of(rows[i].b);

        assert_int_equal(redirect_same_origin(&a, &b), rows[i].same);
        url_fini(&a);
        url_fini(&b);
    }
}

static void the_method_follows_the_status(UNUSED void **state)
{
    static const struct {
        unsigned status;
        const char *method, *then;
        bool keeps_body;
    } rows[] = {
        { 301, "GET", "GET", true },       { 301, "HEAD", "HEAD", true },
        { 301, "POST", "GET", false },     { 301, "PUT", "PUT", true },
        { 301, "post", "post", true },     { 302, "POST", "GET", false },
        { 302, "DELETE", "DELETE", true }, { 303, "GET", "GET", false },
        { 303, "HEAD", "HEAD", false },    { 303, "POST", "GET", false },
        { 303, "PUT", "GET", false },      { 307, "POST", "POST", true },
        { 307, "GET", "GET", true },       { 308, "POST", "POST", true },
        { 308, "PATCH", "PATCH", true },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bool keeps_body = !rows[i].keeps_body;

        assert_string_equal(redirect_method(rows[i].status, rows[i].method, &keeps_body),
                            rows[i].then);
        assert_int_equal(keeps_body, rows[i].keeps_body);
    }
}

static void five_statuses_are_followed(UNUSED void **state)
{
    static const unsigned followed[] = { 301, 302, 303, 307, 308 };
    size_t at = 0;

    for (unsigned status = 0; status < 1000; status++) {
        bool is = at < COUNT_OF(followed) && followed[at] == status;

        assert_int_equal(redirect_is(status), is);
        at += is;
    }
    assert_int_equal(at, COUNT_OF(followed));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_resolve_as_in_the_rfc),
        cmocka_unit_test(what_servers_send_is_understood),
        cmocka_unit_test(a_location_that_leads_nowhere_says_why),
        cmocka_unit_test(a_location_has_a_limit),
        cmocka_unit_test(user_information_stays_within_the_origin),
        cmocka_unit_test(an_origin_is_scheme_host_and_port),
        cmocka_unit_test(the_method_follows_the_status),
        cmocka_unit_test(five_statuses_are_followed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
