/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/audit.h"

#include "base/err.h"

static bool counts_add_up(const struct result *result)
{
    return counts_hold(&result->counts);
}

static bool totals_add_up(const struct result *result)
{
    return counts_hold(&result->totals);
}

static bool counts_within_totals(const struct result *result)
{
    const struct counts *part = &result->counts, *whole = &result->totals;

    return part->started <= whole->started && part->ok <= whole->ok &&
           part->failed <= whole->failed && part->unfinished <= whole->unfinished;
}

static bool windows_sum_to_totals(const struct result *result)
{
    return result->windows_started == result->totals.started &&
           result->windows_completed == result->totals.ok + result->totals.failed;
}

static bool answers_are_timed(const struct result *result)
{
    return result->latency[LATENCY_RESPONSE].count == result->counts.ok;
}

static bool completions_are_timed(const struct result *result)
{
    return result->checked_response.count == result->window_ok + result->window_failed;
}

static bool percentiles_in_order(const struct result *result)
{
    static const double quantiles[] = {
        0.0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 1.0
    };

    for (enum latency kind = 0; kind < LATENCY_COUNT; kind++) {
        const struct hist *hist = &result->latency[kind];
        int64_t before = hist->count == 0 ? 0 : hist->min_ns;

        for (size_t i = 0; i < COUNT_OF(quantiles); i++) {
            int64_t value = hist_quantile(hist, quantiles[i]);

            if (value < before || value > hist->max_ns) {
                return false;
            }
            before = value;
        }
    }
    return true;
}

static bool slow_are_answers(const struct result *result)
{
    for (size_t i = 0; i < result->plan->slo_count; i++) {
        if (result->slow[i] > result->counts.ok) {
            return false;
        }
    }
    return true;
}

static const struct law {
    bool (*holds)(const struct result *result);
    const char *broken;
} laws[] = {
    { counts_add_up, "measured requests: started is not ok + failed + unfinished by cause" },
    { totals_add_up, "all requests: started is not ok + failed + unfinished by cause" },
    { counts_within_totals, "more was measured than there was in all" },
    { windows_sum_to_totals, "the windows do not sum to the totals" },
    { answers_are_timed, "there are not as many times as good answers" },
    { completions_are_timed, "there are not as many times as completions in the measured time" },
    { percentiles_in_order, "percentiles are not in order" },
    { slow_are_answers, "more answers were slow than there were answers" },
};

size_t audit_broken(const struct result *result, const char **ret_first)
{
    size_t count = 0;

    *ret_first = NULL;
    for (size_t i = 0; i < COUNT_OF(laws); i++) {
        if (!laws[i].holds(result)) {
            if (count == 0) {
                *ret_first = laws[i].broken;
            }
            count++;
        }
    }
    return count;
}
