/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/output.h"

enum { PATH_LENGTH = 200 };

struct folder {
    char path[PATH_LENGTH];
};

static int set_up(void **state)
{
    struct folder *folder = mem_new(1, sizeof(*folder));

    str_copy(folder->path, sizeof(folder->path), STR("/tmp/brunt-output-XXXXXX"));
    assert_non_null(mkdtemp(folder->path));
    *state = folder;
    return 0;
}

/* Removes what the tests made; how many files there were. */
static int empty(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    int files = 0;

    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] != '.') {
            assert_int_equal(unlinkat(dirfd(dir), entry->d_name, 0), 0);
            files++;
        }
    }
    assert_int_equal(closedir(dir), 0);
    return files;
}

static int tear_down(void **state)
{
    struct folder *folder = *state;

    (void)empty(folder->path);
    assert_int_equal(rmdir(folder->path), 0);
    mem_free(folder);
    return 0;
}

static const char *within(const struct folder *folder, const char *name, char *path)
{
    (void)snprintf(path, (size_t)2 * PATH_LENGTH, "%s/%s", folder->path, name);
    return path;
}

static void expect_contents(const char *path, const char *text)
{
    char contents[100] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    assert_true(fd >= 0);
    assert_true(read(fd, contents, sizeof(contents) - 1) >= 0);
    assert_int_equal(close(fd), 0);
    assert_string_equal(contents, text);
}

static void a_file_is_replaced_whole_and_nothing_is_left_beside_it(void **state)
{
    struct folder *folder = *state;
    char path[2 * PATH_LENGTH];
    struct err err;

    (void)within(folder, "x", path);
    assert_true(output_check(path, &err));
    assert_true(output_write(path, STR("first, and longer"), &err));
    expect_contents(path, "first, and longer");
    assert_int_equal(chmod(path, 0640), 0);
    assert_true(output_check(path, &err));
    assert_true(output_write(path, STR("second"), &err));
    expect_contents(path, "second");
    assert_int_equal(empty(folder->path), 1);
}

static void the_rights_of_a_file_stay(void **state)
{
    struct folder *folder = *state;
    char path[2 * PATH_LENGTH];
    struct stat status;
    struct err err;

    (void)within(folder, "x", path);
    assert_true(output_write(path, STR("a"), &err));
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(output_write(path, STR("b"), &err));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

static void a_link_stays_a_link(void **state)
{
    struct folder *folder = *state;
    char path[2 * PATH_LENGTH], link[2 * PATH_LENGTH];
    struct stat status;
    struct err err;

    (void)within(folder, "x", path);
    (void)within(folder, "link", link);
    assert_true(output_write(path, STR("a"), &err));
    assert_int_equal(symlink("x", link), 0);
    assert_true(output_write(link, STR("b"), &err));
    expect_contents(path, "b");
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

static void a_device_is_written_and_not_replaced(UNUSED void **state)
{
    struct stat status;
    struct err err;

    assert_true(output_check("/dev/null", &err));
    assert_true(output_write("/dev/null", STR("a"), &err));
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_true(output_check("/dev/full", &err));
    assert_false(output_write("/dev/full", STR("a"), &err));
    assert_int_equal(err.kind, ERR_SYSTEM);
    assert_string_equal(err.text, "cannot write '/dev/full': No space left on device");
}

static void what_can_never_be_written_is_known_before_the_start(UNUSED void **state)
{
    static const char *const paths[] = { "/", "/tmp", "/no/such/folder/x", "/dev/null/x",
                                         "no-such-folder/x" };

    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        struct err err = { 0 };

        assert_false(output_check(paths[i], &err));
        assert_int_equal(err.kind, ERR_USAGE);
        assert_non_null(strstr(err.text, paths[i]));
        assert_false(output_write(paths[i], STR("a"), &err));
    }
    assert_true(output_check("-", &(struct err){ 0 }));
    assert_true(output_check("plain-name", &(struct err){ 0 }));
    assert_true(output_check("/plain-name", &(struct err){ 0 }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_replaced_whole_and_nothing_is_left_beside_it,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_rights_of_a_file_stay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_link_stays_a_link, set_up, tear_down),
        cmocka_unit_test(a_device_is_written_and_not_replaced),
        cmocka_unit_test(what_can_never_be_written_is_known_before_the_start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
