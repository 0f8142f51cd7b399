/* SPDX-License-Identifier: Apache-2.0 */
#include "target/guest_send.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/clock.h"

enum {
    SEND_BYTES_TURN = 4 << 20, /* then the others */
    RECORD_BYTES = 16 << 10,   /* RFC 8446 section 5.1 */
};

/* The bytes and the block in one call. */
static enum io send_both(struct guest *guest, struct str bytes, size_t *ret_n)
{
    size_t block_bytes =
        guest->block_left < LANE_BLOCK_BYTES ? (size_t)guest->block_left : LANE_BLOCK_BYTES;
    struct iovec parts[2] = { { NULL, bytes.len }, { guest->lane->setup->block, block_bytes } };
    struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
    ssize_t n;

    /* An iovec has no const, though nobody writes to these. */
    memcpy(&parts[0].iov_base, &bytes.p, sizeof(bytes.p));
    n = sendmsg(guest->stream.fd, &message, MSG_NOSIGNAL);
    if (n < 0) {
        return errno == EAGAIN || errno == EINTR ? IO_WAIT : IO_FAIL;
    }
    *ret_n = (size_t)n;
    return IO_DONE;
}

/* With TLS a record a call, so that the time before the last call is that of the last record. */
static enum io send_record(struct guest *guest, struct str bytes, size_t *ret_n)
{
    if (bytes.len == 0) {
        bytes = (struct str){ guest->lane->setup->block, RECORD_BYTES };
        if (guest->block_left < RECORD_BYTES) {
            bytes.len = (size_t)guest->block_left;
        }
    } else if (bytes.len > RECORD_BYTES) {
        bytes.len = RECORD_BYTES;
    }
    return stream_write(&guest->stream, bytes, ret_n);
}

static enum io send_some(struct guest *guest, struct str bytes, size_t *ret_n)
{
    if (guest->stream.tls != NULL) {
        return send_record(guest, bytes, ret_n);
    }
    return guest->block_left == 0 ? stream_write(&guest->stream, bytes, ret_n)
                                  : send_both(guest, bytes, ret_n);
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
        size_t n = 0;
        enum io io = send_some(guest, bytes, &n);

        if (io != IO_DONE) {
            keep_unsent(guest, bytes);
            if (io != IO_WAIT) {
                guest_leave(guest);
            }
            return false;
        }
        left -= (int64_t)n;
        if (n <= bytes.len) {
            bytes = str_from(bytes, n);
        } else {
            guest->block_left -= (int64_t)(n - bytes.len);
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

bool guest_send_may(const struct guest *guest, uint32_t ready)
{
    /* TLS may have to read before it can write. */
    return (ready & READY_WRITE) != 0 || guest->stream.tls != NULL;
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
