/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/cpustat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"

static const char two_cpus[] = "cpu  100 20 300 4000 50 6 7 80 9 10\n"
                               "cpu0 60 10 200 2000 30 3 4 40 0 0\n"
                               "cpu3 40 10 100 2000 20 3 3 40 0 0\n"
                               "intr 123 4 5\n"
                               "ctxt 99\n";

static void the_machine_comes_first_then_each_cpu_by_its_number(UNUSED void **state)
{
    static const int numbers[] = { CPUSTAT_ALL, 0, 3 };
    struct str rest = str_of(two_cpus);
    struct cpu_times times;
    int cpu;

    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        assert_true(cpustat_next(&rest, &cpu, &times));
        assert_int_equal(cpu, numbers[i]);
    }
    assert_false(cpustat_next(&rest, &cpu, &times));
}

static void waiting_for_disks_is_idle_and_steal_is_neither_busy_nor_idle(UNUSED void **state)
{
    struct str rest = str_of(two_cpus);
    struct cpu_times times;
    int cpu;

    assert_true(cpustat_next(&rest, &cpu, &times));
    assert_int_equal(times.total, 100 + 20 + 300 + 4000 + 50 + 6 + 7 + 80);
    assert_int_equal(times.busy, 100 + 20 + 300 + 6 + 7);
    assert_int_equal(times.steal, 80);
}

static void an_old_kernel_without_steal_is_read(UNUSED void **state)
{
    struct str rest = STR("cpu 1 2 3 4\n");
    struct cpu_times times;
    int cpu;

    assert_true(cpustat_next(&rest, &cpu, &times));
    assert_int_equal(times.total, 10);
    assert_int_equal(times.busy, 6);
    assert_int_equal(times.steal, 0);
}

static void what_is_not_a_cpu_line_is_refused(UNUSED void **state)
{
    static const char *const texts[] = {
        "", "\n", "cpu", "cpu 1 2 3\n", "cpux 1 2 3 4", "cpu99999999999 1 2 3 4", "page 1 2 3 4 5",
    };

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct str rest = str_of(texts[i]);
        struct cpu_times times;
        int cpu;

        assert_false(cpustat_next(&rest, &cpu, &times));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_machine_comes_first_then_each_cpu_by_its_number),
        cmocka_unit_test(waiting_for_disks_is_idle_and_steal_is_neither_busy_nor_idle),
        cmocka_unit_test(an_old_kernel_without_steal_is_read),
        cmocka_unit_test(what_is_not_a_cpu_line_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
