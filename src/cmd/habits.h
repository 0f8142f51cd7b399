/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What hands that learnt ab, wrk, wrk2, hey, oha, k6, siege, h2load or curl type, where brunt's own
 * option has another name or another meaning; and the options that a later version will bring.
 * Each ends in exit 2 with what to write instead. What means the same here is simply accepted.
 */
#ifndef CMD_HABITS_H
#define CMD_HABITS_H

#include "opt/opt.h"

extern const struct opt_habit habits[];

#endif
