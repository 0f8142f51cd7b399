/* SPDX-License-Identifier: Apache-2.0 */
#include "target/guest_send.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/clock.h"

enum { SEND_BYTES_TURN = 4 << 20 }; /* then the others */

static ssize_t send_some(struct guest *guest, struct str bytes)
{
    size_t block_bytes =
        guest->block_left < LANE_BLOCK_BYTES ? (size_t)guest->block_left : LANE_BLOCK_BYTES;
    struct iovec parts[2] = { { NULL, bytes.len }, { guest->lane->setup->block, block_bytes } };
    struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };

    if (guest->block_left == 0) {
        return send(guest->fd, bytes.p, bytes.len, MSG_NOSIGNAL);
    }
    /* An iovec has no const, though nobody writes to these. */
    memcpy(&parts[0].iov_base, &bytes.p, sizeof(bytes.p));
    return sendmsg(guest->fd, &message, MSG_NOSIGNAL);
}

/* What the kernel did not take. */
static void keep_unsent(struct guest *guest, struct str bytes)
{
    if (guest->unsent_at < guest->unsent.len) {
        guest->unsent_at = guest->unsent.len - bytes.len;
    } else {
        buf_add_str(&guest->unsent, bytes);
    }
}

bool guest_send(struct guest *guest, struct str bytes)
{
    int64_t left = SEND_BYTES_TURN;

    guest->state = GUEST_SENDING;
    while (left > 0) {
        /* Before the call: on loopback the peer has the bytes, and runs, before it returns. */
        int64_t handed_ns = lane_logs(guest->lane) ? clock_now_ns() : 0;
        ssize_t n = send_some(guest, bytes);

        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            keep_unsent(guest, bytes);
            if (errno != EAGAIN) {
                guest_leave(guest);
            }
            return false;
        }
        left -= n;
        if ((size_t)n <= bytes.len) {
            bytes = str_from(bytes, (size_t)n);
        } else {
            guest->block_left -= n - (ssize_t)bytes.len;
            bytes = str_from(bytes, bytes.len);
        }
        if (bytes.len == 0 && guest->block_left == 0) {
            guest->handed_ns = handed_ns;
            return true;
        }
    }
    keep_unsent(guest, bytes);
    guest_send_later(guest);
    return false;
}

void guest_send_later(struct guest *guest)
{
    guest->state = GUEST_SENDING;
    guest->is_eager = true;
    guest->next_eager = guest->lane->eager;
    guest->lane->eager = guest;
}

void guest_send_forget(struct guest *guest)
{
    struct guest **at = &guest->lane->eager;

    if (!guest->is_eager) {
        return;
    }
    while (*at != guest) {
        at = &(*at)->next_eager;
    }
    *at = guest->next_eager;
    guest->is_eager = false;
}
