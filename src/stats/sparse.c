/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/sparse.h"

#include "base/mem.h"

static size_t entries_of(uint64_t count)
{
    return (size_t)(count / UINT32_MAX + (count % UINT32_MAX != 0));
}

void sparse_init(struct sparse *sparse, const struct hist *hist)
{
    size_t used = 0, at = 0;
    unsigned first = hist_index(hist->min_ns);
    unsigned end = hist->count > 0 ? hist_index(hist->max_ns) + 1 : first;

    for (size_t i = first; i < end; i++) {
        used += entries_of(hist->buckets[i]);
    }
    *sparse = (struct sparse){
        .buckets = mem_new(used, sizeof(struct sparse_bucket)),
        .bucket_count = used,
        .count = hist->count,
        .overflow = hist->overflow,
        .sum_ns = hist->sum_ns,
        .sum_squares = hist->sum_squares,
        .min_ns = hist->min_ns,
        .max_ns = hist->max_ns,
    };
    for (size_t i = first; i < end; i++) {
        for (uint64_t left = hist->buckets[i]; left > 0;) {
            uint32_t part = left > UINT32_MAX ? UINT32_MAX : (uint32_t)left;

            sparse->buckets[at++] = (struct sparse_bucket){ (uint32_t)i, part };
            left -= part;
        }
    }
}

void sparse_fini(struct sparse *sparse)
{
    mem_free(sparse->buckets);
    *sparse = (struct sparse){ 0 };
}

void sparse_add_to(const struct sparse *sparse, struct hist *hist)
{
    if (sparse->count == 0) {
        return;
    }
    if (hist->count == 0 || sparse->min_ns < hist->min_ns) {
        hist->min_ns = sparse->min_ns;
    }
    if (hist->count == 0 || sparse->max_ns > hist->max_ns) {
        hist->max_ns = sparse->max_ns;
    }
    hist->count += sparse->count;
    hist->overflow += sparse->overflow;
    hist->sum_ns += sparse->sum_ns;
    hist->sum_squares += sparse->sum_squares;
    for (size_t i = 0; i < sparse->bucket_count; i++) {
        hist->buckets[sparse->buckets[i].index] += sparse->buckets[i].count;
    }
}
