/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What other processes of this machine used of its CPUs during a run.
 *
 * Life cycle: neighbours_new() before the load (some 2 us a process), neighbours_measure() after
 * it, neighbours_free(). A process that both began and ended in between is not seen, nor is one
 * that may not be looked at (hidepid).
 *
 * The server is not a neighbour: that is every process that holds the listening socket, those
 * started by them, and those of the same name that started them. Where no holder can be seen,
 * because it belongs to another user, no process whose descriptors are closed to us is called a
 * neighbour.
 */
#ifndef PROBE_NEIGHBOURS_H
#define PROBE_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proc/pidstat.h"

enum { NEIGHBOUR_NAME_MAX = PIDSTAT_NAME_MAX };

struct neighbours;

struct neighbours *neighbours_new(void);
void neighbours_free(struct neighbours *neighbours); /* accepts NULL */

/*
 * The busiest neighbour since neighbours_new(): its CPU time over wall_ns (or over the time
 * between the two, when that is longer), in cores, and its name
 * (NEIGHBOUR_NAME_MAX bytes; "" and 0 when none used any). NaN when it cannot be known. server_port
 * is a TCP port of this machine; 0: the server is not here.
 */
void neighbours_measure(struct neighbours *neighbours, int64_t wall_ns, uint16_t server_port,
                        double *ret_cores, char *ret_name);
/* The same for a server that listens on a unix socket. */
void neighbours_measure_unix(struct neighbours *neighbours, int64_t wall_ns, const char *path,
                             double *ret_cores, char *ret_name);

/* A process at the end of the run, as neighbours_busiest() sees it. */
struct neighbour {
    int pid, ppid;
    bool kernel;    /* a thread of the kernel's */
    bool listens;   /* holds the server's socket */
    bool closed;    /* its descriptors may not be looked at */
    bool server;    /* set by neighbours_busiest() */
    int64_t cpu_ns; /* since the snapshot */
    char name[NEIGHBOUR_NAME_MAX];
};

/* The choice among them (in order of pid), without I/O; NULL when none used any CPU. server_sought:
 * there is a listening socket here, so somebody must hold it. */
const struct neighbour *neighbours_busiest(struct neighbour *processes, size_t count, int self_pid,
                                           bool server_sought);

#endif
