/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a thread of this process fared with the scheduler. Any thread may ask about any other.
 */
#ifndef PROBE_THREADS_H
#define PROBE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* Since the thread began: on a CPU; ready to run but waiting for one. */
struct thread_usage {
    int64_t run_ns, wait_ns;
};

/* tid as of gettid(). false when the thread has ended or the kernel keeps no such times. */
bool threads_read(int tid, struct thread_usage *ret);

#endif
