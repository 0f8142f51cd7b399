/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "http/h1_request_parse.h"

/* What a server would see of a stream of requests, as text. */
struct watcher {
    struct h1_request_parse parser;
    struct buf seen, body;
    bool failed;
};

static void watcher_init(struct watcher *watcher)
{
    *watcher = (struct watcher){ 0 };
    h1_request_parse_init(&watcher->parser);
    buf_init(&watcher->seen, 1 << 20);
    buf_init(&watcher->body, 1 << 20);
}

static void watcher_fini(struct watcher *watcher)
{
    h1_request_parse_fini(&watcher->parser);
    buf_fini(&watcher->seen);
    buf_fini(&watcher->body);
}

static void see(struct watcher *watcher, enum request_event event)
{
    struct h1_request_parse *parser = &watcher->parser;

    switch (event) {
    case REQUEST_MORE:
        break;
    case REQUEST_HEAD:
        buf_printf(&watcher->seen, "%s %.*s 1.%d%s%s%s%s len=%llu type=%s|", parser->method,
                   STR_ARG(buf_str(&parser->target)), parser->version_minor,
                   parser->keep_alive ? " keep" : " close", parser->chunked ? " chunked" : "",
                   parser->is_head ? " head" : "", parser->expects_continue ? " expects" : "",
                   (unsigned long long)parser->length, parser->content_type);
        break;
    case REQUEST_BODY:
        buf_add_str(&watcher->body, parser->piece);
        break;
    case REQUEST_DONE:
        buf_printf(&watcher->seen, "body=%.*s bytes=%llu;", STR_ARG(buf_str(&watcher->body)),
                   (unsigned long long)parser->body_bytes);
        buf_reset(&watcher->body);
        h1_request_parse_begin(parser);
        break;
    case REQUEST_ERROR:
        buf_printf(&watcher->seen, "error %d %s", h1_request_error_status(parser->error),
                   h1_request_error_text(parser->error));
        watcher->failed = true;
        break;
    }
}

static void feed(struct watcher *watcher, struct str in)
{
    enum request_event event = REQUEST_DONE;

    while (event != REQUEST_MORE && !watcher->failed) {
        size_t used = 0;

        event = h1_request_parse(&watcher->parser, in, &used);
        assert_true(used <= in.len);
        in = str_from(in, used);
        see(watcher, event);
    }
    assert_true(watcher->failed || in.len == 0);
}

/* In pieces of that many bytes after a first one of `first`. */
static void feed_split(struct watcher *watcher, struct str in, size_t first, size_t step)
{
    feed(watcher, (struct str){ in.p, first });
    for (size_t at = first; at < in.len; at += step) {
        feed(watcher, (struct str){ in.p + at, in.len - at < step ? in.len - at : step });
    }
}

static void assert_seen(struct str in, size_t first, size_t step, const char *want)
{
    struct watcher watcher;

    watcher_init(&watcher);
    feed_split(&watcher, in, first, step);
    assert_string_equal(watcher.seen.data == NULL ? "" : watcher.seen.data, want);
    watcher_fini(&watcher);
}

static const struct {
    const char *in, *want;
} streams[] = {
    { "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / 1.1 keep len=0 type=|body= bytes=0;" },
    { "GET / HTTP/1.1\nHost: a\n\n", "GET / 1.1 keep len=0 type=|body= bytes=0;" },
    { "\r\n\nGET /a?b=c HTTP/1.0\r\n\r\n", "GET /a?b=c 1.0 close len=0 type=|body= bytes=0;" },
    { "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
      "GET / 1.0 keep len=0 type=|body= bytes=0;" },
    { "GET / HTTP/1.1\r\nHOST:a\r\nconnection: x , CLOSE\r\n\r\n",
      "GET / 1.1 close len=0 type=|body= bytes=0;" },
    { "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD / 1.1 keep head len=0 type=|body= bytes=0;" },
    { "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / 1.1 keep len=0 type=|body= bytes=0;GET /2 1.1 keep len=0 type=|body= bytes=0;" },
    { "POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Type:  text/x \r\n\r\nhello"
      "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST /e 1.1 keep len=5 type=text/x|body=hello bytes=5;"
      "GET / 1.1 keep len=0 type=|body= bytes=0;" },
    { "PUT /e HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
      "5;ext=\"1\"\r\nhello\r\n00a\r\n, you all!\r\n0\r\nTrailer: x\r\n\r\nGET / HTTP/1.0\r\n\r\n",
      "PUT /e 1.1 keep chunked expects len=0 type=|body=hello, you all! bytes=15;"
      "GET / 1.0 close len=0 type=|body= bytes=0;" },
    { "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
      "POST / 1.1 keep len=0 type=|body= bytes=0;" },
    { "GET http://a/b HTTP/1.1\r\nHost: a\r\nA-Header-Whose-Name-Is-Long: \x80\xff\t \r\n\r\n",
      "GET http://a/b 1.1 keep len=0 type=|body= bytes=0;" },
    /* unfinished: nothing wrong, nothing done */
    { "GET / HTTP/1.1\r\nHost: a\r\n", "" },
    { "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab", "POST / 1.1 keep len=3 type=|" },
    /* not requests */
    { "hello\r\n", "error 400 the method is not a token of at most 23 letters" },
    { " GET / HTTP/1.1\r\n", "error 400 the method is not a token of at most 23 letters" },
    { "METHODSHAVEATMOST23LETTERS / HTTP/1.1\r\n",
      "error 400 the method is not a token of at most 23 letters" },
    { "GET /\r\n", "error 400 the first line does not end in an HTTP version" },
    { "GET / HTTP/1.1 \r\n", "error 400 the first line does not end in an HTTP version" },
    { "GET / HTTP/1.1\r\r\n", "error 400 the first line does not end in an HTTP version" },
    { "GET  HTTP/1.1\r\n",
      "error 400 the target is empty or holds a byte that may not stand in it" },
    { "GET /\x7f HTTP/1.1\r\n",
      "error 400 the target is empty or holds a byte that may not stand in it" },
    { "PRI * HTTP/2.0\r\n\r\n", "error 505 the version is not HTTP/1.0 or HTTP/1.1" },
    { "GET / HTTP/1.1\r\n\r\n",
      "error 400 a request of HTTP/1.1 has one Host header, no more and no less" },
    { "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
      "error 400 a request of HTTP/1.1 has one Host header, no more and no less" },
    { "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
      "error 400 a header line has no name, no colon, or a blank in the wrong place" },
    { "GET / HTTP/1.1\r\n: a\r\n\r\n",
      "error 400 a header line has no name, no colon, or a blank in the wrong place" },
    { "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
      "error 400 a header line has no name, no colon, or a blank in the wrong place" },
    { "GET / HTTP/1.1\r\nHost: a\r\n\rb",
      "error 400 a header line has no name, no colon, or a blank in "
      "the wrong place" },
    { "GET / HTTP/1.1\r\nHost: a\x01\r\n\r\n", "error 400 a header holds a control byte" },
    { "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", "error 400 a header holds a control byte" },
    { "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\n",
      "error 400 content-length is not a number, is given twice, or beside a coding" },
    { "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 4611686018427387904\r\n\r\n",
      "error 400 content-length is not a number, is given twice, or beside a coding" },
    { "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n",
      "error 400 content-length is not a number, is given twice, or beside a coding" },
    { "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
      "error 400 content-length is not a number, is given twice, or beside a coding" },
    { "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      "error 501 the only transfer-encoding known is chunked, in HTTP/1.1" },
    { "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
      "error 501 the only transfer-encoding known is chunked, in HTTP/1.1" },
};

static void requests_read_the_same_at_any_split(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(streams); i++) {
        struct str in = str_of(streams[i].in);

        assert_seen(in, in.len, 1, streams[i].want);
        assert_seen(in, 0, 1, streams[i].want);
        for (size_t at = 1; at < in.len; at++) {
            assert_seen(in, at, in.len, streams[i].want);
        }
    }
}

#define CHUNKED_HEAD "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
#define CHUNKED_SEEN "POST / 1.1 keep chunked len=0 type=|"
#define CHUNK_ERROR  "error 400 a chunk does not begin with its size or does not end where it says"

static void broken_chunks_are_refused(UNUSED void **state)
{
    static const char *const bodies[] = {
        "x",          "\r\n",   "5 x\x01\r\n",           "2\r\nabc",
        "2\r\nab\rc", "5_\r\n", "11111111111111111\r\n", "4000000000000000\r\n",
        "0\r\n\rx",
    };

    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        struct buf in;

        buf_init(&in, 1024);
        buf_puts(&in, CHUNKED_HEAD);
        buf_puts(&in, bodies[i]);
        assert_seen(buf_str(&in), in.len, 1, CHUNKED_SEEN CHUNK_ERROR);
        assert_seen(buf_str(&in), 0, 1, CHUNKED_SEEN CHUNK_ERROR);
        buf_fini(&in);
    }
}

/* A head of exactly so many bytes. */
static void make_head(struct buf *in, size_t bytes)
{
    static const char begin[] = "GET / HTTP/1.1\r\nHost: a\r\nX: ", end[] = "\r\n\r\n";

    buf_init(in, bytes);
    buf_puts(in, begin);
    while (in->len < bytes - (sizeof(end) - 1)) {
        buf_putc(in, 'x');
    }
    buf_puts(in, end);
    assert_int_equal(in->len, bytes);
}

static void a_head_may_have_64_kib_and_no_byte_more(UNUSED void **state)
{
    struct buf in;

    make_head(&in, H1_REQUEST_HEAD_BYTES_MAX);
    assert_seen(buf_str(&in), in.len, 1, "GET / 1.1 keep len=0 type=|body= bytes=0;");
    buf_fini(&in);
    for (size_t step = 1; step < 100000; step *= 7) {
        make_head(&in, H1_REQUEST_HEAD_BYTES_MAX + 1);
        assert_seen(buf_str(&in), 0, step, "error 431 the head is larger than 64 KiB");
        buf_fini(&in);
    }
}

static void a_target_may_have_16_kib(UNUSED void **state)
{
    for (size_t over = 0; over < 2; over++) {
        struct watcher watcher;

        watcher_init(&watcher);
        feed(&watcher, STR("GET "));
        for (size_t i = 0; i < H1_REQUEST_TARGET_BYTES_MAX + over && !watcher.failed; i++) {
            feed(&watcher, STR("/"));
        }
        assert_int_equal(watcher.failed, over);
        if (watcher.failed) {
            assert_string_equal(watcher.seen.data, "error 414 the target is longer than 16 KiB");
        }
        watcher_fini(&watcher);
    }
}

static void a_body_without_end_is_counted_and_not_kept(UNUSED void **state)
{
    struct h1_request_parse parser;
    struct str piece = STR("0123456789");
    size_t used, bytes = 0;

    h1_request_parse_init(&parser);
    assert_int_equal(h1_request_parse(&parser,
                                      STR("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: "
                                          "4611686018427387903\r\n\r\n"),
                                      &used),
                     REQUEST_HEAD);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(h1_request_parse(&parser, piece, &used), REQUEST_BODY);
        bytes += used;
    }
    assert_int_equal(bytes, 10000);
    assert_int_equal(parser.body_bytes, 10000);
    assert_true(parser.value.room + parser.target.room < 1024);
    h1_request_parse_fini(&parser);
}

static void the_last_authorization_of_a_request_is_kept(UNUSED void **state)
{
    static const char text[] =
        "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Basic eA==\r\n"
        "authorization:  Basic dTpw \r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n";
    struct h1_request_parse parser;
    struct str in = STR(text);
    size_t used;

    h1_request_parse_init(&parser);
    assert_int_equal(h1_request_parse(&parser, in, &used), REQUEST_HEAD);
    assert_string_equal(parser.authorization.data, "Basic dTpw");
    in = str_from(in, used);
    assert_int_equal(h1_request_parse(&parser, in, &used), REQUEST_DONE);
    h1_request_parse_begin(&parser);
    assert_int_equal(h1_request_parse(&parser, str_from(in, used), &used), REQUEST_HEAD);
    assert_int_equal(parser.authorization.len, 0);
    h1_request_parse_fini(&parser);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_read_the_same_at_any_split),
        cmocka_unit_test(broken_chunks_are_refused),
        cmocka_unit_test(a_head_may_have_64_kib_and_no_byte_more),
        cmocka_unit_test(a_target_may_have_16_kib),
        cmocka_unit_test(the_last_authorization_of_a_request_is_kept),
        cmocka_unit_test(a_body_without_end_is_counted_and_not_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
