/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command line says beside the values of its options: which target is meant.
 *
 * A number for a target that nobody named is the worst of answers. So `self` is taken only when
 * nothing at all was given; an empty argument, options without a target, an option that took the
 * URL as its value, and a second target are refused with what to write instead.
 */
#ifndef PLAN_PLAN_ARGS_H
#define PLAN_PLAN_ARGS_H

#include "opt/opt.h"
#include "plan/plan.h"

/* Sets plan->target, plan->self and plan->target_file. -t over `cpus` is refused here: only
 * --threads insists. */
bool plan_take_args(struct plan *plan, const struct opt_args *args, unsigned cpus,
                    struct err *err) MUST_CHECK;

#endif
