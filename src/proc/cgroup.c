/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/cgroup.h"

#include <math.h>

#include "proc/words.h"

static bool list_has(struct str list, struct str name)
{
    struct str piece;

    while (str_cut(&list, ',', &piece)) {
        if (str_eq(piece, name)) {
            return true;
        }
    }
    return false;
}

bool cgroup_path(struct str text, struct str controller, struct str *ret_path)
{
    struct str line, number, controllers;

    while (str_cut(&text, '\n', &line)) {
        if (!str_cut(&line, ':', &number) || !str_cut(&line, ':', &controllers) || line.p == NULL ||
            !str_starts(line, STR("/"))) {
            continue;
        }
        if (list_has(controllers, controller)) {
            *ret_path = line;
            return true;
        }
    }
    return false;
}

static bool share(uint64_t quota, uint64_t period, double *ret_cpus)
{
    if (quota == 0 || period == 0) {
        return false;
    }
    *ret_cpus = (double)quota / (double)period;
    return true;
}

bool cgroup_cpu_max(struct str text, double *ret_cpus)
{
    uint64_t quota, period;
    struct str word;

    if (!words_next(&text, &word) || !words_next_u64(&text, &period)) {
        return false;
    }
    if (str_eq(word, STR("max"))) {
        *ret_cpus = HUGE_VAL;
        return true;
    }
    return str_u64(word, &quota) && share(quota, period, ret_cpus);
}

bool cgroup_cpu_quota(struct str quota_us, struct str period_us, double *ret_cpus)
{
    uint64_t quota, period;

    if (str_eq(str_trim(quota_us), STR("-1"))) {
        *ret_cpus = HUGE_VAL;
        return true;
    }
    return str_u64(str_trim(quota_us), &quota) && str_u64(str_trim(period_us), &period) &&
           share(quota, period, ret_cpus);
}
