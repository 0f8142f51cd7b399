/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/pidstatus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"

static void an_amount_is_found_by_its_whole_name(UNUSED void **state)
{
    const struct str text = STR("Name:\tVmHWM: 5 kB\nVmHWMx:\t 9 kB\nVmHWM:\t    1692 kB\n"
                                "VmRSS:\t 3 kB\n");
    int64_t bytes = 0;

    assert_true(pidstatus_bytes(text, STR("VmHWM"), &bytes));
    assert_int_equal(bytes, 1692 * 1024);
    assert_true(pidstatus_bytes(text, STR("VmRSS"), &bytes));
    assert_int_equal(bytes, 3 * 1024);
}

static void what_is_missing_or_no_amount_is_refused(UNUSED void **state)
{
    static const char *const texts[] = { "",
                                         "VmRSS: 3 kB",
                                         "VmHWM:",
                                         "VmHWM: 3",
                                         "VmHWM: 3 MB",
                                         "VmHWM: x kB",
                                         "VmHWM: 9007199254740992 kB" };

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        int64_t bytes;

        assert_false(pidstatus_bytes(str_of(texts[i]), STR("VmHWM"), &bytes));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_amount_is_found_by_its_whole_name),
        cmocka_unit_test(what_is_missing_or_no_amount_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
