/* SPDX-License-Identifier: Apache-2.0 */
#include "trial/once.h"

#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "base/mem.h"
#include "http/session.h"
#include "load/order.h"
#include "net/stream.h"
#include "trial/reach.h"

enum { READ_BYTES = 64 << 10 };

/* Until the descriptor is ready or the time is over: false. */
static bool await(int fd, short events, int64_t until_ns)
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

/* What fits now. false when no more can be sent: an answer may lie in the socket nevertheless. */
static bool send_some(struct stream *stream, struct session *session)
{
    enum io io = IO_DONE;
    size_t n = 0;

    while (session_out(session).len > 0 && io == IO_DONE) {
        io = stream_write(stream, session_out(session), &n);
        if (io == IO_DONE) {
            session_sent(session, n);
        }
    }
    return io == IO_DONE || io == IO_WAIT;
}

static enum fail fail_of_silence(const struct session *session)
{
    if (session_out(session).len > 0) {
        return FAIL_TIMEOUT_SEND;
    }
    return session->parse.any_byte ? FAIL_TIMEOUT_BODY : FAIL_TIMEOUT_FIRST_BYTE;
}

static enum fail fail_at_end(const struct session *session, int error)
{
    if (session->parse.any_byte) {
        return error != 0 ? FAIL_RESET : FAIL_TRUNCATED;
    }
    return error != 0 ? FAIL_RESET : FAIL_CLOSED_EARLY;
}

/* Reads while it writes: a server may answer before it has read all. */
static enum fail converse(struct stream *stream, struct session *session, struct once *once,
                          char *memory, int64_t until_ns)
{
    enum session_event event = SESSION_MORE;
    bool sending = true;

    while (event == SESSION_MORE) {
        struct stream_read read;

        sending = sending && send_some(stream, session) && session_out(session).len > 0;
        read = stream_read(stream, STREAM_COPY, memory, READ_BYTES);
        switch (read.io) {
        case IO_WAIT:
            if (!await(stream->fd, sending ? POLLIN | POLLOUT : POLLIN, until_ns)) {
                return fail_of_silence(session);
            }
            continue;
        case IO_FAIL:
            return fail_at_end(session, stream->error);
        case IO_EOF:
            if (session_eof(session) == SESSION_DONE) {
                return FAIL_NONE;
            }
            return fail_at_end(session, 0);
        case IO_DONE:
            break;
        }
        once->answer_bytes += read.n;
        buf_add(&once->answer, memory, read.n);
        event = session_feed(session, (struct str){ memory, read.n });
    }
    return event == SESSION_ERROR ? FAIL_PROTOCOL : FAIL_NONE;
}

static void exchange_on(struct stream *stream, const struct order *order, struct once *once)
{
    const struct plan *plan = order->plan;
    struct exchange exchange = { .request = buf_str(&once->request), .kind = order->kind };
    struct expect_look look = { 0 };
    struct session session;
    char *memory = mem_new(READ_BYTES, 1);
    int64_t until_ns = clock_now_ns() + plan->timeout_ns;

    expect_begin(&order->expect, &look, &exchange);
    session_begin(&session, plan->close);
    session_submit(&session, &exchange);
    once->fail = converse(stream, &session, once, memory, until_ns);
    once->status = session.parse.head_done ? session.parse.status : 0;
    once->body_bytes = session.parse.body_bytes;
    if (once->fail == FAIL_NONE) {
        once->fail = expect_judge(&order->expect, &look, &session.parse);
    }
    if (once->fail == FAIL_CHECK) {
        expect_explain(&order->expect, &session.parse, once->why, sizeof(once->why));
    }
    mem_free(memory);
}

bool once_run(struct plan *plan, struct once *ret_once, struct err *err)
{
    struct order *order = mem_new(1, sizeof(*order));
    struct stream_options options = { 0 };
    struct stream stream = { .fd = -1 };
    int64_t dns_ns, start_ns;
    bool ok = false;

    *ret_once = (struct once){ 0 };
    buf_init(&ret_once->request, REQUEST_BYTES_MAX);
    buf_init(&ret_once->answer, ONCE_ANSWER_MAX);
    order->plan = plan;
    order_set_method(order);
    expect_init(&order->expect, plan);
    if (!plan_encode_request(plan, 0, &ret_once->request, err) ||
        !reach_target(order, &dns_ns, err)) {
        goto out;
    }
    (void)address_format(&order->to.items[0], ret_once->address);
    options.bind = order->from_count > 0 ? &order->from[0] : NULL;
    start_ns = clock_now_ns();
    if (!stream_connect(&stream, &order->to.items[0], &options) ||
        !await(stream.fd, POLLOUT, start_ns + plan->connect_timeout_ns) ||
        (stream.error = stream_connect_error(&stream)) != 0) {
        errno = stream.error != 0 ? stream.error : ETIMEDOUT;
        err_set(err, ERR_PEER, "cannot connect to %s: %m", ret_once->address);
        goto out;
    }
    ret_once->connect_ns = clock_now_ns() - start_ns;
    exchange_on(&stream, order, ret_once);
    ret_once->response_ns = clock_now_ns() - start_ns;
    ok = true;
out:
    stream_close(&stream);
    expect_fini(&order->expect);
    mem_free(order);
    return ok;
}

void once_fini(struct once *once)
{
    buf_fini(&once->request);
    buf_fini(&once->answer);
}
