/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/pidstat.h"

#include <limits.h>

#include "proc/words.h"

/* PF_KTHREAD of the kernel's flags. */
enum { FLAG_KERNEL_THREAD = 0x00200000 };

static bool next_int(struct str *rest, int *ret_value)
{
    uint64_t value;

    if (!words_next_u64(rest, &value) || value > INT_MAX) {
        return false;
    }
    *ret_value = (int)value;
    return true;
}

/* "pid (name) " off the front. The name is the program's to choose, so it ends at the last
 * parenthesis: nothing behind it has one. */
static bool take_name(struct str *rest, struct pidstat *stat)
{
    size_t open = str_find(*rest, '('), close = rest->len;
    struct str before = { rest->p, open };

    while (close > open && rest->p[close - 1] != ')') {
        close--;
    }
    if (close <= open + 1 || !next_int(&before, &stat->pid) || str_trim(before).len > 0) {
        return false;
    }
    str_copy(stat->name, sizeof(stat->name), (struct str){ rest->p + open + 1, close - open - 2 });
    *rest = str_from(*rest, close);
    return true;
}

bool pidstat_parse(struct str text, struct pidstat *ret_stat)
{
    struct pidstat stat = { 0 };
    uint64_t flags, user, system;
    struct str word;

    if (!take_name(&text, &stat) || !words_next(&text, &word) || word.len != 1) {
        return false;
    }
    stat.state = word.p[0];
    if (!next_int(&text, &stat.ppid) || !next_int(&text, &stat.pgrp) ||
        !next_int(&text, &stat.session)) {
        return false;
    }
    /* behind the terminal and its foreground group, then behind four counts of faults */
    if (!words_skip_next(&text, 2, &word) || !str_u64(word, &flags) ||
        !words_skip_next(&text, 4, &word) || !str_u64(word, &user) ||
        !words_next_u64(&text, &system)) {
        return false;
    }
    stat.kernel = (flags & FLAG_KERNEL_THREAD) != 0;
    stat.cpu_ticks = user + system;
    *ret_stat = stat;
    return true;
}
