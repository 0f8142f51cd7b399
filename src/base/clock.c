/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <stdio.h>

static int64_t clock_read_ns(clockid_t id)
{
    struct timespec now;

    (void)clock_gettime(id, &now);
    return clock_of_timespec(now);
}

int64_t clock_now_ns(void)
{
    return clock_read_ns(CLOCK_MONOTONIC);
}

int64_t clock_real_ns(void)
{
    return clock_read_ns(CLOCK_REALTIME);
}

int64_t clock_thread_cpu_ns(void)
{
    return clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t clock_process_cpu_ns(void)
{
    return clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t clock_pid_cpu_ns(int pid)
{
    struct timespec now;
    clockid_t id;

    /* The kernel takes the number 0 for the caller, and 29 bits for the name of a clock. */
    if (pid <= 0 || pid >= 1 << 28 || clock_getcpuclockid(pid, &id) != 0 ||
        clock_gettime(id, &now) != 0) {
        return -1;
    }
    return clock_of_timespec(now);
}

int64_t clock_real_offset_ns(void)
{
    int64_t best_width = INT64_MAX, offset = 0;

    for (int i = 0; i < 5; i++) {
        int64_t before = clock_now_ns();
        int64_t real = clock_real_ns();
        int64_t after = clock_now_ns();

        if (after - before < best_width) {
            best_width = after - before;
            offset = real - (before + (after - before) / 2);
        }
    }
    return offset;
}

void clock_format_rfc3339(int64_t real_ns, char *text)
{
    time_t seconds = (time_t)(real_ns / SEC_NS);
    struct tm utc;

    (void)gmtime_r(&seconds, &utc);
    (void)snprintf(text, 32, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", utc.tm_year + 1900,
                   utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                   (int)(real_ns / MSEC_NS % 1000));
}
