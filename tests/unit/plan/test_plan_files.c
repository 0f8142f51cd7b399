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
#include "plan/plan_files.h"

enum { MANY = 300 };

/* A folder with the files 0, 1, ... in it. */
struct fixture {
    char folder[64], path[96];
    struct plan_files files;
};

static const char *name_of(struct fixture *fixture, int number)
{
    (void)snprintf(fixture->path, sizeof(fixture->path), "%s/%d", fixture->folder, number);
    return fixture->path;
}

/* `size` bytes, of which the last is an x. */
static void make_file(struct fixture *fixture, int number, size_t size)
{
    FILE *file = fopen(name_of(fixture, number), "w");

    assert_non_null(file);
    if (size > 0) {
        assert_int_equal(fseek(file, (long)size - 1, SEEK_SET), 0);
        assert_int_equal(fputc('x', file), 'x');
    }
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));

    (void)snprintf(fixture->folder, sizeof(fixture->folder), "/tmp/brunt-files-XXXXXX");
    assert_non_null(mkdtemp(fixture->folder));
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    plan_files_fini(&fixture->files);
    for (int i = 0; i < MANY; i++) {
        (void)unlink(name_of(fixture, i));
    }
    (void)rmdir(fixture->folder);
    mem_free(fixture);
    return 0;
}

static void a_file_of_any_size_has_all_its_bytes(void **state)
{
    static const size_t sizes[] = { 0, 1, 65536, 65537, 3 << 20 };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct str bytes;
        struct err err;

        make_file(fixture, (int)i, sizes[i]);
        assert_true(plan_files_get(&fixture->files, name_of(fixture, (int)i), &bytes, &err));
        assert_non_null(bytes.p);
        assert_int_equal(bytes.len, sizes[i]);
        assert_true(sizes[i] == 0 || bytes.p[sizes[i] - 1] == 'x');
    }
}

static void a_large_file_takes_no_memory_of_its_own(void **state)
{
    struct fixture *fixture = *state;
    struct str bytes;
    struct err err;

    /* More than may be read; a hole, so that it takes no disk either. */
    make_file(fixture, 0, (size_t)PLAN_FILES_READ_MAX * 2);
    assert_true(plan_files_get(&fixture->files, name_of(fixture, 0), &bytes, &err));
    assert_int_equal(bytes.len, (size_t)PLAN_FILES_READ_MAX * 2);
    assert_null(fixture->files.items[0].read);
    assert_int_equal(bytes.p[bytes.len - 1], 'x');
}

static void each_file_is_opened_once(void **state)
{
    struct fixture *fixture = *state;
    const char *first[MANY];
    struct str bytes;
    struct err err;

    for (int i = 0; i < MANY; i++) {
        make_file(fixture, i, (size_t)i + 1);
        assert_true(plan_files_get(&fixture->files, name_of(fixture, i), &bytes, &err));
        first[i] = bytes.p;
        assert_int_equal(unlink(fixture->path), 0);
    }
    for (int i = 0; i < MANY; i++) {
        assert_true(plan_files_get(&fixture->files, name_of(fixture, i), &bytes, &err));
        assert_ptr_equal(bytes.p, first[i]);
        assert_int_equal(bytes.len, i + 1);
    }
    assert_int_equal(fixture->files.count, MANY);
}

static void a_file_that_cannot_be_had_is_named_and_not_kept(void **state)
{
    struct fixture *fixture = *state;
    struct str bytes = { "as before", 9 };
    struct err err;

    assert_false(plan_files_get(&fixture->files, name_of(fixture, 7), &bytes, &err));
    assert_non_null(strstr(err.text, fixture->path));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(bytes.p, "as before");
    make_file(fixture, 7, 1);
    assert_true(plan_files_get(&fixture->files, name_of(fixture, 7), &bytes, &err));
    assert_int_equal(fixture->files.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_of_any_size_has_all_its_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_large_file_takes_no_memory_of_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_file_is_opened_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_cannot_be_had_is_named_and_not_kept, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
