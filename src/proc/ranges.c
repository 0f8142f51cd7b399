/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/ranges.h"

static bool parse_range(struct str text, uint64_t *ret_first, uint64_t *ret_last)
{
    size_t dash = str_find(text, '-');

    if (!str_u64((struct str){ text.p, dash }, ret_first)) {
        return false;
    }
    if (dash == text.len) {
        *ret_last = *ret_first;
        return true;
    }
    return str_u64(str_from(text, dash + 1), ret_last) && *ret_last >= *ret_first;
}

/* How much of first..last lies in low..high, at most UINT64_MAX. */
static uint64_t overlap(uint64_t first, uint64_t last, uint64_t low, uint64_t high)
{
    uint64_t from = first > low ? first : low, to = last < high ? last : high;

    if (from > to) {
        return 0;
    }
    return to - from == UINT64_MAX ? UINT64_MAX : to - from + 1;
}

bool ranges_count(struct str list, uint64_t low, uint64_t high, uint64_t *ret_count)
{
    uint64_t count = 0, first, last;
    struct str rest = str_trim(list), piece;

    if (rest.len == 0) {
        *ret_count = 0;
        return true;
    }
    while (str_cut(&rest, ',', &piece)) {
        if (!parse_range(piece, &first, &last) ||
            __builtin_add_overflow(count, overlap(first, last, low, high), &count)) {
            return false;
        }
    }
    *ret_count = count;
    return true;
}
