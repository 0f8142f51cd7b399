/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "target/hold_log.h"

static void lines_hold_what_was_answered(UNUSED void **state)
{
    struct hold_log log;
    char text[512] = "";
    int fd = memfd_create("log", MFD_CLOEXEC);

    hold_log_init(&log, fd);
    hold_log_add(&log, &(struct hold_line){ .arrival_ns = INT64_MAX,
                                            .hold_ns = 12345,
                                            .method = STR("GET"),
                                            .path = STR("/a?b"),
                                            .status = 200,
                                            .body_bytes = 555,
                                            .connection = 3 });
    hold_log_add(&log, &(struct hold_line){ .status = 400 });
    assert_int_equal(pread(fd, text, sizeof(text), 0), 0);
    hold_log_flush(&log);
    assert_true(pread(fd, text, sizeof(text) - 1, 0) > 0);
    assert_string_equal(text, "9223372036854775807 GET /a?b 200 555 12345 3\n0 - - 400 0 0 0\n");
    hold_log_fini(&log);
    (void)close(fd);
}

static void no_line_is_lost_however_many(UNUSED void **state)
{
    struct hold_log log;
    char path[4000];
    off_t bytes;
    int fd = memfd_create("log", MFD_CLOEXEC);

    memset(path, 'p', sizeof(path));
    hold_log_init(&log, fd);
    for (int i = 0; i < 10000; i++) {
        hold_log_add(&log, &(struct hold_line){ .method = STR("GET"),
                                                .path = { path, sizeof(path) },
                                                .status = 200 });
    }
    hold_log_flush(&log);
    bytes = lseek(fd, 0, SEEK_END);
    /* A path is shown with at most 1,024 bytes. */
    assert_int_equal(bytes, 10000 * (1024 + (off_t)strlen("0 GET  200 0 0 0\n")));
    hold_log_fini(&log);
    (void)close(fd);
}

static void a_full_disk_is_remembered(UNUSED void **state)
{
    struct hold_log log;
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

    hold_log_init(&log, fd);
    hold_log_add(&log, &(struct hold_line){ .status = 200 });
    assert_int_equal(log.write_errno, 0);
    hold_log_flush(&log);
    assert_int_equal(log.write_errno, ENOSPC);
    hold_log_fini(&log);
    (void)close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_hold_what_was_answered),
        cmocka_unit_test(no_line_is_lost_however_many),
        cmocka_unit_test(a_full_disk_is_remembered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
