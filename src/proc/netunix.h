/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A unix socket, as a line of /proc/net/unix has it.
 */
#ifndef PROC_NETUNIX_H
#define PROC_NETUNIX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct netunix {
    bool listening;
    uint64_t inode;
    struct str path; /* a slice of the line; empty for a socket without a name */
};

/* One line; false for the heading and what is not a socket. */
bool netunix_parse(struct str line, struct netunix *ret_socket);

#endif
