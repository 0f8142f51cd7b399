/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pure decisions on a result: whether each SLO held, whether the result may be used, and the exit
 * code.
 */
#ifndef VERDICT_JUDGE_H
#define VERDICT_JUDGE_H

#include "result/result.h"

/* Fills result->slo, checks, valid and exit_code. Thresholds are named constants beside each check
 * in validity.c. */
void judge_result(struct result *result);

#endif
