/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP over a stream, without the stream: takes an exchange, says what to send and how it wants to
 * read, is fed what arrived, says when the answer is complete.
 *
 * HTTP/1 carries one exchange at a time. The calls are those that HTTP/2 needs as well: submit
 * while there is room, output in pieces, input fed or skipped, and events by exchange; it becomes
 * the second kind behind them.
 *
 * Life cycle: session_begin() for each new connection; then session_submit() while session_room()
 * and, for the answer, session_feed()/session_skip()/session_eof() until SESSION_DONE. It reads
 * while it writes: an answer may be complete before the request is sent whole; the connection then
 * cannot be used again. Holds no memory and no clock.
 */
#ifndef HTTP_SESSION_H
#define HTTP_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/exchange.h"
#include "http/h1.h"
#include "http/h1_name.h"

enum session_event {
    SESSION_MORE,  /* the answer is not complete */
    SESSION_DONE,  /* it is; session->exchange is free for the next */
    SESSION_ERROR, /* the peer does not speak HTTP; the connection is of no use */
};

struct session {
    struct h1_parse parse;
    struct exchange *exchange; /* under way, or NULL */
    struct str out, rest;      /* of its request, still to be sent: out, then rest */
    uint32_t exchanges;        /* submitted on this connection */
    bool broken;               /* no further exchange on this connection */
    bool close_asked;          /* the request asks the server to close */
    struct h1_name name;       /* of the header line that a head in pieces has come to */
};

/* How the session wants the next bytes. */
struct session_want {
    bool discard; /* they may be dropped unseen */
    uint64_t max; /* no more than so many with discard; no limit (0) otherwise */
};

/* close: requests of this connection ask the server to close after the answer. */
void session_begin(struct session *session, bool close);

/* Whether another exchange may be submitted now. */
static inline bool session_room(const struct session *session)
{
    return session->exchange == NULL && !session->broken;
}

void session_submit(struct session *session, struct exchange *exchange);

/* The next piece to be sent, empty when there is none; then session_sent() for what was taken of
 * it. */
static inline struct str session_out(const struct session *session)
{
    return session->out.len > 0 ? session->out : session->rest;
}

static inline void session_sent(struct session *session, size_t n)
{
    struct str *piece = session->out.len > 0 ? &session->out : &session->rest;

    *piece = str_from(*piece, n);
}

struct session_want session_want(const struct session *session);

/* Bytes in order. What follows the end of an answer unasked breaks the connection for further use.
 */
enum session_event session_feed(struct session *session, struct str in);
enum session_event session_skip(struct session *session, uint64_t n);
/* The stream ended: DONE when that was the end of the answer. */
enum session_event session_eof(struct session *session);

/* After SESSION_ERROR: the name of the header at fault, empty when the fault is in none. Valid
 * until the next call. */
struct str session_fault(const struct session *session);

/* Whether the connection may carry another exchange, once the last is done. */
static inline bool session_reusable(const struct session *session)
{
    return !session->broken;
}

#endif
