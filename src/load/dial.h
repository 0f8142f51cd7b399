/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A user's connection in the making: which address of the origin, from which source address,
 * through the proxy's tunnel where there is one, with the TLS handshake where there is TLS, and
 * what to do when it fails.
 *
 * The addresses of an origin are tried in turn, beginning with the one that worked last on this
 * worker; source addresses go round robin, and when one has no port left, the next is tried. What
 * fails on all of them fails the exchange. Once TCP stands no other address is tried.
 *
 * Each step goes as far as it can at once: a connection on the same machine or to a unix socket
 * stands without waiting for the loop.
 */
#ifndef LOAD_DIAL_H
#define LOAD_DIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"

struct vuser;

/* Opens the user's connection vuser->conn, which is closed, to conn->origin; once it is ready the
 * exchange under way is sent, unless the user only opens. */
void dial_start(struct vuser *vuser, int64_t now_ns);

/* The loop's word on a connection that is being made. */
void dial_ready(struct vuser *vuser, uint32_t ready);

/* Its timer: another attempt, or it has taken too long. */
void dial_due(struct vuser *vuser, int64_t now_ns);

/* The address that the user is connected to, or tries. */
const struct address *dial_address(const struct vuser *vuser);

/* TCP stands: the first bytes went out, or could. */
void dial_stands(struct vuser *vuser, int64_t now_ns);

/* All of it stands: the exchange's turn. */
void dial_done(struct vuser *vuser, int64_t now_ns);

/* It does not: on to the next address, or the exchange fails. */
void dial_failed(struct vuser *vuser, enum fail fail, int64_t now_ns);

/* It waits for the loop: to be told of what comes, and of room to send when that was missing. A
 * fresh connection is watched from here on. */
void dial_await(struct vuser *vuser, bool writes);

enum fail dial_fail_of(int error);

#endif
