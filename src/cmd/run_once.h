/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `run --once`: one request of the plan, shown with its answer as they went over the wire, but for
 * secrets and for bytes that a terminal would act on.
 */
#ifndef CMD_RUN_ONCE_H
#define CMD_RUN_ONCE_H

#include "cmd/run_outputs.h"
#include "plan/plan.h"

/* Gives the exit code. */
int run_once(struct plan *plan, const struct run_outputs *outputs);

#endif
