/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The TCP sockets of this machine's network namespace, both families.
 */
#ifndef PROBE_SOCKETS_H
#define PROBE_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proc/nettcp.h"

/* Calls seen() for each socket of IPv4, then of IPv6, each family until it answers false. false
 * when there are no such tables. */
bool sockets_each(bool (*seen)(void *self, const struct nettcp *socket), void *self);

enum { SOCKETS_LISTENING_MAX = 256 };

/* The listening ones, by the inodes that the processes' descriptors show: of a TCP port, or of a
 * unix path. Returns how many of SOCKETS_LISTENING_MAX. */
size_t sockets_listening_tcp(uint16_t port, uint64_t *ret_inodes);
size_t sockets_listening_unix(const char *path, uint64_t *ret_inodes);

#endif
