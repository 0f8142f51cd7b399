/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether this machine can make the load at all, found out before the first request: the target's
 * addresses and whether one of them accepts a connection, descriptors, local ports, source
 * addresses.
 */
#ifndef TRIAL_REACH_H
#define TRIAL_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "load/order.h"
#include "probe/machine.h"

/* What the order needs of its plan before anything is connected to: source addresses, requests and
 * their origins, TLS. ERR_USAGE with what is wrong. */
bool reach_order(struct order *order, struct err *err) MUST_CHECK;

/*
 * Finds the addresses of an origin by the plan's route (plan/route.h) and connects once, to the
 * addresses in turn, with tunnel and handshake but without a request; what accepts is moved to the
 * front, the others stay as fall-backs. *ret_dns_ns: how long the name took, -1 for a literal.
 * ERR_PEER within the connect timeout, naming address and cause. The caller closes the stream.
 */
bool reach_origin(struct order *order, size_t index, int64_t *ret_dns_ns, struct stream *ret_stream,
                  struct err *err) MUST_CHECK;

/* All of them, and closes. *ret_dns_ns is of the first. */
bool reach_target(struct order *order, int64_t *ret_dns_ns, struct err *err) MUST_CHECK;

/* Raises the descriptor limit to what the connections need; ERR_USAGE with the number otherwise. */
bool reach_descriptors(const struct order *order, struct err *err) MUST_CHECK;

/*
 * Ports: ERR_USAGE when the connections kept open exceed them. *ret_ceiling: short connections a
 * second that the ports allow if this side closes first, 0 when the plan keeps its connections or
 * ports do not matter (unix socket).
 */
bool reach_ports(const struct order *order, const struct machine *machine, double *ret_ceiling,
                 struct err *err) MUST_CHECK;

#endif
