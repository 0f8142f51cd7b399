/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts of requests, with their conservation: started = ok + failed + unfinished, and failed is
 * the sum of by_failure. Adding is exact in any order.
 */
#ifndef RESULT_COUNTS_H
#define RESULT_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"

enum { COUNTS_STATUS_MAX = 1000 };

struct counts {
    uint64_t started, ok, failed, unfinished;
    uint64_t reconnects; /* connections opened after a user's first, kept-alive only */
    uint64_t retried;    /* silent retries of a stale connection: not in started */
    uint64_t
        followed; /* answers that led to another request of the same exchange: not in started */
    uint64_t by_failure[FAIL_COUNT];
    uint64_t by_status[COUNTS_STATUS_MAX]; /* every final answer head, good or not */
};

void counts_add(struct counts *into, const struct counts *from);
/* started = ok + failed + unfinished and failed = sum of by_failure. */
bool counts_hold(const struct counts *counts);

/* Of the reconnects, those that an answer came before: the server closed, and nothing failed by it.
 * The others followed a failure that cost the connection. */
uint64_t counts_closed_between(const struct counts *counts);

#endif
