/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one worker measures: a window at a time for the control thread, and the whole trial for the
 * end.
 *
 * The worker is the only writer. Windows lie on the order's grid, the same for all workers; when
 * one is over, the worker itself hands it over: a ring of a few buffers, so that no record is ever
 * copied or locked. When the control thread has not taken a window for so long that the ring is
 * full, the current window goes on and swallows the next.
 *
 * A completed request belongs to the window in which the worker read its last byte. What is
 * recorded of it besides rates (latency, phases, SLO counters, counts) only if it started inside
 * the measured time; so latency.count == counts.ok.
 */
#ifndef LOAD_TALLY_H
#define LOAD_TALLY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "http/exchange.h"
#include "http/session.h"
#include "load/order.h"
#include "load/rows.h"
#include "result/result.h"

enum { TALLY_WINDOWS = 4, TALLY_HEAD_MAX = 4096 };

struct tally {
    const struct order *order;
    struct window *windows; /* a ring of TALLY_WINDOWS */
    struct window *now;     /* the one being filled */
    _Atomic uint32_t handed, taken;
    int64_t busy_since_ns; /* the integral of busy users is complete up to here */
    uint64_t busy_starts;  /* sum of their starts, modulo 2^64 */
    uint32_t busy, open;   /* users with a request under way; connections */
    bool measured_now;     /* the current window is a measured one */

    /* the whole trial: the control thread reads them when the worker has ended */
    struct counts counts, totals;
    struct hist latency[LATENCY_COUNT];
    struct hist checked_response;
    uint64_t measured_busy_ns;
    int64_t edge_ages_ns; /* see struct result */
    uint64_t bytes_in, bytes_out;
    uint64_t refused_backoffs, client_closes;
    uint64_t unclean_ends; /* bodies that ended with their stream, and TLS did not vouch for it */
    uint64_t body_min, body_max;
    int64_t last_done_ns; /* of measured requests */
    int64_t oldest_unfinished_ns;
    char sample[FAIL_COUNT][RESULT_SAMPLE_MAX];
    struct rows rows;

    /* the first answer's head, for the answer line */
    char head[TALLY_HEAD_MAX];
    size_t head_len;
    int64_t head_at_ns; /* when it was complete; 0: not yet */
    uint64_t head_body_bytes;
    struct address head_from;
};

/* On zeroed memory. Allocates; before the worker runs. */
void tally_init(struct tally *tally, const struct order *order);
void tally_fini(struct tally *tally);

/* The first window begins at the order's t0. */
void tally_begin(struct tally *tally);

/* When the current window is over. */
static inline int64_t tally_edge_ns(const struct tally *tally)
{
    return tally->now->end_ns;
}

/* Hands over what is over at now_ns, and follows a grid that the control thread has moved. */
void tally_roll(struct tally *tally, int64_t now_ns);
/* The last window, as far as it goes. */
void tally_end(struct tally *tally, int64_t now_ns);

/* Control thread: the oldest window handed over, or NULL; its own until tally_release() gives it
 * back. */
struct window *tally_take(struct tally *tally);
void tally_release(struct tally *tally);

void tally_started(struct tally *tally, struct exchange *exchange, int64_t now_ns);
/* now_ns: when the worker read the last byte. */
void tally_ok(struct tally *tally, const struct exchange *exchange, const struct h1_parse *answer,
              int64_t now_ns);
/* answer: of a failure whose head came (a status that is not good, a body that was cut), else NULL.
 */
void tally_failed(struct tally *tally, const struct exchange *exchange, enum fail fail,
                  const struct h1_parse *answer, int64_t now_ns);
/* answer: when its head has come, else NULL. */
void tally_unfinished(struct tally *tally, const struct exchange *exchange,
                      const struct h1_parse *answer, int64_t now_ns);
/* Bytes of a request that the kernel took. */
void tally_sent(struct tally *tally, size_t n);
/* An answer that led to another request of the same exchange. */
void tally_followed(struct tally *tally, const struct exchange *exchange,
                    const struct h1_parse *answer, int64_t now_ns);
void tally_retried(struct tally *tally, const struct exchange *exchange);
void tally_reconnected(struct tally *tally, const struct exchange *exchange);

/* The row of a request that has ended. answer: when its head has come, else NULL. */
void tally_row(struct tally *tally, uint32_t user, const struct exchange *exchange, enum fail fail,
               const struct h1_parse *answer, int64_t now_ns);

#endif
