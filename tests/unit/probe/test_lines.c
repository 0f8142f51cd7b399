/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"

static char path[] = "/tmp/brunt-lines-XXXXXX";

static int a_file(UNUSED void **state)
{
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

    if (file == NULL) {
        return -1;
    }
    /* many more than fit the memory, of every length, the last without an end */
    for (int i = 0; i < 3000; i++) {
        (void)fprintf(file, "%d:%*s\n", i, i % 97, "");
    }
    (void)fputs("last", file);
    return fclose(file);
}

static int no_file(UNUSED void **state)
{
    return unlink(path);
}

static void every_line_of_a_long_file_comes_once_and_whole(UNUSED void **state)
{
    static struct lines lines;
    char start[16];
    struct str line;

    assert_true(lines_open(&lines, path));
    for (int i = 0; i < 3000; i++) {
        int length = snprintf(start, sizeof(start), "%d:", i);

        assert_true(lines_next(&lines, &line));
        assert_true(str_starts(line, str_of(start)));
        assert_int_equal(line.len, length + i % 97);
    }
    assert_true(lines_next(&lines, &line));
    assert_true(str_eq(line, STR("last")));
    assert_false(lines_next(&lines, &line));
    lines_close(&lines);
}

static void a_line_longer_than_the_memory_comes_in_pieces(UNUSED void **state)
{
    static struct lines lines;
    size_t bytes = 0;
    struct str line;

    assert_true(lines_open(&lines, "/dev/zero"));
    for (int i = 0; i < 3; i++) {
        assert_true(lines_next(&lines, &line));
        bytes += line.len;
    }
    assert_int_equal(bytes, 3 * LINES_BYTES);
    lines_close(&lines);
}

static void what_is_not_there_cannot_be_opened(UNUSED void **state)
{
    static struct lines lines;

    assert_false(lines_open(&lines, "/nonexistent/file"));
    lines_close(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_of_a_long_file_comes_once_and_whole),
        cmocka_unit_test(a_line_longer_than_the_memory_comes_in_pieces),
        cmocka_unit_test(what_is_not_there_cannot_be_opened),
    };

    return cmocka_run_group_tests(tests, a_file, no_file);
}
