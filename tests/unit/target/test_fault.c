/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "target/fault.h"

enum { SENT_MAX = 2 << 20, STEPS_MAX = 100000, LONGER_THAN_ANY = 1200000 };

/* What a server would do with one fault, as bytes and a word for each move. */
struct walk {
    struct buf sent, moves;
    struct fault fault;
    bool ended;
};

static struct answer_pages pages;

static int set_up(UNUSED void **state)
{
    answer_pages_init(&pages);
    return 0;
}

static int tear_down(UNUSED void **state)
{
    answer_pages_fini(&pages);
    return 0;
}

static struct fault_scene plain(void)
{
    return (struct fault_scene){
        .pages = &pages,
        .target = STR("/fault/self?x"),
        .answer = 1,
        .serial = 1,
        .in_work = 1,
        .connection = ANSWER_KEEP,
    };
}

static const char *const move_words[] = {
    [FAULT_GO_ON] = "",       [FAULT_WAIT] = "wait ",
    [FAULT_FIN] = "fin",      [FAULT_HALF_CLOSE] = "half-close",
    [FAULT_RESET] = "reset",  [FAULT_ABRUPT] = "abrupt",
    [FAULT_RENEW] = "renew ", [FAULT_SILENT] = "silent",
    [FAULT_DEAF] = "deaf",    [FAULT_DONE] = "done",
};

/* Until the script ends, or that many bytes were sent. */
static void take_walk(struct walk *walk, const char *text, struct fault_scene scene, size_t bytes)
{
    enum fault_move move = FAULT_GO_ON;
    struct err err;
    int status;

    buf_init(&walk->sent, SENT_MAX);
    buf_init(&walk->moves, SENT_MAX);
    assert_true(fault_parse(str_of(text), &walk->fault, &status, &err));
    fault_begin(&walk->fault, &scene);
    for (int i = 0; move <= FAULT_RENEW && walk->sent.len < bytes && i < STEPS_MAX; i++) {
        struct str piece;

        move = fault_next(&walk->fault, &piece);
        buf_add_str(&walk->sent, piece);
        buf_puts(&walk->moves, move_words[move]);
    }
    assert_false(walk->sent.overflow);
    walk->ended = move > FAULT_RENEW;
}

static void end_walk(struct walk *walk)
{
    buf_fini(&walk->sent);
    buf_fini(&walk->moves);
    fault_fini(&walk->fault);
}

static void assert_walk(const char *text, struct fault_scene scene, const char *sent,
                        const char *moves)
{
    struct walk walk;

    take_walk(&walk, text, scene, SENT_MAX);
    assert_string_equal(walk.sent.len > 0 ? walk.sent.data : "", sent);
    assert_string_equal(walk.moves.len > 0 ? walk.moves.data : "", moves);
    end_walk(&walk);
}

#define HEAD "HTTP/1.1 200 OK\r\nserver: brunt\r\n"

static void scripts_send_and_move(UNUSED void **state)
{
    static const struct {
        const char *text, *sent, *moves;
    } cases[] = {
        { "empty", "", "fin" },
        { "empty?delay=1ms", "", "wait fin" },
        { "truncated?bytes=7", HEAD "content-length: 7\r\n\r\n012", "fin" },
        { "stall?bytes=7", HEAD "content-length: 7\r\n\r\n012", "silent" },
        { "reset-body?bytes=2", HEAD "content-length: 2\r\n\r\n0", "wait reset" },
        { "no-length-slow?bytes=3&piece=2", HEAD "\r\n012", "wait fin" },
        { "chunked?n=2",
          HEAD "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nhello\r\n0\r\n\r\n", "done" },
        { "chunked?n=0", HEAD "transfer-encoding: chunked\r\n\r\n0\r\n\r\n", "done" },
        { "redirect",
          "HTTP/1.1 302 Found\r\nserver: brunt\r\nlocation: /\r\n"
          "content-length: 0\r\n\r\n",
          "done" },
        { "redirect?n=3&to=%2Fa%3Fb%zz",
          "HTTP/1.1 302 Found\r\nserver: brunt\r\nlocation: "
          "/fault/redirect?n=2&status=302&to=%2Fa%3Fb%zz\r\ncontent-length: 0\r\n\r\n",
          "done" },
        { "redirect?to=%2Fa%3Fb%zz%4",
          "HTTP/1.1 302 Found\r\nserver: brunt\r\nlocation: "
          "/a?b%zz%4\r\ncontent-length: 0\r\n\r\n",
          "done" },
        { "redirect-self?status=308",
          "HTTP/1.1 308 Permanent Redirect\r\nserver: brunt\r\n"
          "location: /fault/self?x\r\ncontent-length: 0\r\n\r\n",
          "done" },
        { "redirect-loop?n=3&at=3",
          "HTTP/1.1 302 Found\r\nserver: brunt\r\nlocation: "
          "/fault/redirect-loop?n=3&status=302&at=1\r\ncontent-length: 0\r\n\r\n",
          "done" },
        { "deaf", "", "deaf" },
        { "half-close?bytes=0", HEAD "content-length: 0\r\n\r\n", "half-close" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_walk(cases[i].text, plain(), cases[i].sent, cases[i].moves);
    }
}

static void each_row_walks_to_an_end_or_says_that_it_is_endless(UNUSED void **state)
{
    for (size_t i = 0; i < fault_table_count; i++) {
        const struct fault_row *row = &fault_table[i];
        struct walk walk;

        take_walk(&walk, row->name, plain(), LONGER_THAN_ANY);
        assert_int_equal(walk.ended, strstr(row->name, "endless") == NULL);
        assert_ptr_equal(fault_table_find(str_of(row->name)), row);
        assert_true(row->help[0] != '\0' && row->help[strlen(row->help) - 1] != '.');
        end_walk(&walk);
    }
}

static void the_answer_to_head_ends_with_the_empty_line(UNUSED void **state)
{
    struct fault_scene scene = plain();

    scene.is_head = true;
    assert_walk("truncated", scene, HEAD "content-length: 102400\r\n\r\n", "fin");
    assert_walk("bodiless?status=200", scene, HEAD "content-length: 5000\r\n\r\n", "done");
    assert_walk("chunk-bytes", scene, HEAD "transfer-encoding: chunked\r\n\r\n", "done");
    for (size_t i = 0; i < fault_table_count; i++) {
        struct walk walk;
        bool has_body;

        take_walk(&walk, fault_table[i].name, scene, LONGER_THAN_ANY);
        has_body = walk.sent.len > 4 && walk.fault.status >= 200 && walk.ended &&
                   walk.fault.in_body && !str_ends(buf_str(&walk.sent), STR("\r\n\r\n"));
        assert_false(has_body);
        end_walk(&walk);
    }
}

static void the_head_says_how_the_connection_goes_on(UNUSED void **state)
{
    struct fault_scene scene = plain();

    scene.connection = ANSWER_CLOSE;
    assert_walk("gzip-not", scene,
                HEAD
                "connection: close\r\ncontent-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello",
                "done");
    scene.connection = ANSWER_KEEP_1_0;
    assert_walk("gzip-not", scene,
                HEAD "connection: keep-alive\r\ncontent-encoding: gzip\r\ncontent-length: 5\r\n\r\n"
                     "hello",
                "done");
}

static void some_wait_for_their_turn(UNUSED void **state)
{
    static const struct {
        const char *text;
        uint64_t answer, serial;
        int64_t in_work;
        const char *moves;
    } cases[] = {
        { "close-after?after=3", 2, 9, 9, "done" },
        { "close-after?after=3", 3, 9, 9, "fin" },
        { "close-after?after=1", 1, 9, 9, "fin" },
        { "reset-after?after=2&delay=1ms", 2, 9, 9, "wait reset" },
        { "delay-tail?every=3", 9, 2, 9, "done" },
        { "delay-tail?every=3", 9, 6, 9, "wait done" },
        { "refuse-after?n=2", 9, 9, 2, "wait done" },
        { "refuse-after?n=2", 9, 9, 3, "done" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fault_scene scene = plain();
        struct walk walk;

        scene.answer = cases[i].answer;
        scene.serial = cases[i].serial;
        scene.in_work = cases[i].in_work;
        take_walk(&walk, cases[i].text, scene, SENT_MAX);
        assert_string_equal(walk.moves.data, cases[i].moves);
        end_walk(&walk);
    }
}

static void a_drip_is_pieces_with_rests_between_them(UNUSED void **state)
{
    struct fault_scene scene = plain();
    struct fault fault;
    struct str piece;
    struct err err;
    int status;

    assert_true(fault_parse(STR("slow-head?piece=10"), &fault, &status, &err));
    fault_begin(&fault, &scene);
    for (size_t sent = 0; sent < sizeof("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello") - 1;) {
        if (sent > 0) {
            assert_int_equal(fault_next(&fault, &piece), FAULT_WAIT);
            assert_int_equal(piece.len, 0);
        }
        assert_int_equal(fault_next(&fault, &piece), FAULT_GO_ON);
        assert_int_equal(piece.len, sent < 40 ? 10 : 3);
        sent += piece.len;
    }
    assert_int_equal(fault_next(&fault, &piece), FAULT_DONE);
    assert_int_equal(piece.len, 0);
    fault_fini(&fault);
}

static void what_is_no_fault_says_why(UNUSED void **state)
{
    static const struct {
        const char *text;
        int status;
        const char *part;
    } cases[] = {
        { "", 404, "no fault ''" },
        { "nix?bytes=1", 404, "no fault 'nix'" },
        { "truncated?bytes", 400,
          "'bytes' is not what it takes, which is: /fault/truncated?bytes" },
        { "truncated?delay=1ms", 400, "'delay' is not what it takes" },
        { "silent?bytes=1", 400, "which is: /fault/silent" },
        { "truncated?bytes=x", 400, "'x'" },
        { "truncated?bytes=17g", 400, "bytes=17g is not in its range" },
        { "close-after?after=0", 400, "after=0 is not in its range" },
        { "empty?delay=2h", 400, "delay=2h is not in its range" },
        { "redirect?status=99", 400, "status=99 is not in its range" },
        { "redirect?=1", 400, "'' is not what it takes" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fault fault;
        struct err err = { .text = "" };
        int status = 0;

        assert_false(fault_parse(str_of(cases[i].text), &fault, &status, &err));
        assert_int_equal(status, cases[i].status);
        assert_non_null(strstr(err.text, cases[i].part));
    }
}

static void the_log_counts_what_follows_the_head(UNUSED void **state)
{
    static const struct {
        const char *text;
        int status;
        uint64_t body_bytes;
    } cases[] = {
        { "empty", 0, 0 },
        { "not-http", 0, 0 },
        { "truncated?bytes=10", 200, 5 },
        { "overlong?bytes=10", 200, 20 },
        { "two-answers?bytes=10", 200, 10 },
        { "interim?n=3", 200, ANSWER_PAGE_BYTES },
        { "interim-only", 100, 0 },
        { "lf", 200, 0 },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct walk walk;

        take_walk(&walk, cases[i].text, plain(), SENT_MAX);
        assert_int_equal(walk.fault.status, cases[i].status);
        assert_int_equal(walk.fault.body_bytes, cases[i].body_bytes);
        end_walk(&walk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_send_and_move),
        cmocka_unit_test(each_row_walks_to_an_end_or_says_that_it_is_endless),
        cmocka_unit_test(the_answer_to_head_ends_with_the_empty_line),
        cmocka_unit_test(the_head_says_how_the_connection_goes_on),
        cmocka_unit_test(some_wait_for_their_turn),
        cmocka_unit_test(a_drip_is_pieces_with_rests_between_them),
        cmocka_unit_test(what_is_no_fault_says_why),
        cmocka_unit_test(the_log_counts_what_follows_the_head),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
