/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where to connect to and from: socket addresses, and the list of them that a name stands for.
 */
#ifndef NET_ADDRESS_H
#define NET_ADDRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/err.h"

struct address {
    socklen_t len;
    union {
        struct sockaddr sa;
        struct sockaddr_un un; /* the largest */
        struct sockaddr_storage storage;
    } u;
};

enum { ADDRESS_LIST_MAX = 16, ADDRESS_TEXT_MAX = 128 };

struct address_list {
    struct address items[ADDRESS_LIST_MAX];
    size_t count;
};

/* How long to wait for a resolver. */
struct address_patience {
    int64_t timeout_ns;
    const atomic_bool
        *over; /* another thread sets it when nobody wants to know any more; or NULL */
};

/*
 * All stream addresses of a host, in the resolver's order, at most ADDRESS_LIST_MAX. family is
 * AF_UNSPEC, AF_INET or AF_INET6. A literal is never looked up; a name is looked up on a thread of
 * its own so that the patience holds (a resolver that hangs is left behind). *ret_took_ns: how long
 * the look-up took, -1 for a literal. ERR_PEER when there is no address.
 */
bool address_resolve(const char *host, uint16_t port, int family,
                     const struct address_patience *patience, struct address_list *ret_list,
                     int64_t *ret_took_ns, struct err *err) MUST_CHECK;

/* An address literal without a port, for --bind; ERR_USAGE when it is none. */
bool address_parse(const char *literal, struct address *ret_address, struct err *err) MUST_CHECK;

/* ERR_USAGE when the path is too long for a socket. */
bool address_unix(const char *path, struct address *ret_address, struct err *err) MUST_CHECK;

/* "127.0.0.1:80", "[::1]:80" or "unix:/path" into text (ADDRESS_TEXT_MAX), which is returned. */
const char *address_format(const struct address *address, char *text);

/* Whether it is an address of this machine; a unix socket is. Asks the kernel. */
bool address_is_local(const struct address *address);
bool address_is_loopback(const struct address *address);

#endif
