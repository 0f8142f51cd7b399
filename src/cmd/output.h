/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A document to a file or to standard output, whole or not at all.
 *
 * A regular file is written beside its place and renamed into it, so that a reader never sees half
 * of it and a failure leaves the old one. What is no regular file (/dev/stdout, a pipe) is written
 * directly. "-" is standard output.
 */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

#include "base/err.h"
#include "base/str.h"

/* Whether it makes sense to begin: false with ERR_USAGE when the path is a folder or its folder is
 * not there. */
bool output_check(const char *path, struct err *err) MUST_CHECK;
/* ERR_SYSTEM names the path. */
bool output_write(const char *path, struct str text, struct err *err) MUST_CHECK;

#endif
