/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/slo.h"

#include <math.h>

/* Shares as whole numbers of millionths of millionths: an 0.95 that the user wrote is exactly that,
 * and 1 - 0.95 is exactly 0.05. */
static const int64_t whole = INT64_C(1000000000000);

static bool share_at_most(uint64_t part, uint64_t of, int64_t limit)
{
    return (unsigned __int128)part * (uint64_t)whole <= (unsigned __int128)of * (uint64_t)limit;
}

static int64_t share_of_whole(double share)
{
    return llround(fmin(fmax(share, 0.0), 1.0) * (double)whole);
}

static enum slo_state state_of(bool held)
{
    return held ? SLO_HELD : SLO_MISSED;
}

/* ceil(count * share) */
static uint64_t rank_of(uint64_t count, int64_t share)
{
    unsigned __int128 product = (unsigned __int128)count * (uint64_t)share;

    return (uint64_t)((product + (uint64_t)whole - 1) / (uint64_t)whole);
}

/* The quantile among all that were due, where those without a good answer are the slowest. */
static double actual_quantile(const struct result *result, int64_t share, int64_t threshold_ns,
                              bool held)
{
    const struct hist *response = &result->latency[LATENCY_RESPONSE];
    uint64_t rank = rank_of(result->counts.started, share);
    int64_t value_ns;

    if (rank > response->count) {
        return NAN;
    }
    value_ns = hist_at_rank(response, rank);
    if (held) {
        return (double)(value_ns < threshold_ns ? value_ns : threshold_ns);
    }
    return (double)(value_ns > threshold_ns ? value_ns : threshold_ns + 1);
}

static struct slo_outcome judge_quantile(const struct result *result, const struct slo *slo,
                                         uint64_t slow)
{
    const struct counts *counts = &result->counts;
    int64_t share = share_of_whole(slo->quantile);
    struct slo_outcome outcome = { .of = counts->started };
    bool held;

    outcome.violations = slow + counts->failed + counts->unfinished;
    held = share_at_most(outcome.violations, outcome.of, whole - share);
    outcome.state = state_of(held);
    outcome.actual = actual_quantile(result, share, slo->threshold_ns, held);
    return outcome;
}

static struct slo_outcome no_data(void)
{
    return (struct slo_outcome){ .state = SLO_NO_DATA, .actual = NAN };
}

static struct slo_outcome judge_mean(const struct result *result, const struct slo *slo,
                                     uint64_t slow)
{
    const struct hist *response = &result->latency[LATENCY_RESPONSE];

    if (response->count == 0) {
        return no_data();
    }
    return (struct slo_outcome){
        .state = state_of(response->sum_ns <=
                          (unsigned __int128)response->count * (uint64_t)slo->threshold_ns),
        .actual = hist_mean(response),
        .violations = slow,
        .of = response->count,
    };
}

static struct slo_outcome judge_max(const struct result *result, const struct slo *slo,
                                    uint64_t slow)
{
    const struct hist *response = &result->latency[LATENCY_RESPONSE];

    if (response->count == 0) {
        return no_data();
    }
    return (struct slo_outcome){
        .state = state_of(response->max_ns <= slo->threshold_ns),
        .actual = (double)response->max_ns,
        .violations = slow,
        .of = response->count,
    };
}

static struct slo_outcome judge_errors(const struct result *result, const struct slo *slo)
{
    const struct counts *counts = &result->counts;
    struct slo_outcome outcome = { .of = counts->started };

    outcome.violations = counts->failed + counts->unfinished;
    outcome.actual = (double)outcome.violations / (double)outcome.of;
    outcome.state =
        state_of(share_at_most(outcome.violations, outcome.of, share_of_whole(slo->limit)));
    return outcome;
}

static struct slo_outcome judge_rate(const struct result *result, const struct slo *slo)
{
    double rate = result_ok_per_s(result);

    if (result->duration_ns <= 0) {
        return no_data();
    }
    return (struct slo_outcome){ .state = state_of(rate >= slo->limit), .actual = rate };
}

static struct slo_outcome judge_one(const struct result *result, const struct slo *slo,
                                    uint64_t slow)
{
    switch (slo->metric) {
    case SLO_QUANTILE:
        return judge_quantile(result, slo, slow);
    case SLO_MEAN:
        return judge_mean(result, slo, slow);
    case SLO_MAX:
        return judge_max(result, slo, slow);
    case SLO_ERRORS:
        return judge_errors(result, slo);
    case SLO_RATE:
        return judge_rate(result, slo);
    }
    return no_data();
}

void slo_judge(struct result *result)
{
    for (size_t i = 0; i < result->plan->slo_count; i++) {
        result->slo[i] = result->counts.started == 0
                             ? no_data()
                             : judge_one(result, &result->plan->slos[i], result->slow[i]);
    }
}
