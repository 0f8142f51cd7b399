/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one table of options that describe a load. Every command that makes load uses it beside a
 * table of its own; the config of the set is a struct plan.
 */
#ifndef PLAN_PLAN_OPTIONS_H
#define PLAN_PLAN_OPTIONS_H

#include "opt/opt.h"

extern const struct opt plan_options[];

#endif
