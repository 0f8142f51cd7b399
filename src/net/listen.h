/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sockets that listen, by an address as people write it: "ADDR:PORT", "[ADDR]:PORT", ":PORT" or
 * "*:PORT" (all IPv4 addresses), "NAME:PORT" (the first address of the name) or "unix:PATH". Port 0
 * is a free one. Descriptors are non-blocking and close on exec; accepted TCP connections inherit
 * TCP_NODELAY.
 */
#ifndef NET_LISTEN_H
#define NET_LISTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "net/address.h"

/*
 * `count` descriptors for one address, one a thread: the kernel spreads connections over them
 * (SO_REUSEPORT), or they are copies of one (a unix socket). An address where another program
 * listens is refused in either case. A socket file that nobody listens at is made anew.
 */
bool listen_open(const char *text, int *fds, size_t count, struct err *err) MUST_CHECK;

/* Closes them, and removes the socket file of a unix address. */
void listen_close(const int *fds, size_t count);

/* Where it listens, with the real port. */
bool listen_address(int fd, struct address *ret_address, struct err *err) MUST_CHECK;

/* 0 for a unix socket. */
uint16_t listen_port(const struct address *address);

#endif
