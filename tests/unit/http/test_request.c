/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "http/request.h"

enum { HEADERS_MAX = 6 };

struct row {
    const char *url, *proxy;
    struct request_parts parts; /* url, proxy and headers come from the row */
    const char *headers[HEADERS_MAX];
    const char *want; /* the bytes, or a part of the error */
};

static bool encode(const struct row *row, struct buf *buf, struct err *err)
{
    struct request_parts parts = row->parts;
    struct url url, proxy = { 0 };
    bool ok;

    if (!url_parse(str_of(row->url == NULL ? "http://h/" : row->url), &url, err) ||
        (row->proxy != NULL && !url_parse(str_of(row->proxy), &proxy, err))) {
        fail_msg("%s", err->text);
    }
    parts.proxy = row->proxy != NULL ? &proxy : NULL;
    parts.url = &url;
    parts.method = parts.method == NULL ? "GET" : parts.method;
    parts.headers = row->headers;
    while (parts.header_count < HEADERS_MAX && row->headers[parts.header_count] != NULL) {
        parts.header_count++;
    }
    ok = request_encode(&parts, buf, err);
    url_fini(&url);
    url_fini(&proxy);
    return ok;
}

static void check_bytes(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct buf buf;
        struct err err;

        buf_init(&buf, 4096);
        if (!encode(&rows[i], &buf, &err)) {
            fail_msg("row %zu: %s", i, err.text);
        }
        assert_string_equal(buf.data, rows[i].want);
        buf_fini(&buf);
    }
}

#define BODY(literal) .body = { (literal), sizeof(literal) - 1 }

static void a_request_is_complete_and_in_order(UNUSED void **state)
{
    static const struct row rows[] = {
        { .url = "http://h:81/a?b",
          .parts = { .user_agent = "brunt/1" },
          .want = "GET /a?b HTTP/1.1\r\nHost: h:81\r\nUser-Agent: brunt/1\r\nAccept: */*\r\n\r\n" },
        { .want = "GET / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\n\r\n" },
        { .url = "http://[::1]:81/",
          .want = "GET / HTTP/1.1\r\nHost: [::1]:81\r\nAccept: */*\r\n\r\n" },
        { .parts = { .host = "front:99" },
          .want = "GET / HTTP/1.1\r\nHost: front:99\r\nAccept: */*\r\n\r\n" },
        { .parts = { .close = true },
          .want = "GET / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nConnection: close\r\n\r\n" },
        { .parts = { .version = HTTP_1_0 },
          .want = "GET / HTTP/1.0\r\nHost: h\r\nAccept: */*\r\nConnection: keep-alive\r\n\r\n" },
        { .parts = { .version = HTTP_1_0, .close = true },
          .want = "GET / HTTP/1.0\r\nHost: h\r\nAccept: */*\r\n\r\n" },
        { .parts = { .method = "POST", BODY("a=1"), .content_type = "text/x", .user_agent = "b" },
          .headers = { "X-Last:  1 " },
          .want = "POST / HTTP/1.1\r\nHost: h\r\nUser-Agent: b\r\nAccept: */*\r\n"
                  "Content-Type: text/x\r\nContent-Length: 3\r\nX-Last: 1\r\n\r\na=1" },
    };

    check_bytes(rows, COUNT_OF(rows));
}

static void a_length_is_sent_where_one_is_expected(UNUSED void **state)
{
    static const struct row rows[] = {
        { .parts = { .method = "POST", BODY("a=1"), .body_apart = true },
          .want = "POST / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nContent-Length: 3\r\n\r\n" },
        { .parts = { .method = "POST", BODY(""), .content_type = "t/x" },
          .want = "POST / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nContent-Type: t/x\r\n"
                  "Content-Length: 0\r\n\r\n" },
        { .parts = { .method = "POST", .content_type = "t/x" },
          .want = "POST / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nContent-Length: 0\r\n\r\n" },
        { .parts = { .method = "PUT" },
          .want = "PUT / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nContent-Length: 0\r\n\r\n" },
        { .parts = { .method = "DELETE" },
          .want = "DELETE / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\n\r\n" },
        { .parts = { .method = "POST" },
          .headers = { "Content-Length:" },
          .want = "POST / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\n\r\n" },
        { .parts = { BODY("ab") },
          .headers = { "content-length: 2" },
          .want = "GET / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\ncontent-length: 2\r\n\r\nab" },
    };

    check_bytes(rows, COUNT_OF(rows));
}

static void own_headers_replace_in_any_letter_case(UNUSED void **state)
{
    static const struct row rows[] = {
        { .parts = { .host = "not-me", .user_agent = "b" },
          .headers = { "x: 1", "hOST: me" },
          .want = "GET / HTTP/1.1\r\nHost: me\r\nUser-Agent: b\r\nAccept: */*\r\nx: 1\r\n\r\n" },
        { .parts = { .user_agent = "b" },
          .headers = { "user-agent: me", "ACCEPT: text/html" },
          .want = "GET / HTTP/1.1\r\nHost: h\r\nuser-agent: me\r\nACCEPT: text/html\r\n\r\n" },
        { .parts = { .close = true },
          .headers = { "connection: keep-alive" },
          .want = "GET / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nconnection: keep-alive\r\n\r\n" },
        { .parts = { .method = "POST", BODY("{}"), .content_type = "a/b" },
          .headers = { "content-type: application/json" },
          .want = "POST / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nContent-Length: 2\r\n"
                  "content-type: application/json\r\n\r\n{}" },
        { .url = "http://u:p@h/",
          .headers = { "authorization: Bearer x" },
          .want = "GET / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nauthorization: Bearer x\r\n\r\n" },
        /* removed, sent empty, sent twice */
        { .parts = { .user_agent = "b" },
          .headers = { "User-Agent:", "Accept: ", "Host:", "X-Empty;" },
          .want = "GET / HTTP/1.1\r\nX-Empty:\r\n\r\n" },
        { .headers = { "Cookie: a=1", "Cookie: b=2", "Odd: a;b: c;" },
          .want = "GET / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nCookie: a=1\r\nCookie: b=2\r\n"
                  "Odd: a;b: c;\r\n\r\n" },
    };

    check_bytes(rows, COUNT_OF(rows));
}

static void user_information_becomes_basic_authentication(UNUSED void **state)
{
#define WITH(basic)                                                                                \
    "GET / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\nAuthorization: Basic " basic "\r\n\r\n"
    static const struct row rows[] = {
        { .url = "http://Aladdin:open%20sesame@h/", .want = WITH("QWxhZGRpbjpvcGVuIHNlc2FtZQ==") },
        { .url = "http://u:p@h/", .parts = { .userpass = "a:b" }, .want = WITH("YTpi") },
        { .parts = { .userpass = "name" }, .want = WITH("bmFtZTo=") },
    };

    check_bytes(rows, COUNT_OF(rows));
}

static void a_proxy_is_asked_in_absolute_form(UNUSED void **state)
{
#define PROXY "http://proxy:3128"
    static const struct row rows[] = {
        { .url = "http://a.host/x?y",
          .proxy = PROXY,
          .want = "GET http://a.host/x?y HTTP/1.1\r\nHost: a.host\r\nAccept: */*\r\n\r\n" },
        { .url = "http://a.host:81",
          .proxy = PROXY,
          .parts = { .version = HTTP_1_0, .host = "b.host" },
          .want = "GET http://a.host:81/ HTTP/1.0\r\nHost: b.host\r\nAccept: */*\r\n"
                  "Connection: keep-alive\r\n\r\n" },
        /* a zone means something on this machine alone */
        { .url = "http://[fe80::1%25eth0]:81/",
          .proxy = PROXY,
          .want = "GET http://[fe80::1]:81/ HTTP/1.1\r\nHost: [fe80::1]:81\r\n"
                  "Accept: */*\r\n\r\n" },
        /* each user information to its own */
        { .url = "http://u:p@a.host/",
          .proxy = "http://a:b@proxy:3128",
          .want = "GET http://a.host/ HTTP/1.1\r\nHost: a.host\r\nAccept: */*\r\n"
                  "Authorization: Basic dTpw\r\nProxy-Authorization: Basic YTpi\r\n\r\n" },
        { .url = "http://a.host/",
          .proxy = "http://a:b@proxy:3128",
          .headers = { "proxy-authorization: Other x" },
          .want = "GET http://a.host/ HTTP/1.1\r\nHost: a.host\r\nAccept: */*\r\n"
                  "proxy-authorization: Other x\r\n\r\n" },
    };

    check_bytes(rows, COUNT_OF(rows));
}

static void what_cannot_be_sent_is_refused(UNUSED void **state)
{
    static const struct row rows[] = {
        { .parts = { .method = "" }, .want = "'' is not a method" },
        { .parts = { .method = "GET /" }, .want = "'GET /' is not a method" },
        { .parts = { .method = "G\r\n" }, .want = "is not a method" },
        { .parts = { .method = "G\xc3\xbc" }, .want = "is not a method" },
        { .headers = { "no colon" }, .want = "'no colon' has no colon" },
        { .headers = { "" }, .want = "has no colon" },
        { .headers = { ": x" }, .want = "'' is not the name of a header" },
        { .headers = { ";" }, .want = "'' is not the name of a header" },
        { .headers = { "a b: x" }, .want = "'a b' is not the name of a header" },
        { .headers = { "A: x\r\nB: y" }, .want = "the header 'A' holds a control byte (0x0d)" },
        { .headers = { "A: x\x7fy" }, .want = "control byte (0x7f)" },
        { .headers = { "Transfer-Encoding: chunked" }, .want = "transfer-encoding cannot be set" },
        { .headers = { "transfer-encoding:" }, .want = "transfer-encoding cannot be set" },
        { .parts = { BODY("ab") },
          .headers = { "Content-Length: 3" },
          .want = "content-length '3' contradicts the body of 2 bytes" },
        { .headers = { "Content-Length: x" }, .want = "content-length 'x' contradicts" },
        { .parts = { BODY("ab") }, .headers = { "Content-Length:" }, .want = "cannot be removed" },
        { .headers = { "Host: a", "host: b" }, .want = "the header 'Host' is given twice" },
        { .headers = { "Content-Length: 0", "content-length: 0" },
          .want = "the header 'Content-Length' is given twice" },
        { .parts = { .host = "" }, .want = "'' is not a value of the Host header" },
        { .parts = { .host = "a b" }, .want = "'a b' is not a value of the Host header" },
        { .parts = { .host = "a\nb" }, .want = "the header 'Host' holds a control byte" },
        { .parts = { .user_agent = "a\rb" }, .want = "the header 'User-Agent' holds" },
        { .parts = { .content_type = "a\x01" }, .want = "the header 'Content-Type' holds" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct buf buf;
        struct err err;

        buf_init(&buf, 4096);
        buf_puts(&buf, "before");
        if (encode(&rows[i], &buf, &err)) {
            fail_msg("row %zu is taken: %s", i, buf.data);
        }
        if (strstr(err.text, rows[i].want) == NULL) {
            fail_msg("row %zu: '%s' lacks '%s'", i, err.text, rows[i].want);
        }
        assert_int_equal(err.kind, ERR_USAGE);
        assert_string_equal(buf.data, "before");
        buf_fini(&buf);
    }
}

static void what_is_over_the_limit_is_not_sent_in_part(UNUSED void **state)
{
    static const struct row row = { .parts = { BODY("0123456789") } };
    struct buf buf;
    struct err err;

    buf_init(&buf, 60);
    buf_puts(&buf, "before");
    assert_false(encode(&row, &buf, &err));
    assert_int_equal(err.kind, ERR_LIMIT);
    assert_true(str_eq(buf_str(&buf), STR("before")));
    buf_fini(&buf);
}

static void a_body_may_hold_any_byte(UNUSED void **state)
{
    static const struct row row = { .parts = { BODY("\0\r\n\xff") } };
    struct buf buf;
    struct err err;

    buf_init(&buf, 4096);
    assert_true(encode(&row, &buf, &err));
    assert_true(str_ends(buf_str(&buf), STR("Content-Length: 4\r\n\r\n\0\r\n\xff")));
    buf_fini(&buf);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_complete_and_in_order),
        cmocka_unit_test(a_length_is_sent_where_one_is_expected),
        cmocka_unit_test(own_headers_replace_in_any_letter_case),
        cmocka_unit_test(user_information_becomes_basic_authentication),
        cmocka_unit_test(a_proxy_is_asked_in_absolute_form),
        cmocka_unit_test(what_cannot_be_sent_is_refused),
        cmocka_unit_test(what_is_over_the_limit_is_not_sent_in_part),
        cmocka_unit_test(a_body_may_hold_any_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
