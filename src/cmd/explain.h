/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `brunt --explain`: what each number of a report is, without a run.
 */
#ifndef CMD_EXPLAIN_H
#define CMD_EXPLAIN_H

#include "base/buf.h"

void explain_text(struct buf *buf);

#endif
