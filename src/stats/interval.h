/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How well one run knows a quantile of its response times: a 95 % interval between two of its
 * order statistics.
 *
 * Response times that follow each other are alike, so n of them say less than n independent ones.
 * How much less is seen from the run itself, cut into stretches of time of equal length (batches):
 * the share of times above the quantile differs from batch to batch by more than chance. The factor
 * of the two variances is the VIF, at least 1; n / VIF is the number of independent times that
 * would say as much. The ranks are those of independent times, set apart by sqrt(VIF) more.
 *
 * An interval covers what varies within the run, slower changes than a batch not well, and what
 * varies between runs not at all. Pure: no clock, no allocation.
 */
#ifndef STATS_INTERVAL_H
#define STATS_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/hist.h"

/* With fewer batches there is no interval; more are not taken. */
enum { INTERVAL_BATCHES_MIN = 5, INTERVAL_BATCHES_MAX = 20 };

struct interval_batch {
    uint64_t count;
    double above; /* of them, those above the quantile; what is equal to it may count in part */
};

struct interval {
    bool known;
    double vif;                   /* 0 when there are too few batches to tell */
    unsigned batches;             /* that hold something; the others say nothing */
    uint64_t low_rank, high_rank; /* when known: 1..n, n the sum of the batches */
    /* When fewer than a quarter of the batches hold 80 % of what is above the quantile: how many.
     * A few moments made the tail then; how many there would be in another run is anyone's guess,
     * and the interval is not to be trusted. Else 0. */
    unsigned episodes;
};

/* quantile: 0..1 exclusive, of all batches together. */
struct interval interval_of(const struct interval_batch *batches, size_t count, double quantile);

/*
 * How many values of a part lie above the quantile of the whole. Of those in the quantile's own
 * bucket, which cannot be told from it, each part gives the same share: that which makes the parts
 * add up to (1 - quantile) of all. So many equal times are no tail of their own.
 */
double interval_above(const struct hist *part, const struct hist *whole, double quantile);

#endif
