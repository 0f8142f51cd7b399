/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "opt/opt.h"

static const struct opt rows[] = {
    { .name = "connections" }, { .name = "connect-timeout" },
    { .name = "timeout" },     { .name = "data", .aliases = "body" },
    { .name = "slo" },         { .name = NULL },
};

static void a_slip_of_the_finger_finds_its_name(UNUSED void **state)
{
    static const struct {
        const char *typed, *near;
    } cases[] = {
        { "conections", "connections" },
        { "conn", "connections" },
        { "tiemout", "timeout" },
        { "timeouts", "timeout" },
        { "bodi", "data" },
        { "dta", "data" },
        { "sol", "slo" },
        { "Timeout", "timeout" },
        { "connect", "connections" },
        { "rate", NULL },
        { "x", NULL },
        { "", NULL },
        { "feed", NULL },
        { "connect-timeuot", "connect-timeout" },
        { "a-name-that-is-far-longer-than-any-option-ever-was", NULL },
    };
    struct opt_set set = { rows, NULL };
    struct opt_spec spec = { &set, 1, NULL };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *near = opt_nearest(&spec, str_of(cases[i].typed));

        if (cases[i].near == NULL) {
            assert_null(near);
        } else {
            assert_non_null(near);
            assert_string_equal(near, cases[i].near);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slip_of_the_finger_finds_its_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
