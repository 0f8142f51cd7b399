/* SPDX-License-Identifier: Apache-2.0 */
#include "result/counts.h"

#include <stddef.h>

#include "base/err.h"

void counts_add(struct counts *into, const struct counts *from)
{
    into->started += from->started;
    into->ok += from->ok;
    into->failed += from->failed;
    into->unfinished += from->unfinished;
    into->reconnects += from->reconnects;
    into->retried += from->retried;
    into->followed += from->followed;
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

uint64_t counts_closed_between(const struct counts *counts)
{
    static const enum fail costly[] = { FAIL_RESET,        FAIL_CLOSED_EARLY,
                                        FAIL_TRUNCATED,    FAIL_PROTOCOL,
                                        FAIL_TIMEOUT_SEND, FAIL_TIMEOUT_FIRST_BYTE,
                                        FAIL_TIMEOUT_BODY, FAIL_CANCELLED };
    uint64_t lost = 0;

    for (size_t i = 0; i < COUNT_OF(costly); i++) {
        lost += counts->by_failure[costly[i]];
    }
    return counts->reconnects > lost ? counts->reconnects - lost : 0;
}
