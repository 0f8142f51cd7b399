/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time since boot, as /proc/stat has it: of the whole machine and of each of its CPUs, in
 * ticks. Only differences and their ratios mean anything.
 */
#ifndef PROC_CPUSTAT_H
#define PROC_CPUSTAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* total = busy + idle (waiting for disks included) + steal. */
struct cpu_times {
    uint64_t total, busy, steal;
};

enum { CPUSTAT_ALL = -1 };

/* The next "cpu" line of *rest: the machine (CPUSTAT_ALL), then each CPU that is online, by its
 * number. false at the end and where the text is not /proc/stat's. */
bool cpustat_next(struct str *rest, int *ret_cpu, struct cpu_times *ret_times);

#endif
