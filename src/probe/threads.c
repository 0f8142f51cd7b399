/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/threads.h"

#include <stdio.h>

#include "probe/file.h"
#include "proc/schedstat.h"

bool threads_read(int tid, struct thread_usage *ret)
{
    char path[64], memory[128];
    struct str text;

    (void)snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", tid);
    return file_read(path, memory, sizeof(memory), &text) &&
           schedstat_parse(text, &ret->run_ns, &ret->wait_ns);
}
