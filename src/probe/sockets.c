/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/sockets.h"

#include "base/err.h"
#include "probe/lines.h"
#include "proc/netunix.h"

bool sockets_each(bool (*seen)(void *self, const struct nettcp *socket), void *self)
{
    static const char *const paths[] = { "/proc/net/tcp", "/proc/net/tcp6" };
    bool any = false;
    struct lines lines;

    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        bool more = true;
        struct nettcp socket;
        struct str line;

        if (lines_open(&lines, paths[i])) {
            any = true;
            while (more && lines_next(&lines, &line)) {
                more = !nettcp_parse(line, &socket) || seen(self, &socket);
            }
        }
        lines_close(&lines);
    }
    return any;
}

struct listening {
    uint16_t port;
    uint64_t *inodes;
    size_t count;
};

static bool add_listening(void *self, const struct nettcp *socket)
{
    struct listening *found = self;

    if (socket->state == NETTCP_LISTEN && socket->local_port == found->port && socket->inode != 0 &&
        found->count < SOCKETS_LISTENING_MAX) {
        found->inodes[found->count++] = socket->inode;
    }
    /* The kernel lists them first; after a load tens of thousands of others may follow. */
    return socket->state == NETTCP_LISTEN;
}

size_t sockets_listening_tcp(uint16_t port, uint64_t *ret_inodes)
{
    struct listening found = { .port = port };

    found.inodes = ret_inodes;
    (void)sockets_each(add_listening, &found);
    return found.count;
}

size_t sockets_listening_unix(const char *path, uint64_t *ret_inodes)
{
    struct netunix socket;
    struct lines lines;
    struct str line;
    size_t count = 0;

    if (lines_open(&lines, "/proc/net/unix")) {
        while (count < SOCKETS_LISTENING_MAX && lines_next(&lines, &line)) {
            if (netunix_parse(line, &socket) && socket.listening &&
                str_eq(socket.path, str_of(path))) {
                ret_inodes[count++] = socket.inode;
            }
        }
    }
    lines_close(&lines);
    return count;
}
