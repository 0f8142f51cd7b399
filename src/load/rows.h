/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row a request, on its way from a worker to the control thread: a ring with one writer and one
 * reader. A full ring drops the row and counts it; it never makes the worker wait. One with room
 * for all that its worker will ever put drops none.
 */
#ifndef LOAD_ROWS_H
#define LOAD_ROWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct row {
    int64_t start_ns, response_ns; /* to the end of the answer, or to the failure */
    int64_t connect_ns;            /* a duration; -1: over a connection that was there */
    /* When the (last) send began, when all of it was handed over, when the answer began: from the
     * start; -1: did not happen. */
    int64_t send_ns, sent_ns, first_byte_ns;
    uint64_t bytes_in, body_bytes; /* with heads; bodies alone */
    uint32_t user;
    uint16_t status; /* 0: no answer */
    uint8_t fail;    /* enum fail */
    bool measured;
    bool kept_alive; /* the answer left the connection open for another request */
};

/* Who is to take a row, on the control thread, in the order in which a worker's requests ended. */
struct row_sink {
    bool (*take)(void *self, const struct row *row); /* false: enough, the load is to end */
    void *self;
};

enum {
    ROWS_DEFAULT = 1 << 16,
    ROWS_MAX = 1 << 20, /* some 5 s of the fastest load */
};

struct rows {
    struct row *ring;
    uint32_t capacity; /* a power of two; 0: nobody wants rows */
    _Atomic uint32_t written, taken;
    uint64_t dropped; /* the writer's; read after it has ended */
};

/* Room for at least so many rows, but not for more than ROWS_MAX; 0: for none. */
void rows_init(struct rows *rows, int64_t capacity);
void rows_fini(struct rows *rows);
void rows_put(struct rows *rows, const struct row *row); /* writer */
bool rows_take(struct rows *rows, struct row *ret_row);  /* reader; false: empty */

#endif
