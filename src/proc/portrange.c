/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/portrange.h"

#include "proc/words.h"

bool portrange_parse(struct str text, unsigned *ret_low, unsigned *ret_high)
{
    uint64_t low, high;

    if (!words_next_u64(&text, &low) || !words_next_u64(&text, &high) || low > high ||
        high > UINT16_MAX) {
        return false;
    }
    *ret_low = (unsigned)low;
    *ret_high = (unsigned)high;
    return true;
}
