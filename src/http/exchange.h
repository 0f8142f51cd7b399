/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One request and its answer: the bytes to send, when what happened, and how it ended.
 *
 * The owner fills the first part and submits it to a session; session and transport fill the rest.
 * Times are monotonic nanoseconds, 0 while they have not happened.
 */
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/str.h"
#include "http/body_sink.h"
#include "http/h1.h"

struct exchange {
    /* by the owner */
    struct str request; /* encoded; not owned */
    struct str body;    /* what of it is sent after that, from elsewhere; not owned; or empty */
    enum h1_request kind;
    bool idempotent; /* may be sent again on a fresh connection when a stale one swallowed it */
    bool closes;     /* the request asks the server to close after the answer */
    bool measured;   /* started inside the measured time */
    bool retried;    /* is on its second, fresh connection */
    uint32_t label;  /* which transaction of the plan */
    uint64_t iteration;
    struct body_sink *sink; /* what the body goes to, or NULL: it is only counted */
    int64_t intended_ns;    /* when it was due: = start_ns in a closed load */
    int64_t start_ns;       /* when it got its connection slot */

    /* by whoever carries it */
    int64_t connect_start_ns, connected_ns; /* 0 when an open connection was used */
    int64_t secured_ns;                     /* the TLS handshake, which began then, was done */
    int64_t send_start_ns, sent_ns;         /* of the (last) attempt */
    int64_t first_byte_ns, done_ns;
    int64_t dwell_ns;      /* the last byte waited so long to be read; -1 not known */
    uint64_t bytes_in;     /* with heads, of its last answer */
    uint64_t body_decoded; /* of the last body, as its author wrote it */
};

#endif
