/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/portrange.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"

static void the_two_ends_are_read(UNUSED void **state)
{
    unsigned low, high;

    assert_true(portrange_parse(STR("32768\t60999\n"), &low, &high));
    assert_int_equal(low, 32768);
    assert_int_equal(high, 60999);
}

static void an_impossible_range_is_refused(UNUSED void **state)
{
    static const char *const texts[] = { "", "1", "2 1", "1 65536", "a b" };

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        unsigned low, high;

        assert_false(portrange_parse(str_of(texts[i]), &low, &high));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_two_ends_are_read),
        cmocka_unit_test(an_impossible_range_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
