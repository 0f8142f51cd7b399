/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The body of the plan's request: the text of --data, or the contents of a file.
 */
#ifndef PLAN_PLAN_DATA_H
#define PLAN_PLAN_DATA_H

#include "plan/plan.h"

/* Sets plan->body from plan->data. "@-" reads standard input. ERR_USAGE when the file cannot be had
 * (plan_files_get()), or the text is the name of a file and was probably meant to be one. */
bool plan_data_load(struct plan *plan, struct err *err) MUST_CHECK;

#endif
