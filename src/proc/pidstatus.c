/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/pidstatus.h"

#include "proc/words.h"

bool pidstatus_bytes(struct str text, struct str name, int64_t *ret_bytes)
{
    struct str line, unit;
    uint64_t kilobytes;

    while (str_cut(&text, '\n', &line)) {
        size_t colon = str_find(line, ':');

        if (!str_eq((struct str){ line.p, colon }, name)) {
            continue;
        }
        line = str_from(line, colon + 1);
        if (!words_next_u64(&line, &kilobytes) || !words_next(&line, &unit) ||
            !str_eq(unit, STR("kB")) || kilobytes > INT64_MAX / 1024) {
            return false;
        }
        *ret_bytes = (int64_t)kilobytes * 1024;
        return true;
    }
    return false;
}
