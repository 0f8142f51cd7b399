/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The windows of a trial as they come from several workers: merged by their place on the grid,
 * given to sinks in order, and kept small: at most RESULT_SERIES_MAX points, neighbours merged when
 * there are more. Control thread only.
 */
#ifndef TRIAL_SERIES_H
#define TRIAL_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/worker.h"
#include "result/result.h"
#include "result/window.h"

struct series;

struct series *series_new(const struct window_sink *sinks, size_t sink_count, int64_t t0_ns);
void series_free(struct series *series); /* accepts NULL */

/* Takes what the workers have handed over; emits each window once no worker can add to it. */
void series_collect(struct series *series, struct worker *workers, unsigned count);

/* All workers have ended: emits what is left, and writes points, rates, window sums and, from
 * result->latency, which is there already, how well each percentile is known. */
void series_finish(struct series *series, struct worker *workers, unsigned count,
                   struct result *result);

#endif
