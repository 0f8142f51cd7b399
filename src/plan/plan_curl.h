/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan that is given as curl's command line: one item for each of its URLs.
 */
#ifndef PLAN_PLAN_CURL_H
#define PLAN_PLAN_CURL_H

#include "opt/opt.h"
#include "plan/plan.h"

/* Sets the plan's items, target and options from the words after "curl"; --from FILE, or - for
 * standard input, holds a pasted command with further words. The sets of the spec are the options
 * of brunt that may stand among curl's; one of them has the plan as its config. Opens the files
 * that are sent. ERR_USAGE. */
bool plan_curl_take(struct plan *plan, const struct opt_spec *spec, int argc, char *const *argv,
                    struct err *err) MUST_CHECK;

#endif
