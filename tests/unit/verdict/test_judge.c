/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "healthy.h"

static struct plan plan;
static struct result result;

enum { NONE, GIVEN, GIVEN_AND_IMPLIED, IMPLIED, STRICT };

static const struct judgement {
    const char *what;
    int asked;
    bool slow, failing, invalid, nothing, unmeasured;
    int exit_code;
} judgements[] = {
    { "a plain run", NONE, .exit_code = 0 },
    { "a plain run that is not valid", NONE, .invalid = true, .exit_code = 0 },
    { "the same with --strict", STRICT, .invalid = true, .exit_code = 4 },
    { "--strict on a valid run", STRICT, .exit_code = 0 },
    { "an SLO that held", GIVEN, .exit_code = 0 },
    { "an SLO that was missed", GIVEN, .slow = true, .exit_code = 1 },
    { "missed, but the generator was the limit", GIVEN, .slow = true, .invalid = true,
      .exit_code = 4 },
    { "held, but the generator was the limit", GIVEN, .invalid = true, .exit_code = 4 },
    { "errors beyond the implied 1 %", GIVEN_AND_IMPLIED, .failing = true, .exit_code = 1 },
    { "the implied alone is no promise", IMPLIED, .failing = true, .exit_code = 0 },
    { "the implied alone asks for no decision", IMPLIED, .invalid = true, .exit_code = 0 },
    { "every request failed", GIVEN, .nothing = true, .invalid = true, .exit_code = 3 },
    { "every request failed, nothing asked", NONE, .nothing = true, .exit_code = 3 },
    { "nothing in the measured time", GIVEN, .unmeasured = true, .exit_code = 3 },
    { "nothing in the measured time, nothing asked", NONE, .unmeasured = true, .exit_code = 3 },
};

static void ask(int asked)
{
    plan.strict = asked == STRICT;
    if (asked == GIVEN || asked == GIVEN_AND_IMPLIED) {
        plan.slos[plan.slo_count++] =
            (struct slo){ .metric = SLO_QUANTILE, .quantile = 0.95, .threshold_ns = 25 * MSEC_NS };
    }
    if (asked == IMPLIED || asked == GIVEN_AND_IMPLIED) {
        plan.slos[plan.slo_count++] =
            (struct slo){ .metric = SLO_ERRORS, .limit = 0.01, .implied = true };
    }
}

static void spoil(const struct judgement *judgement)
{
    if (judgement->slow) {
        result.slow[0] = HEALTHY_ANSWERS / 20 + 1;
    }
    if (judgement->failing) {
        healthy_fail(&result, FAIL_STATUS, HEALTHY_ANSWERS / 50);
    }
    if (judgement->invalid) {
        result.generator.busy_max = 0.99;
    }
    if (judgement->nothing || judgement->unmeasured) {
        memset(&result.counts, 0, sizeof(result.counts));
        hist_reset(&result.latency[LATENCY_RESPONSE]);
    }
    if (judgement->nothing) {
        memset(&result.totals, 0, sizeof(result.totals));
    }
}

static void the_exit_code_is_the_first_that_applies(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(judgements); i++) {
        healthy_make(&result, &plan);
        ask(judgements[i].asked);
        spoil(&judgements[i]);
        judge_result(&result);
        if (result.exit_code != judgements[i].exit_code) {
            fail_msg("%s: exit %d", judgements[i].what, result.exit_code);
        }
        assert_int_equal(result.valid, !judgements[i].invalid && !judgements[i].nothing);
    }
}

static void judging_again_gives_the_same(UNUSED void **state)
{
    static struct result before;

    healthy_make(&result, &plan);
    ask(GIVEN_AND_IMPLIED);
    judge_result(&result);
    before = result;
    judge_result(&result);
    assert_int_equal(result.check_count, before.check_count);
    for (size_t i = 0; i < result.check_count; i++) {
        assert_int_equal(result.checks[i].level, before.checks[i].level);
        assert_string_equal(result.checks[i].text, before.checks[i].text);
    }
    for (size_t i = 0; i < plan.slo_count; i++) {
        assert_int_equal(result.slo[i].state, before.slo[i].state);
        assert_int_equal(result.slo[i].violations, before.slo[i].violations);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exit_code_is_the_first_that_applies),
        cmocka_unit_test(judging_again_gives_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
