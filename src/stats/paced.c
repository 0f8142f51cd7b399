/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/paced.h"

#include <assert.h>
#include <math.h>

static void add_to_bucket(struct hist *hist, unsigned index, uint64_t count)
{
    int64_t low = hist_bucket_low(index);
    int64_t middle = low + (hist_bucket_high(index) - low) / 2;
    uint64_t sum_ns;

    hist->buckets[index] += count;
    hist->count += count;
    /* The sum may leave 64 bits: ten thousand users that stand still for minutes, over and over. */
    if (__builtin_mul_overflow(count, (uint64_t)middle, &sum_ns) ||
        __builtin_add_overflow(hist->sum_ns, sum_ns, &hist->sum_ns)) {
        hist->sum_ns = UINT64_MAX;
    }
    hist->sum_squares += (double)count * (double)middle * (double)middle;
}

/* From the slowest bucket down: `longer` counts the times of which one interval less is still
 * beyond the bucket. Each of them passes the bucket once every interval. */
void paced_from(const struct hist *times, int64_t interval_ns, struct hist *ret_paced)
{
    unsigned last = hist_index(times->max_ns), source = last + 1;
    uint64_t longer = 0;
    double due = 0;

    assert(interval_ns > 0);
    hist_reset(ret_paced);
    hist_merge(ret_paced, times);
    if (times->count == 0 || times->max_ns < 2 * interval_ns) {
        return;
    }
    for (unsigned index = last; index >= hist_index(interval_ns) && index > 0; index--) {
        int64_t low = hist_bucket_low(index), high = hist_bucket_high(index);
        double whole;

        while (source > 0 && hist_bucket_low(source - 1) > high + interval_ns) {
            source--;
            longer += times->buckets[source];
        }
        due += (double)longer * (double)(high - low + 1) / (double)interval_ns;
        whole = floor(due);
        if (whole > 0) {
            add_to_bucket(ret_paced, index, (uint64_t)whole);
            due -= whole;
        }
    }
}
