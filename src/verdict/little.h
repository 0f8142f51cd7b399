/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Little's law on a result: N = X·(R + dwell). Users under way (N, an integral over the measured
 * time) must be what the rate of completions (X) and their mean time (R, and the wait in our socket
 * where times end at the kernel's stamp) say. What does not fit is requests unaccounted for.
 *
 * The two sides speak of different requests at the edges: N sees the part within the measured time
 * of requests that began before it or ended after it, X·R the whole of those that ended in it. The
 * difference is the ages of those under way at the start, less the ages at the end. At a random
 * moment a request under way is E[R²]/2E[R] old on average, more than R/2 as long ones are met more
 * often. Beyond 2 % the two edges may be four such ages apart, over the measured time: nothing to
 * speak of in 10 s of answers of 1 ms, much for a user who gets ten answers in all. A request that
 * never ended is in N alone, and is allowed for by its age.
 */
#ifndef VERDICT_LITTLE_H
#define VERDICT_LITTLE_H

#include <stdbool.h>

#include "result/result.h"

struct little {
    double users;     /* N */
    double per_s;     /* X */
    double time_s;    /* R + dwell */
    double error;     /* |X·R/N - 1| */
    double tolerance; /* what the error may be */
};

/* false when there is nothing to compare: no time, no user under way, no completion, or no dwell
 * where it would be needed. */
bool little_measure(const struct result *result, struct little *ret_little);

#endif
