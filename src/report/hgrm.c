/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The percentile distribution that HdrHistogram prints and its plotters read: rows at levels that
 * grow denser towards 1, five in each halving of the distance, in milliseconds.
 */
#include <inttypes.h>
#include <math.h>

#include "base/clock.h"
#include "report/report.h"

enum { TICKS_PER_HALF = 5 };

struct place {
    int64_t value_ns;
    uint64_t seen; /* values up to and with it */
};

/* The bucket that holds a rank; *bucket and place->seen go on from an earlier, lower rank. */
static void place_advance(struct place *place, const struct hist *hist, uint64_t rank,
                          unsigned *bucket)
{
    while (place->seen < rank) {
        place->seen += hist->buckets[*bucket];
        place->value_ns = hist_bucket_high(*bucket);
        (*bucket)++;
    }
    if (place->value_ns > hist->max_ns || place->seen == hist->count) {
        place->value_ns = hist->max_ns;
    }
}

static double next_level(double level)
{
    double halvings = floor(log2(1 / (1 - level))) + 1;

    return level + 1 / (TICKS_PER_HALF * exp2(halvings));
}

static double in_ms(double ns)
{
    return ns / (double)MSEC_NS;
}

static void add_row(struct buf *buf, const struct place *place, double level)
{
    buf_printf(buf, "%12.3f %2.12f %10" PRIu64, in_ms((double)place->value_ns), level, place->seen);
    if (level < 1) {
        buf_printf(buf, " %14.2f", 1 / (1 - level));
    }
    buf_putc(buf, '\n');
}

void report_hgrm(const struct result *result, struct buf *buf)
{
    const struct hist *hist = &result->latency[LATENCY_RESPONSE];
    struct place place = { 0 };
    unsigned bucket = 0;
    double level = 0;

    buf_printf(buf, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount",
               "1/(1-Percentile)");
    while (hist->count > 0 && place.seen < hist->count) {
        uint64_t rank = (uint64_t)ceil(level * (double)hist->count);

        place_advance(&place, hist, rank > 0 ? rank : 1, &bucket);
        add_row(buf, &place, place.seen < hist->count ? level : 1);
        level = next_level(level);
    }
    buf_printf(buf, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", in_ms(hist_mean(hist)),
               in_ms(hist_stddev(hist)));
    buf_printf(buf, "#[Max     = %12.3f, Total count    = %12" PRIu64 "]\n",
               in_ms(hist->count > 0 ? (double)hist->max_ns : 0), hist->count);
    buf_printf(buf, "#[Buckets = %12d, SubBuckets     = %12d]\n", HIST_BUCKETS >> HIST_BITS,
               1 << HIST_BITS);
}
