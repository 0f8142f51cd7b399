/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A user's connection to an origin: a stream, the session on it, and how far it is made.
 *
 * Belongs to its user and is watched by the worker's loop, so it must not move. A closed one is
 * ready to be made again, to the same origin or to another. A user has one for each origin of the
 * plan, up to a handful; then the one not used for longest makes room.
 *
 * Life cycle: conn_init() once; load/dial opens; conn_close() ends it, or conn_leave() when the
 * server is to close first.
 */
#ifndef LOAD_CONN_H
#define LOAD_CONN_H

#include <stdbool.h>
#include <stdint.h>

#include "ev/loop.h"
#include "http/session.h"
#include "net/stream.h"

struct vuser;

enum conn_step {
    CONN_CLOSED,
    CONN_TCP,    /* waits until it is connected */
    CONN_TUNNEL, /* asks the proxy for the way on */
    CONN_TLS,    /* shakes hands */
    CONN_READY,  /* carries exchanges */
};

struct conn {
    struct watch watch;
    struct vuser *user;
    struct stream stream;
    struct session session;
    uint32_t used;   /* when last: the user's count of requests */
    uint16_t origin; /* its index in the order */
    uint8_t step;    /* enum conn_step */
    bool stands;     /* TCP has connected */
    bool watched;
    bool writes_watched; /* also for room to send */
    bool level;          /* watched level-triggered: it carries large bodies */
    bool opened_before;  /* to this origin */
};

void conn_init(struct conn *conn, struct vuser *user);

/* A fresh socket of conn->stream is to be watched, for reading and with `writes` for room to send.
 * false: the kernel's limit of watches. */
bool conn_watch(struct conn *conn, bool writes);
/* It could not send: the loop is to tell when it can. Accepts one that is not watched. */
bool conn_await_write(struct conn *conn);
/* The rest of what is there in another turn: watched anew, it is told of again. */
void conn_yield(struct conn *conn);

/* Accepts a closed one. */
void conn_close(struct conn *conn);
/* Leaves the closing to the server, for a while. */
void conn_leave(struct conn *conn);

/* Something happened on a connection that nobody uses now: it goes, unless it was but the TLS
 * library's business. */
void conn_idle_ready(struct conn *conn, uint32_t ready);

#endif
