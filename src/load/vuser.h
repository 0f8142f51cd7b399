/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A virtual user of a closed load: one exchange at a time, back to back, on connections of its own,
 * one for each origin of the plan.
 *
 * Life cycle: vuser_init(); vuser_open() or vuser_start() when its time has come; then it runs on
 * the loop's events until the worker has no further exchange for it (VUSER_DONE) or vuser_stop()
 * ends it. Lives on its worker's thread, must not move, and allocates nothing but what TLS and
 * load/follow say of themselves.
 *
 * The clock is read right after the read that completes an answer; the next request starts at that
 * same reading, so a user without think time has no gap that nobody accounts for. Where bodies are
 * looked at, it starts when that is done: the look is ours, and in no answer's time.
 */
#ifndef LOAD_VUSER_H
#define LOAD_VUSER_H

#include <stdbool.h>
#include <stdint.h>

#include "ev/loop.h"
#include "http/exchange.h"
#include "load/conn.h"
#include "load/expect.h"

struct worker;

enum vuser_state {
    VUSER_IDLE,       /* its time has not come */
    VUSER_OPENING,    /* connecting before the first request */
    VUSER_OPEN,       /* connected (or failed to), waiting for the go */
    VUSER_CONNECTING, /* for the exchange under way */
    VUSER_ACTIVE,     /* sending and receiving */
    VUSER_SEEKING,    /* for the addresses of where a redirect led, until its timer */
    VUSER_PAUSED,     /* backing off, until its timer */
    VUSER_DONE,
};

struct vuser {
    struct timer timer;
    struct worker *worker;
    struct conn *conn;  /* of the exchange under way, or of the last */
    struct conn *conns; /* order->conns of them */
    struct exchange exchange;
    struct expect_look look; /* at the exchange's answer */
    struct follow *follow;   /* NULL: the plan asks for nothing of it */
    uint32_t number;         /* within the trial */
    uint32_t item;           /* of the plan: the next request's */
    uint32_t requests;       /* begun, modulo 2^32: an exchange may take several */
    uint8_t state;           /* enum vuser_state */
    uint8_t addresses_tried; /* of the origin, for this exchange */
    uint16_t binds_tried;
    uint16_t send_error; /* errno of a send that failed while an answer could still be read */
    uint8_t refused;     /* connections refused in a row */
};

/* conns: order->conns of them, which the user takes for its own. */
void vuser_init(struct vuser *vuser, struct worker *worker, uint32_t number, struct conn *conns);

/* Only connects. */
void vuser_open(struct vuser *vuser, int64_t now_ns);
/* The first exchange. */
void vuser_start(struct vuser *vuser, int64_t now_ns);
/* An exchange is under way. */
bool vuser_is_busy(const struct vuser *vuser);
/* Ends it at once; an exchange under way is unfinished. */
void vuser_stop(struct vuser *vuser, int64_t now_ns);

/* For load/conn: the loop's word on a connection of a user's. */
void vuser_ready(struct watch *watch, struct loop *loop, uint32_t ready);

/* For load/reader: the answer is complete; the connection ended or failed before it was. */
void vuser_complete(struct vuser *vuser, int64_t now_ns, uint32_t ready);
void vuser_stream_failed(struct vuser *vuser);

/* For load/dial: sends what is to be sent; ends the exchange with a failure. */
void vuser_write(struct vuser *vuser);
void vuser_fail(struct vuser *vuser, enum fail fail, int64_t now_ns);

#endif
