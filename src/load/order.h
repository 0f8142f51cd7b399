/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all workers of a trial share: the encoded requests, where to, and the time grid.
 *
 * Read only once the workers run, but for the few moments that the control thread sets while they
 * do: those are atomic, and workers are woken after a change. The grid: ramp from t0, warm-up from
 * ramp_end, measured from `measured`, drain from `end` until drain_end. With -n on kept-alive
 * connections all connections open first: then `measured` is NEVER until the control thread says
 * go.
 */
#ifndef LOAD_ORDER_H
#define LOAD_ORDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "http/h1.h"
#include "load/expect.h"
#include "load/origins.h"
#include "load/tap.h"
#include "plan/plan.h"
#include "result/window.h"

struct order_request {
    struct str head, body; /* body: what is not encoded with the head */
    enum h1_request kind;
    bool idempotent, closes;
    uint16_t origin; /* index */
};

struct order {
    const struct plan *plan;
    struct order_request *requests; /* one for each item of the plan */
    struct expect expect;

    struct origins origins;
    struct tls_options tls;          /* when an origin has TLS, or might */
    struct tls_context *tls_context; /* the control thread's; NULL: none has */
    struct tls_facts facts;          /* what it and the first of them agreed on */
    struct tls_peer peer;            /* of the control thread's own connection */

    struct tap *tap; /* or NULL */
    /* Local ports are asked for in small windows: see dial.c. 0: the kernel chooses. */
    unsigned port_low, port_high;
    size_t conns; /* of each user */
    unsigned threads;
    bool stamped;    /* every socket has stamps, and times end there: TCP; pauses change nothing */
    bool open_first; /* all connections open before the first request */
    int64_t rows;    /* room for so many rows of requests in each worker; 0: none are kept */
    int64_t window_ns;

    int64_t t0_ns, ramp_end_ns;
    _Atomic int64_t measured_ns, end_ns, drain_end_ns;
};

static inline int64_t order_time(const _Atomic int64_t *moment)
{
    return atomic_load_explicit(moment, memory_order_acquire);
}

/* How an answer to the method ends, and whether a request of it may be sent again. */
enum h1_request order_kind(const char *method);
bool order_idempotent(const char *method);

/* Frees what the order itself owns: origins, requests, expectations, TLS. */
void order_fini(struct order *order);

/* In which phase a moment lies, and when that phase ends. */
enum phase order_phase(const struct order *order, int64_t at_ns);
int64_t order_phase_end(const struct order *order, enum phase phase);

/* Worker j's part of a number dealt to all of them: sums to the number. */
int64_t order_share(const struct order *order, int64_t number, unsigned worker);

#endif
