/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much CPU the control groups of this process allow it.
 */
#ifndef PROBE_QUOTA_H
#define PROBE_QUOTA_H

/* In CPUs, the tightest limit of its group and those around it; HUGE_VAL without one. */
double quota_cpus(void);

#endif
