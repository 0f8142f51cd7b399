/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the connections of a plan go: the host and port of a URL or the proxy, changed by
 * --connect-to, and the addresses that --resolve gives them. What the request says is not changed
 * by any of it. Opens nothing and looks nothing up.
 *
 * The meaning of both options is curl's: of --connect-to the first entry whose HOST1 and PORT1
 * match counts, an empty part matches or keeps what is there; of --resolve the last entry of the
 * host and port that are connected to counts, before the last of host "*".
 */
#ifndef PLAN_ROUTE_H
#define PLAN_ROUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct plan;
struct url;

enum { ROUTE_HOST_MAX = 256 };

struct route {
    char host[ROUTE_HOST_MAX]; /* without brackets */
    uint16_t port;
    bool detour;          /* an entry of --connect-to applies */
    struct str addresses; /* "ADDR,ADDR" by --resolve, in the plan's memory; p = NULL: look it up */
};

/* Whether the text is HOST:PORT:ADDR[,ADDR], or HOST1:PORT1:HOST2:PORT2. */
bool route_check_resolve(struct str text, struct err *err) MUST_CHECK;
bool route_check_connect_to(struct str text, struct err *err) MUST_CHECK;

/* Where the connections for a URL go, in a plan whose entries have been checked. */
void route_find(const struct plan *plan, const struct url *url, struct route *ret_route);

/* The next address of route->addresses, without brackets; false after the last. */
bool route_next_address(struct str *rest, struct str *ret_address);

#endif
