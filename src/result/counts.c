/* SPDX-License-Identifier: Apache-2.0 */
#include "result/counts.h"

void counts_add(struct counts *into, const struct counts *from)
{
    into->started += from->started;
    into->ok += from->ok;
    into->failed += from->failed;
    into->unfinished += from->unfinished;
    into->reconnects += from->reconnects;
    into->retried += from->retried;
    for (int i = 0; i < FAIL_COUNT; i++) {
        into->by_failure[i] += from->by_failure[i];
    }
    for (int i = 0; i < COUNTS_STATUS_MAX; i++) {
        into->by_status[i] += from->by_status[i];
    }
}

bool counts_hold(const struct counts *counts)
{
    uint64_t failed = 0;

    for (int i = 0; i < FAIL_COUNT; i++) {
        failed += counts->by_failure[i];
    }
    return failed == counts->failed &&
           counts->started == counts->ok + counts->failed + counts->unfinished;
}
