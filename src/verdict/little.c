/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/little.h"

#include <math.h>

#include "base/clock.h"

static const double TOLERANCE = 0.02;
/* How many mean ages the two edges may be apart. */
static const double AGES = 4.0;

/* Mean age, in ns, of what is under way at a random moment. */
static double mean_age(double sum_ns, double sum_squares)
{
    return sum_ns > 0 ? sum_squares / sum_ns / 2.0 : 0.0;
}

/* What is under way at the end completes while draining, if at all: then it is not among those that
 * completed in the measured time but among those that started in it. The older of the two counts.
 */
static double edge_age_ns(const struct result *result)
{
    const struct hist *good = &result->latency[LATENCY_RESPONSE];
    const struct hist *bad = &result->latency[LATENCY_FAILED_RESPONSE];
    const struct hist *completed = &result->checked_response;

    return fmax(
        mean_age((double)completed->sum_ns, completed->sum_squares),
        mean_age((double)good->sum_ns + (double)bad->sum_ns, good->sum_squares + bad->sum_squares));
}

bool little_measure(const struct result *result, struct little *ret_little)
{
    struct little little = { .users = result->users_mean };
    double wall_ns = (double)result->duration_ns;
    double hanging_ns = fmin((double)result->oldest_unfinished_ns, wall_ns);

    if (result->duration_ns <= 0 || !(little.users > 0) || result->checked_response.count == 0) {
        return false;
    }
    if (result->generator.may_pause && result->latency[LATENCY_DWELL].count == 0) {
        return false;
    }
    little.per_s = (double)(result->window_ok + result->window_failed) / (wall_ns / (double)SEC_NS);
    little.time_s = hist_mean(&result->checked_response) / (double)SEC_NS;
    if (result->generator.may_pause) {
        little.time_s += hist_mean(&result->latency[LATENCY_DWELL]) / (double)SEC_NS;
    }
    little.error = fabs(little.per_s * little.time_s / little.users - 1.0);
    little.tolerance = TOLERANCE + AGES * edge_age_ns(result) / wall_ns +
                       (double)result->totals.unfinished * hanging_ns / (little.users * wall_ns);
    *ret_little = little;
    return true;
}
