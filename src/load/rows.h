/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row a request, on its way from a worker to the control thread: a ring with one writer and one
 * reader. A full ring drops the row and counts it; it never makes the worker wait.
 */
#ifndef LOAD_ROWS_H
#define LOAD_ROWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct row {
    int64_t start_ns, response_ns;     /* to the end of the answer, or to the failure */
    int64_t connect_ns, first_byte_ns; /* durations; -1: did not happen */
    uint64_t bytes_in;
    uint32_t user;
    uint16_t status; /* 0: no answer */
    uint8_t fail;    /* enum fail */
    bool measured;
};

enum { ROWS_MAX = 1 << 16 };

struct rows {
    struct row *ring;
    _Atomic uint32_t written, taken;
    uint64_t dropped; /* the writer's; read after it has ended */
};

void rows_init(struct rows *rows, bool wanted);
void rows_fini(struct rows *rows);
void rows_put(struct rows *rows, const struct row *row); /* writer */
bool rows_take(struct rows *rows, struct row *ret_row);  /* reader; false: empty */

#endif
