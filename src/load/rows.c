/* SPDX-License-Identifier: Apache-2.0 */
#include "load/rows.h"

#include "base/mem.h"

void rows_init(struct rows *rows, int64_t capacity)
{
    *rows = (struct rows){ 0 };
    if (capacity > 0) {
        rows->capacity = 1;
        while (rows->capacity < capacity && rows->capacity < ROWS_MAX) {
            rows->capacity *= 2;
        }
        rows->ring = mem_new(rows->capacity, sizeof(struct row));
    }
}

void rows_fini(struct rows *rows)
{
    mem_free(rows->ring);
    rows->ring = NULL;
}

void rows_put(struct rows *rows, const struct row *row)
{
    uint32_t written = atomic_load_explicit(&rows->written, memory_order_relaxed);

    if (rows->capacity == 0) {
        return;
    }
    if (written - atomic_load_explicit(&rows->taken, memory_order_acquire) == rows->capacity) {
        rows->dropped++;
        return;
    }
    rows->ring[written & (rows->capacity - 1)] = *row;
    atomic_store_explicit(&rows->written, written + 1, memory_order_release);
}

bool rows_take(struct rows *rows, struct row *ret_row)
{
    uint32_t taken = atomic_load_explicit(&rows->taken, memory_order_relaxed);

    if (taken == atomic_load_explicit(&rows->written, memory_order_acquire)) {
        return false;
    }
    *ret_row = rows->ring[taken & (rows->capacity - 1)];
    atomic_store_explicit(&rows->taken, taken + 1, memory_order_release);
    return true;
}
