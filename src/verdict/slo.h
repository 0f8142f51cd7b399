/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether each SLO of the plan held.
 *
 * An SLO reads "at most" (a rate: "at least"), so what is exactly at its edge holds. It is decided
 * in whole numbers: by the counters of slow, failed and unfinished requests over all that were
 * started in the measured time, never by the edges of the histogram. `actual`, which is read from
 * the histogram, is held on the side of the threshold that the counters say; NaN when so many
 * failed that the quantile falls among them.
 */
#ifndef VERDICT_SLO_H
#define VERDICT_SLO_H

#include "result/result.h"

/* Fills result->slo. No data: nothing was started in the measured time, or for mean and max, no
 * answer was good. */
void slo_judge(struct result *result);

#endif
