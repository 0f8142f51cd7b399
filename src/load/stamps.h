/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When an answer came: the kernel's receive stamp over TCP, else our own reading of the clock.
 */
#ifndef LOAD_STAMPS_H
#define LOAD_STAMPS_H

#include <stdint.h>

#include "http/exchange.h"
#include "net/stream.h"

struct vuser;

/* A read that brought bytes, made at now_ns: first_byte, done, dwell and bytes of the user's
 * exchange. */
void stamps_take(struct vuser *vuser, const struct stream_read *read, int64_t now_ns);

/* Times of a complete answer in their order: stamps may be a touch before our own readings, and an
 * answer may come before the request is sent whole. */
void stamps_order(struct exchange *exchange);

#endif
