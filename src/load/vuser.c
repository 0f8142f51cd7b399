/* SPDX-License-Identifier: Apache-2.0 */
#include "load/vuser.h"

#include <errno.h>

#include "base/clock.h"
#include "load/dial.h"
#include "load/sample.h"
#include "load/stamps.h"
#include "load/worker.h"

enum {
    LARGE_BODY_BYTES = 16 << 10, /* from here on a body is discarded in the kernel */
    HEAD_READ_BYTES = 1 << 10,   /* read to get a head when a large body follows */
    READS_A_TURN = 16,
    WANT_MAX = 512 << 10, /* cap of SO_RCVLOWAT */
    BACKOFF_FIRST_MS = 10,
    BACKOFF_DOUBLINGS = 7, /* to 1.28 s, held to 1 s */
};

static void vuser_next(struct vuser *vuser, int64_t now_ns);
static void vuser_read(struct vuser *vuser, uint32_t ready);

void vuser_close(struct vuser *vuser)
{
    if (vuser->stream.fd >= 0) {
        loop_forget(&vuser->worker->loop, &vuser->watch);
        stream_close(&vuser->stream);
        vuser->worker->tally->open--;
    }
}

static void user_done(struct vuser *vuser)
{
    timer_clear(&vuser->timer);
    vuser_close(vuser);
    vuser->state = VUSER_DONE;
    worker_user_done(vuser->worker);
}

/* After a failure: the next exchange comes with the timer, never from here, so that failures that
 * happen at once neither nest nor spin. */
static void pause_until(struct vuser *vuser, int64_t until_ns)
{
    vuser->state = VUSER_PAUSED;
    timer_set(&vuser->timer, &vuser->worker->loop, until_ns);
}

static int64_t backoff_ns(struct vuser *vuser)
{
    int64_t pause_ns = BACKOFF_FIRST_MS * MSEC_NS << vuser->refused;

    if (vuser->refused < BACKOFF_DOUBLINGS) {
        vuser->refused++;
    }
    vuser->worker->tally->refused_backoffs++;
    return pause_ns < SEC_NS ? pause_ns : SEC_NS;
}

static bool is_connect_failure(enum fail fail)
{
    return fail == FAIL_CONNECT_REFUSED || fail == FAIL_CONNECT_TIMEOUT ||
           fail == FAIL_CONNECT_OTHER || fail == FAIL_NO_PORT || fail == FAIL_NO_DESCRIPTOR;
}

/* The head may have come before things went wrong. */
static const struct h1_parse *answer_so_far(const struct vuser *vuser)
{
    const struct session *session = &vuser->session;

    return session->exchange != NULL && session->parse.head_done ? &session->parse : NULL;
}

static bool is_given_up(enum fail fail)
{
    return fail == FAIL_TIMEOUT_SEND || fail == FAIL_TIMEOUT_FIRST_BYTE ||
           fail == FAIL_TIMEOUT_BODY || fail == FAIL_PROTOCOL;
}

void vuser_fail(struct vuser *vuser, enum fail fail, int64_t now_ns)
{
    struct tally *tally = vuser->worker->tally;
    const struct h1_parse *answer = answer_so_far(vuser);

    sample_keep(vuser, fail, now_ns);
    if (vuser == vuser->worker->users && tally->head_at_ns == 0) {
        tally->head_len = 0; /* the next answer is the first */
    }
    vuser->exchange.done_ns = 0; /* it ends now, and not with the last byte that came */
    vuser->exchange.dwell_ns = -1;
    tally_failed(tally, &vuser->exchange, fail, answer, now_ns);
    tally_row(tally, vuser->number, &vuser->exchange, fail, answer, now_ns);
    vuser->session.exchange = NULL;
    /* Where the server had not closed, this side does. */
    tally->client_closes += vuser->stream.fd >= 0 && is_given_up(fail);
    vuser_close(vuser);
    worker_answered(vuser->worker, now_ns, now_ns - vuser->exchange.start_ns);
    pause_until(vuser, now_ns + (is_connect_failure(fail) ? backoff_ns(vuser) : 0));
}

/* A connection that was used before ended without a byte of the answer: the server closed it while
 * the request was under way. Once, on a fresh connection, that is no failure (RFC 9110
 * section 9.2.2). */
static bool retry_stale(struct vuser *vuser)
{
    struct exchange *exchange = &vuser->exchange;

    if (vuser->session.exchanges < 2 || vuser->session.parse.any_byte || !exchange->idempotent ||
        exchange->retried) {
        return false;
    }
    exchange->retried = true;
    exchange->sent_ns = 0;
    exchange->connect_start_ns = 0;
    vuser->session.exchange = NULL;
    tally_retried(vuser->worker->tally, exchange);
    vuser_close(vuser);
    dial_start(vuser, clock_now_ns());
    return true;
}

static enum fail fail_of_stream(const struct vuser *vuser)
{
    const struct h1_parse *parse = &vuser->session.parse;

    if (vuser->session.exchanges > 1 && !parse->any_byte) {
        return FAIL_STALE_CONNECTION;
    }
    if (vuser->stream.error != 0) {
        return FAIL_RESET;
    }
    return parse->any_byte ? FAIL_TRUNCATED : FAIL_CLOSED_EARLY;
}

static void stream_failed(struct vuser *vuser)
{
    if (!retry_stale(vuser)) {
        vuser_fail(vuser, fail_of_stream(vuser), clock_now_ns());
    }
}

static void send_failed(struct vuser *vuser)
{
    if (vuser->state == VUSER_CONNECTING) {
        dial_failed(vuser, dial_fail_of(vuser->stream.error), clock_now_ns());
        return;
    }
    /* The server may have answered before it closed: what it sent is still there to be read. When
     * there is no answer, the error of the send is the reason. */
    vuser->send_error = (uint16_t)vuser->stream.error;
    vuser_read(vuser, READY_READ | READY_PEER_CLOSED);
}

/* Nothing or not all could be sent: the loop tells when to go on. */
static void await_write(struct vuser *vuser)
{
    if (vuser->state == VUSER_CONNECTING) {
        dial_watch(vuser, true);
    } else if (!vuser->writes_watched) {
        vuser->writes_watched = true;
        vuser->level = false;
        (void)loop_rewatch(&vuser->worker->loop, vuser->stream.fd, &vuser->watch);
    }
}

void vuser_write(struct vuser *vuser)
{
    struct exchange *exchange = &vuser->exchange;
    bool fresh = vuser->state == VUSER_CONNECTING;
    struct str out = fresh ? exchange->request : session_out(&vuser->session);
    bool watched = vuser->writes_watched;
    size_t n = 0;

    if (fresh) {
        exchange->send_start_ns = clock_now_ns();
    }
    switch (stream_write(&vuser->stream, out, &n)) {
    case IO_WAIT:
        if (!fresh || !watched) {
            await_write(vuser);
        }
        return;
    case IO_EOF:
    case IO_FAIL:
        send_failed(vuser);
        return;
    case IO_DONE:
        break;
    }
    if (fresh) {
        dial_connected(vuser, exchange->send_start_ns);
    }
    session_sent(&vuser->session, n);
    tally_sent(vuser->worker->tally, n);
    if (session_out(&vuser->session).len > 0) {
        if (fresh && !watched) {
            dial_watch(vuser, true);
        } else {
            await_write(vuser);
        }
        return;
    }
    exchange->sent_ns = clock_now_ns();
    if (fresh && !watched) {
        dial_watch(vuser, false);
    }
}

/* Lets go of a connection that is of no further use. The one who said close closes: the server. */
static void end_connection(struct vuser *vuser, uint32_t ready)
{
    if ((ready & (READY_PEER_CLOSED | READY_HANGUP)) != 0 || vuser->session.parse.until_close) {
        vuser_close(vuser);
        return;
    }
    loop_forget(&vuser->worker->loop, &vuser->watch);
    vuser->worker->tally->open--;
    worker_linger(vuser->worker, &vuser->stream);
}

static void vuser_complete(struct vuser *vuser, int64_t now_ns, uint32_t ready)
{
    struct worker *worker = vuser->worker;
    struct exchange *exchange = &vuser->exchange;
    const struct h1_parse *parse = &vuser->session.parse;
    bool large = parse->has_length && parse->length >= LARGE_BODY_BYTES && exchange->sink == NULL;
    enum fail fail = expect_judge(&worker->order->expect, &vuser->look, parse);

    stamps_order(exchange);
    if (vuser == worker->users && worker->tally->head_body_bytes == UINT64_MAX) {
        worker->tally->head_body_bytes = parse->body_bytes;
    }
    if (fail == FAIL_NONE) {
        tally_ok(worker->tally, exchange, parse, now_ns);
    } else {
        sample_keep(vuser, fail, now_ns);
        tally_failed(worker->tally, exchange, fail, parse, now_ns);
    }
    tally_row(worker->tally, vuser->number, exchange, fail, parse, now_ns);
    worker->large_bodies = large && stream_can_discard(&vuser->stream);
    if (!session_reusable(&vuser->session) || (ready & READY_PEER_CLOSED) != 0) {
        end_connection(vuser, ready);
    } else {
        stream_want(&vuser->stream, 1);
    }
    worker_answered(worker, now_ns, exchange->done_ns - exchange->start_ns);
    vuser_next(vuser, now_ns);
}

static bool may_discard(const struct vuser *vuser, const struct session_want *want)
{
    return want->discard && want->max >= LARGE_BODY_BYTES && stream_can_discard(&vuser->stream) &&
           vuser->worker->order->tap == NULL;
}

/* One read; what it was worth. */
static enum session_event vuser_take(struct vuser *vuser, struct stream_read *ret_read,
                                     size_t *ret_asked, int64_t *ret_now_ns)
{
    struct worker *worker = vuser->worker;
    struct session_want want = session_want(&vuser->session);
    bool discard = may_discard(vuser, &want);
    bool begins = vuser->exchange.bytes_in == 0;

    if (discard) {
        *ret_asked = want.max < INT32_MAX ? (size_t)want.max : INT32_MAX;
        *ret_read = stream_read(&vuser->stream, STREAM_DISCARD, worker->buffer, *ret_asked);
    } else {
        *ret_asked = worker->large_bodies && vuser->exchange.first_byte_ns == 0 ? HEAD_READ_BYTES
                                                                                : WORKER_READ_BYTES;
        *ret_read = stream_read(&vuser->stream, STREAM_COPY, worker->buffer, *ret_asked);
    }
    if (ret_read->io != IO_DONE) {
        return SESSION_MORE;
    }
    *ret_now_ns = clock_now_ns();
    if (!worker->heard_self) {
        worker_heard(worker);
    }
    stamps_take(vuser, ret_read, *ret_now_ns);
    if (discard) {
        return session_skip(&vuser->session, ret_read->n);
    }
    if (worker->order->tap != NULL) {
        worker->order->tap->take(worker->order->tap, vuser->number, begins,
                                 (struct str){ worker->buffer, ret_read->n });
    }
    enum session_event event =
        session_feed(&vuser->session, (struct str){ worker->buffer, ret_read->n });
    if (worker->tally->head_at_ns == 0) {
        sample_keep_head(vuser, worker->buffer, ret_read->n, *ret_now_ns);
    }
    return event;
}

/* More of a large body is to come: the loop need not tell of every segment. But while the request
 * is still being sent it must tell of room to send, which the server may be waiting for. */
static void want_rest(struct vuser *vuser)
{
    struct session_want want = session_want(&vuser->session);

    if (!may_discard(vuser, &want) || session_out(&vuser->session).len > 0) {
        stream_want(&vuser->stream, 1);
        return;
    }
    if (!vuser->level) {
        vuser->level = loop_watch_level(&vuser->worker->loop, vuser->stream.fd, &vuser->watch);
        vuser->writes_watched = false;
    }
    if (vuser->level) {
        stream_want(&vuser->stream, want.max < WANT_MAX ? (uint32_t)want.max : WANT_MAX);
    }
}

/* The rest of what is there in another turn: watched anew, it is told of again. */
static void yield_turn(struct vuser *vuser)
{
    vuser->level = false;
    vuser->writes_watched = true;
    (void)loop_rewatch(&vuser->worker->loop, vuser->stream.fd, &vuser->watch);
}

static void vuser_ended(struct vuser *vuser, uint32_t ready)
{
    int64_t now_ns = clock_now_ns();

    vuser->stream.error = vuser->send_error;
    if (session_eof(&vuser->session) == SESSION_DONE) {
        if (vuser->exchange.first_byte_ns != 0) {
            vuser->exchange.done_ns = now_ns; /* the end of the stream was the end of the answer */
            vuser->exchange.dwell_ns = -1;
            vuser->worker->ends_unstamped = true;
        }
        vuser_complete(vuser, now_ns, ready | READY_PEER_CLOSED);
        return;
    }
    stream_failed(vuser);
}

static void vuser_read(struct vuser *vuser, uint32_t ready)
{
    for (int reads = 1;; reads++) {
        struct stream_read read;
        size_t asked;
        int64_t now_ns = 0;
        enum session_event event = vuser_take(vuser, &read, &asked, &now_ns);

        if (read.io == IO_WAIT) {
            return;
        }
        if (read.io == IO_EOF) {
            vuser_ended(vuser, ready);
            return;
        }
        if (read.io == IO_FAIL) {
            stream_failed(vuser);
            return;
        }
        if (event == SESSION_DONE) {
            vuser_complete(vuser, now_ns, ready);
            return;
        }
        if (event == SESSION_ERROR) {
            vuser_fail(vuser, FAIL_PROTOCOL, now_ns);
            return;
        }
        want_rest(vuser);
        /* A short read has emptied the socket; the end of the stream would be the next in it. */
        if ((read.n < asked || vuser->level) && (ready & READY_PEER_CLOSED) == 0) {
            return;
        }
        /* A body that never ends must not keep the others, and the time-outs, from their turn. */
        if (reads >= READS_A_TURN) {
            yield_turn(vuser);
            return;
        }
    }
}

static void vuser_next(struct vuser *vuser, int64_t now_ns)
{
    struct worker *worker = vuser->worker;
    struct exchange *exchange = &vuser->exchange;

    if (!worker_claim(worker, now_ns)) {
        user_done(vuser);
        return;
    }
    *exchange = (struct exchange){
        .request = worker->order->request,
        .kind = worker->order->kind,
        .idempotent = worker->order->idempotent,
        .iteration = worker->iterations++,
        .intended_ns = now_ns,
        .start_ns = now_ns,
        .dwell_ns = -1,
    };
    expect_begin(&worker->order->expect, &vuser->look, exchange);
    tally_started(worker->tally, exchange, now_ns);
    vuser->addresses_tried = 0;
    vuser->binds_tried = 0;
    vuser->send_error = 0;
    if (vuser->stream.fd < 0) {
        dial_start(vuser, now_ns);
        return;
    }
    vuser->state = VUSER_ACTIVE;
    exchange->send_start_ns = now_ns;
    session_submit(&vuser->session, exchange);
    timer_set(&vuser->timer, &worker->loop, now_ns + worker->order->plan->timeout_ns);
    vuser_write(vuser);
}

/* Timers run before descriptors: after a stall of this side the answer may lie in the socket, and
 * the server is not to be blamed. */
static bool answer_is_there(struct vuser *vuser)
{
    uint64_t iteration = vuser->exchange.iteration;

    vuser_read(vuser, READY_READ);
    return vuser->state != VUSER_ACTIVE || vuser->exchange.iteration != iteration;
}

static void vuser_timed_out(struct vuser *vuser, int64_t now_ns)
{
    if (answer_is_there(vuser)) {
        return;
    }
    if (session_out(&vuser->session).len > 0) {
        vuser_fail(vuser, FAIL_TIMEOUT_SEND, now_ns);
    } else if (!vuser->session.parse.any_byte) {
        vuser_fail(vuser, FAIL_TIMEOUT_FIRST_BYTE, now_ns);
    } else {
        vuser_fail(vuser, FAIL_TIMEOUT_BODY, now_ns);
    }
}

static void vuser_due(struct timer *timer, struct loop *loop)
{
    struct vuser *vuser = (struct vuser *)((char *)timer - offsetof(struct vuser, timer));

    switch ((enum vuser_state)vuser->state) {
    case VUSER_PAUSED:
        vuser_next(vuser, clock_now_ns());
        return;
    case VUSER_OPENING:
    case VUSER_CONNECTING:
        dial_due(vuser, loop->now_ns);
        return;
    case VUSER_ACTIVE:
        vuser_timed_out(vuser, loop->now_ns);
        return;
    case VUSER_IDLE:
    case VUSER_OPEN:
    case VUSER_DONE:
        return;
    }
}

static void active_ready(struct vuser *vuser, uint32_t ready)
{
    uint64_t iteration = vuser->exchange.iteration;

    if ((ready & READY_WRITE) != 0 && session_out(&vuser->session).len > 0) {
        vuser_write(vuser);
    }
    /* Writing may have ended the exchange, and what is ready spoke of its connection. */
    if (vuser->state == VUSER_ACTIVE && vuser->exchange.iteration == iteration &&
        (ready & ~(uint32_t)READY_WRITE) != 0) {
        vuser_read(vuser, ready);
    }
}

static void vuser_ready(struct watch *watch, struct loop *loop, uint32_t ready)
{
    struct vuser *vuser = (struct vuser *)watch;

    (void)loop;
    switch ((enum vuser_state)vuser->state) {
    case VUSER_OPENING:
    case VUSER_CONNECTING:
        dial_ready(vuser, ready);
        /* An answer may have come with the connection. */
        if (vuser->state == VUSER_ACTIVE && (ready & ~(uint32_t)READY_WRITE) != 0) {
            vuser_read(vuser, ready);
        }
        return;
    case VUSER_ACTIVE:
        active_ready(vuser, ready);
        return;
    case VUSER_OPEN:
        /* Closed, or an answer that nobody asked for: of no use either way. */
        if ((ready & ~(uint32_t)READY_WRITE) != 0) {
            vuser_close(vuser);
        }
        return;
    case VUSER_IDLE:
    case VUSER_PAUSED:
    case VUSER_DONE:
        return;
    }
}

void vuser_init(struct vuser *vuser, struct worker *worker, uint32_t number)
{
    *vuser = (struct vuser){ .watch = { vuser_ready }, .worker = worker, .number = number };
    vuser->stream.fd = -1;
    timer_init(&vuser->timer, vuser_due);
}

void vuser_open(struct vuser *vuser, int64_t now_ns)
{
    vuser->state = VUSER_OPENING;
    dial_start(vuser, now_ns);
}

void vuser_start(struct vuser *vuser, int64_t now_ns)
{
    vuser_next(vuser, now_ns);
}

void vuser_stop(struct vuser *vuser, int64_t now_ns)
{
    if (vuser->state == VUSER_DONE) {
        return;
    }
    if (vuser->state == VUSER_ACTIVE || vuser->state == VUSER_CONNECTING) {
        tally_unfinished(vuser->worker->tally, &vuser->exchange, answer_so_far(vuser), now_ns);
    }
    user_done(vuser);
}
