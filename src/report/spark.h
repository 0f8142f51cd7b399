/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bars of one character, as many as there are values.
 */
#ifndef REPORT_SPARK_H
#define REPORT_SPARK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "stats/hist.h"

enum { SPARK_WIDTH_MAX = 64 };

/* Heights against the largest of them; 0 (and less) is a blank, the least above it the lowest bar.
 */
void spark_add(struct buf *buf, const double *values, size_t count, bool ascii);

/*
 * Counts of a histogram between two values in cells of equal ratio (a logarithmic axis); what is
 * below or above goes into the first or last cell, so that the cells add up to the count. Returns
 * the number of cells used: fewer than `cells` when the range is so narrow that a bucket would be
 * wider than a cell; 0 for an empty histogram.
 */
size_t spark_cells(const struct hist *hist, int64_t low_ns, int64_t high_ns, size_t cells,
                   double *ret_counts);

#endif
