/* SPDX-License-Identifier: Apache-2.0 */
#include "trial/once.h"

#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "base/mem.h"
#include "http/session.h"
#include "load/order.h"
#include "load/sample.h"
#include "net/stream.h"
#include "trial/knock.h"
#include "trial/reach.h"

enum { READ_BYTES = 64 << 10 };

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
    if (error == EPROTO) {
        return FAIL_TLS;
    }
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
            if (!knock_await(stream->fd, sending || stream->wants_write ? POLLIN | POLLOUT : POLLIN,
                             until_ns)) {
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
        once->heads = buf_str(&once->answer);
        event = session_feed(session, (struct str){ memory, read.n });
    }
    return event == SESSION_ERROR ? FAIL_PROTOCOL : FAIL_NONE;
}

static void exchange_on(struct stream *stream, const struct order *order, struct once *once)
{
    const struct order_request *request = &order->requests[0];
    const struct plan *plan = order->plan;
    struct exchange exchange = { .request = buf_str(&once->request),
                                 .body = request->body,
                                 .kind = request->kind,
                                 .closes = request_closes(buf_str(&once->request)) };
    struct expect_look look = { 0 };
    struct session session;
    char *memory = mem_new(READ_BYTES, 1);
    int64_t until_ns = clock_now_ns() + plan->timeout_ns;

    expect_begin(&order->expect, &look, &once->heads, &exchange);
    session_begin(&session, plan->close);
    session_submit(&session, &exchange);
    once->fail = converse(stream, &session, once, memory, until_ns);
    once->status = session.parse.head_done ? session.parse.status : 0;
    once->body_bytes = session.parse.body_bytes;
    if (once->fail == FAIL_NONE) {
        once->fail = expect_judge(&order->expect, &look, &session.parse);
    }
    sample_explain(&order->expect, &look, &session, once->fail, once->why, sizeof(once->why));
    expect_look_fini(&look);
    mem_free(memory);
}

static bool encode(struct order *order, struct once *once, struct err *err)
{
    const struct plan_item *item = &order->plan->items[0];

    order->requests[0].body = item->body_apart ? item->body : (struct str){ NULL, 0 };
    return plan_encode_request(order->plan, 0, &once->request, err);
}

bool once_run(struct plan *plan, struct once *ret_once, struct err *err)
{
    struct order *order = mem_new(1, sizeof(*order));
    struct stream stream = { .fd = -1 };
    int64_t dns_ns, start_ns;
    bool ok = false;

    *ret_once = (struct once){ 0 };
    buf_init(&ret_once->request, REQUEST_BYTES_MAX);
    buf_init(&ret_once->answer, ONCE_ANSWER_MAX);
    order->plan = plan;
    expect_init(&order->expect, plan);
    if (!reach_order(order, err) || !encode(order, ret_once, err)) {
        goto out;
    }
    start_ns = clock_now_ns();
    if (!reach_origin(order, order->requests[0].origin, &dns_ns, &stream, err)) {
        goto out;
    }
    start_ns += dns_ns > 0 ? dns_ns : 0;
    (void)address_format(&order->origins.items[order->requests[0].origin].to.items[0],
                         ret_once->address);
    ret_once->connect_ns = clock_now_ns() - start_ns;
    exchange_on(&stream, order, ret_once);
    ret_once->response_ns = clock_now_ns() - start_ns;
    ok = true;
out:
    stream_close(&stream);
    order_fini(order);
    mem_free(order);
    return ok;
}

void once_fini(struct once *once)
{
    buf_fini(&once->request);
    buf_fini(&once->answer);
}
