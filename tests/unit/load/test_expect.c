/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "http/session.h"
#include "load/expect.h"

#define CHUNKED                                                                                    \
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"                                        \
    "3\r\nabc\r\n1;hello\r\nd\r\n5\r\nhello\r\n0\r\n\r\n"

struct want {
    int64_t length;
    const char *body;
};

static void plan_of(struct plan *plan, struct want want)
{
    struct err err;

    *plan = (struct plan){ .expect_length = want.length, .expect_body = mem_strdup(want.body) };
    assert_true(plan_statuses_parse(STR("200-399"), &plan->expect_status, &err));
}

/* The answer in two pieces, cut there; what was missing goes to text. */
static enum fail judge(const struct expect *expect, struct str answer, size_t cut, char *text,
                       size_t size)
{
    struct exchange exchange = { .request = STR("GET / HTTP/1.1\r\n\r\n") };
    struct expect_look look = { 0 };
    struct session session;
    struct str heads = answer;
    enum fail fail;

    expect_begin(expect, &look, &heads, &exchange);
    session_begin(&session, false);
    session_submit(&session, &exchange);
    session_sent(&session, exchange.request.len);
    if (session_feed(&session, (struct str){ answer.p, cut }) == SESSION_MORE) {
        assert_int_equal(session_feed(&session, str_from(answer, cut)), SESSION_DONE);
    }
    fail = expect_judge(expect, &look, &session.parse);
    text[0] = '\0';
    if (fail == FAIL_CHECK) {
        expect_explain(expect, &look, &session.parse, text, size);
    }
    expect_look_fini(&look);
    return fail;
}

static void an_answer_is_judged_alike_at_every_split(UNUSED void **state)
{
    static const struct {
        struct want want;
        const char *answer;
        enum fail fail;
        const char *why;
    } rows[] = {
        { { -1, NULL }, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", FAIL_NONE, "" },
        { { -1, NULL }, "HTTP/1.1 500 No\r\nContent-Length: 5\r\n\r\nhello", FAIL_STATUS, "" },
        { { 5, NULL }, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", FAIL_NONE, "" },
        { { 4, NULL },
          "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
          FAIL_CHECK,
          "5 body bytes, not 4" },
        { { 0, NULL }, "HTTP/1.1 204 No\r\n\r\n", FAIL_NONE, "" },
        { { 9, NULL }, CHUNKED, FAIL_NONE, "" },
        { { 8, NULL }, CHUNKED, FAIL_CHECK, "9 body bytes, not 8" },
        { { -1, "hello" }, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", FAIL_NONE, "" },
        { { -1, "hello" }, CHUNKED, FAIL_NONE, "" },
        { { -1, "hello" },
          "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 5\r\n\r\nhello",
          FAIL_NONE,
          "" },
        { { -1, "hello" },
          "HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 5\r\n\r\nhello",
          FAIL_CHECK,
          "the Content-Encoding is unknown, or several too many" },
        { { -1, "hello" },
          "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
          FAIL_CHECK,
          "the body is not what its Content-Encoding says" },
        { { -1, "cdhel" }, CHUNKED, FAIL_NONE, "" },
        { { 9, "abcdhello" }, CHUNKED, FAIL_NONE, "" },
        /* in the head or the framing it is not in the body */
        { { -1, "chunked" }, CHUNKED, FAIL_CHECK, "'chunked' is not in the body of 9 bytes" },
        { { -1, ";hello" }, CHUNKED, FAIL_CHECK, "';hello' is not in the body of 9 bytes" },
        { { 8, "x" }, CHUNKED, FAIL_CHECK, "9 body bytes, not 8" },
        { { -1, "x" },
          "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n",
          FAIL_CHECK,
          "'x' is not in the body of 0 bytes" },
        /* the status speaks first */
        { { 4, "x" }, "HTTP/1.1 404 No\r\nContent-Length: 5\r\n\r\nhello", FAIL_STATUS, "" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str answer = str_of(rows[i].answer);
        struct expect expect;
        struct plan plan;

        plan_of(&plan, rows[i].want);
        expect_init(&expect, &plan);
        for (size_t cut = 0; cut <= answer.len; cut++) {
            char why[200];

            if (judge(&expect, answer, cut, why, sizeof(why)) != rows[i].fail) {
                fail_msg("row %zu cut at %zu", i, cut);
            }
            assert_string_equal(why, rows[i].why);
        }
        expect_fini(&expect);
        mem_free(plan.expect_body);
    }
}

static void bodies_are_looked_at_only_when_a_text_is_asked_for(UNUSED void **state)
{
    static const struct {
        struct want want;
        bool looked_at;
    } rows[] = { { { -1, NULL }, false }, { { 5, NULL }, false }, { { -1, "a" }, true } };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct exchange exchange = { 0 };
        struct expect_look look = { 0 };
        struct str heads = { 0 };
        struct expect expect;
        struct plan plan;

        plan_of(&plan, rows[i].want);
        expect_init(&expect, &plan);
        expect_begin(&expect, &look, &heads, &exchange);
        assert_int_equal(exchange.sink != NULL, rows[i].looked_at);
        expect_fini(&expect);
        mem_free(plan.expect_body);
    }
}

static void each_exchange_is_looked_at_anew(UNUSED void **state)
{
    static const struct {
        const char *body;
        bool found;
    } rows[] = { { "ab", true }, { "a", false }, { "b", false } };
    struct expect expect;
    struct plan plan;
    struct exchange exchange = { 0 };
    struct expect_look look = { 0 };
    struct str heads = { 0 };

    plan_of(&plan, (struct want){ -1, "ab" });
    expect_init(&expect, &plan);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        expect_begin(&expect, &look, &heads, &exchange);
        assert_ptr_equal(exchange.sink, &look.sink);
        look.sink.take(&look.sink, str_of(rows[i].body));
        assert_int_equal(look.search.found, rows[i].found);
    }
    expect_fini(&expect);
    mem_free(plan.expect_body);
}

static void a_long_text_is_shown_in_part_and_in_whole_letters(UNUSED void **state)
{
    const char *answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    char text[101], why[200];
    struct expect expect;
    struct plan plan;

    memset(text, 'a', 100);
    text[100] = '\0';
    memcpy(text + 59, "\xc3\xa4", 2);
    plan_of(&plan, (struct want){ -1, text });
    expect_init(&expect, &plan);
    assert_int_equal(judge(&expect, str_of(answer), 10, why, sizeof(why)), FAIL_CHECK);
    memcpy(text + 59, "", 1);
    assert_int_equal(why[0], '\'');
    assert_memory_equal(why + 1, text, 59);
    assert_string_equal(why + 60, "'... is not in the body of 0 bytes");
    expect_fini(&expect);
    mem_free(plan.expect_body);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_judged_alike_at_every_split),
        cmocka_unit_test(bodies_are_looked_at_only_when_a_text_is_asked_for),
        cmocka_unit_test(each_exchange_is_looked_at_anew),
        cmocka_unit_test(a_long_text_is_shown_in_part_and_in_whole_letters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
