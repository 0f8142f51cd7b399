/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only reader of clocks. Time is int64_t nanoseconds of CLOCK_MONOTONIC everywhere; everything
 * but the measuring points gets it as an argument.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define USEC_NS INT64_C(1000)
#define MSEC_NS INT64_C(1000000)
#define SEC_NS  INT64_C(1000000000)
/* Later than any time that happens; safe to add seconds to. */
#define NEVER_NS (INT64_MAX / 2)

static inline int64_t clock_of_timespec(struct timespec when)
{
    return (int64_t)when.tv_sec * SEC_NS + when.tv_nsec;
}

int64_t clock_now_ns(void);
/* CLOCK_REALTIME: for stamps on documents and to convert kernel stamps, never for durations. */
int64_t clock_real_ns(void);
/* CPU time of the calling thread. */
int64_t clock_thread_cpu_ns(void);
/* CPU time (user + system) of this process. */
int64_t clock_process_cpu_ns(void);
/* CPU time of another process, all its threads; -1 when there is none of that number. A sixth of
 * the cost of reading its /proc/<pid>/stat, and not in ticks. */
int64_t clock_pid_cpu_ns(int pid);

/* CLOCK_REALTIME - CLOCK_MONOTONIC, the tightest of a few bracketed reads (some 0.3 us in all). */
int64_t clock_real_offset_ns(void);

/* "2026-11-30T14:46:35.123Z" (RFC 3339, UTC) into text of at least 32 bytes. */
void clock_format_rfc3339(int64_t real_ns, char *text);

#endif
