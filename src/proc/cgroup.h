/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process's control groups and how much CPU they allow, versions 1 and 2.
 */
#ifndef PROC_CGROUP_H
#define PROC_CGROUP_H

#include <stdbool.h>

#include "base/str.h"

/* The path of a controller ("cpu") in /proc/<pid>/cgroup; the empty controller is version 2. The
 * path is a slice of the text. */
bool cgroup_path(struct str text, struct str controller, struct str *ret_path);

/* cpu.max of version 2, "150000 100000" or "max 100000", in CPUs; INFINITY without a limit. */
bool cgroup_cpu_max(struct str text, double *ret_cpus);

/* cpu.cfs_quota_us and cpu.cfs_period_us of version 1; a quota of -1 is none. */
bool cgroup_cpu_quota(struct str quota_us, struct str period_us, double *ret_cpus);

#endif
