/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a user does of itself with an answer: it keeps the cookies, goes where a redirect leads, and
 * answers a challenge. One for each user of a plan that asks for any of this.
 *
 * What follows from an answer is part of the same exchange: it began with the first request and
 * ends with the last answer, and each answer in between is counted as followed.
 *
 * Life cycle: follow_init(); for each exchange follow_begin(), then follow_hear() and
 * follow_heard() with what comes until the head of the answer is complete, and follow_on() when the
 * answer is; follow_fini(). Belongs to its user's thread. Allocates while the load runs: the head
 * of an answer, a request that is not the plan's, cookies; each bounded.
 */
#ifndef LOAD_FOLLOW_H
#define LOAD_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/rng.h"
#include "http/auth_digest.h"
#include "http/cookie.h"
#include "http/exchange.h"
#include "load/order.h"

enum { FOLLOW_CHALLENGES_MAX = 2, FOLLOW_WHY_MAX = 128 };

enum follow_step {
    FOLLOW_END,   /* the answer is the exchange's */
    FOLLOW_AGAIN, /* another request is in the exchange */
    FOLLOW_LOST,  /* it leads nowhere: follow->why */
};

struct follow {
    struct order *order;
    struct str heads;   /* of the answer under way, interim heads too: where they came, or kept */
    struct buf kept;    /* when they came in pieces, or are needed after they came */
    struct buf request; /* encoded, when it is not the plan's own */
    struct cookie_jar jar;
    struct auth_digest *auth; /* NULL: no digest authentication */
    uint32_t auth_uses;       /* of its nonce */
    /* the request under way */
    uint32_t item;    /* of the plan */
    struct url moved; /* where a redirect led; host NULL: to the item's own URL */
    const char *method;
    bool no_body;
    uint16_t redirects, challenges;
    char why[FOLLOW_WHY_MAX];
    struct follow_counts {
        uint64_t cookies_dropped;
        char cookie_sample[FOLLOW_WHY_MAX]; /* why, of the first */
    } counts;
};

/* Whether a plan needs it. */
bool follow_is_wanted(const struct plan *plan);

void follow_init(struct follow *follow, struct order *order);
void follow_fini(struct follow *follow); /* accepts a zeroed one */

/* The request of that item, with what the user has learned so far. *ret_origin: where it goes.
 * now_s: seconds since 1970. */
void follow_begin(struct follow *follow, uint32_t item, struct rng *rng, int64_t now_s,
                  struct exchange *exchange, uint16_t *ret_origin);

/* Bytes of an answer whose head is not complete, before they are parsed; and after. done: the
 * answer is complete with them, and they stay until follow_on(); otherwise they may go away. */
void follow_hear(struct follow *follow, struct str bytes);
void follow_heard(struct follow *follow, const struct h1_parse *answer, bool done);

/* The answer is complete. FOLLOW_AGAIN fills request, body, kind and idempotent of the exchange. */
enum follow_step follow_on(struct follow *follow, const struct h1_parse *answer, struct rng *rng,
                           int64_t now_s, struct exchange *exchange, uint16_t *ret_origin);

#endif
