/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A closed load's times as somebody sees them who asks at a steady pace, whatever the server does.
 *
 * While an answer takes long, its user asks nothing: a server that stands still for half of the
 * time shows one slow answer a user among thousands of fast ones. Here each answer that took longer
 * than the pace stands for the requests that its user would have made meanwhile, one an interval,
 * which would have waited for what was left of it. (Gil Tene calls what is missing without them
 * coordinated omission; his HdrHistogram adds them one by one, this adds as many as fall into a
 * bucket on average.)
 */
#ifndef STATS_PACED_H
#define STATS_PACED_H

#include "stats/hist.h"

/* Makes *ret_paced that of the times, one request each interval_ns (> 0) and user. Smallest and
 * largest are the times' own. */
void paced_from(const struct hist *times, int64_t interval_ns, struct hist *ret_paced);

#endif
