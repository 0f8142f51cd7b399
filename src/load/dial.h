/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A user's connection in the making: which address of the target, from which source address, and
 * what to do when it fails.
 *
 * The addresses of a name are tried in turn, beginning with the one that worked last on this
 * worker; source addresses go round robin, and when one has no port left, the next is tried. What
 * fails on all of them fails the exchange.
 */
#ifndef LOAD_DIAL_H
#define LOAD_DIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"

struct vuser;

/* Opens the socket and, but for a user that only opens its connection, sends at once: a connection
 * on the same machine or to a unix socket stands without waiting for the loop. */
void dial_start(struct vuser *vuser, int64_t now_ns);

/* The loop's word on a connection that is being made. */
void dial_ready(struct vuser *vuser, uint32_t ready);

/* Its timer: another attempt, or it has taken too long. */
void dial_due(struct vuser *vuser, int64_t now_ns);

/* The target's address that the user is connected to, or tries. */
const struct address *dial_address(const struct vuser *vuser);

/* It stands: the first bytes went out, or could. */
void dial_connected(struct vuser *vuser, int64_t now_ns);

/* It does not: on to the next address, or the exchange fails. */
void dial_failed(struct vuser *vuser, enum fail fail, int64_t now_ns);

enum fail dial_fail_of(int error);

/* Has the new connection watched. */
void dial_watch(struct vuser *vuser, bool writes);

#endif
