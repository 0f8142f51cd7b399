/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/ports.h"

#include "probe/file.h"
#include "probe/sockets.h"
#include "proc/ranges.h"

/* The kernel's TCP_TIMEWAIT_LEN; and how old a TIME_WAIT must be to be reused, since the peer tells
 * old from new by timestamps of that grain. */
static const double time_wait_s = 60.0, reuse_s = 1.0;

unsigned ports_usable(unsigned low, unsigned high)
{
    char memory[FILE_BYTES_MAX];
    uint64_t reserved = 0, all = high < low ? 0 : (uint64_t)high - low + 1;
    struct str text;

    if (!file_read("/proc/sys/net/ipv4/ip_local_reserved_ports", memory, sizeof(memory), &text) ||
        !ranges_count(text, low, high, &reserved)) {
        reserved = 0;
    }
    return reserved >= all ? 0 : (unsigned)(all - reserved);
}

struct waiting {
    uint16_t port;
    int count;
};

static bool count_waiting(void *self, const struct nettcp *socket)
{
    struct waiting *waiting = self;

    waiting->count += socket->state == NETTCP_TIME_WAIT && socket->remote_port == waiting->port;
    return true;
}

int ports_time_wait(uint16_t remote_port)
{
    struct waiting waiting = { .port = remote_port };

    return sockets_each(count_waiting, &waiting) ? waiting.count : -1;
}

double ports_ceiling(unsigned low, unsigned high, unsigned source_addresses, int tw_reuse,
                     bool loopback)
{
    bool reusable = tw_reuse == 1 || (tw_reuse != 0 && loopback);
    double ports = (double)ports_usable(low, high) * source_addresses;

    return ports / (reusable ? reuse_s : time_wait_s);
}
