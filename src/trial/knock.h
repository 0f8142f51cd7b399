/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection to an origin, made as the load makes its own (address, tunnel, handshake), but
 * waited for: to see before the load whether it can be made, and for the one request of --once.
 */
#ifndef TRIAL_KNOCK_H
#define TRIAL_KNOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "load/order.h"
#include "net/stream.h"

/* Until the descriptor is ready for poll's events, or the time is over: false. */
bool knock_await(int fd, short events, int64_t until_ns);

/* TCP alone. 0, or the errno that says why not; the stream is closed then. */
int knock_connect(const struct address *to, const struct address *from, int64_t until_ns,
                  struct stream *ret_stream);

/* What comes between TCP and the first request: the proxy's tunnel, TLS. On failure ERR_PEER with
 * the reason; the stream is closed then. Fills order->facts when there was a handshake. */
bool knock_open(struct order *order, const struct origin *origin, struct stream *stream,
                int64_t until_ns, struct err *err) MUST_CHECK;

#endif
