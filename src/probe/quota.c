/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/quota.h"

#include <math.h>
#include <stdio.h>

#include "probe/file.h"
#include "proc/cgroup.h"

enum { VALUE_BYTES_MAX = 128 };

static bool read_in(const char *mount, struct str group, const char *name, char *memory,
                    struct str *ret_text)
{
    char path[FILE_BYTES_MAX];
    int length = snprintf(path, sizeof(path), "%s%.*s/%s", mount, STR_ARG(group), name);

    return length < (int)sizeof(path) && file_read(path, memory, VALUE_BYTES_MAX, ret_text);
}

static double quota_v2(struct str group)
{
    char memory[VALUE_BYTES_MAX];
    struct str text;
    double cpus;

    if (!read_in("/sys/fs/cgroup", group, "cpu.max", memory, &text) ||
        !cgroup_cpu_max(text, &cpus)) {
        return HUGE_VAL;
    }
    return cpus;
}

static double quota_v1(struct str group)
{
    static const char mount[] = "/sys/fs/cgroup/cpu";
    char quota_memory[VALUE_BYTES_MAX], period_memory[VALUE_BYTES_MAX];
    struct str quota, period;
    double cpus;

    if (!read_in(mount, group, "cpu.cfs_quota_us", quota_memory, &quota) ||
        !read_in(mount, group, "cpu.cfs_period_us", period_memory, &period) ||
        !cgroup_cpu_quota(quota, period, &cpus)) {
        return HUGE_VAL;
    }
    return cpus;
}

/* In a container the path may be one of the host's, which the mount does not show; its root is the
 * container's own group then. */
static double tightest(struct str group, double (*quota)(struct str group))
{
    double least = quota(group);

    while (group.len > 0) {
        do {
            group.len--;
        } while (group.len > 0 && group.p[group.len] != '/');
        least = fmin(least, quota(group));
    }
    return least;
}

double quota_cpus(void)
{
    char memory[FILE_BYTES_MAX];
    struct str text, group;

    if (!file_read("/proc/self/cgroup", memory, sizeof(memory), &text)) {
        return HUGE_VAL;
    }
    if (cgroup_path(text, STR("cpu"), &group)) {
        return tightest(group, quota_v1);
    }
    return cgroup_path(text, STR(""), &group) ? tightest(group, quota_v2) : HUGE_VAL;
}
