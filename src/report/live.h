/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a person sees while the load runs, on stderr: on a terminal a block that is drawn again at
 * most five times a second (progress, rate with a sparkline, percentiles, errors), elsewhere a
 * plain line every few seconds. A window sink; control thread only.
 */
#ifndef REPORT_LIVE_H
#define REPORT_LIVE_H

#include <stdbool.h>

#include "plan/plan.h"
#include "result/window.h"

enum live_mode { LIVE_AUTO, LIVE_TTY, LIVE_PLAIN, LIVE_NONE };

struct live;

/* The plan is borrowed. AUTO becomes TTY when fd is a terminal that can move its cursor (TERM is
 * not dumb), else PLAIN. */
struct live *live_new(const struct plan *plan, int fd, enum live_mode mode, bool color);
struct window_sink live_sink(struct live *live);
/* Removes the block from the terminal, so that the summary stands alone. */
void live_end(struct live *live);
void live_free(struct live *live); /* accepts NULL */

#endif
