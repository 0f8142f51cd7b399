/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "stats/sparse.h"

static void what_rests_adds_up_to_what_merging_gives(UNUSED void **state)
{
    struct hist *hist = mem_new(1, sizeof(*hist));
    struct hist *merged = mem_new(1, sizeof(*merged));
    struct hist *rested = mem_new(1, sizeof(*rested));
    struct rng rng;

    rng_init(&rng, 3, 0);
    for (int part = 0; part < 5; part++) {
        struct sparse sparse;

        hist_reset(hist);
        for (int i = 0; i < 1000 * part; i++) {
            hist_record(hist, (int64_t)(1e6 * rng_exp(&rng)));
        }
        hist_merge(merged, hist);
        sparse_init(&sparse, hist);
        sparse_add_to(&sparse, rested);
        sparse_fini(&sparse);
    }
    assert_memory_equal(merged, rested, sizeof(*merged));
    mem_free(hist);
    mem_free(merged);
    mem_free(rested);
}

static void counts_beyond_32_bits_are_kept(UNUSED void **state)
{
    struct hist *hist = mem_new(1, sizeof(*hist));
    struct hist *rested = mem_new(1, sizeof(*rested));
    struct sparse sparse;

    hist_record(hist, 77);
    hist->count = hist->buckets[77] = UINT64_C(3) << 32;
    sparse_init(&sparse, hist);
    sparse_add_to(&sparse, rested);
    assert_int_equal(rested->buckets[77], UINT64_C(3) << 32);
    sparse_fini(&sparse);
    mem_free(hist);
    mem_free(rested);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rests_adds_up_to_what_merging_gives),
        cmocka_unit_test(counts_beyond_32_bits_are_kept),
    };

    return cmocka_run_group_tests_name("stats/sparse", tests, NULL, NULL);
}
