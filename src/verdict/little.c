/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/little.h"

#include <math.h>

#include "base/clock.h"

bool little_measure(const struct result *result, struct little *ret_little)
{
    const struct hist *completed = &result->checked_response;
    double wall_ns = (double)result->duration_ns, users = result->users_mean;
    uint64_t completions = result->window_ok + result->window_failed;
    double seen_ns;

    if (result->duration_ns <= 0 || !(users > 0) || completions == 0 || completed->count == 0) {
        return false;
    }
    /* by X and not by the number of times: a completion that was not timed is to be seen */
    seen_ns = (double)completions * hist_mean(completed) + (double)result->edge_ages_ns;
    *ret_little = (struct little){
        .users = users,
        .per_s = (double)completions / (wall_ns / (double)SEC_NS),
        .time_s = hist_mean(completed) / (double)SEC_NS,
        .error = fabs(seen_ns / (users * wall_ns) - 1.0),
    };
    return true;
}
