/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/paced.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"

static struct hist times, paced, one_by_one;

static int empty(UNUSED void **state)
{
    hist_reset(&times);
    hist_reset(&paced);
    hist_reset(&one_by_one);
    return 0;
}

static void record(int64_t value_ns, int count)
{
    for (int i = 0; i < count; i++) {
        hist_record(&times, value_ns);
    }
}

static void assert_near(int64_t got, double want, double part)
{
    if ((double)got < want * (1 - part) || (double)got > want * (1 + part)) {
        fail_msg("got %lld, want %.0f", (long long)got, want);
    }
}

static void a_steady_server_looks_the_same_at_any_pace(UNUSED void **state)
{
    record(MSEC_NS, 1000);
    paced_from(&times, MSEC_NS, &paced);
    assert_int_equal(paced.count, 1000);
    assert_int_equal(hist_quantile(&paced, 0.99), MSEC_NS);
    paced_from(&times, 2 * MSEC_NS, &paced);
    assert_int_equal(paced.count, 1000);
}

/* The report: ten seconds, one connection, 1 ms a request, five seconds of standing still. */
static void a_server_that_stands_still_for_half_of_the_time_is_slow_for_half_of_the_requests(
    UNUSED void **state)
{
    record(MSEC_NS, 5000);
    record(5 * SEC_NS, 1);
    assert_near(hist_quantile(&times, 0.99), (double)MSEC_NS, 0.01);
    paced_from(&times, MSEC_NS, &paced);
    assert_near((int64_t)paced.count, 10000, 0.01);
    assert_near(hist_quantile(&paced, 0.45), (double)MSEC_NS, 0.01);
    assert_near(hist_quantile(&paced, 0.75), 2.5e9, 0.01);
    assert_near(hist_quantile(&paced, 0.90), 4.0e9, 0.01);
    assert_near(hist_quantile(&paced, 0.99), 4.9e9, 0.01);
    assert_int_equal(paced.max_ns, 5 * SEC_NS);
    assert_int_equal(paced.min_ns, MSEC_NS);
}

static void it_is_what_adding_them_one_by_one_gives(UNUSED void **state)
{
    static const int64_t interval_ns = 3 * MSEC_NS;

    for (int i = 1; i <= 2000; i++) {
        int64_t value_ns = (int64_t)i * i * 1000;

        hist_record(&times, value_ns);
        hist_record(&one_by_one, value_ns);
        for (int64_t rest = value_ns - interval_ns; rest >= interval_ns; rest -= interval_ns) {
            hist_record(&one_by_one, rest);
        }
    }
    paced_from(&times, interval_ns, &paced);
    assert_near((int64_t)paced.count, (double)one_by_one.count, 0.01);
    assert_near((int64_t)paced.sum_ns, (double)one_by_one.sum_ns, 0.01);
    for (int percent = 50; percent < 100; percent += 3) {
        double quantile = percent / 100.0;

        assert_near(hist_quantile(&paced, quantile), (double)hist_quantile(&one_by_one, quantile),
                    0.01);
    }
}

static void nothing_stays_nothing_and_what_was_there_before_goes(UNUSED void **state)
{
    record(SEC_NS, 3);
    hist_merge(&paced, &times);
    hist_reset(&times);
    paced_from(&times, MSEC_NS, &paced);
    assert_int_equal(paced.count, 0);
}

static void times_beyond_the_range_do_no_harm(UNUSED void **state)
{
    record(INT64_C(1) << 45, 2);
    record(1, 5);
    paced_from(&times, 1, &paced);
    assert_int_equal(paced.max_ns, INT64_C(1) << 45);
    assert_true(paced.count > 7);
    assert_true(hist_mean(&paced) >= 1 && hist_mean(&paced) <= (double)paced.max_ns);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_steady_server_looks_the_same_at_any_pace, empty),
        cmocka_unit_test_setup(
            a_server_that_stands_still_for_half_of_the_time_is_slow_for_half_of_the_requests,
            empty),
        cmocka_unit_test_setup(it_is_what_adding_them_one_by_one_gives, empty),
        cmocka_unit_test_setup(nothing_stays_nothing_and_what_was_there_before_goes, empty),
        cmocka_unit_test_setup(times_beyond_the_range_do_no_harm, empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
