/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

#include "base/err.h"

static void shares_are_of_the_time_between_two_readings(UNUSED void **state)
{
    static const struct {
        struct cpu_times before, after;
        double busy, steal;
    } cases[] = {
        { { 1000, 400, 10 }, { 1200, 550, 20 }, 0.75, 0.05 },
        { { 1000, 400, 10 }, { 1200, 400, 10 }, 0.0, 0.0 },
        /* counters that run backwards, and beyond the whole */
        { { 1000, 400, 10 }, { 1200, 399, 9 }, 0.0, 0.0 },
        { { 1000, 400, 10 }, { 1100, 600, 10 }, 1.0, 0.0 },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double busy = cpu_busy_share(&cases[i].before, &cases[i].after);
        double steal = cpu_steal_share(&cases[i].before, &cases[i].after);

        assert_true(fabs(busy - cases[i].busy) < 1e-12);
        assert_true(fabs(steal - cases[i].steal) < 1e-12);
    }
}

static void without_time_between_them_they_are_not_known(UNUSED void **state)
{
    const struct cpu_times same = { 1000, 400, 10 };

    assert_true(isnan(cpu_busy_share(&same, &same)));
    assert_true(isnan(cpu_steal_share(&same, &same)));
}

static void this_machine_has_used_some_time(UNUSED void **state)
{
    struct cpu_times times;

    assert_true(cpu_read(&times));
    assert_true(times.busy > 0);
    assert_true(times.total >= times.busy + times.steal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_of_the_time_between_two_readings),
        cmocka_unit_test(without_time_between_them_they_are_not_known),
        cmocka_unit_test(this_machine_has_used_some_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
