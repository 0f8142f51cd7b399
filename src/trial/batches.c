/* SPDX-License-Identifier: Apache-2.0 */
#include "trial/batches.h"

#include "base/mem.h"

void batches_init(struct batches *batches, const struct point *series, size_t count)
{
    *batches = (struct batches){ 0 };
    for (size_t i = 0; i < count; i++) {
        if (series[i].phase != PHASE_MEASURED) {
            continue;
        }
        if (batches->points == 0) {
            batches->from_ns = series[i].t_ns;
        }
        batches->to_ns = series[i].t_ns + series[i].width_ns;
        batches->points++;
    }
    batches->count =
        batches->points < INTERVAL_BATCHES_MAX ? batches->points : INTERVAL_BATCHES_MAX;
    if (batches->count > 0) {
        batches->items = mem_new(batches->count, sizeof(struct hist));
    }
}

void batches_fini(struct batches *batches)
{
    mem_free(batches->items);
    *batches = (struct batches){ 0 };
}

/* By the middle of the point; few points are a batch each. */
static size_t place_of(const struct batches *batches, const struct point *point)
{
    int64_t width_ns = batches->to_ns - batches->from_ns;
    int64_t into_ns = point->t_ns + point->width_ns / 2 - batches->from_ns;
    size_t place = batches->added;

    if (batches->points > batches->count && width_ns > 0 && into_ns >= 0) {
        place = (size_t)((double)into_ns / (double)width_ns * (double)batches->count);
    }
    return place < batches->count ? place : batches->count - 1;
}

void batches_add(struct batches *batches, const struct point *point, const struct sparse *response)
{
    if (batches->count == 0) {
        return;
    }
    if (point->phase == PHASE_MEASURED) {
        sparse_add_to(response, &batches->items[place_of(batches, point)]);
        batches->added++;
    } else if (point->phase == PHASE_DRAIN) {
        sparse_add_to(response, &batches->items[batches->count - 1]);
    }
}

/* Out to the edges of the buckets, so that a bucket is not taken for a point. */
static int64_t low_edge(const struct hist *hist, uint64_t rank)
{
    int64_t low_ns = hist_bucket_low(hist_index(hist_at_rank(hist, rank)));

    return low_ns < hist->min_ns ? hist->min_ns : low_ns;
}

static int64_t high_edge(const struct hist *hist, uint64_t rank)
{
    unsigned index = hist_index(hist_at_rank(hist, rank));
    int64_t high_ns = hist_bucket_high(index);

    /* The last bucket has no upper edge. */
    return index == HIST_BUCKETS - 1 || high_ns > hist->max_ns ? hist->max_ns : high_ns;
}

static struct confidence judge_one(const struct batches *batches, const struct hist *response,
                                   double quantile)
{
    struct interval_batch parts[INTERVAL_BATCHES_MAX] = { 0 };
    struct confidence confidence = { 0 };
    struct interval interval;

    for (size_t i = 0; i < batches->count; i++) {
        parts[i].count = batches->items[i].count;
        parts[i].above = interval_above(&batches->items[i], response, quantile);
    }
    interval = interval_of(parts, batches->count, quantile);
    confidence.known = interval.known;
    confidence.vif = interval.vif;
    confidence.batches = interval.batches;
    confidence.episodes = interval.episodes;
    if (interval.known) {
        confidence.low_ns = low_edge(response, interval.low_rank);
        confidence.high_ns = high_edge(response, interval.high_rank);
    }
    confidence.weak = hist_quantile_known(response->count, quantile) &&
                      (!interval.known || interval.episodes > 0);
    return confidence;
}

void batches_judge(const struct batches *batches, const struct hist *response,
                   struct confidence *confidence)
{
    for (size_t i = 0; i < QUANTILES_COUNT; i++) {
        confidence[i] = judge_one(batches, response, quantiles_list[i].share);
    }
}
