/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small files of /proc and /sys, whole.
 */
#ifndef PROBE_FILE_H
#define PROBE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* More than any file that is read whole; what is longer is cut. */
enum { FILE_BYTES_MAX = 8192 };

/* Reads the start of a file into memory of `room` bytes; *ret_text is a slice of it. false when it
 * cannot be read. */
bool file_read(const char *path, char *memory, size_t room, struct str *ret_text);

#endif
