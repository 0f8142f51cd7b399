/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workers that have ended, folded into the result: counts, histograms, what the generator used.
 */
#ifndef TRIAL_FOLD_H
#define TRIAL_FOLD_H

#include <stdint.h>

#include "load/worker.h"
#include "result/result.h"

/* Needs result->plan and the times (started_ns, duration_ns) to be set. */
void fold_workers(struct worker *workers, unsigned count, struct result *result);

/* When the last measured request of all workers ended, monotonic; 0 when there was none. */
int64_t fold_last_done_ns(const struct worker *workers, unsigned count);

/* Requests that came to an end, well or badly. */
uint64_t fold_ended(const struct worker *workers, unsigned count);

#endif
