/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Little's law on a result: N = X·R, where R lasts until the answer was read (response and dwell).
 * Users under way (N, an integral over the measured time) must be what the rate of completions (X)
 * and their mean time (R) say. What does not fit is requests unaccounted for.
 *
 * The two sides speak of different requests at the edges: N sees the part within the measured time
 * of requests that began before it or ended after it, X·R the whole of those that ended in it. The
 * difference is the ages of what was under way at the end, less those at the start; the result
 * knows them, so the law holds for short runs, for users in step and for a server that hangs.
 */
#ifndef VERDICT_LITTLE_H
#define VERDICT_LITTLE_H

#include <stdbool.h>

#include "result/result.h"

struct little {
    double users;  /* N */
    double per_s;  /* X */
    double time_s; /* R */
    double error;  /* |X·R/N - 1|, the edges allowed for */
};

/* false when there is nothing to compare: no time, no user under way, no completion. */
bool little_measure(const struct result *result, struct little *ret_little);

#endif
