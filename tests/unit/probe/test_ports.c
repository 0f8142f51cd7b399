/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/ports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/err.h"
#include <cmocka.h>

static void the_ceiling_is_ports_over_the_time_one_stays_taken(UNUSED void **state)
{
    static const struct {
        int tw_reuse;
        bool loopback;
        double hold_s;
    } cases[] = {
        { 0, false, 60.0 }, { 0, true, 60.0 }, { 1, false, 1.0 },   { 1, true, 1.0 },
        { 2, false, 60.0 }, { 2, true, 1.0 },  { -1, false, 60.0 }, { -1, true, 1.0 },
    };
    const double ports = ports_usable(32768, 60999);

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (unsigned addresses = 1; addresses <= 16; addresses += 15) {
            double ceiling =
                ports_ceiling(32768, 60999, addresses, cases[i].tw_reuse, cases[i].loopback);

            assert_true(ceiling == ports * addresses / cases[i].hold_s);
        }
    }
}

static void a_range_is_counted_with_both_ends(UNUSED void **state)
{
    /* nothing reserves the low ports of a test machine */
    assert_int_equal(ports_usable(1, 1), 1);
    assert_int_equal(ports_usable(1, 20), 20);
    assert_int_equal(ports_usable(20, 1), 0);
    assert_in_range(ports_usable(32768, 60999), 1, 28232);
}

static void waiting_ports_are_counted_here(UNUSED void **state)
{
    /* port 1 is nobody's server */
    assert_int_equal(ports_time_wait(1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ceiling_is_ports_over_the_time_one_stays_taken),
        cmocka_unit_test(a_range_is_counted_with_both_ends),
        cmocka_unit_test(waiting_ports_are_counted_here),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
