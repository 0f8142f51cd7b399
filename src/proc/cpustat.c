/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/cpustat.h"

#include <limits.h>

#include "proc/words.h"

/* The order of the line. What follows (guest, guest_nice) is part of user and nice already. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELD_COUNT };

static bool parse_line(struct str line, int *ret_cpu, struct cpu_times *ret_times)
{
    uint64_t fields[FIELD_COUNT] = { 0 }, total = 0, number;
    struct str name;
    int cpu = CPUSTAT_ALL, count = 0;

    if (!words_next(&line, &name) || !str_starts(name, STR("cpu"))) {
        return false;
    }
    if (name.len > 3) {
        if (!str_u64(str_from(name, 3), &number) || number > INT_MAX) {
            return false;
        }
        cpu = (int)number;
    }
    while (count < FIELD_COUNT && words_next_u64(&line, &fields[count])) {
        total += fields[count++];
    }
    if (count <= IDLE) {
        return false;
    }
    *ret_cpu = cpu;
    ret_times->total = total;
    ret_times->steal = fields[STEAL];
    ret_times->busy = total - fields[IDLE] - fields[IOWAIT] - fields[STEAL];
    return true;
}

bool cpustat_next(struct str *rest, int *ret_cpu, struct cpu_times *ret_times)
{
    struct str line;

    return str_cut(rest, '\n', &line) && parse_line(line, ret_cpu, ret_times);
}
