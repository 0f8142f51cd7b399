/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The faults there are, one row each. To add one: a row here, a line in doc/brunt-serve.1.scd, a
 * row of tests/it/test_faults.py with the bytes that come.
 */
#ifndef TARGET_FAULT_TABLE_H
#define TARGET_FAULT_TABLE_H

#include <stddef.h>

#include "target/fault_step.h"

enum { FAULT_TABLE_MAX = 128 };

extern const struct fault_row fault_table[];
extern const size_t fault_table_count;

/* NULL: there is none of that name. */
const struct fault_row *fault_table_find(struct str name);

#endif
