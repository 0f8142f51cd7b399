/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The items of a plan whose target is a file of URLs, or standard input by the name "-".
 */
#ifndef PLAN_PLAN_URLS_H
#define PLAN_PLAN_URLS_H

#include "plan/plan.h"

/* Fills plan->items, with the files that are bodies opened. On failure ERR_USAGE; when more than
 * one line is wrong plan->problems says which and err only how many. */
bool plan_urls_load(struct plan *plan, struct err *err) MUST_CHECK;

#endif
