/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a thread fared with the scheduler, as /proc/<pid>/task/<tid>/schedstat has it.
 */
#ifndef PROC_SCHEDSTAT_H
#define PROC_SCHEDSTAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Nanoseconds on a CPU, and ready to run but waiting for one. */
bool schedstat_parse(struct str text, int64_t *ret_run_ns, int64_t *ret_wait_ns);

#endif
