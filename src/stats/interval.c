/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/interval.h"

#include <assert.h>
#include <math.h>

#include "base/err.h"

static const double tail = 0.025; /* on either side */

/* Student's t at 0.975, by degrees of freedom from INTERVAL_BATCHES_MIN - 1 on. */
static const double t_quantiles[] = { 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201,
                                      2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093 };

static_assert(COUNT_OF(t_quantiles) == INTERVAL_BATCHES_MAX - INTERVAL_BATCHES_MIN + 1,
              "a t for each number of batches");

/* Variance of the share above, as the batches have it, over that of independent times. */
static double inflation(const struct interval_batch *batches, size_t count, unsigned used,
                        double total, double quantile)
{
    double above = 0, mean, variance = 0;

    for (size_t i = 0; i < count; i++) {
        above += batches[i].above;
    }
    mean = above / total;
    for (size_t i = 0; i < count; i++) {
        double off = batches[i].above - (double)batches[i].count * mean;

        variance += off * off;
    }
    variance *= (double)used / (used - 1);
    return fmax(1.0, variance / (total * quantile * (1 - quantile)));
}

/* The least number of batches that hold 80 % of what is above, when it is small. */
static unsigned find_episodes(const struct interval_batch *batches, size_t count, unsigned used)
{
    bool taken[INTERVAL_BATCHES_MAX] = { false };
    double above = 0, held = 0;
    unsigned least = 0;

    for (size_t i = 0; i < count; i++) {
        above += batches[i].above;
    }
    /* Sums of parts may be an ulp or two short. */
    while (held < 0.8 * above * (1 - 1e-9)) {
        size_t most = count;

        for (size_t i = 0; i < count; i++) {
            if (!taken[i] && (most == count || batches[i].above > batches[most].above)) {
                most = i;
            }
        }
        assert(most < count);
        taken[most] = true;
        held += batches[most].above;
        least++;
    }
    return least * 4 < used ? least : 0;
}

struct interval interval_of(const struct interval_batch *batches, size_t count, double quantile)
{
    struct interval interval = { 0 };
    double total = 0, half, rank;

    assert(count <= INTERVAL_BATCHES_MAX && quantile > 0 && quantile < 1);
    for (size_t i = 0; i < count; i++) {
        total += (double)batches[i].count;
        interval.batches += batches[i].count > 0;
    }
    if (interval.batches < INTERVAL_BATCHES_MIN) {
        return interval;
    }
    interval.vif = inflation(batches, count, interval.batches, total, quantile);
    interval.episodes = find_episodes(batches, count, interval.batches);
    /* With fewer, all of them may lie on one side of the quantile. */
    interval.known = pow(fmax(quantile, 1 - quantile), total / interval.vif) <= tail;
    if (interval.known) {
        half = t_quantiles[interval.batches - INTERVAL_BATCHES_MIN] *
               sqrt(total * quantile * (1 - quantile) * interval.vif);
        rank = total * quantile;
        interval.low_rank = (uint64_t)fmax(1.0, floor(rank - half));
        /* The quantile lies below x(k) when fewer than k values are at or below it. */
        interval.high_rank = (uint64_t)fmin(total, floor(rank + half) + 1);
    }
    return interval;
}

static double beyond(const struct hist *hist, unsigned index)
{
    uint64_t sum = 0;

    for (unsigned i = index + 1; i < HIST_BUCKETS; i++) {
        sum += hist->buckets[i];
    }
    return (double)sum;
}

double interval_above(const struct hist *part, const struct hist *whole, double quantile)
{
    unsigned index = hist_index(hist_quantile(whole, quantile));
    double wanted = (double)whole->count * (1 - quantile) - beyond(whole, index);
    double equal = (double)whole->buckets[index];
    double share = equal > 0 ? fmin(fmax(wanted / equal, 0.0), 1.0) : 0.0;

    return beyond(part, index) + share * (double)part->buckets[index];
}
