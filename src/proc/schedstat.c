/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/schedstat.h"

#include "proc/words.h"

bool schedstat_parse(struct str text, int64_t *ret_run_ns, int64_t *ret_wait_ns)
{
    uint64_t run, wait;

    if (!words_next_u64(&text, &run) || !words_next_u64(&text, &wait) || run > INT64_MAX ||
        wait > INT64_MAX) {
        return false;
    }
    *ret_run_ns = (int64_t)run;
    *ret_wait_ns = (int64_t)wait;
    return true;
}
