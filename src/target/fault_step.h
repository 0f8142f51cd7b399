/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fault is made of: a script of steps, each of them bytes to send or a way to treat the
 * connection. A row of the table (fault_table.h) is a name, its parameters with their defaults, and
 * such a script; fault.h walks it.
 */
#ifndef TARGET_FAULT_STEP_H
#define TARGET_FAULT_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* What a query may set: name, how it is written, the least and the most. Texts are percent-encoded.
 */
#define FAULT_PARAM_LIST(X)                                                                        \
    X(ALGORITHM, "algorithm", TEXT, 0, 0)                                                          \
    X(AFTER, "after", COUNT, 1, 1000000000)                                                        \
    X(AT, "at", COUNT, 1, 1000000)                                                                 \
    X(BYTES, "bytes", BYTES, 0, INT64_C(16) << 30)                                                 \
    X(DELAY, "delay", DURATION, 0, INT64_C(3600) * 1000000000)                                     \
    X(EVERY, "every", COUNT, 1, 1000000000)                                                        \
    X(N, "n", COUNT, 0, 1000000)                                                                   \
    X(PIECE, "piece", BYTES, 1, 16 << 10)                                                          \
    X(PASS, "pass", TEXT, 0, 0)                                                                    \
    X(STATUS, "status", COUNT, 100, 999)                                                           \
    X(TO, "to", TEXT, 0, 0)                                                                        \
    X(USER, "user", TEXT, 0, 0)

enum fault_number {
#define FAULT_PARAM_ENUM(name, word, form, min, max) FAULT_##name,
    FAULT_PARAM_LIST(FAULT_PARAM_ENUM)
#undef FAULT_PARAM_ENUM
    /* what is worked out */
    FAULT_HALF,   /* of bytes */
    FAULT_LINES,  /* so many of FAULT_LINE_BYTES make bytes */
    FAULT_VARIED, /* bytes to bytes + n, another each time */
    FAULT_ROUND,  /* of the loop, from 0 */
    FAULT_NEXT,   /* at + 1, and 1 after n */
    FAULT_EVER,   /* more than there will be */
    FAULT_GIVEN,  /* the step's own */
};

enum { FAULT_PARAM_COUNT = FAULT_HALF, FAULT_LINE_BYTES = 1024 };

enum fault_op {
    /* bytes */
    FAULT_OP_TEXT,   /* the step's text; given: it is a head with that status */
    FAULT_OP_NUMBER, /* in digits */
    FAULT_OP_HEAD,   /* the status line and what is common to all heads, no empty line */
    FAULT_OP_BODY,   /* the empty line: what comes now is the body, and not sent to HEAD */
    FAULT_OP_FILL,   /* so many bytes of the pattern that /bytes/N has */
    FAULT_OP_PAD,    /* so many x */
    FAULT_OP_PAGE,   /* the whole answer of / */
    FAULT_OP_SELF,   /* the target of the request */
    FAULT_OP_TO,     /* where a chain of redirects goes on */
    FAULT_OP_DIGEST, /* a challenge of digest authentication, with the algorithm's name */
    /* order */
    FAULT_OP_TIMES, /* what is up to LOOP, so often: not one in the other */
    FAULT_OP_LOOP,
    FAULT_OP_DRIP, /* from now on in pieces, with the delay between them */
    FAULT_OP_PAUSE,
    FAULT_OP_RENEW,
    /* the connection: each ends the script, see enum fault_move */
    FAULT_OP_FIN,
    FAULT_OP_HALF_CLOSE,
    FAULT_OP_ABRUPT,
    FAULT_OP_RESET,
    FAULT_OP_SILENT,
    FAULT_OP_DEAF,
    FAULT_OP_DONE,
    FAULT_OP_COUNT,
};

struct fault_step {
    enum fault_op op;
    enum fault_number number;
    int64_t given;
    struct str text;
};

/* Which requests get the steps; the others get `otherwise`, or the page. */
enum fault_turn {
    FAULT_TURN_EACH,
    FAULT_TURN_AFTER, /* from the after-th of a connection on */
    FAULT_TURN_EVERY, /* each every-th, over all connections */
    FAULT_TURN_BUSY,  /* those that come while n are in work */
    /* those that do not know user and pass */
    FAULT_TURN_BASIC,
    FAULT_TURN_DIGEST,
};

struct fault_row {
    const char *name;
    const char *params; /* those it takes, with their defaults, written as a query */
    const char *help;   /* one line, lower case, no full stop */
    const struct fault_step *steps;
    const struct fault_step *otherwise;
    enum fault_turn turn;
    bool early; /* begins when the head was read, before the body */
};

#endif
