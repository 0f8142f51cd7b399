/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "drive.h"
#include "http/h1.h"

#define OK  "HTTP/1.1 200 OK\r\n"
#define OK0 "HTTP/1.0 200 OK\r\n"

struct answer {
    const char *in;
    enum h1_request kind;
    uint16_t status;
    uint64_t body;
    bool close;  /* the connection is not used again */
    size_t rest; /* bytes that belong to the next answer */
};

static void check_answers(const struct answer *rows, size_t count, enum parse want)
{
    for (size_t i = 0; i < count; i++) {
        const struct answer *row = &rows[i];
        struct str in = str_of(row->in);
        struct outcome got = drive_every_way(row->kind, in);

        if (got.parse != want || got.parser.status != row->status ||
            got.parser.body_bytes != row->body || got.used != in.len - row->rest ||
            got.parser.keep_alive == row->close) {
            print_message("# row %zu: %s", i, row->in);
        }
        assert_int_equal(got.parse, want);
        assert_int_equal(got.parser.error, H1_ERROR_NONE);
        assert_true(got.parser.head_done);
        assert_int_equal(got.parser.status, row->status);
        assert_int_equal(got.parser.body_bytes, row->body);
        assert_int_equal(got.parser.keep_alive, !row->close);
        assert_int_equal(got.used, in.len - row->rest);
        assert_int_equal(got.eof, PARSE_DONE);
    }
}

static void an_answer_ends_where_its_framing_says(UNUSED void **state)
{
    static const struct answer rows[] = {
        { OK "Content-Length: 5\r\n\r\nhelloHTTP", .status = 200, .body = 5, .rest = 4 },
        { OK "Content-Length: 0\r\n\r\nX", .status = 200, .rest = 1 },
        { "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", .status = 500 },
        { OK "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\nX", .status = 200, .body = 5,
          .rest = 1 },
        { OK "Server: nginx/1.22.1\r\nDate: Mon, 30 Nov 2026 15:00:00 GMT\r\n"
             "Content-Type: text/html\r\nContent-Length: 5\r\n"
             "Last-Modified: Mon, 30 Nov 2026 14:45:12 GMT\r\nConnection: keep-alive\r\n"
             "ETag: \"6926cb38-22b\"\r\nAccept-Ranges: bytes\r\n\r\nhelloHTTP/1.1 200 OK\r\n",
          .status = 200, .body = 5, .rest = 17 },
        { OK "Server: nginx/1.22.1\r\nDate: Mon, 30 Nov 2026 15:00:00 GMT\r\n"
             "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n"
             "Connection: keep-alive\r\nX-Long: 0123456789abcdef0123456789abcdef01234567\r\n"
             "\r\n2d\r\n012345678901234567890123456789012345678901234\r\n0\r\n\r\n",
          .status = 200, .body = 45 },
    };

    check_answers(rows, COUNT_OF(rows), PARSE_DONE);
}

static void what_has_no_body_is_complete_at_the_blank_line(UNUSED void **state)
{
    static const struct answer rows[] = {
        { OK "Content-Length: 5000\r\n\r\n", H1_REQUEST_HEAD, .status = 200 },
        { OK "Transfer-Encoding: chunked\r\n\r\n", H1_REQUEST_HEAD, .status = 200 },
        { OK "\r\n", H1_REQUEST_HEAD, .status = 200 },
        { "HTTP/1.1 204 No Content\r\n\r\n", .status = 204 },
        { "HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\nX", .status = 204, .rest = 1 },
        { "HTTP/1.1 304 Not Modified\r\n\r\n", .status = 304 },
        { "HTTP/1.1 304 Not Modified\r\nContent-Length: 555\r\nETag: \"x\"\r\n\r\n",
          .status = 304 },
        { OK "Content-Length: 9\r\n\r\nX", H1_REQUEST_CONNECT, .status = 200, .rest = 1 },
        { "HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nno", H1_REQUEST_CONNECT, .status = 407,
          .body = 2 },
        { "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nContent-Length: 3\r\n\r\nX", .status = 101,
          .close = true, .rest = 1 },
    };

    check_answers(rows, COUNT_OF(rows), PARSE_DONE);
}

static void without_a_length_the_body_ends_with_the_stream(UNUSED void **state)
{
    static const struct answer rows[] = {
        { OK "\r\nabc", .status = 200, .body = 3, .close = true },
        { OK "\r\n", .status = 200, .close = true },
        { OK0 "Connection: keep-alive\r\n\r\nabc", .status = 200, .body = 3, .close = true },
        /* The last coding is not chunked. */
        { OK "Transfer-Encoding: gzip\r\n\r\nabc", .status = 200, .body = 3, .close = true },
        { OK "Transfer-Encoding: chunked, gzip\r\n\r\nabc", .status = 200, .body = 3,
          .close = true },
        { OK "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\nabc", .status = 200,
          .body = 3, .close = true },
        { OK "Transfer-Encoding: chunkedd\r\n\r\nab", .status = 200, .body = 2, .close = true },
        { OK "Transfer-Encoding: chunke\r\n\r\nabc", .status = 200, .body = 3, .close = true },
        { OK "Transfer-Encoding: gzip\r\nContent-Length: 1\r\n\r\nabc", .status = 200, .body = 3,
          .close = true },
        { OK "Content-Lengt: 1\r\nContent-Lengths: 1\r\nXContent-Length: 1\r\n\r\nabc",
          .status = 200, .body = 3, .close = true },
    };

    check_answers(rows, COUNT_OF(rows), PARSE_MORE);
}

static void transfer_encoding_beats_content_length(UNUSED void **state)
{
    static const struct answer rows[] = {
        { OK "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
          .status = 200, .body = 1, .close = true },
        { OK "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n1\r\na\r\n0\r\n\r\n",
          .status = 200, .body = 1, .close = true },
        { OK0 "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
          .status = 200, .body = 1, .close = true },
        { OK "Transfer-Encoding: gzip, Chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", .status = 200,
          .body = 1 },
        { OK "transfer-encoding:chunked  \r\n\r\n1\r\na\r\n0\r\n\r\n", .status = 200, .body = 1 },
        { OK "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
          .status = 200, .body = 1 },
        { OK "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
          .status = 200, .body = 1 },
        { OK "Transfer-Encoding: identity\r\nContent-Length: 3\r\n\r\nabc", .status = 200,
          .body = 3 },
        { OK "Transfer-Encoding:\r\nContent-Length: 3\r\n\r\nabc", .status = 200, .body = 3 },
    };

    check_answers(rows, COUNT_OF(rows), PARSE_DONE);
}

static void equal_lengths_are_one_length(UNUSED void **state)
{
    static const struct answer rows[] = {
        { OK "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", .status = 200, .body = 3 },
        { OK "Content-Length: 3, 3\r\n\r\nabc", .status = 200, .body = 3 },
        { OK "Content-Length: 3 ,03,3\t\r\n\r\nabc", .status = 200, .body = 3 },
        { OK "content-length:        3\r\n\r\nabc", .status = 200, .body = 3 },
        { OK "CONTENT-LENGTH:3\r\n\r\nabc", .status = 200, .body = 3 },
        { OK "Content-Length : 3\r\n\r\nabc", .status = 200, .body = 3 },
        { OK "Content-Length:\r\n 3\r\n\r\nabc", .status = 200, .body = 3 },
        { OK "Content-Length: 3\r\n \r\n\t, 3\r\n\r\nabc", .status = 200, .body = 3 },
        { OK "Content-Length: 00000000000000000000000003\r\n\r\nabc", .status = 200, .body = 3 },
    };

    check_answers(rows, COUNT_OF(rows), PARSE_DONE);
}

static void the_version_and_the_connection_header_decide_on_reuse(UNUSED void **state)
{
    static const struct answer rows[] = {
        { OK "Content-Length: 0\r\n\r\n", .status = 200 },
        { OK "Content-Length: 0\r\nConnection: close\r\n\r\n", .status = 200, .close = true },
        { OK "Content-Length: 0\r\nCONNECTION: foo , ClOsE\r\n\r\n", .status = 200, .close = true },
        { OK "Content-Length: 0\r\nConnection: foo,\r\n close\r\n\r\n", .status = 200,
          .close = true },
        { OK "Content-Length: 0\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n",
          .status = 200, .close = true },
        { OK "Content-Length: 0\r\nConnection: closed, clos, xclose, close-\r\n\r\n",
          .status = 200 },
        { OK "Content-Length: 0\r\nConnections: close\r\nConnectio: close\r\n\r\n", .status = 200 },
        { OK "Content-Length: 0\r\nProxy-Connection: close\r\n\r\n", .status = 200 },
        { OK0 "Content-Length: 2\r\n\r\nab", .status = 200, .body = 2, .close = true },
        { OK0 "Content-Length: 2\r\nConnection: Keep-Alive\r\n\r\nab", .status = 200, .body = 2 },
        { OK0 "Content-Length: 2\r\nConnection: x, keep-alive ,y\r\n\r\nab", .status = 200,
          .body = 2 },
        { OK0 "Content-Length: 2\r\nConnection: keep-alive, close\r\n\r\nab", .status = 200,
          .body = 2, .close = true },
    };

    check_answers(rows, COUNT_OF(rows), PARSE_DONE);
}

static void interim_answers_are_skipped(UNUSED void **state)
{
    static const struct answer rows[] = {
        { "HTTP/1.1 100 Continue\r\n\r\n" OK "Content-Length: 1\r\n\r\nx", .status = 200,
          .body = 1 },
        { "HTTP/1.1 103 Early\r\nLink: </a>\r\nContent-Length: 9\r\nConnection: close\r\n\r\n"
          "HTTP/1.1 100\r\n\r\n" OK "Content-Length: 1\r\n\r\nx",
          .status = 200, .body = 1 },
    };

    check_answers(rows, COUNT_OF(rows), PARSE_DONE);
    assert_int_equal(drive(H1_REQUEST_PLAIN, str_of(rows[1].in), 1, 1).parser.interims, 2);
}

static void odd_but_plain_answers_are_understood(UNUSED void **state)
{
    static const struct answer rows[] = {
        { "HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx", .status = 200, .body = 1 },
        { "HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\nx", .status = 200, .body = 1 },
        { "HTTP/1.1  200  OK\r\nContent-Length: 1\r\n\r\nx", .status = 200, .body = 1 },
        { "HTTP/1.1 200 OK\nContent-Length: 1\n\nx", .status = 200, .body = 1 },
        { "\r\n\r\n\n" OK "Content-Length: 1\r\n\r\nx", .status = 200, .body = 1 },
        { "HTTP/1.1 999 \xc3\xbc\t\xff\r\nContent-Length: 1\r\n\r\nx", .status = 999, .body = 1 },
        { OK "X: a\r\n b: c\r\n\td\r\nContent-Length: 1\r\n\r\nx", .status = 200, .body = 1 },
        { OK " lost: line\r\nContent-Length: 1\r\n\r\nx", .status = 200, .body = 1 },
        { OK "X:\r\nY: \t\r\nContent-Length: 1\r\n\r\nx", .status = 200, .body = 1 },
        { OK "X: \xff\xfe\x80 tab\there\r\nContent-Length: 1\r\n\r\nx", .status = 200, .body = 1 },
        { OK "An Odd Name: 1\r\nContent-Length: 1\r\n\r\nx", .status = 200, .body = 1 },
        { OK "Content-Length X: 9\r\nContent-Length: 1\r\n\r\nx", .status = 200, .body = 1 },
        { OK "Content-Language: de\r\nT: 1\r\nContent-Length: 1\r\n\r\nx", .status = 200,
          .body = 1 },
    };

    check_answers(rows, COUNT_OF(rows), PARSE_DONE);
}

static void chunks_may_carry_extensions_and_trailers(UNUSED void **state)
{
#define CHUNKED OK "Transfer-Encoding: chunked\r\n\r\n"
    static const struct answer rows[] = {
        { CHUNKED "5;a=b;c=\"d\"\r\nhello\r\n0;z\r\n\r\n", .status = 200, .body = 5 },
        { CHUNKED "5  \r\nhello\r\n0 ;z\r\n\r\n", .status = 200, .body = 5 },
        { CHUNKED "0005\r\nhello\r\nA\r\n0123456789\r\na\r\n0123456789\r\n000\r\n\r\n",
          .status = 200, .body = 25 },
        { CHUNKED "5\nhello\n0\n\n", .status = 200, .body = 5 },
        { CHUNKED "0\r\n\r\nX", .status = 200, .rest = 1 },
        { CHUNKED "1\r\nx\r\n0\r\nDigest: abc\r\nConnection: close\r\nContent-Length: x\r\n\r\n",
          .status = 200, .body = 1 },
        { CHUNKED "1\r\nx\r\n0\r\nA: b\r\n c\r\nTransfer-Encoding: y\r\n\r\nZ", .status = 200,
          .body = 1, .rest = 1 },
    };

    check_answers(rows, COUNT_OF(rows), PARSE_DONE);
}

static void broken_answers_name_the_error_the_byte_and_the_place(UNUSED void **state)
{
    static const struct {
        const char *in;
        enum h1_error error;
        char byte;
        size_t used;
    } rows[] = {
        { "SSH-2.0-OpenSSH\r\n", H1_ERROR_STATUS_LINE, 'S', 0 },
        { "HTTX/1.1 200\r\n", H1_ERROR_STATUS_LINE, 'X', 3 },
        { "http/1.1 200\r\n", H1_ERROR_STATUS_LINE, 'h', 0 },
        { " HTTP/1.1 200\r\n", H1_ERROR_STATUS_LINE, ' ', 0 },
        { "\rHTTP/1.1 200\r\n", H1_ERROR_STATUS_LINE, '\r', 1 },
        { "HTTP/2.0 200 OK\r\n", H1_ERROR_VERSION, '2', 5 },
        { "HTTP/1.2 200 OK\r\n", H1_ERROR_VERSION, '2', 7 },
        { "HTTP/1.10 200 OK\r\n", H1_ERROR_VERSION, '0', 8 },
        { "HTTP/1.1\r\n", H1_ERROR_VERSION, '\r', 8 },
        { "HTTP/1.1 \r\n", H1_ERROR_STATUS, '\r', 9 },
        { "HTTP/1.1 099 OK and more of it\r\n", H1_ERROR_STATUS, '0', 9 },
        { "HTTP/1.1 2x0 OK and more of it\r\n", H1_ERROR_STATUS, 'x', 10 },
        { "HTTP/1.1 20: OK and more of it\r\n", H1_ERROR_STATUS, ':', 11 },
        { "HTTP/1.1 2000 OK and more of it\r\n", H1_ERROR_STATUS, '0', 12 },
        { "HTTP/1.1 200 O\x01K and more of it, long enough\r\n", H1_ERROR_CONTROL_BYTE, 1, 14 },
        { OK "no colon in this line, which is long\r\n\r\n", H1_ERROR_HEADER_NAME, '\r', 53 },
        { OK ": nameless, and long enough for all\r\n\r\n", H1_ERROR_HEADER_NAME, ':', 17 },
        { OK "Content-Length\r\n\r\n", H1_ERROR_HEADER_NAME, '\r', 31 },
        { OK "A\x7f: a name with a control byte inside\r\n", H1_ERROR_CONTROL_BYTE, 0x7f, 18 },
        { OK "Server: a value with a\x02 control byte inside\r\n", H1_ERROR_CONTROL_BYTE, 2, 39 },
        { OK "Server: a value with one\x7f", H1_ERROR_CONTROL_BYTE, 0x7f, 41 },
        { OK "Server: a bare\rcarriage return, long enough\r\n", H1_ERROR_CONTROL_BYTE, '\r', 32 },
        { OK "Connection: cl\x01ose\r\n", H1_ERROR_CONTROL_BYTE, 1, 31 },
        { OK "Content-Length: 1\x01\r\n", H1_ERROR_CONTROL_BYTE, 1, 34 },
        { OK "\rX", H1_ERROR_CONTROL_BYTE, '\r', 18 },
        { OK "Content-Length: -1\r\n", H1_ERROR_LENGTH, '-', 33 },
        { OK "Content-Length: +1\r\n", H1_ERROR_LENGTH, '+', 33 },
        { OK "Content-Length: 5x\r\n", H1_ERROR_LENGTH, 'x', 34 },
        { OK "Content-Length: 1 2\r\n", H1_ERROR_LENGTH, '2', 35 },
        { OK "Content-Length: ,1\r\n", H1_ERROR_LENGTH, ',', 33 },
        { OK "Content-Length:\r\nX: y, and more, long enough\r\n", H1_ERROR_LENGTH, 'X', 34 },
        { OK "Content-Length: 1,\r\n\r\n", H1_ERROR_LENGTH, '\r', 37 },
        { OK "Content-Length: 1, 2\r\n", H1_ERROR_LENGTH, '\r', 37 },
        { OK "Content-Length: 1\r\nContent-Length: 2\r\n\r\n, and long enough", H1_ERROR_LENGTH,
          '\r', 53 },
        { OK "Content-Length: 4611686018427387904\r\n", H1_ERROR_LENGTH, '4', 51 },
        { OK "Content-Length: 99999999999999999999999\r\n", H1_ERROR_LENGTH, '9', 51 },
        { CHUNKED "\r\n", H1_ERROR_CHUNK, '\r', 47 },
        { CHUNKED "x\r\n", H1_ERROR_CHUNK, 'x', 47 },
        { CHUNKED "-1\r\n", H1_ERROR_CHUNK, '-', 47 },
        { CHUNKED "1x\r\n", H1_ERROR_CHUNK, 'x', 48 },
        { CHUNKED "1\rx", H1_ERROR_CHUNK, '\r', 49 },
        { CHUNKED "1;\x01\r\n", H1_ERROR_CHUNK, 1, 49 },
        { CHUNKED "1\r\nab\r\n", H1_ERROR_CHUNK, 'b', 51 },
        { CHUNKED "1\r\na\rb", H1_ERROR_CHUNK, 'b', 52 },
        { CHUNKED "4000000000000000\r\n", H1_ERROR_CHUNK, '0', 62 },
        { CHUNKED "0\r\nno colon\r\n\r\n", H1_ERROR_HEADER_NAME, '\r', 58 },
        { CHUNKED "0\r\nA: \x01\r\n\r\n", H1_ERROR_CONTROL_BYTE, 1, 53 },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct outcome got = drive_every_way(H1_REQUEST_PLAIN, str_of(rows[i].in));

        if (got.parser.error != rows[i].error || got.used != rows[i].used) {
            print_message("# row %zu: %s", i, rows[i].in);
        }
        assert_int_equal(got.parse, PARSE_ERROR);
        assert_int_equal(got.eof, PARSE_ERROR);
        assert_string_equal(h1_error_text(got.parser.error), h1_error_text(rows[i].error));
        assert_int_equal(got.parser.error_byte, (unsigned char)rows[i].byte);
        assert_int_equal(got.used, rows[i].used);
    }
}

static void a_zero_byte_is_a_control_byte(UNUSED void **state)
{
    struct outcome got =
        drive_every_way(H1_REQUEST_PLAIN, STR(OK "Server: a value with a\0 zero byte inside\r\n"));

    assert_int_equal(got.parser.error, H1_ERROR_CONTROL_BYTE);
    assert_int_equal(got.parser.error_byte, 0);
    assert_int_equal(got.used, 39);
}

static void an_answer_cut_off_is_not_complete(UNUSED void **state)
{
    static const char *const rows[] = {
        "",
        "\r\n",
        "HTTP/1.1 2",
        OK "Content-Le",
        OK "Content-Length: 3\r\n",
        OK "Content-Length: 3\r\n\r",
        OK "Content-Length: 3\r\n\r\nab",
        CHUNKED "5\r\nhello",
        CHUNKED "5\r\nhello\r\n0\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct outcome got = drive_every_way(H1_REQUEST_PLAIN, str_of(rows[i]));

        assert_int_equal(got.parse, PARSE_MORE);
        assert_int_equal(got.eof, PARSE_MORE);
        assert_int_equal(got.parser.any_byte, i >= 2);
    }
}

/* 20 KB of cookies and a 7,900-byte line are legal; a head without an end is not. */
static void heads_are_taken_up_to_the_limit_and_no_further(UNUSED void **state)
{
    static const struct {
        size_t filler;
        enum parse parse;
    } rows[] = {
        { 7900, PARSE_DONE },
        { 20480, PARSE_DONE },
        { H1_HEAD_BYTES_MAX - 17 - 3 - 4, PARSE_DONE },
        { H1_HEAD_BYTES_MAX - 17 - 3 - 3, PARSE_ERROR },
        { H1_HEAD_BYTES_MAX, PARSE_ERROR },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct outcome whole, pieces;
        struct buf buf;

        buf_init(&buf, 1 << 20);
        buf_puts(&buf, "HTTP/1.1 204 N\r\nX: ");
        for (size_t n = 0; n < rows[i].filler + 1; n++) {
            buf_putc(&buf, 'a');
        }
        buf_puts(&buf, "\r\n\r\n");
        whole = drive(H1_REQUEST_PLAIN, buf_str(&buf), buf.len, 1);
        pieces = drive(H1_REQUEST_PLAIN, buf_str(&buf), 1, 1);
        assert_int_equal(whole.parse, rows[i].parse);
        assert_same_outcome(&whole, &pieces);
        if (whole.parse == PARSE_ERROR) {
            assert_int_equal(whole.parser.error, H1_ERROR_HEAD_TOO_BIG);
            assert_int_equal(whole.used, H1_HEAD_BYTES_MAX);
        }
        buf_fini(&buf);
    }
}

/* Feeds the same text again and again; how often until the parser had enough of it. */
static size_t repeat_until_error(struct h1_parse *parser, struct str text, size_t limit)
{
    size_t used, count = 0;

    while (count < limit && h1_parse(parser, text, &used) == PARSE_MORE) {
        count++;
    }
    return count;
}

static void endless_interims_extensions_and_trailers_end(UNUSED void **state)
{
    static const struct {
        const char *begin, *again;
    } rows[] = {
        { "", "HTTP/1.1 100 Continue\r\n\r\n" },
        { "", "\r\n" },
        { CHUNKED "1;", "extension" },
        { CHUNKED "1", "                " },
        { CHUNKED "", "0" },
        { CHUNKED "0\r\n", "Trailer: x\r\n" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str again = str_of(rows[i].again);
        struct h1_parse parser;
        size_t used, count;

        h1_parse_begin(&parser, H1_REQUEST_PLAIN);
        (void)h1_parse(&parser, str_of(rows[i].begin), &used);
        count = repeat_until_error(&parser, again, H1_HEAD_BYTES_MAX + 1);
        assert_in_range(count, (H1_HEAD_BYTES_MAX - 64) / again.len, H1_HEAD_BYTES_MAX / again.len);
        assert_int_equal(parser.error, H1_ERROR_HEAD_TOO_BIG);
    }
}

static void many_chunks_are_no_big_head(UNUSED void **state)
{
    struct h1_parse parser;
    size_t used;

    h1_parse_begin(&parser, H1_REQUEST_PLAIN);
    assert_int_equal(h1_parse(&parser, STR(CHUNKED), &used), PARSE_MORE);
    assert_int_equal(repeat_until_error(&parser, STR("2;ext=1\r\nab\r\n"), 200000), 200000);
    assert_int_equal(parser.body_bytes, 400000);
    assert_int_equal(h1_parse(&parser, STR("0\r\n\r\n"), &used), PARSE_DONE);
}

static void lengths_are_64_bits_wide(UNUSED void **state)
{
    struct h1_parse parser;
    size_t used;

    h1_parse_begin(&parser, H1_REQUEST_PLAIN);
    assert_int_equal(
        h1_parse(&parser, STR(OK "Content-Length: 4611686018427387903\r\n\r\n"), &used),
        PARSE_MORE);
    assert_int_equal(h1_body_left(&parser), (UINT64_C(1) << 62) - 1);
    assert_int_equal(h1_skip(&parser, (UINT64_C(1) << 62) - 2), PARSE_MORE);
    assert_int_equal(h1_skip(&parser, 1), PARSE_DONE);
    assert_int_equal(parser.body_bytes, (UINT64_C(1) << 62) - 1);

    h1_parse_begin(&parser, H1_REQUEST_PLAIN);
    assert_int_equal(h1_parse(&parser, STR(CHUNKED "3fffffffffffffff\r\nx"), &used), PARSE_MORE);
    assert_int_equal(parser.error, H1_ERROR_NONE);
    assert_int_equal(parser.body_bytes, 1);
}

static void a_body_may_be_skipped_unseen_only_when_its_length_is_known(UNUSED void **state)
{
    static const struct {
        const char *in;
        uint64_t left;
    } rows[] = {
        { OK "Content-Length: 180000\r\n\r\nabc", 179997 },
        { OK "Content-Length: 180000\r\n", 0 },
        { OK "\r\nabc", 0 },
        { CHUNKED "ffff\r\nabc", 0 },
        { OK "Content-Length: 3\r\n\r\nabc", 0 },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct outcome got = drive_every_way(H1_REQUEST_PLAIN, str_of(rows[i].in));

        assert_int_equal(h1_body_left(&got.parser), rows[i].left);
        if (rows[i].left > 0) {
            assert_int_equal(h1_skip(&got.parser, rows[i].left - 1), PARSE_MORE);
            assert_int_equal(h1_parse_eof(&got.parser), PARSE_MORE);
            assert_int_equal(h1_skip(&got.parser, 1), PARSE_DONE);
            assert_int_equal(got.parser.body_bytes, 180000);
        }
    }
}

static void a_complete_answer_takes_no_further_byte(UNUSED void **state)
{
    struct outcome got = drive(H1_REQUEST_PLAIN, STR(OK "Content-Length: 0\r\n\r\n"), 99, 1);
    size_t used = 9;

    assert_int_equal(h1_parse(&got.parser, STR(OK), &used), PARSE_DONE);
    assert_int_equal(used, 0);
}

static void a_header_is_found_in_a_head_kept_for_show(UNUSED void **state)
{
    static const struct str head = {
        "HTTP/1.1 200 OK\r\nServer:  nginx\t\r\nserver: other\r\nX-Empty:\r\n\r\n", 62
    };

    assert_true(str_eq(h1_head_find(head, STR("SERVER")), STR("nginx")));
    assert_true(str_eq(h1_head_find(head, STR("x-empty")), STR("")));
    assert_non_null(h1_head_find(head, STR("x-empty")).p);
    assert_null(h1_head_find(head, STR("serve")).p);
}

static void of_several_heads_the_final_one_counts(UNUSED void **state)
{
    static const struct {
        const char *heads, *final;
    } rows[] = {
        { "HTTP/1.1 200 OK\r\nA: 1\r\n\r\n", "HTTP/1.1 200 OK\r\nA: 1\r\n\r\n" },
        { "HTTP/1.1 200 OK\r\nA: 1\r\n\r\nB: 2\r\n", "HTTP/1.1 200 OK\r\nA: 1\r\n\r\n" },
        { "HTTP/1.1 100\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n" },
        { "HTTP/1.1  103 Early\nLink: x\n\n\r\nHTTP/1.0\t404\nA: 1\n\n",
          "HTTP/1.0\t404\nA: 1\n\n" },
        { "HTTP/1.1 100 a\r\n\r\nHTTP/1.1 102 b\r\n\r\nHTTP/1.1 204 c\r\nD",
          "HTTP/1.1 204 c\r\nD" },
        { "HTTP/1.1 101 Switching\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
          "HTTP/1.1 101 Switching\r\n\r\n" },
        { "HTTP/1.1 100 Continue\r\n\r\n", "" },
        { "HTTP/1.1 100 Continue\r\nA: 1", "" },
        { "\r\n\n", "" },
        { "", "" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct guard guard = guard_put(str_of(rows[i].heads));
        struct str head = h1_final_head(guard.text);

        if (!str_eq(head, str_of(rows[i].final))) {
            fail_msg("of '%s': '%.*s'", rows[i].heads, STR_ARG(head));
        }
        guard_drop(&guard);
    }
    assert_int_equal(h1_final_head((struct str){ NULL, 0 }).len, 0);
    assert_true(str_eq(h1_head_find(STR("HTTP/1.1 103 E\r\nServer: no\r\n\r\n"
                                        "HTTP/1.1 200 OK\r\nServer: yes\r\n\r\n"),
                                    STR("server")),
                       STR("yes")));
}

static void headers_of_one_name_are_found_one_after_the_other(UNUSED void **state)
{
    struct str head = STR("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nX: y\r\nset-cookie :\r\n"
                          "SET-COOKIE: b;\r\n\tpath=/\r\n c\r\nset-cookie2: z\r\n\r\n"
                          "Set-Cookie: body\r\n");
    static const char *const values[] = { "a=1", "", "b;\r\n\tpath=/\r\n c" };
    struct guard guard = guard_put(head);
    struct str rest = guard.text, value;

    for (size_t i = 0; i < COUNT_OF(values); i++) {
        assert_true(h1_head_next(&rest, STR("set-cookie"), &value));
        assert_true(str_eq(value, str_of(values[i])));
    }
    assert_false(h1_head_next(&rest, STR("set-cookie"), &value));
    assert_false(h1_head_next(&rest, STR("set-cookie"), &value));
    assert_true(str_eq(h1_head_find(guard.text, STR("set-cookie2")), STR("z")));
    guard_drop(&guard);
    rest = STR("HTTP/1.1 200 OK\r\nA: b\r\n\tc");
    assert_true(h1_head_next(&rest, STR("a"), &value));
    assert_true(str_eq(value, STR("b\r\n\tc")));
    assert_false(h1_head_next(&rest, STR("a"), &value));
    assert_true(
        str_eq(h1_head_find(STR("HTTP/1.1 200 OK\r\nA: b\r\n\tc\r\n\r\n"), STR("a")), STR("b")));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_ends_where_its_framing_says),
        cmocka_unit_test(what_has_no_body_is_complete_at_the_blank_line),
        cmocka_unit_test(without_a_length_the_body_ends_with_the_stream),
        cmocka_unit_test(transfer_encoding_beats_content_length),
        cmocka_unit_test(equal_lengths_are_one_length),
        cmocka_unit_test(the_version_and_the_connection_header_decide_on_reuse),
        cmocka_unit_test(interim_answers_are_skipped),
        cmocka_unit_test(odd_but_plain_answers_are_understood),
        cmocka_unit_test(chunks_may_carry_extensions_and_trailers),
        cmocka_unit_test(broken_answers_name_the_error_the_byte_and_the_place),
        cmocka_unit_test(a_zero_byte_is_a_control_byte),
        cmocka_unit_test(an_answer_cut_off_is_not_complete),
        cmocka_unit_test(heads_are_taken_up_to_the_limit_and_no_further),
        cmocka_unit_test(endless_interims_extensions_and_trailers_end),
        cmocka_unit_test(many_chunks_are_no_big_head),
        cmocka_unit_test(lengths_are_64_bits_wide),
        cmocka_unit_test(a_body_may_be_skipped_unseen_only_when_its_length_is_known),
        cmocka_unit_test(a_complete_answer_takes_no_further_byte),
        cmocka_unit_test(a_header_is_found_in_a_head_kept_for_show),
        cmocka_unit_test(of_several_heads_the_final_one_counts),
        cmocka_unit_test(headers_of_one_name_are_found_one_after_the_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
