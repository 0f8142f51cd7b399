/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A log-linear histogram of times in nanoseconds.
 *
 * Each power of two is cut into 256 equal parts, so a bucket is at most 1/256 of its value wide and
 * its midpoint is off by at most 0.2 %; values below 512 ns are exact. The range ends at 2^40 ns
 * (18 minutes); what is longer is counted in the last bucket and in `overflow`. count, sum, min and
 * max are exact. Merging adds counters: exact, in any order. No allocation, no clock, no locks: one
 * thread writes.
 */
#ifndef STATS_HIST_H
#define STATS_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HIST_BITS = 8,
    HIST_EXPONENT_MAX = 40,
    HIST_BUCKETS = (HIST_EXPONENT_MAX - HIST_BITS + 1) << HIST_BITS,
};

struct hist {
    uint64_t count, overflow;
    uint64_t sum_ns;
    double sum_squares;     /* of (ns), for the standard deviation */
    int64_t min_ns, max_ns; /* meaningful when count > 0 */
    uint64_t buckets[HIST_BUCKETS];
};

/* Bucket of a value; negative values count as 0. */
static inline unsigned hist_index(int64_t value_ns)
{
    uint64_t v = value_ns < 0 ? 0 : (uint64_t)value_ns;
    int shift = 63 - __builtin_clzll(v | 1) - HIST_BITS;

    if (shift <= 0) {
        return (unsigned)v;
    }
    if (shift >= HIST_EXPONENT_MAX - HIST_BITS) {
        return HIST_BUCKETS - 1;
    }
    return ((unsigned)shift << HIST_BITS) + (unsigned)(v >> shift);
}

/* Empties one that is in order. A zeroed histogram is a valid empty one. */
void hist_reset(struct hist *hist);

/* Some 2 ns. */
static inline void hist_record(struct hist *hist, int64_t value_ns)
{
    int64_t v = value_ns < 0 ? 0 : value_ns;

    if (hist->count == 0 || v < hist->min_ns) {
        hist->min_ns = v;
    }
    if (v > hist->max_ns) {
        hist->max_ns = v;
    }
    hist->count++;
    hist->sum_ns += (uint64_t)v;
    hist->sum_squares += (double)v * (double)v;
    hist->overflow += v >= INT64_C(1) << HIST_EXPONENT_MAX;
    hist->buckets[hist_index(v)]++;
}

void hist_merge(struct hist *into, const struct hist *from);

/* Lowest and highest value that falls into a bucket. */
int64_t hist_bucket_low(unsigned index);
int64_t hist_bucket_high(unsigned index);

/*
 * The value at rank ceil(count * quantile) (type 1 order statistic, quantile in 0..1), as the
 * midpoint of its bucket, held within the exact min and max; 0 for an empty histogram. quantile 0
 * is the minimum and 1 the maximum.
 */
int64_t hist_quantile(const struct hist *hist, double quantile);
/* The value of the given rank, 1..count. */
int64_t hist_at_rank(const struct hist *hist, uint64_t rank);

double hist_mean(const struct hist *hist);   /* 0 when empty */
double hist_stddev(const struct hist *hist); /* of the population; 0 when empty */

/* Number of values in buckets that lie wholly above the threshold: for pictures. SLOs have exact
 * counters of their own. */
uint64_t hist_above(const struct hist *hist, int64_t threshold_ns);

/* Whether n samples say anything about a quantile: at least one sample lies beyond it. */
bool hist_quantile_known(uint64_t count, double quantile);

#endif
