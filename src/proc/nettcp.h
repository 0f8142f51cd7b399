/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A socket, as a line of /proc/net/tcp or tcp6 has it.
 */
#ifndef PROC_NETTCP_H
#define PROC_NETTCP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Of the kernel's states, those that somebody asks for. */
enum { NETTCP_ESTABLISHED = 1, NETTCP_TIME_WAIT = 6, NETTCP_LISTEN = 10 };

struct nettcp {
    unsigned address_bytes;        /* 4 or 16 */
    uint8_t local[16], remote[16]; /* in network order */
    uint16_t local_port, remote_port;
    unsigned state;
    uint64_t inode; /* 0 when no process holds it */
};

/* One line; false for the heading and what is not a socket. */
bool nettcp_parse(struct str line, struct nettcp *ret_socket);

#endif
