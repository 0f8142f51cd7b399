/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pure decisions on a result: whether each SLO held, whether the result may be used, and the exit
 * code.
 */
#ifndef VERDICT_JUDGE_H
#define VERDICT_JUDGE_H

#include "result/result.h"

/*
 * Fills result->slo, the paced latency, checks, valid and exit_code. Thresholds are named constants
 * beside each check in validity.c.
 *
 * exit_code is the first that applies: 3 no good answer in the whole run; 4 an SLO was given, or
 * --strict, and the result is not valid; 1 an SLO was missed; 4 an SLO has no data; 0. What comes
 * from the outside (130, 143, 5) is the command's to put before it.
 */
void judge_result(struct result *result);

#endif
