/* SPDX-License-Identifier: Apache-2.0 */
#include "net/stream.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/tls.h"

static void set_flag(int fd, int level, int option)
{
    int on = 1;

    (void)setsockopt(fd, level, option, &on, sizeof(on));
}

static bool stream_bind(const struct stream *stream, const struct address *address)
{
    /* The port is then chosen at connect(), where only the pair must be free and not the port. */
    set_flag(stream->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT);
    return bind(stream->fd, &address->u.sa, address->len) == 0;
}

/* Before the connect: the window that is offered follows from it. The kernel doubles the number,
 * and holds it within net.core.[rw]mem_max. */
static void set_buffers(int fd, int bytes)
{
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

/* linux/in.h; the C library's headers may be older than the kernel. */
enum { LOCAL_PORT_RANGE = 51 };

static void set_ports(int fd, const struct stream_options *options)
{
    uint32_t range = options->port_low | (uint32_t)options->port_high << 16;

    (void)setsockopt(fd, IPPROTO_IP, LOCAL_PORT_RANGE, &range, sizeof(range));
}

bool stream_connect(struct stream *stream, const struct address *address,
                    const struct stream_options *options)
{
    *stream = (struct stream){ .fd = -1, .lowat = 1 };
    stream->tcp = address->u.sa.sa_family != AF_UNIX;
    stream->fd = socket(address->u.sa.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (stream->fd < 0) {
        stream->error = errno;
        return false;
    }
    if (stream->tcp) {
        set_flag(stream->fd, IPPROTO_TCP, TCP_NODELAY);
        if (options->stamps) {
            set_flag(stream->fd, SOL_SOCKET, SO_TIMESTAMPNS);
            stream->stamps = true;
        }
    }
    if (options->buffer_bytes > 0) {
        set_buffers(stream->fd, options->buffer_bytes);
    }
    if (options->port_low != 0) {
        set_ports(stream->fd, options);
    }
    if ((options->bind != NULL && !stream_bind(stream, options->bind)) ||
        (connect(stream->fd, &address->u.sa, address->len) != 0 && errno != EINPROGRESS)) {
        stream->error = errno;
        stream_close(stream);
        return false;
    }
    return true;
}

void stream_of_socket(struct stream *stream, int fd, bool tcp, bool stamps)
{
    *stream = (struct stream){ .fd = fd, .lowat = 1, .tcp = tcp, .stamps = stamps };
}

int stream_connect_error(const struct stream *stream)
{
    int error = 0;
    socklen_t size = sizeof(error);

    if (getsockopt(stream->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
        return errno;
    }
    return error;
}

static enum io io_of_errno(struct stream *stream)
{
    if (errno == EAGAIN || errno == EINTR || errno == ENOTCONN) {
        return IO_WAIT;
    }
    stream->error = errno;
    return IO_FAIL;
}

enum io stream_socket_write(struct stream *stream, struct str bytes, size_t *ret_n)
{
    ssize_t n = send(stream->fd, bytes.p, bytes.len, MSG_NOSIGNAL | MSG_DONTWAIT);

    if (n < 0) {
        return io_of_errno(stream);
    }
    *ret_n = (size_t)n;
    return IO_DONE;
}

static int64_t stamp_of(const struct msghdr *message)
{
    const struct cmsghdr *control;
    struct timespec stamp;

    if (message->msg_controllen < sizeof(*control)) {
        return 0;
    }
    control = message->msg_control;
    if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_TIMESTAMPNS) {
        return 0;
    }
    memcpy(&stamp, CMSG_DATA(control), sizeof(stamp));
    return clock_of_timespec(stamp);
}

static struct stream_read read_stamped(struct stream *stream, void *buffer, size_t max, int flags)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(struct timespec))];
    } control;
    struct iovec part = { .iov_base = buffer, .iov_len = max };
    struct msghdr message = { .msg_iov = &part,
                              .msg_iovlen = 1,
                              .msg_control = control.bytes,
                              .msg_controllen = sizeof(control.bytes) };
    ssize_t n = recvmsg(stream->fd, &message, flags);

    if (n < 0) {
        return (struct stream_read){ .io = io_of_errno(stream) };
    }
    return (struct stream_read){ .io = n == 0 ? IO_EOF : IO_DONE,
                                 .n = (size_t)n,
                                 .drained = (size_t)n < max,
                                 .stamp_real_ns = stamp_of(&message) };
}

struct stream_read stream_socket_read(struct stream *stream, enum stream_mode mode, void *buffer,
                                      size_t max)
{
    int flags = MSG_DONTWAIT | (mode == STREAM_DISCARD ? MSG_TRUNC : 0);
    ssize_t n;

    if (stream->stamps) {
        return read_stamped(stream, buffer, max, flags);
    }
    n = recv(stream->fd, buffer, max, flags);
    if (n < 0) {
        return (struct stream_read){ .io = io_of_errno(stream) };
    }
    return (struct stream_read){ .io = n == 0 ? IO_EOF : IO_DONE,
                                 .n = (size_t)n,
                                 .drained = (size_t)n < max };
}

enum io stream_write(struct stream *stream, struct str bytes, size_t *ret_n)
{
    return stream->tls != NULL ? tls_write(stream, bytes, ret_n)
                               : stream_socket_write(stream, bytes, ret_n);
}

struct stream_read stream_read(struct stream *stream, enum stream_mode mode, void *buffer,
                               size_t max)
{
    return stream->tls != NULL ? tls_read(stream, buffer, max)
                               : stream_socket_read(stream, mode, buffer, max);
}

bool stream_over(const struct stream *stream)
{
    return stream->tls != NULL && tls_over(stream);
}

bool stream_can_discard(const struct stream *stream)
{
    return stream->tcp && stream->tls == NULL;
}

void stream_want(struct stream *stream, uint32_t n)
{
    int value = (int)n;

    /* What is wanted of TLS is text, and part of its record may have come. */
    if (stream->lowat == n || !stream->tcp || stream->tls != NULL) {
        return;
    }
    if (setsockopt(stream->fd, SOL_SOCKET, SO_RCVLOWAT, &value, sizeof(value)) == 0) {
        stream->lowat = n;
    }
}

void stream_end(struct stream *stream, bool notify)
{
    if (stream->tls != NULL) {
        tls_end(stream, notify);
    }
    (void)shutdown(stream->fd, SHUT_WR);
}

void stream_close(struct stream *stream)
{
    if (stream->tls != NULL) {
        tls_end(stream, true);
    }
    if (stream->fd >= 0) {
        (void)close(stream->fd);
        stream->fd = -1;
    }
}

void stream_bare(struct stream *stream)
{
    if (stream->tls != NULL) {
        tls_end(stream, false);
    }
}

void stream_abort(struct stream *stream)
{
    struct linger linger = { .l_onoff = 1, .l_linger = 0 };

    stream_bare(stream);
    if (stream->fd >= 0) {
        (void)setsockopt(stream->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
        stream_close(stream);
    }
}
