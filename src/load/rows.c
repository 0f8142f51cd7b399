/* SPDX-License-Identifier: Apache-2.0 */
#include "load/rows.h"

#include "base/mem.h"

void rows_init(struct rows *rows, bool wanted)
{
    *rows = (struct rows){ .ring = wanted ? mem_new(ROWS_MAX, sizeof(struct row)) : NULL };
}

void rows_fini(struct rows *rows)
{
    mem_free(rows->ring);
    rows->ring = NULL;
}

void rows_put(struct rows *rows, const struct row *row)
{
    uint32_t written = atomic_load_explicit(&rows->written, memory_order_relaxed);

    if (rows->ring == NULL) {
        return;
    }
    if (written - atomic_load_explicit(&rows->taken, memory_order_acquire) == ROWS_MAX) {
        rows->dropped++;
        return;
    }
    rows->ring[written % ROWS_MAX] = *row;
    atomic_store_explicit(&rows->written, written + 1, memory_order_release);
}

bool rows_take(struct rows *rows, struct row *ret_row)
{
    uint32_t taken = atomic_load_explicit(&rows->taken, memory_order_relaxed);

    if (taken == atomic_load_explicit(&rows->written, memory_order_acquire)) {
        return false;
    }
    *ret_row = rows->ring[taken % ROWS_MAX];
    atomic_store_explicit(&rows->taken, taken + 1, memory_order_release);
    return true;
}
