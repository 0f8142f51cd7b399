/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "plan/plan_data.h"

struct fixture {
    char path[64];
    struct plan plan;
};

static int set_up(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    FILE *file;
    int fd;

    (void)snprintf(fixture->path, sizeof(fixture->path), "/tmp/brunt-data-XXXXXX");
    fd = mkstemp(fixture->path);
    assert_true(fd >= 0);
    file = fdopen(fd, "w");
    assert_non_null(file);
    assert_int_equal(fwrite("line\r\n\0end", 1, 10, file), 10);
    assert_int_equal(fclose(file), 0);
    plan_init(&fixture->plan);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    (void)unlink(fixture->path);
    plan_fini(&fixture->plan);
    mem_free(fixture);
    return 0;
}

static void set_data(struct plan *plan, const char *prefix, const char *text)
{
    char data[128];

    (void)snprintf(data, sizeof(data), "%s%s", prefix, text);
    mem_free(plan->data);
    plan->data = mem_strdup(data);
}

static void no_data_is_no_body(void **state)
{
    struct fixture *fixture = *state;
    struct err err;

    assert_true(plan_data_load(&fixture->plan, &err));
    assert_null(fixture->plan.body.p);
}

static void a_text_is_sent_as_it_is(void **state)
{
    struct fixture *fixture = *state;
    struct err err;

    set_data(&fixture->plan, "", "{\"a\": 1}");
    assert_true(plan_data_load(&fixture->plan, &err));
    assert_true(str_eq(fixture->plan.body, STR("{\"a\": 1}")));
    set_data(&fixture->plan, "", "");
    assert_true(plan_data_load(&fixture->plan, &err));
    assert_non_null(fixture->plan.body.p);
    assert_int_equal(fixture->plan.body.len, 0);
}

static void a_file_is_sent_byte_for_byte(void **state)
{
    struct fixture *fixture = *state;
    struct err err;

    set_data(&fixture->plan, "@", fixture->path);
    for (int twice = 0; twice < 2; twice++) {
        assert_true(plan_data_load(&fixture->plan, &err));
        assert_int_equal(fixture->plan.body.len, 10);
        assert_memory_equal(fixture->plan.body.p, "line\r\n\0end", 10);
    }
}

static void the_name_of_a_file_without_its_sign_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct err err;

    set_data(&fixture->plan, "", fixture->path);
    assert_false(plan_data_load(&fixture->plan, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "--data @/tmp/brunt-data-"));
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
    static const struct {
        const char *data, *text;
    } cases[] = {
        { "@/nowhere/body", "cannot open the data file '/nowhere/body': No such file" },
        { "@/tmp", "cannot read the data in '/tmp': Is a directory" },
        { "@", "cannot open the data file ''" },
        { "@/dev/zero", "over the limit of 256 MiB" },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct err err = { 0 };

        set_data(&fixture->plan, "", cases[i].data);
        assert_false(plan_data_load(&fixture->plan, &err));
        assert_int_equal(err.kind, ERR_USAGE);
        assert_non_null(strstr(err.text, cases[i].text));
        assert_null(fixture->plan.body.p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_data_is_no_body, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_text_is_sent_as_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_is_sent_byte_for_byte, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_name_of_a_file_without_its_sign_is_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_cannot_be_read_is_named, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
