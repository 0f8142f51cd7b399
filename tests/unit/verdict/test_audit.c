/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/audit.h"

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

static void measured_lost(void)
{
    result.counts.started++;
}

static void measured_cause(void)
{
    result.counts.by_failure[FAIL_RESET]++;
}

static void total_lost(void)
{
    result.totals.started++;
    result.windows_started++;
}

static void more_than_all(void)
{
    result.counts.started += 30000;
    result.counts.unfinished += 30000;
}

static void window_started_lost(void)
{
    result.windows_started--;
}

static void window_completed_twice(void)
{
    result.windows_completed++;
}

static void answer_without_time(void)
{
    result.latency[LATENCY_RESPONSE].count--;
}

static void completion_without_time(void)
{
    result.window_failed++;
}

static void maximum_below(void)
{
    result.latency[LATENCY_CONNECT].count = 10;
    result.latency[LATENCY_CONNECT].buckets[100] = 10;
    result.latency[LATENCY_CONNECT].min_ns = 100;
    result.latency[LATENCY_CONNECT].max_ns = 50;
}

static void slow_beyond_answers(void)
{
    plan.slo_count = 1;
    result.slow[0] = HEALTHY_ANSWERS + 1;
}

static void every_broken_law_is_found(UNUSED void **state)
{
    static void (*const breaks[])(void) = {
        measured_lost,       measured_cause,         total_lost,          more_than_all,
        window_started_lost, window_completed_twice, answer_without_time, completion_without_time,
        maximum_below,       slow_beyond_answers,
    };

    for (size_t i = 0; i < COUNT_OF(breaks); i++) {
        const char *first = NULL;

        healthy_make(&result, &plan);
        breaks[i]();
        if (audit_broken(&result, &first) != 1) {
            fail_msg("break %zu: %s", i, first == NULL ? "not found" : first);
        }
        assert_non_null(first);
    }
}

static void what_adds_up_is_silent(UNUSED void **state)
{
    const char *first;

    healthy_make(&result, &plan);
    assert_int_equal(audit_broken(&result, &first), 0);
    assert_null(first);
    healthy_fail(&result, FAIL_TIMEOUT_BODY, 500);
    assert_int_equal(audit_broken(&result, &first), 0);
    memset(&result, 0, sizeof(result));
    result.plan = &plan;
    assert_int_equal(audit_broken(&result, &first), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_broken_law_is_found),
        cmocka_unit_test(what_adds_up_is_silent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
