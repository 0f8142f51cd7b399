/* SPDX-License-Identifier: Apache-2.0 */
#include "report/next.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"

static struct result *result;
static struct plan plan;
static struct report_style style;
static struct buf buf;
static struct page page;

/* A valid run of ten seconds with 5,000 good answers of 2 ms. */
static int begin(UNUSED void **state)
{
    plan = (struct plan){ .connections = 50, .duration_ns = 10 * SEC_NS };
    style = (struct report_style){ .columns = 0 };
    result = result_new();
    result->plan = &plan;
    result->valid = true;
    result->generator.threads = 1;
    result->machine.allowed_cpus = 2;
    result->counts.started = result->counts.ok = 5000;
    for (int i = 0; i < 5000; i++) {
        hist_record(&result->latency[LATENCY_RESPONSE], 2 * MSEC_NS);
    }
    buf_init(&buf, 1 << 16);
    page_init(&page, &style, &buf);
    return 0;
}

static int end(UNUSED void **state)
{
    result_free(result);
    buf_fini(&buf);
    return 0;
}

static void command(const char *first, const char *second)
{
    static char words[3][64];
    static char *argv[3] = { words[0], words[1], words[2] };

    str_copy(words[0], sizeof(words[0]), STR("./build/brunt"));
    str_copy(words[1], sizeof(words[1]), str_of(first));
    str_copy(words[2], sizeof(words[2]), str_of(second));
    result_set_argv(result, second == NULL ? 2 : 3, argv, false);
}

static void says(const char *text)
{
    next_suggest(&page, result);
    if (strncmp(buf_str(&buf).p, text, strlen(text)) != 0) {
        fail_msg("'%s' and not '%s'", buf_str(&buf).p, text);
    }
}

static void a_promise_is_the_first_thing_to_add(UNUSED void **state)
{
    command("http://h/", NULL);
    says("next       brunt http://h/ --slo p95:5ms   ");
}

static void the_implied_promise_is_not_one_of_the_users(UNUSED void **state)
{
    plan.slo_count = 1;
    plan.slos[0].implied = true;
    command("http://h/", NULL);
    says("next       brunt http://h/ --slo p95:5ms   ");
}

static void the_document_comes_after_the_promise(UNUSED void **state)
{
    plan.slo_count = 1;
    command("http://h/", NULL);
    says("next       brunt http://h/ --json run.json   ");
    buf_reset(&buf);
    command("http://h/", "--json=x");
    says("");
    assert_int_equal(buf.len, 0);
}

static void few_answers_ask_for_more_time(UNUSED void **state)
{
    hist_reset(&result->latency[LATENCY_RESPONSE]);
    hist_record(&result->latency[LATENCY_RESPONSE], 2 * MSEC_NS);
    command("http://h/", NULL);
    says("next       brunt http://h/ -d 1m   ");
    buf_reset(&buf);
    command("-d10s", "http://h/");
    says("next       the same with -d 1m   ");
}

static void a_busy_generator_asks_for_threads_while_there_are_cpus(UNUSED void **state)
{
    result->valid = false;
    result->generator.busy_max = 0.97;
    command("http://h/", NULL);
    says("next       brunt http://h/ -t 2   ");
    buf_reset(&buf);
    result->generator.threads = 2;
    says("next       brunt http://h/ -v   ");
}

static void no_answer_asks_for_a_single_look(UNUSED void **state)
{
    result->counts.ok = 0;
    command("http://h/", NULL);
    says("next       brunt http://h/ --once   ");
}

static void words_are_quoted_as_a_shell_reads_them(UNUSED void **state)
{
    command("-HX: it's", "http://h/?a=1&b=2");
    says("next       brunt '-HX: it'\\''s' 'http://h/?a=1&b=2' --slo p95:5ms\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_promise_is_the_first_thing_to_add, begin, end),
        cmocka_unit_test_setup_teardown(the_implied_promise_is_not_one_of_the_users, begin, end),
        cmocka_unit_test_setup_teardown(the_document_comes_after_the_promise, begin, end),
        cmocka_unit_test_setup_teardown(few_answers_ask_for_more_time, begin, end),
        cmocka_unit_test_setup_teardown(a_busy_generator_asks_for_threads_while_there_are_cpus,
                                        begin, end),
        cmocka_unit_test_setup_teardown(no_answer_asks_for_a_single_look, begin, end),
        cmocka_unit_test_setup_teardown(words_are_quoted_as_a_shell_reads_them, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
