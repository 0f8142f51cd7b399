/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time of this machine: what was busy, and what its host took away.
 */
#ifndef PROBE_CPU_H
#define PROBE_CPU_H

#include <stdbool.h>

#include "proc/cpustat.h"

/* Since boot, all CPUs together. */
bool cpu_read(struct cpu_times *ret);

/* Shares (0..1) of the time between two readings; NaN when the time did not move. */
double cpu_busy_share(const struct cpu_times *before, const struct cpu_times *after);
double cpu_steal_share(const struct cpu_times *before, const struct cpu_times *after);

#endif
