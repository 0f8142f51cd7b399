/* SPDX-License-Identifier: Apache-2.0 */
#include "trial/knock.h"

#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "base/mem.h"
#include "http/session.h"

enum { READ_BYTES = 64 << 10 };

bool knock_await(int fd, short events, int64_t until_ns)
{
    struct pollfd wait = { .fd = fd, .events = events };

    for (;;) {
        int64_t left_ms = (until_ns - clock_now_ns() + MSEC_NS - 1) / MSEC_NS;

        if (left_ms <= 0) {
            return false;
        }
        if (poll(&wait, 1, left_ms < INT32_MAX ? (int)left_ms : INT32_MAX) > 0) {
            return true;
        }
    }
}

/* A unix socket whose line of waiting connections is full says so at once, where TCP would wait. */
static bool connect_unless_full(struct stream *stream, const struct address *address,
                                const struct stream_options *options, int64_t until_ns)
{
    while (!stream_connect(stream, address, options)) {
        if (stream->tcp || stream->error != EAGAIN || clock_now_ns() >= until_ns) {
            return false;
        }
        (void)poll(NULL, 0, 1);
    }
    return true;
}

int knock_connect(const struct address *to, const struct address *from, int64_t until_ns,
                  struct stream *ret_stream)
{
    struct stream_options options = { .bind = from };
    int error;

    if (!connect_unless_full(ret_stream, to, &options, until_ns)) {
        return ret_stream->error;
    }
    error = knock_await(ret_stream->fd, POLLOUT, until_ns) ? stream_connect_error(ret_stream)
                                                           : ETIMEDOUT;
    if (error != 0) {
        stream_close(ret_stream);
    }
    return error;
}

static bool send_all(struct stream *stream, struct session *session, int64_t until_ns)
{
    while (session_out(session).len > 0) {
        size_t n = 0;

        switch (stream_write(stream, session_out(session), &n)) {
        case IO_DONE:
            session_sent(session, n);
            break;
        case IO_WAIT:
            if (!knock_await(stream->fd, POLLOUT, until_ns)) {
                return false;
            }
            break;
        case IO_EOF:
        case IO_FAIL:
            return false;
        }
    }
    return true;
}

/* Whether the proxy gave an answer to CONNECT; which one is the parser's to tell. */
static bool hear(struct stream *stream, struct session *session, int64_t until_ns)
{
    char *memory = mem_new(READ_BYTES, 1);
    enum session_event event = SESSION_MORE;

    while (event == SESSION_MORE && !session->parse.head_done) {
        struct stream_read read = stream_read(stream, STREAM_COPY, memory, READ_BYTES);

        if (read.io == IO_WAIT && knock_await(stream->fd, POLLIN, until_ns)) {
            continue;
        }
        if (read.io != IO_DONE) {
            break;
        }
        event = session_feed(session, (struct str){ memory, read.n });
    }
    mem_free(memory);
    return session->parse.head_done;
}

static bool tunnel(const struct order *order, const struct origin *origin, struct stream *stream,
                   int64_t until_ns, struct err *err)
{
    struct exchange exchange = { .request = str_of(origin->connect), .kind = H1_REQUEST_CONNECT };
    struct session session;

    session_begin(&session, false);
    session_submit(&session, &exchange);
    if (!send_all(stream, &session, until_ns) || !hear(stream, &session, until_ns)) {
        errno = ECONNRESET;
        return err_set(err, ERR_PEER, "the proxy %s:%u gives no answer to CONNECT %s:%u",
                       order->plan->proxy_url.host, order->plan->proxy_url.port, origin->host,
                       origin->port);
    }
    if (session.parse.status / 100 != 2) {
        errno = ECONNREFUSED;
        return err_set(err, ERR_PEER, "the proxy %s:%u answers CONNECT %s:%u with %u%s",
                       order->plan->proxy_url.host, order->plan->proxy_url.port, origin->host,
                       origin->port, session.parse.status,
                       session.parse.status == 407 ? ": give --proxy http://NAME:PASS@HOST:PORT"
                                                   : "");
    }
    return true;
}

/* What would help, where that is known. */
static const char *advice(const struct plan *plan, const char *reason)
{
    if (!plan->insecure && str_starts(str_of(reason), STR("the certificate is refused"))) {
        return " (--cacert FILE says whom to trust, --insecure accepts any certificate)";
    }
    return "";
}

static bool shake(struct order *order, const struct origin *origin, struct stream *stream,
                  int64_t until_ns, struct err *err)
{
    const char *reason = NULL;
    enum io io;

    tls_peer_fini(&order->peer);
    tls_peer_init(&order->peer, origin->tls_name);
    tls_start(stream, order->tls_context, &order->peer);
    while ((io = tls_handshake(stream)) == IO_WAIT) {
        if (!knock_await(stream->fd, stream->wants_write ? POLLOUT : POLLIN, until_ns)) {
            reason = "no answer within --connect-timeout";
            break;
        }
    }
    if (io == IO_DONE) {
        tls_facts(stream, &order->facts);
    } else {
        reason = reason != NULL ? reason : tls_context_reason(order->tls_context);
        errno = EPROTO;
        err_set(err, ERR_PEER, "no TLS with %s:%u: %s%s", origin->host, origin->port, reason,
                advice(order->plan, reason));
    }
    if (stream->tls != NULL && io != IO_DONE) {
        stream_bare(stream);
    }
    return io == IO_DONE;
}

bool knock_open(struct order *order, const struct origin *origin, struct stream *stream,
                int64_t until_ns, struct err *err)
{
    if ((origin->connect != NULL && !tunnel(order, origin, stream, until_ns, err)) ||
        (origin->tls && !shake(order, origin, stream, until_ns, err))) {
        stream_close(stream);
        return false;
    }
    return true;
}
