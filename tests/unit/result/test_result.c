/* SPDX-License-Identifier: Apache-2.0 */
#include "result/result.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"

static char program[] = "brunt";
static char user[] = "-u";
static char secret[] = "anna:secret";
static char dashes[] = "--";
static char target[] = "http://u:p@host/";

static void a_new_result_claims_to_know_nothing(UNUSED void **state)
{
    struct result *result = result_new();

    assert_true(isnan(result->generator.run_wait));
    assert_true(isnan(result->generator.steal));
    assert_true(isnan(result->machine.ports_used));
    assert_int_equal(result->machine.tw_reuse, -1);
    assert_false(result->first.known);
    assert_int_equal(result->counts.started, 0);
    result_free(result);
    result_free(NULL);
}

static void rates_are_over_the_measured_time(UNUSED void **state)
{
    struct result *result = result_new();

    assert_true(result_ok_per_s(result) == 0);
    result->window_ok = 500;
    result->window_failed = 10;
    result->window_started = 511;
    result->duration_ns = INT64_C(2000000000);
    assert_true(result_ok_per_s(result) == 250);
    assert_true(result_failed_per_s(result) == 5);
    assert_true(result_started_per_s(result) == 255.5);
    result_free(result);
}

static void the_command_is_kept_without_its_secrets(UNUSED void **state)
{
    char *argv[] = { program, user, secret, dashes, user, target };
    struct result *result = result_new();

    result_set_argv(result, 6, argv, false);
    assert_int_equal(result->argc, 6);
    assert_string_equal(result->argv[0], "brunt");
    assert_string_equal(result->argv[2], "***");
    assert_string_equal(result->argv[4], "-u");
    assert_string_equal(result->argv[5], "http://***@host/");
    assert_null(result->argv[6]);
    result_set_argv(result, 3, argv, true);
    assert_int_equal(result->argc, 3);
    assert_string_equal(result->argv[2], "anna:secret");
    result_free(result);
}

static void words_are_those_of_the_contract(UNUSED void **state)
{
    assert_string_equal(latency_word(LATENCY_FIRST_BYTE), "first_byte");
    assert_string_equal(latency_word(LATENCY_FAILED_RESPONSE), "failed_response");
    assert_string_equal(latency_text(LATENCY_DNS), "resolving the name");
    assert_string_equal(run_state_word(RUN_INTERRUPTED), "interrupted");
    assert_string_equal(run_state_word(RUN_FINISHED), "finished");
    assert_string_equal(run_state_word(RUN_ABORTED), "aborted");
    assert_string_equal(about_word(ABOUT_GENERATOR), "generator");
    assert_string_equal(about_word(ABOUT_SERVER), "server");
    assert_string_equal(about_word(ABOUT_SAMPLE), "sample");
    assert_string_equal(level_word(LEVEL_OK), "ok");
    assert_string_equal(level_word(LEVEL_INFO), "info");
    assert_string_equal(level_word(LEVEL_WARN), "warn");
    assert_string_equal(level_word(LEVEL_FAIL), "fail");
    assert_string_equal(slo_state_word(SLO_HELD), "held");
    assert_string_equal(slo_state_word(SLO_MISSED), "missed");
    assert_string_equal(slo_state_word(SLO_NO_DATA), "no-data");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_result_claims_to_know_nothing),
        cmocka_unit_test(rates_are_over_the_measured_time),
        cmocka_unit_test(the_command_is_kept_without_its_secrets),
        cmocka_unit_test(words_are_those_of_the_contract),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
