/* SPDX-License-Identifier: Apache-2.0 */
#include "target/hold_log.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* A write of half a buffer takes some 30 us. */
enum { LINES_BYTES_MAX = 256 << 10, LINES_BYTES_FULL = 128 << 10, PATH_SHOWN_MAX = 1024 };

static const char column_names[] = "#arrival_ns method path status body_bytes hold_ns connection\n";

bool hold_log_open(const char *path, int *ret_fd, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);

    if (fd < 0) {
        return err_set(err, ERR_SYSTEM, "cannot open the log '%s': %m", path);
    }
    if (write(fd, column_names, sizeof(column_names) - 1) != (ssize_t)sizeof(column_names) - 1) {
        err_set(err, ERR_SYSTEM, "cannot write the log '%s': %m", path);
        (void)close(fd);
        return false;
    }
    *ret_fd = fd;
    return true;
}

void hold_log_init(struct hold_log *log, int fd)
{
    *log = (struct hold_log){ .fd = fd };
    buf_init(&log->lines, LINES_BYTES_MAX);
}

void hold_log_fini(struct hold_log *log)
{
    buf_fini(&log->lines);
}

static char *put_number(char *to, int64_t value)
{
    char digits[20];
    uint64_t left = value < 0 ? 0 : (uint64_t)value;
    int n = 0;

    do {
        digits[n++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    while (n > 0) {
        *to++ = digits[--n];
    }
    return to;
}

static void add_number(struct hold_log *log, int64_t value, char end)
{
    char text[24], *at = put_number(text, value);

    *at++ = end;
    buf_add(&log->lines, text, (size_t)(at - text));
}

static void add_word(struct hold_log *log, struct str word)
{
    if (word.len == 0) {
        word = STR("-");
    }
    word.len = word.len < PATH_SHOWN_MAX ? word.len : PATH_SHOWN_MAX;
    buf_add_str(&log->lines, word);
    buf_putc(&log->lines, ' ');
}

void hold_log_add(struct hold_log *log, const struct hold_line *line)
{
    if (log->fd < 0) {
        return;
    }
    add_number(log, line->arrival_ns, ' ');
    add_word(log, line->method);
    add_word(log, line->path);
    add_number(log, line->status, ' ');
    add_number(log, (int64_t)line->body_bytes, ' ');
    add_number(log, line->hold_ns, ' ');
    add_number(log, (int64_t)line->connection, '\n');
    if (log->lines.len >= LINES_BYTES_FULL) {
        hold_log_flush(log);
    }
}

void hold_log_flush(struct hold_log *log)
{
    struct str left = buf_str(&log->lines);

    while (left.len > 0) {
        ssize_t n = write(log->fd, left.p, left.len);

        if (n < 0 && errno != EINTR) {
            log->write_errno = errno;
            break;
        }
        left = str_from(left, n > 0 ? (size_t)n : 0);
    }
    buf_reset(&log->lines);
}
