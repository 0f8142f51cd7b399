/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process, as /proc/<pid>/stat has it.
 */
#ifndef PROC_PIDSTAT_H
#define PROC_PIDSTAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum { PIDSTAT_NAME_MAX = 64 };

struct pidstat {
    int pid, ppid, pgrp, session;
    char name[PIDSTAT_NAME_MAX]; /* without the parentheses; may hold any byte but zero */
    char state;                  /* 'R', 'S', 'Z', ... */
    bool kernel;                 /* a thread of the kernel's */
    uint64_t cpu_ticks;          /* user and system, all threads, also those that ended */
};

/* One line. The name may hold blanks and parentheses. */
bool pidstat_parse(struct str text, struct pidstat *ret_stat);

#endif
