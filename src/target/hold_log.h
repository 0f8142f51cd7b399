/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log of the built-in server: one line for each request that was answered, the truth that a
 * measurement is held against. target.h describes the columns.
 *
 * Each thread has its own; all append to one file with writes of whole lines, so lines never mix,
 * and are in the order of their answers within a thread only. Lines gather in memory and are
 * written when there are many, and by hold_log_flush().
 */
#ifndef TARGET_HOLD_LOG_H
#define TARGET_HOLD_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

struct hold_log {
    int fd; /* not owned; -1: no log */
    int write_errno;
    struct buf lines;
};

struct hold_line {
    int64_t arrival_ns, hold_ns;
    struct str method, path;
    int status;
    uint64_t body_bytes, connection;
};

/* Makes or empties the file and writes the line of column names. */
bool hold_log_open(const char *path, int *ret_fd, struct err *err) MUST_CHECK;

/* fd -1: a log that takes nothing. */
void hold_log_init(struct hold_log *log, int fd);
void hold_log_fini(struct hold_log *log);

void hold_log_add(struct hold_log *log, const struct hold_line *line);
void hold_log_flush(struct hold_log *log);

#endif
