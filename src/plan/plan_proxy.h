/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --proxy of a plan: http://[NAME:PASS@]HOST:PORT, where the scheme may be left out. The port may
 * not: tools differ in the one they assume (80, 1080, 3128).
 */
#ifndef PLAN_PLAN_PROXY_H
#define PLAN_PLAN_PROXY_H

#include "plan/plan.h"

/* Takes plan->proxy apart into plan->proxy_url; nothing to do without one. ERR_USAGE, never with
 * the password in it. */
bool plan_proxy_check(struct plan *plan, struct err *err) MUST_CHECK;

#endif
