/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a result may be believed: one row a check, each always there, also when all is well.
 *
 * A check is about the generator (this program and its machine), the server, or the sample. Only a
 * generator's FAIL makes a result invalid; what the server does is a finding, what the sample lacks
 * is a weakness. What is not known is LEVEL_INFO with a value of NaN.
 */
#ifndef VERDICT_VALIDITY_H
#define VERDICT_VALIDITY_H

#include "result/result.h"

/* Fills result->checks, check_count and valid. */
void validity_judge(struct result *result);

#endif
