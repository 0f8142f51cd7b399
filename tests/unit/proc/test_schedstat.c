/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/schedstat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"

static void times_on_and_waiting_for_a_cpu_are_read(UNUSED void **state)
{
    int64_t run_ns, wait_ns;

    assert_true(schedstat_parse(STR("2048497 31 1\n"), &run_ns, &wait_ns));
    assert_int_equal(run_ns, 2048497);
    assert_int_equal(wait_ns, 31);
}

static void what_is_short_or_does_not_fit_is_refused(UNUSED void **state)
{
    static const char *const texts[] = { "", "1", "1 x", "-1 2", "9223372036854775808 1" };

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        int64_t run_ns, wait_ns;

        assert_false(schedstat_parse(str_of(texts[i]), &run_ns, &wait_ns));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_on_and_waiting_for_a_cpu_are_read),
        cmocka_unit_test(what_is_short_or_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
