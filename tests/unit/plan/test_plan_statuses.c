/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/plan.h"

static unsigned count_good(const struct plan_statuses *statuses)
{
    unsigned good = 0;

    for (unsigned status = 0; status < 1000; status++) {
        good += plan_status_good(statuses, status);
    }
    return good;
}

static void a_list_is_statuses_ranges_and_classes(UNUSED void **state)
{
    static const struct {
        const char *text;
        unsigned good, in, out;
    } cases[] = {
        { "200", 1, 200, 201 },       { "200,204", 2, 204, 203 },
        { "2xx", 100, 299, 300 },     { "2XX, 404", 101, 404, 403 },
        { "300-399", 100, 399, 400 }, { "100-599", 500, 599, 600 },
        { "500-500", 1, 500, 499 },   { "200,200-210,2xx", 100, 200, 100 },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct plan_statuses statuses;
        struct err err;

        assert_true(plan_statuses_parse(str_of(cases[i].text), &statuses, &err));
        assert_int_equal(count_good(&statuses), cases[i].good);
        assert_true(plan_status_good(&statuses, cases[i].in));
        assert_false(plan_status_good(&statuses, cases[i].out));
    }
}

static void what_is_no_list_is_refused(UNUSED void **state)
{
    static const char *const cases[] = { "",     "99",         "600",  "2x",      "0xx",
                                         "6xx",  "200,",       ",200", "300-200", "200-",
                                         "-200", "2xx-3xx",    "abc",  "200;204", "200 204",
                                         "1e2",  "200-204-206" };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct plan_statuses statuses = { 0 };
        struct err err = { 0 };

        assert_false(plan_statuses_parse(str_of(cases[i]), &statuses, &err));
        assert_int_equal(count_good(&statuses), 0);
        assert_non_null(strstr(err.text, "200,204,300-399 or 2xx"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_is_statuses_ranges_and_classes),
        cmocka_unit_test(what_is_no_list_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
