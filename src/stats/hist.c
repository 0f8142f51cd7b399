/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/hist.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* First value that overflows. */
#define HIST_END (INT64_C(1) << HIST_EXPONENT_MAX)

/* Products of a count and a decimal fraction miss whole numbers by an ulp or two in both
 * directions: 100 * 0.07 is a little over 7. */
static const double slack = 4.0 * DBL_EPSILON;

/* Only these buckets hold anything: what was never touched stays untouched, and costs no page. */
struct span {
    unsigned first, count;
};

static struct span span_of(const struct hist *hist)
{
    unsigned first = hist_index(hist->min_ns);

    return (struct span){ first, hist_index(hist->max_ns) - first + 1 };
}

void hist_reset(struct hist *hist)
{
    if (hist->count > 0) {
        struct span span = span_of(hist);

        memset(&hist->buckets[span.first], 0, span.count * sizeof(hist->buckets[0]));
        memset(hist, 0, offsetof(struct hist, buckets));
    }
}

void hist_merge(struct hist *into, const struct hist *from)
{
    struct span span;

    if (from->count == 0) {
        return;
    }
    span = span_of(from);
    if (into->count == 0 || from->min_ns < into->min_ns) {
        into->min_ns = from->min_ns;
    }
    if (from->max_ns > into->max_ns) {
        into->max_ns = from->max_ns;
    }
    into->count += from->count;
    into->overflow += from->overflow;
    into->sum_ns += from->sum_ns;
    into->sum_squares += from->sum_squares;
    for (unsigned i = span.first; i < span.first + span.count; i++) {
        into->buckets[i] += from->buckets[i];
    }
}

/* How many bits of a value its bucket forgets. */
static int bucket_shift(unsigned index)
{
    return index < 2U << HIST_BITS ? 0 : (int)(index >> HIST_BITS) - 1;
}

int64_t hist_bucket_low(unsigned index)
{
    int shift = bucket_shift(index);

    assert(index < HIST_BUCKETS);
    return (int64_t)(index - ((unsigned)shift << HIST_BITS)) << shift;
}

int64_t hist_bucket_high(unsigned index)
{
    return hist_bucket_low(index) + ((INT64_C(1) << bucket_shift(index)) - 1);
}

static int64_t hold_within(const struct hist *hist, int64_t value_ns)
{
    if (value_ns < hist->min_ns) {
        return hist->min_ns;
    }
    return value_ns > hist->max_ns ? hist->max_ns : value_ns;
}

int64_t hist_at_rank(const struct hist *hist, uint64_t rank)
{
    uint64_t seen = 0;

    if (hist->count == 0) {
        return 0;
    }
    if (rank <= 1) {
        return hist->min_ns;
    }
    if (rank >= hist->count) {
        return hist->max_ns;
    }
    if (rank > hist->count - hist->overflow) {
        return hold_within(hist, HIST_END);
    }
    for (unsigned i = hist_index(hist->min_ns); i < HIST_BUCKETS; i++) {
        seen += hist->buckets[i];
        if (seen >= rank) {
            int64_t low = hist_bucket_low(i);

            return hold_within(hist, low + (hist_bucket_high(i) - low) / 2);
        }
    }
    return hist->max_ns;
}

int64_t hist_quantile(const struct hist *hist, double quantile)
{
    double place = ceil((double)hist->count * quantile * (1.0 - slack));

    return hist_at_rank(hist, place > 1.0 ? (uint64_t)place : 1);
}

double hist_mean(const struct hist *hist)
{
    return hist->count == 0 ? 0.0 : (double)hist->sum_ns / (double)hist->count;
}

double hist_stddev(const struct hist *hist)
{
    long double mean, variance, widest;

    if (hist->count == 0) {
        return 0.0;
    }
    mean = (long double)hist->sum_ns / (long double)hist->count;
    variance = (long double)hist->sum_squares / (long double)hist->count - mean * mean;
    /* The difference of two large numbers is mostly rounding when all values are alike; no variance
     * is less than 0 nor more than that of half the values at either end. */
    widest = (long double)(hist->max_ns - hist->min_ns) / 2;
    if (variance <= 0) {
        return 0.0;
    }
    return (double)fminl(sqrtl(variance), widest);
}

uint64_t hist_above(const struct hist *hist, int64_t threshold_ns)
{
    unsigned from = hist_index(threshold_ns) + 1;
    uint64_t above = 0;

    if (threshold_ns < 0) {
        return hist->count;
    }
    if (from == HIST_BUCKETS) {
        return threshold_ns < HIST_END ? hist->overflow : 0;
    }
    for (unsigned i = from; i < HIST_BUCKETS; i++) {
        above += hist->buckets[i];
    }
    return above;
}

bool hist_quantile_known(uint64_t count, double quantile)
{
    /* 10 * (1 - 0.9) is a little under 1. */
    return (double)count * (1.0 - quantile) >= 1.0 - 1e-9;
}
