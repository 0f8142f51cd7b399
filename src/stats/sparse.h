/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A histogram at rest: only the buckets that hold something, for keeping many of them. It does not
 * change once made; to merge, add several to one struct hist.
 */
#ifndef STATS_SPARSE_H
#define STATS_SPARSE_H

#include <stddef.h>

#include "stats/hist.h"

struct sparse_bucket {
    uint32_t index;
    uint32_t count; /* what is over 2^32 - 1 takes another entry of the same index */
};

struct sparse {
    struct sparse_bucket *buckets; /* by rising index; owned */
    size_t bucket_count;
    uint64_t count, overflow, sum_ns;
    double sum_squares;
    int64_t min_ns, max_ns;
};

/* Allocates exactly what it needs. */
void sparse_init(struct sparse *sparse, const struct hist *hist);
void sparse_fini(struct sparse *sparse); /* accepts a zeroed one */
/* Nothing is lost on the way: hist gets what hist_merge() of the original would have given. */
void sparse_add_to(const struct sparse *sparse, struct hist *hist);

#endif
