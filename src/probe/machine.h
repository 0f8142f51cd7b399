/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What this machine is, as far as it bears on a load: read once before the start, completed at the
 * end. What cannot be read is "", -1 or NaN, never a guess.
 */
#ifndef PROBE_MACHINE_H
#define PROBE_MACHINE_H

#include <stdint.h>

enum { MACHINE_FIELD_MAX = 128 };

struct machine {
    unsigned cpus, allowed_cpus;
    char kernel[MACHINE_FIELD_MAX];
    int64_t descriptors;          /* the limit in force */
    unsigned port_low, port_high; /* local ports */
    char congestion[32];
    int tw_reuse;      /* sysctl; -1 unknown */
    double ports_used; /* share of (addresses x ports) in TIME_WAIT to the target at the end; NaN
                          unknown */
    double port_ceiling_per_s; /* predicted short connections a second if this side closes first; 0
                                  no ceiling */
    int64_t clock_step_ns;     /* change of REALTIME - MONOTONIC over the run */
    char clocksource[32];
    double neighbour_cores; /* CPU of the busiest other process that is not the server, in cores;
                               NaN unknown */
    char neighbour[64];     /* its name */
};

/* Fills all but what is known at the end only (ports_used, port_ceiling_per_s, clock_step_ns,
 * neighbour_cores, neighbour: set to unknown). Under 2 ms. */
void machine_read(struct machine *ret_machine);

#endif
