/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/cgroup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

#include "base/err.h"

static void a_controllers_path_is_found(UNUSED void **state)
{
    static const struct {
        const char *text, *controller, *path;
    } cases[] = {
        { "0::/user.slice/a b\n", "", "/user.slice/a b" },
        { "9:name=systemd:/\n2:cpu,cpuacct:/docker/x\n0::/\n", "cpu", "/docker/x" },
        { "9:name=systemd:/\n2:cpuacct,cpu:/x:y\n0::/u\n", "cpu", "/x:y" },
        { "3:cpuset:/s\n1:cpu:/\n0::/u", "", "/u" },
        { "3:cpuset:/s\n0::/u", "cpu", NULL },
        { "", "", NULL },
        { "0:\n0::\nx", "", NULL },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct str path;
        bool found = cgroup_path(str_of(cases[i].text), str_of(cases[i].controller), &path);

        assert_int_equal(found, cases[i].path != NULL);
        assert_true(!found || str_eq(path, str_of(cases[i].path)));
    }
}

static void a_limit_is_in_cpus(UNUSED void **state)
{
    double cpus = 0;

    assert_true(cgroup_cpu_max(STR("150000 100000\n"), &cpus));
    assert_true(cpus == 1.5);
    assert_true(cgroup_cpu_max(STR("max 100000\n"), &cpus));
    assert_true(isinf(cpus));
    assert_true(cgroup_cpu_quota(STR("25000\n"), STR("100000\n"), &cpus));
    assert_true(cpus == 0.25);
    assert_true(cgroup_cpu_quota(STR("-1\n"), STR("100000\n"), &cpus));
    assert_true(isinf(cpus));
}

static void a_limit_that_is_none_is_refused(UNUSED void **state)
{
    static const char *const texts[] = { "", "max", "1", "x 1", "1 0", "0 1", "-1 100000" };
    double cpus;

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        assert_false(cgroup_cpu_max(str_of(texts[i]), &cpus));
    }
    assert_false(cgroup_cpu_quota(STR("-2"), STR("1"), &cpus));
    assert_false(cgroup_cpu_quota(STR("1"), STR(""), &cpus));
    assert_false(cgroup_cpu_quota(STR("1"), STR("0"), &cpus));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_controllers_path_is_found),
        cmocka_unit_test(a_limit_is_in_cpus),
        cmocka_unit_test(a_limit_that_is_none_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
