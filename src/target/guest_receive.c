/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/clock.h"
#include "target/guest.h"

/* The stamp of the last segment read, as the kernel took it in; now_ns when there is none. */
static int64_t arrival_of(struct lane *lane, struct msghdr *message, int64_t now_ns)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec stamp;

            memcpy(&stamp, CMSG_DATA(c), sizeof(stamp));
            return lane_convert_stamp(lane, clock_of_timespec(stamp), now_ns);
        }
    }
    return now_ns;
}

static ssize_t receive_stamped(struct guest *guest)
{
    _Alignas(struct cmsghdr) char control[128];
    struct iovec part = { guest->lane->input, LANE_INPUT_BYTES };
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control),
    };
    ssize_t n = recvmsg(guest->fd, &message, 0);

    if (n > 0) {
        guest->read_ns = arrival_of(guest->lane, &message, clock_now_ns());
    }
    return n;
}

ssize_t guest_receive(struct guest *guest)
{
    ssize_t n;

    if (lane_logs(guest->lane)) {
        return receive_stamped(guest);
    }
    n = recv(guest->fd, guest->lane->input, LANE_INPUT_BYTES, 0);
    guest->read_ns = clock_now_ns();
    return n;
}
