/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An origin that requests go to: scheme, host and port of their URLs, and how it is reached: which
 * addresses, through which proxy, with TLS or without.
 *
 * Made by load/origins and read only once its addresses are found. Which of the addresses is
 * tried first, and the TLS session to resume, are each worker's own: struct origin_state.
 */
#ifndef LOAD_ORIGIN_H
#define LOAD_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "http/exchange.h"
#include "http/url.h"
#include "net/address.h"
#include "net/tls.h"
#include "plan/plan.h"

struct origin {
    enum url_scheme scheme;
    char *host; /* without brackets */
    uint16_t port;
    struct address_list to; /* where to connect: the target's or the proxy's */
    bool tls;
    char *tls_name; /* whom to ask for and to verify */
    char *connect;  /* the request that has the proxy open a tunnel; NULL: no tunnel */
};

struct origin_state {
    uint32_t to_first;                      /* the address that worked last */
    uint64_t connections[ADDRESS_LIST_MAX]; /* that stood, by address */
    struct tls_peer peer;
    struct exchange tunnel; /* the proxy's part of making a connection */
};

/* Everything but the addresses. own: the URL is of the plan, and not where a redirect led. */
void origin_init(struct origin *origin, const struct plan *plan, const struct url *url, bool own);
void origin_fini(struct origin *origin); /* accepts a zeroed one */
bool origin_is_of(const struct origin *origin, const struct url *url);

void origin_state_init(struct origin_state *state, const struct origin *origin);
void origin_state_fini(struct origin_state *state);

/* What the plan says of TLS. */
struct tls_options origin_tls_options(const struct plan *plan);

#endif
