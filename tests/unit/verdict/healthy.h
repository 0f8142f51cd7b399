/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A result with nothing wrong: ten seconds of 50 users against a server that answers in 1 ms, the
 * ground that tests spoil one thing of.
 */
#ifndef HEALTHY_H
#define HEALTHY_H

#include "result/result.h"

enum { HEALTHY_USERS = 50, HEALTHY_ANSWERS = 200000 };

/* Both are emptied first; the result borrows the plan. */
void healthy_make(struct result *result, struct plan *plan);

/* Takes `count` good answers of the measured time as failed of a cause: all sums still hold. */
void healthy_fail(struct result *result, enum fail cause, uint64_t count);

#endif
