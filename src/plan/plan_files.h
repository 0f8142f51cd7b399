/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files whose contents requests send as their bodies.
 *
 * Each path is opened once, however many requests name it. A regular file of some size is mapped
 * and never read as a whole, so it may be of any size and must not be cut short until
 * plan_files_fini(). What cannot be mapped (a pipe, a device, standard input by the name "-") and
 * small files are read into memory.
 */
#ifndef PLAN_PLAN_FILES_H
#define PLAN_PLAN_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

enum { PLAN_FILES_READ_MAX = 256 << 20, PLAN_FILES_COUNT_MAX = 1 << 16 };

struct plan_file {
    char *path;
    char *read;   /* the contents when they were read */
    void *mapped; /* or where they are mapped */
    size_t len;
};

struct plan_files {
    struct plan_file *items;
    size_t count, room;
    uint32_t *slots; /* by the path's hash: an index into items and 1, or 0 */
    size_t slot_count;
};

void plan_files_fini(struct plan_files *files); /* accepts a zeroed one, which is empty */

/* The contents, valid until plan_files_fini(); never p = NULL. ERR_USAGE when the file cannot be
 * read, or is over PLAN_FILES_READ_MAX and cannot be mapped, or there are too many. */
bool plan_files_get(struct plan_files *files, const char *path, struct str *ret_bytes,
                    struct err *err) MUST_CHECK;

#endif
