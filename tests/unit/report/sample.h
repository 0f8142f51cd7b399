/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results with known content for the tests of reports: the same on every machine, no random
 * numbers, no floating point on the way in.
 */
#ifndef UNIT_REPORT_SAMPLE_H
#define UNIT_REPORT_SAMPLE_H

#include "plan/plan.h"
#include "result/result.h"

/* A good run of ten seconds with 50 connections. The plan is filled and borrowed. */
struct result *sample_good(struct plan *plan);
/* Refused, reset and 503; some unfinished; invalid; interrupted; answers were redirects. */
struct result *sample_bad(struct plan *plan);
/* Eight requests. */
struct result *sample_few(struct plan *plan);
/* Nothing ever came back. */
struct result *sample_none(struct plan *plan);
/* One connection, 1 ms an answer, and five of ten seconds in which the server stood still. */
struct result *sample_stalled(struct plan *plan);
/* More than 32 bits hold of everything: half a milliard requests, 5 TB. */
struct result *sample_large(struct plan *plan);
/* Interrupted in the warm-up, after many answers. */
struct result *sample_early(struct plan *plan);

#endif
