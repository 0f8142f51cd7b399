/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "base/err.h"
#include "probe/memory.h"
#include "probe/quota.h"

static void what_every_linux_has_is_known(UNUSED void **state)
{
    struct machine machine;

    memset(&machine, 0xa5, sizeof(machine));
    machine_read(&machine);
    assert_in_range(machine.cpus, 1, 8192);
    assert_in_range(machine.allowed_cpus, 1, machine.cpus);
    assert_true(machine.kernel[0] >= '0' && machine.kernel[0] <= '9');
    assert_true(strlen(machine.kernel) < sizeof(machine.kernel));
    assert_in_range(machine.port_low, 1, machine.port_high);
    assert_in_range(machine.port_high, machine.port_low, 65535);
    assert_true(machine.tw_reuse >= -1 && machine.tw_reuse <= 2);
    assert_null(strchr(machine.congestion, '\n'));
    assert_null(strchr(machine.clocksource, '\n'));
}

static void what_is_known_at_the_end_only_is_unknown(UNUSED void **state)
{
    struct machine machine;

    memset(&machine, 0xa5, sizeof(machine));
    machine_read(&machine);
    assert_true(isnan(machine.ports_used));
    assert_true(isnan(machine.neighbour_cores));
    assert_true(machine.port_ceiling_per_s == 0.0);
    assert_int_equal(machine.clock_step_ns, 0);
    assert_string_equal(machine.neighbour, "");
}

static void the_limit_of_descriptors_is_the_one_in_force(UNUSED void **state)
{
    struct rlimit before, lower;
    struct machine machine;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    lower = before;
    lower.rlim_cur = 123;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &lower), 0);
    machine_read(&machine);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(machine.descriptors, 123);
}

static void cpus_by_quota_are_more_than_none(UNUSED void **state)
{
    assert_true(quota_cpus() > 0.0);
}

static void the_peak_of_memory_follows_what_is_touched(UNUSED void **state)
{
    static char much[16 << 20];
    int64_t before = memory_peak_bytes();

    assert_true(before > 0);
    for (size_t i = 0; i < sizeof(much); i += 4096) {
        ((volatile char *)much)[i] = 1;
    }
    assert_true(memory_peak_bytes() >= before + (8 << 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_every_linux_has_is_known),
        cmocka_unit_test(what_is_known_at_the_end_only_is_unknown),
        cmocka_unit_test(the_limit_of_descriptors_is_the_one_in_force),
        cmocka_unit_test(cpus_by_quota_are_more_than_none),
        cmocka_unit_test(the_peak_of_memory_follows_what_is_touched),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
