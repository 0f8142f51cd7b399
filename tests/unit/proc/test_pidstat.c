/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/pidstat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"

#define TAIL " S 41 43 44 34816 43 4194304 100 0 0 0 700 80 9 9 20 0 1 0 107879 3133440 384\n"

static void a_process_is_read_whatever_its_name(UNUSED void **state)
{
    static const struct {
        const char *text, *name;
    } cases[] = {
        { "42 (nginx)" TAIL, "nginx" },
        { "42 (Web Content)" TAIL, "Web Content" },
        { "42 (a) R 1 (b)" TAIL, "a) R 1 (b" },
        { "42 (())" TAIL, "()" },
        { "42 ()" TAIL, "" },
        { "42 (\n)" TAIL, "\n" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct pidstat stat;

        assert_true(pidstat_parse(str_of(cases[i].text), &stat));
        assert_string_equal(stat.name, cases[i].name);
        assert_int_equal(stat.pid, 42);
        assert_int_equal(stat.state, 'S');
        assert_int_equal(stat.ppid, 41);
        assert_int_equal(stat.pgrp, 43);
        assert_int_equal(stat.session, 44);
        assert_int_equal(stat.cpu_ticks, 780);
        assert_false(stat.kernel);
    }
}

static void a_thread_of_the_kernel_is_known_by_its_flag(UNUSED void **state)
{
    struct pidstat stat;

    assert_true(pidstat_parse(
        STR("9 (kworker/0:1-events) I 2 0 0 0 -1 69238880 0 0 0 0 0 25 0 0 20 0 1 0 5"), &stat));
    assert_true(stat.kernel);
    assert_int_equal(stat.ppid, 2);
    assert_int_equal(stat.cpu_ticks, 25);
}

static void a_long_name_is_cut_to_its_field(UNUSED void **state)
{
    char text[512] = "42 (";
    struct pidstat stat;

    memset(text + 4, 'x', 200);
    memcpy(text + 204, ")" TAIL, sizeof(")" TAIL));
    assert_true(pidstat_parse(str_of(text), &stat));
    assert_int_equal(strlen(stat.name), PIDSTAT_NAME_MAX - 1);
}

static void what_is_cut_short_or_strange_is_refused_and_changes_nothing(UNUSED void **state)
{
    static const char *const texts[] = {
        "",
        "42",
        "42 nginx S 1",
        ")42 (",
        "42 (nginx",
        "(nginx)" TAIL,
        "x (nginx)" TAIL,
        "4 2 (nginx)" TAIL,
        "99999999999 (nginx)" TAIL,
        "42 (nginx) S 41 43 44 34816 43 4194304 100 0 0 0 700",
        "42 (nginx) SS 41 43 44 34816 43 4194304 100 0 0 0 700 80",
        "42 (nginx) S -1 43 44 34816 43 4194304 100 0 0 0 700 80",
    };

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct pidstat stat = { .pid = 7 };

        assert_false(pidstat_parse(str_of(texts[i]), &stat));
        assert_int_equal(stat.pid, 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_is_read_whatever_its_name),
        cmocka_unit_test(a_thread_of_the_kernel_is_known_by_its_flag),
        cmocka_unit_test(a_long_name_is_cut_to_its_field),
        cmocka_unit_test(what_is_cut_short_or_strange_is_refused_and_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
