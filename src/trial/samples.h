/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of --samples: a line of comma-separated values for each request, written by the control
 * thread.
 */
#ifndef TRIAL_SAMPLES_H
#define TRIAL_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "load/rows.h"

struct samples;

/* ERR_SYSTEM when the file cannot be written. */
struct samples *samples_open(const char *path, struct err *err);
/* t = 0 is t0_ns. */
void samples_add(struct samples *samples, const struct row *row, int64_t t0_ns);
/* false when anything could not be written; dropped: rows lost because the disk was too slow. */
bool samples_close(struct samples *samples, uint64_t dropped, struct err *err) MUST_CHECK;

#endif
