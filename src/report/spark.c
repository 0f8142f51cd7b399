/* SPDX-License-Identifier: Apache-2.0 */
#include "report/spark.h"

#include <math.h>

static const char *const blocks[] = {
    " ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588",
};
static const char *const letters[] = { " ", "_", ".", "-", "~", "=", "+", "*", "#" };

enum { HEIGHTS = 8 };

void spark_add(struct buf *buf, const double *values, size_t count, bool ascii)
{
    const char *const *glyphs = ascii ? letters : blocks;
    double most = 0;

    for (size_t i = 0; i < count; i++) {
        most = values[i] > most ? values[i] : most;
    }
    for (size_t i = 0; i < count; i++) {
        int height = values[i] > 0 ? (int)ceil(values[i] / most * HEIGHTS) : 0;

        buf_puts(buf, glyphs[height < HEIGHTS ? height : HEIGHTS]);
    }
}

size_t spark_cells(const struct hist *hist, int64_t low_ns, int64_t high_ns, size_t cells,
                   double *ret_counts)
{
    double low = low_ns > 1 ? (double)low_ns : 1;
    double span = log2((double)high_ns / low);
    double finest = floor(span * (1 << HIST_BITS) / 2);

    if (hist->count == 0) {
        return 0;
    }
    if (!(finest >= 1)) {
        ret_counts[0] = (double)hist->count;
        return 1;
    }
    if (finest < (double)cells) {
        cells = (size_t)finest;
    }
    for (size_t i = 0; i < cells; i++) {
        ret_counts[i] = 0;
    }
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        double middle = ((double)hist_bucket_low(i) + (double)hist_bucket_high(i)) / 2;
        double cell;

        if (hist->buckets[i] == 0) {
            continue;
        }
        cell = middle > low ? log2(middle / low) / span * (double)cells : 0;
        ret_counts[cell < (double)cells ? (size_t)cell : cells - 1] += (double)hist->buckets[i];
    }
    return cells;
}
