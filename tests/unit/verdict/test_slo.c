/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/slo.h"

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

static const struct edge {
    double quantile;
    uint64_t of, slow, failed, unfinished;
    enum slo_state state;
} edges[] = {
    /* 5 of 100 may be slow, failed or unfinished, in any mixture */
    { 0.95, 100, 0, 0, 0, SLO_HELD },
    { 0.95, 100, 5, 0, 0, SLO_HELD },
    { 0.95, 100, 6, 0, 0, SLO_MISSED },
    { 0.95, 100, 0, 5, 0, SLO_HELD },
    { 0.95, 100, 0, 6, 0, SLO_MISSED },
    { 0.95, 100, 0, 0, 6, SLO_MISSED },
    { 0.95, 100, 2, 2, 1, SLO_HELD },
    { 0.95, 100, 2, 2, 2, SLO_MISSED },
    /* none of 19 */
    { 0.95, 19, 0, 0, 0, SLO_HELD },
    { 0.95, 19, 1, 0, 0, SLO_MISSED },
    { 0.95, 20, 1, 0, 0, SLO_HELD },
    /* 1 - 0.9 and 1 - 0.99 are not whole in binary */
    { 0.9, 10, 1, 0, 0, SLO_HELD },
    { 0.9, 10, 2, 0, 0, SLO_MISSED },
    { 0.99, 100, 1, 0, 0, SLO_HELD },
    { 0.99, 300, 3, 0, 0, SLO_HELD },
    { 0.99, 300, 4, 0, 0, SLO_MISSED },
    { 0.999, 1000, 1, 0, 0, SLO_HELD },
    { 0.999, 7000, 7, 0, 0, SLO_HELD },
    { 0.999, 6999, 7, 0, 0, SLO_MISSED },
    { 0.9999, 10000, 1, 0, 0, SLO_HELD },
    { 0.5, 3, 1, 0, 0, SLO_HELD },
    { 0.5, 3, 2, 0, 0, SLO_MISSED },
    /* beyond the whole numbers of a double */
    { 0.95, 2000000000000000000, 100000000000000000, 0, 0, SLO_HELD },
    { 0.95, 2000000000000000000, 100000000000000001, 0, 0, SLO_MISSED },
    { 0.95, 0, 0, 0, 0, SLO_NO_DATA },
};

static void prepare(enum slo_metric metric)
{
    healthy_make(&result, &plan);
    plan.slo_count = 1;
    plan.slos[0] = (struct slo){ .metric = metric };
}

static void a_quantile_holds_up_to_its_exact_edge(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(edges); i++) {
        const struct edge *edge = &edges[i];

        prepare(SLO_QUANTILE);
        plan.slos[0].quantile = edge->quantile;
        plan.slos[0].threshold_ns = 25 * MSEC_NS;
        result.counts.started = edge->of;
        result.counts.failed = edge->failed;
        result.counts.unfinished = edge->unfinished;
        result.slow[0] = edge->slow;
        slo_judge(&result);
        if (result.slo[0].state != edge->state) {
            fail_msg("row %zu is %s", i, slo_state_word(result.slo[0].state));
        }
        assert_int_equal(result.slo[0].violations, edge->slow + edge->failed + edge->unfinished);
        assert_int_equal(result.slo[0].of, edge->of);
    }
}

/* 100 due, answers of 1 ms but for the last `slow`, which take 30 ms. */
static void prepare_hundred(uint64_t ok, uint64_t slow, int64_t slow_ns)
{
    struct hist *response = &result.latency[LATENCY_RESPONSE];

    prepare(SLO_QUANTILE);
    plan.slos[0].quantile = 0.95;
    plan.slos[0].threshold_ns = 25 * MSEC_NS;
    hist_reset(response);
    for (uint64_t i = 0; i < ok; i++) {
        hist_record(response, i < ok - slow ? MSEC_NS : slow_ns);
    }
    result.counts.started = 100;
    result.counts.ok = ok;
    result.counts.failed = 100 - ok;
    result.slow[0] = slow_ns > 25 * MSEC_NS ? slow : 0;
}

static void what_failed_is_slower_than_any_answer(UNUSED void **state)
{
    prepare_hundred(97, 2, 30 * MSEC_NS);
    slo_judge(&result);
    assert_int_equal(result.slo[0].state, SLO_HELD);
    assert_true(fabs(result.slo[0].actual - 1e6) <= 0.002 * 1e6);

    prepare_hundred(95, 2, 30 * MSEC_NS);
    slo_judge(&result);
    assert_int_equal(result.slo[0].state, SLO_MISSED);
    assert_true(fabs(result.slo[0].actual - 30e6) <= 0.002 * 30e6);

    prepare_hundred(90, 0, 0);
    slo_judge(&result);
    assert_int_equal(result.slo[0].state, SLO_MISSED);
    assert_true(isnan(result.slo[0].actual));
}

static void the_value_shown_lies_on_the_side_that_was_decided(UNUSED void **state)
{
    /* both share a bucket with the threshold, whose middle lies beyond it */
    prepare_hundred(100, 50, 25 * MSEC_NS - 1);
    slo_judge(&result);
    assert_int_equal(result.slo[0].state, SLO_HELD);
    assert_true(result.slo[0].actual <= 25e6);

    prepare_hundred(100, 50, 25 * MSEC_NS + 1);
    slo_judge(&result);
    assert_int_equal(result.slo[0].state, SLO_MISSED);
    assert_true(result.slo[0].actual > 25e6);
}

static void mean_and_max_are_of_good_answers_and_exact(UNUSED void **state)
{
    static const struct {
        enum slo_metric metric;
        int64_t threshold_ns;
        enum slo_state state;
        double actual;
    } cases[] = {
        { SLO_MEAN, 2000, SLO_HELD, 2000 },
        { SLO_MEAN, 1999, SLO_MISSED, 2000 },
        { SLO_MAX, 3001, SLO_HELD, 3001 },
        { SLO_MAX, 3000, SLO_MISSED, 3001 },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct hist *response = &result.latency[LATENCY_RESPONSE];

        prepare(cases[i].metric);
        plan.slos[0].threshold_ns = cases[i].threshold_ns;
        hist_reset(response);
        hist_record(response, 999);
        hist_record(response, 3001);
        slo_judge(&result);
        assert_int_equal(result.slo[0].state, cases[i].state);
        assert_true(result.slo[0].actual == cases[i].actual);
        assert_int_equal(result.slo[0].of, 2);
    }
}

static void without_a_good_answer_there_is_no_mean_and_no_max(UNUSED void **state)
{
    static const enum slo_metric metrics[] = { SLO_MEAN, SLO_MAX };

    for (size_t i = 0; i < COUNT_OF(metrics); i++) {
        prepare(metrics[i]);
        hist_reset(&result.latency[LATENCY_RESPONSE]);
        slo_judge(&result);
        assert_int_equal(result.slo[0].state, SLO_NO_DATA);
        assert_true(isnan(result.slo[0].actual));
    }
}

static void errors_are_those_that_failed_or_never_ended(UNUSED void **state)
{
    static const struct {
        double limit;
        uint64_t failed, unfinished, started;
        enum slo_state state;
    } cases[] = {
        { 0.01, 0, 0, 100, SLO_HELD },   { 0.01, 1, 0, 100, SLO_HELD },
        { 0.01, 1, 1, 100, SLO_MISSED }, { 0.01, 0, 2, 199, SLO_MISSED },
        { 0.001, 7, 0, 7000, SLO_HELD }, { 0.001, 7, 0, 6999, SLO_MISSED },
        { 0.0, 0, 0, 100, SLO_HELD },    { 0.0, 1, 0, 1000000000, SLO_MISSED },
        { 0.07, 7, 0, 100, SLO_HELD },   { 0.01, 0, 0, 0, SLO_NO_DATA },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        prepare(SLO_ERRORS);
        plan.slos[0].limit = cases[i].limit;
        result.counts.failed = cases[i].failed;
        result.counts.unfinished = cases[i].unfinished;
        result.counts.started = cases[i].started;
        slo_judge(&result);
        assert_int_equal(result.slo[0].state, cases[i].state);
    }
}

static void a_rate_is_at_least_its_limit(UNUSED void **state)
{
    prepare(SLO_RATE);
    plan.slos[0].limit = HEALTHY_ANSWERS / 10.0;
    slo_judge(&result);
    assert_int_equal(result.slo[0].state, SLO_HELD);
    assert_true(result.slo[0].actual == HEALTHY_ANSWERS / 10.0);

    plan.slos[0].limit += 0.1;
    slo_judge(&result);
    assert_int_equal(result.slo[0].state, SLO_MISSED);

    result.duration_ns = 0;
    slo_judge(&result);
    assert_int_equal(result.slo[0].state, SLO_NO_DATA);
}

static void each_has_its_own_counter_and_outcome(UNUSED void **state)
{
    healthy_make(&result, &plan);
    plan.slo_count = 2;
    for (size_t i = 0; i < plan.slo_count; i++) {
        plan.slos[i] =
            (struct slo){ .metric = SLO_QUANTILE, .quantile = 0.99, .threshold_ns = MSEC_NS };
    }
    result.slow[1] = HEALTHY_ANSWERS / 100 + 1;
    slo_judge(&result);
    assert_int_equal(result.slo[0].state, SLO_HELD);
    assert_int_equal(result.slo[1].state, SLO_MISSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quantile_holds_up_to_its_exact_edge),
        cmocka_unit_test(what_failed_is_slower_than_any_answer),
        cmocka_unit_test(the_value_shown_lies_on_the_side_that_was_decided),
        cmocka_unit_test(mean_and_max_are_of_good_answers_and_exact),
        cmocka_unit_test(without_a_good_answer_there_is_no_mean_and_no_max),
        cmocka_unit_test(errors_are_those_that_failed_or_never_ended),
        cmocka_unit_test(a_rate_is_at_least_its_limit),
        cmocka_unit_test(each_has_its_own_counter_and_outcome),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
