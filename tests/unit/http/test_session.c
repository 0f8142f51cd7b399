/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "http/session.h"

/* The trailer of the only chunk is broken. */
#define BROKEN_TRAILER                                                                             \
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: \x01\r\n"
#define ANSWER "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

static void send_all(struct session *session, struct exchange *exchange)
{
    session_submit(session, exchange);
    session_sent(session, session_out(session).len);
}

static void one_connection_carries_one_exchange_after_another(UNUSED void **state)
{
    struct exchange exchange = { .request = STR("GET / HTTP/1.1\r\n\r\n") };
    struct session session;

    session_begin(&session, false);
    for (unsigned i = 1; i <= 3; i++) {
        assert_true(session_room(&session));
        session_submit(&session, &exchange);
        assert_false(session_room(&session));
        assert_true(str_eq(session_out(&session), exchange.request));
        session_sent(&session, 6);
        assert_int_equal(session_out(&session).len, exchange.request.len - 6);
        session_sent(&session, exchange.request.len - 6);
        assert_int_equal(session_feed(&session, STR("HTTP/1.1 204 N\r\n")), SESSION_MORE);
        assert_int_equal(session_feed(&session, STR("\r\n")), SESSION_DONE);
        assert_true(session_reusable(&session));
        assert_int_equal(session.exchanges, i);
    }
}

static void a_connection_is_used_again_only_when_nothing_speaks_against_it(UNUSED void **state)
{
    static const struct {
        const char *answer;
        bool close;
        size_t unsent;
        enum session_event event;
        bool reusable;
    } rows[] = {
        { ANSWER, .event = SESSION_DONE, .reusable = true },
        { ANSWER, .close = true, .event = SESSION_DONE },
        { ANSWER, .unsent = 1, .event = SESSION_DONE },
        { ANSWER "x", .event = SESSION_DONE },
        { "HTTP/1.1 204 N\r\nConnection: close\r\n\r\n", .event = SESSION_DONE },
        { "SSH-2.0", .event = SESSION_ERROR },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct exchange exchange = { .request = STR("GET / HTTP/1.1\r\n\r\n") };
        struct session session;

        session_begin(&session, rows[i].close);
        session_submit(&session, &exchange);
        session_sent(&session, exchange.request.len - rows[i].unsent);
        assert_int_equal(session_feed(&session, str_of(rows[i].answer)), rows[i].event);
        assert_int_equal(session_reusable(&session), rows[i].reusable);
        assert_int_equal(session_room(&session), rows[i].reusable);
    }
}

static void bytes_that_nobody_asked_for_break_the_connection(UNUSED void **state)
{
    struct session session;

    session_begin(&session, false);
    assert_int_equal(session_feed(&session, STR("x")), SESSION_ERROR);
    assert_false(session_reusable(&session));
}

static void a_body_of_known_length_may_be_discarded(UNUSED void **state)
{
    struct exchange exchange = { .request = STR("GET / HTTP/1.1\r\n\r\n") };
    struct session session;

    session_begin(&session, false);
    send_all(&session, &exchange);
    assert_false(session_want(&session).discard);
    assert_int_equal(session_feed(&session, STR("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nh")),
                     SESSION_MORE);
    assert_true(session_want(&session).discard);
    assert_int_equal(session_want(&session).max, 4);
    assert_int_equal(session_skip(&session, 3), SESSION_MORE);
    assert_int_equal(session_skip(&session, 1), SESSION_DONE);
    assert_true(session_reusable(&session));
    assert_false(session_want(&session).discard);
}

static void the_end_of_the_stream_ends_only_what_has_no_length(UNUSED void **state)
{
    static const struct {
        const char *answer;
        enum session_event event;
    } rows[] = {
        { "HTTP/1.1 200 OK\r\n\r\nabc", SESSION_DONE },
        { "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", SESSION_MORE },
        { "HTTP/1.1 2", SESSION_MORE },
        { "", SESSION_MORE },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct exchange exchange = { .request = STR("GET / HTTP/1.1\r\n\r\n") };
        struct session session;

        session_begin(&session, false);
        send_all(&session, &exchange);
        assert_int_equal(session_feed(&session, str_of(rows[i].answer)), SESSION_MORE);
        assert_int_equal(session_eof(&session), rows[i].event);
        assert_false(session_reusable(&session));
    }
}

struct taker {
    struct body_sink sink;
    char bytes[64];
    size_t len;
};

static void take(struct body_sink *sink, struct str bytes)
{
    struct taker *taker = (struct taker *)sink;

    assert_true(bytes.len > 0 && taker->len + bytes.len <= sizeof(taker->bytes));
    memcpy(taker->bytes + taker->len, bytes.p, bytes.len);
    taker->len += bytes.len;
}

static void a_sink_gets_the_body_without_its_framing_at_every_split(UNUSED void **state)
{
    static const struct {
        const char *answer, *body;
        bool until_close;
    } rows[] = {
        { ANSWER, "hello", false },
        { "HTTP/1.1 200 OK\r\n\r\nhello", "hello", true },
        { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
          "2\r\nhe\r\n1;x=\"hello\"\r\nl\r\n002\r\nlo\r\n0\r\nT: hello\r\n\r\n",
          "hello", false },
        { "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 404 N\r\nContent-Length: 0\r\n\r\n", "", false },
        { "HTTP/1.1 304 N\r\nContent-Length: 5\r\n\r\n", "", false },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str answer = str_of(rows[i].answer);

        for (size_t cut = 0; cut <= answer.len; cut++) {
            struct taker taker = { .sink = { take } };
            struct exchange exchange = { .request = STR("GET / HTTP/1.1\r\n\r\n"),
                                         .sink = &taker.sink };
            struct session session;
            enum session_event event;

            session_begin(&session, false);
            send_all(&session, &exchange);
            event = session_feed(&session, (struct str){ answer.p, cut });
            assert_false(session_want(&session).discard);
            if (event == SESSION_MORE) {
                event = session_feed(&session, str_from(answer, cut));
            }
            if (rows[i].until_close) {
                event = session_eof(&session);
            }
            assert_int_equal(event, SESSION_DONE);
            assert_true(str_eq((struct str){ taker.bytes, taker.len }, str_of(rows[i].body)));
            assert_int_equal(session.parse.body_bytes, taker.len);
        }
    }
}

/* The name that is told when the head comes in two pieces, or byte by byte with at = 0. */
static void assert_fault(const char *answer, size_t size, size_t at, const char *name)
{
    struct exchange exchange = { .request = STR("GET / HTTP/1.1\r\n\r\n") };
    enum session_event event = SESSION_MORE;
    struct session session;

    session_begin(&session, false);
    send_all(&session, &exchange);
    for (size_t done = 0; done < size && event == SESSION_MORE;) {
        size_t n = at == 0 ? 1 : done == 0 ? at : size - done;

        event = session_feed(&session, (struct str){ answer + done, n });
        done += n;
    }
    assert_int_equal(event, SESSION_ERROR);
    assert_true(str_eq(session_fault(&session), str_of(name)));
}

static void the_header_at_fault_is_named_at_every_split(UNUSED void **state)
{
#define HEAD "HTTP/1.1 200 OK\r\nDate: today\r\n"
#define ROW(answer, name)                                                                          \
    {                                                                                              \
        (answer), sizeof(answer) - 1, (name)                                                       \
    }
    static const struct {
        const char *answer;
        size_t size;
        const char *name;
    } rows[] = {
        ROW(HEAD "X-Odd: a\x01z\r\n\r\n", "X-Odd"),
        ROW(HEAD "X-Odd: a: b\r\n folded\x01: z\r\n\r\n", "X-Odd"),
        ROW(HEAD "X-O\x02z: a\r\n\r\n", "X-O"),
        ROW(HEAD "No colon\r\n\r\n", "No colon"),
        ROW(HEAD "content-length: 1x\r\n\r\n", "content-length"),
        ROW(HEAD "X-Odd : a\0z\r\n\r\n", "X-Odd"),
        ROW("HTTP/1.1 200 O\x01K\r\n\r\n", ""),
        ROW("HTTP/1.1 2x0 OK\r\n\r\n", ""),
        ROW("SSH-2.0: odd\r\n", ""),
        ROW(HEAD "A-header-with-a-name-longer-than-anybody-writes: \x01\r\n\r\n",
            "A-header-with-a-name-longer-than-anybody"),
        ROW(HEAD "Transfer-Encoding: chunked\r\n\r\nX: 5\r\n", ""),
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t at = 0; at <= rows[i].size; at++) {
            assert_fault(rows[i].answer, rows[i].size, at, rows[i].name);
        }
    }
    assert_fault(BROKEN_TRAILER, sizeof(BROKEN_TRAILER) - 1, sizeof(BROKEN_TRAILER) - 1, "X-Sum");
#undef HEAD
#undef ROW
}

static void a_new_exchange_forgets_the_name_of_the_last(UNUSED void **state)
{
    struct exchange exchange = { .request = STR("GET / HTTP/1.1\r\n\r\n") };
    struct session session;

    session_begin(&session, false);
    send_all(&session, &exchange);
    assert_int_equal(session_feed(&session, STR("HTTP/1.1 200 OK\r\nX-Fine: ")), SESSION_MORE);
    assert_int_equal(session_feed(&session, STR("1\r\nContent-Length: 0\r\n\r\n")), SESSION_DONE);
    send_all(&session, &exchange);
    assert_int_equal(session_feed(&session, STR("\x01")), SESSION_ERROR);
    assert_int_equal(session_fault(&session).len, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_connection_carries_one_exchange_after_another),
        cmocka_unit_test(a_connection_is_used_again_only_when_nothing_speaks_against_it),
        cmocka_unit_test(bytes_that_nobody_asked_for_break_the_connection),
        cmocka_unit_test(a_body_of_known_length_may_be_discarded),
        cmocka_unit_test(the_end_of_the_stream_ends_only_what_has_no_length),
        cmocka_unit_test(a_sink_gets_the_body_without_its_framing_at_every_split),
        cmocka_unit_test(the_header_at_fault_is_named_at_every_split),
        cmocka_unit_test(a_new_exchange_forgets_the_name_of_the_last),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
