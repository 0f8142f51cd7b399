/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of any length, line by line: the tables of sockets may have a hundred thousand.
 *
 * A line longer than the memory comes in pieces. Close with lines_close(), also after
 * lines_open() failed.
 */
#ifndef PROBE_LINES_H
#define PROBE_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum { LINES_BYTES = 16384 };

struct lines {
    int fd;
    size_t start, end; /* what is read but not given out */
    char memory[LINES_BYTES];
};

bool lines_open(struct lines *lines, const char *path);
/* The next line without its end, valid until the next call. */
bool lines_next(struct lines *lines, struct str *ret_line);
void lines_close(struct lines *lines);

#endif
