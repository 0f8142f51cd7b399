/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"

static void numbers_in_a_window_are_counted(UNUSED void **state)
{
    static const struct {
        const char *list;
        uint64_t low, high, count;
    } cases[] = {
        { "", 0, 100, 0 },
        { "\n", 0, 100, 0 },
        { "0-3\n", 0, 100, 4 },
        { "0-3,8,10-11", 0, 100, 7 },
        { "0-3,8,10-11", 3, 10, 3 },
        { "8080,40000-40009", 32768, 60999, 10 },
        { "60990-61010", 32768, 60999, 10 },
        { "5", 6, 7, 0 },
        { "5-5", 5, 5, 1 },
        { "1-9", 9, 1, 0 },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint64_t count = 99;

        assert_true(ranges_count(str_of(cases[i].list), cases[i].low, cases[i].high, &count));
        assert_int_equal(count, cases[i].count);
    }
}

static void what_is_not_a_list_is_refused(UNUSED void **state)
{
    static const char *const lists[] = { ",",   "1,", "1-",  "-1",
                                         "3-1", "a",  "1 2", "0-18446744073709551615,1" };

    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        uint64_t count;

        assert_false(ranges_count(str_of(lists[i]), 0, UINT64_MAX, &count));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_a_window_are_counted),
        cmocka_unit_test(what_is_not_a_list_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
