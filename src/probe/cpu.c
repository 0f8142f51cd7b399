/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/cpu.h"

#include <math.h>

#include "probe/file.h"

bool cpu_read(struct cpu_times *ret)
{
    char memory[512];
    struct cpu_times times;
    struct str text;
    int cpu;

    if (!file_read("/proc/stat", memory, sizeof(memory), &text) ||
        !cpustat_next(&text, &cpu, &times) || cpu != CPUSTAT_ALL) {
        return false;
    }
    *ret = times;
    return true;
}

/* The kernel's counters of waiting may run backwards a little. */
static double share(uint64_t part_before, uint64_t part_after, const struct cpu_times *before,
                    const struct cpu_times *after)
{
    if (after->total <= before->total) {
        return NAN;
    }
    if (part_after <= part_before) {
        return 0.0;
    }
    return fmin(1.0, (double)(part_after - part_before) / (double)(after->total - before->total));
}

double cpu_busy_share(const struct cpu_times *before, const struct cpu_times *after)
{
    return share(before->busy, after->busy, before, after);
}

double cpu_steal_share(const struct cpu_times *before, const struct cpu_times *after)
{
    return share(before->steal, after->steal, before, after);
}
