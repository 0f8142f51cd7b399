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

/*
 * Finds the addresses of the plan's route (plan/route.h) for order->to and connects once, to the
 * addresses in turn, sending nothing; what accepts is moved to the front, the others stay as
 * fall-backs. *ret_dns_ns: how long the name took, -1 for a literal. ERR_PEER within the connect
 * timeout, naming address and cause.
 */
bool reach_target(struct order *order, int64_t *ret_dns_ns, struct err *err) MUST_CHECK;

/* Parses the plan's --bind addresses into order->from; ERR_USAGE when none is of the target's
 * family. */
bool reach_sources(struct order *order, struct err *err) MUST_CHECK;

/* Raises the descriptor limit to what the connections need; ERR_USAGE with the number otherwise. */
bool reach_descriptors(const struct plan *plan, struct err *err) MUST_CHECK;

/*
 * Ports: ERR_USAGE when the connections kept open exceed them. *ret_ceiling: short connections a
 * second that the ports allow if this side closes first, 0 when the plan keeps its connections or
 * ports do not matter (unix socket).
 */
bool reach_ports(const struct order *order, const struct machine *machine, double *ret_ceiling,
                 struct err *err) MUST_CHECK;

#endif
