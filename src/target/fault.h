/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One request to /fault/NAME: its parameters, and how far its script has got.
 *
 * Life cycle: fault_parse() into zeroed memory, fault_begin() when it is answered, fault_next()
 * again and again, fault_fini(). It sends nothing: fault_next() gives bytes to hand over, then a
 * move to make before it is called again.
 */
#ifndef TARGET_FAULT_H
#define TARGET_FAULT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "target/answer.h"
#include "target/fault_step.h"
#include "target/fault_table.h"

enum fault_move {
    FAULT_GO_ON,      /* once the bytes are handed over */
    FAULT_WAIT,       /* for numbers[FAULT_DELAY] */
    FAULT_RENEW,      /* with TLS, the peer is asked for other keys */
    FAULT_FIN,        /* no more is sent; the peer may end as it likes, for a while */
    FAULT_HALF_CLOSE, /* no more is sent, and the peer is heard for as long as it likes */
    FAULT_ABRUPT,     /* as FIN, but with TLS its close_notify is missing */
    FAULT_RESET,      /* the connection is thrown away */
    FAULT_SILENT,     /* nothing is said any more; the peer is heard and not answered */
    FAULT_DEAF,       /* nothing is said or read any more */
    FAULT_DONE,       /* an answer like others: the request says how it goes on */
};

/* Of all threads of a server, by row. */
struct fault_counts {
    atomic_uint_fast64_t asked[FAULT_TABLE_MAX];
    atomic_int_fast64_t in_work[FAULT_TABLE_MAX];
};

/* What a script looks at. */
struct fault_scene {
    const struct answer_pages *pages;
    /* of the request; must live as long as the fault */
    struct str method, target, authorization;
    uint64_t answer; /* the how manieth of its connection this will be, from 1 */
    uint64_t serial; /* the how manieth of its row, from 1 */
    int64_t in_work; /* of its row, this one too */
    bool is_head;
    enum answer_connection connection;
};

struct fault {
    const struct fault_row *row;
    int64_t numbers[FAULT_PARAM_COUNT];
    struct str texts[FAULT_PARAM_COUNT]; /* as they came, percent-encoded */
    /* for the log */
    int status;          /* of the last head that was sent; 0: none */
    uint64_t body_bytes; /* that followed it */
    /* the walk: its own business */
    struct fault_scene scene;
    const struct fault_step *at, *loop;
    int64_t loop_round, loop_count, filled;
    bool in_body, drips, dripped, rested;
    enum fault_move move; /* once what is ready is handed over */
    struct buf ready;
    size_t ready_at, drip_from;
};

/* Takes "NAME?QUERY"; the fault points into it. False: ret_status (404, 400) and err say why. */
bool fault_parse(struct str text, struct fault *fault, int *ret_status, struct err *err) MUST_CHECK;
void fault_begin(struct fault *fault, const struct fault_scene *scene);
/* *ret_bytes are to be handed over first and valid until the next call. */
enum fault_move fault_next(struct fault *fault, struct str *ret_bytes);
void fault_fini(struct fault *fault);

/* "/fault/NAME?PARAMS" and what it does, a line each. */
void fault_list(struct buf *out);

#endif
