/* SPDX-License-Identifier: Apache-2.0 */
#include "load/vuser.h"

#include <errno.h>

#include "base/clock.h"
#include "load/dial.h"
#include "load/follow.h"
#include "load/reader.h"
#include "load/sample.h"
#include "load/stamps.h"
#include "load/worker.h"

enum {
    BACKOFF_FIRST_MS = 10,
    BACKOFF_DOUBLINGS = 7, /* to 1.28 s, held to 1 s */
};

static void vuser_next(struct vuser *vuser, int64_t now_ns);
static void send_request(struct vuser *vuser, uint16_t origin, int64_t now_ns);

static void user_done(struct vuser *vuser)
{
    timer_clear(&vuser->timer);
    for (size_t i = 0; i < vuser->worker->order->conns; i++) {
        conn_close(&vuser->conns[i]);
    }
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

static bool is_connect_failure(const struct vuser *vuser, enum fail fail)
{
    /* TLS 1.3 learns that its certificate was refused when it reads. */
    bool unused = vuser->conn->step == CONN_TLS ||
                  (vuser->conn->session.exchanges < 2 && !vuser->conn->session.parse.any_byte);

    return (fail == FAIL_TLS && unused) || fail == FAIL_CONNECT_REFUSED ||
           fail == FAIL_CONNECT_TIMEOUT || fail == FAIL_CONNECT_OTHER || fail == FAIL_NO_PORT ||
           fail == FAIL_NO_DESCRIPTOR;
}

/* The head may have come before things went wrong. */
static const struct h1_parse *answer_so_far(const struct vuser *vuser)
{
    const struct session *session = &vuser->conn->session;

    return vuser->conn->step != CONN_TUNNEL && session->exchange != NULL && session->parse.head_done
               ? &session->parse
               : NULL;
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
    bool connecting = is_connect_failure(vuser, fail);

    sample_keep(vuser, fail, now_ns);
    if (vuser == vuser->worker->users && tally->head_at_ns == 0) {
        tally->head_len = 0; /* the next answer is the first */
    }
    vuser->exchange.done_ns = 0; /* it ends now, and not with the last byte that came */
    vuser->exchange.dwell_ns = -1;
    tally_failed(tally, &vuser->exchange, fail, answer, now_ns);
    tally_row(tally, vuser->number, &vuser->exchange, fail, answer, now_ns);
    vuser->conn->session.exchange = NULL;
    /* Where the server had not closed, this side does. */
    tally->client_closes += vuser->conn->step != CONN_CLOSED && is_given_up(fail);
    conn_close(vuser->conn);
    worker_answered(vuser->worker, now_ns, now_ns - vuser->exchange.start_ns);
    pause_until(vuser, now_ns + (connecting ? backoff_ns(vuser) : 0));
}

/* A connection that was used before ended without a byte of the answer: the server closed it while
 * the request was under way. Once, on a fresh connection, that is no failure (RFC 9110
 * section 9.2.2). */
static bool retry_stale(struct vuser *vuser)
{
    struct exchange *exchange = &vuser->exchange;

    if (vuser->conn->session.exchanges < 2 || vuser->conn->session.parse.any_byte ||
        !exchange->idempotent || exchange->retried) {
        return false;
    }
    exchange->retried = true;
    exchange->sent_ns = 0;
    exchange->connect_start_ns = 0;
    exchange->secured_ns = 0;
    vuser->addresses_tried = 0;
    vuser->binds_tried = 0;
    vuser->send_error = 0;
    vuser->conn->session.exchange = NULL;
    tally_retried(vuser->worker->tally, exchange);
    conn_close(vuser->conn);
    dial_start(vuser, clock_now_ns());
    return true;
}

static enum fail fail_of_stream(const struct vuser *vuser)
{
    const struct h1_parse *parse = &vuser->conn->session.parse;

    if (vuser->conn->stream.error == EPROTO && vuser->conn->stream.tls != NULL) {
        return FAIL_TLS;
    }
    if (vuser->conn->session.exchanges > 1 && !parse->any_byte) {
        return FAIL_STALE_CONNECTION;
    }
    if (vuser->conn->stream.error != 0) {
        return FAIL_RESET;
    }
    return parse->any_byte ? FAIL_TRUNCATED : FAIL_CLOSED_EARLY;
}

void vuser_stream_failed(struct vuser *vuser)
{
    if (!retry_stale(vuser)) {
        vuser_fail(vuser, fail_of_stream(vuser), clock_now_ns());
    }
}

static void send_failed(struct vuser *vuser)
{
    if (vuser->state == VUSER_CONNECTING) {
        dial_failed(vuser, dial_fail_of(vuser->conn->stream.error), clock_now_ns());
        return;
    }
    /* The server may have answered before it closed: what it sent is still there to be read. When
     * there is no answer, the error of the send is the reason. */
    vuser->send_error = (uint16_t)vuser->conn->stream.error;
    reader_read(vuser, READY_READ | READY_PEER_CLOSED);
}

/* The first bytes over a bare connection show that it stands. */
static void sent_some(struct vuser *vuser, size_t n)
{
    if (!vuser->conn->stands) {
        dial_stands(vuser, vuser->exchange.send_start_ns);
        dial_done(vuser, vuser->exchange.send_start_ns);
    }
    session_sent(&vuser->conn->session, n);
    tally_sent(vuser->worker->tally, n);
}

void vuser_write(struct vuser *vuser)
{
    struct conn *conn = vuser->conn;

    if (!conn->stands) {
        vuser->exchange.send_start_ns = clock_now_ns();
    }
    while (session_out(&conn->session).len > 0) {
        struct str out = session_out(&conn->session);
        size_t n = 0;

        switch (stream_write(&conn->stream, out, &n)) {
        case IO_WAIT:
            dial_await(vuser, true);
            return;
        case IO_EOF:
        case IO_FAIL:
            send_failed(vuser);
            return;
        case IO_DONE:
            break;
        }
        sent_some(vuser, n);
        if (n < out.len) {
            dial_await(vuser, true);
            return;
        }
    }
    vuser->exchange.sent_ns = clock_now_ns();
    dial_await(vuser, false);
}

/* Lets go of a connection that is of no further use. The one who said close closes: the server. */
static void end_connection(struct vuser *vuser, uint32_t ready)
{
    struct conn *conn = vuser->conn;

    if ((ready & (READY_PEER_CLOSED | READY_HANGUP)) != 0 || conn->session.parse.until_close) {
        conn_close(conn);
    } else {
        conn_leave(conn);
    }
}

/* The connection after an answer: for the next exchange, or of no further use. */
static void settle_connection(struct vuser *vuser, uint32_t ready)
{
    struct conn *conn = vuser->conn;
    const struct h1_parse *parse = &conn->session.parse;
    bool large =
        parse->has_length && parse->length >= READER_LARGE_BYTES && vuser->exchange.sink == NULL;

    vuser->worker->large_bodies = large && stream_can_discard(&conn->stream);
    if (!session_reusable(&conn->session) || (ready & READY_PEER_CLOSED) != 0 ||
        stream_over(&conn->stream)) {
        end_connection(vuser, ready);
    } else {
        stream_want(&conn->stream, 1);
    }
}

/* Of the answer whose head the report shows. */
static void note_first_body(struct vuser *vuser)
{
    struct tally *tally = vuser->worker->tally;

    if (vuser == vuser->worker->users && tally->head_body_bytes == UINT64_MAX) {
        tally->head_body_bytes = vuser->conn->session.parse.body_bytes;
    }
}

/* Looking at a body takes time that is ours, and not the next answer's. */
static int64_t after_looking_ns(const struct vuser *vuser, int64_t now_ns)
{
    return vuser->exchange.sink != NULL ? clock_now_ns() : now_ns;
}

static void end_exchange(struct vuser *vuser, enum fail fail, int64_t now_ns, uint32_t ready)
{
    struct worker *worker = vuser->worker;
    struct exchange *exchange = &vuser->exchange;
    const struct h1_parse *parse = &vuser->conn->session.parse;

    note_first_body(vuser);
    exchange->body_decoded = expect_decoded(&vuser->look, parse);
    if (fail == FAIL_NONE) {
        tally_ok(worker->tally, exchange, parse, now_ns);
    } else {
        sample_keep(vuser, fail, now_ns);
        tally_failed(worker->tally, exchange, fail, parse, now_ns);
    }
    tally_row(worker->tally, vuser->number, exchange, fail, parse, now_ns);
    settle_connection(vuser, ready);
    worker_answered(worker, now_ns, exchange->done_ns - exchange->start_ns);
    vuser_next(vuser, after_looking_ns(vuser, now_ns));
}

/* The answer leads to another request of the same exchange. */
static void follow_up(struct vuser *vuser, uint16_t origin, int64_t now_ns, uint32_t ready)
{
    struct worker *worker = vuser->worker;
    struct exchange *exchange = &vuser->exchange;

    note_first_body(vuser);
    tally_followed(worker->tally, exchange, &vuser->conn->session.parse, now_ns);
    exchange->bytes_in = 0; /* they are counted */
    settle_connection(vuser, ready);
    exchange->connect_start_ns = exchange->connected_ns = exchange->secured_ns = 0;
    exchange->sent_ns = exchange->first_byte_ns = exchange->done_ns = 0;
    exchange->dwell_ns = -1;
    exchange->retried = false;
    send_request(vuser, origin, after_looking_ns(vuser, now_ns));
}

/* After a stall of this side its time-out had not come to pass, but its time had. */
static enum fail fail_of_lateness(const struct vuser *vuser)
{
    const struct exchange *exchange = &vuser->exchange;
    int64_t until_ns = exchange->send_start_ns + vuser->worker->order->plan->timeout_ns;

    if (exchange->done_ns <= until_ns) {
        return FAIL_NONE;
    }
    return exchange->first_byte_ns > until_ns ? FAIL_TIMEOUT_FIRST_BYTE : FAIL_TIMEOUT_BODY;
}

void vuser_complete(struct vuser *vuser, int64_t now_ns, uint32_t ready)
{
    struct worker *worker = vuser->worker;
    const struct h1_parse *parse = &vuser->conn->session.parse;
    uint16_t origin = 0;
    enum fail fail;

    stamps_order(&vuser->exchange);
    fail = fail_of_lateness(vuser);
    if (fail == FAIL_NONE && vuser->follow != NULL) {
        switch (follow_on(vuser->follow, parse, &worker->rng, worker_wall_s(worker, now_ns),
                          &vuser->exchange, &origin)) {
        case FOLLOW_AGAIN:
            follow_up(vuser, origin, now_ns, ready);
            return;
        case FOLLOW_LOST:
            end_exchange(vuser, FAIL_REDIRECT, now_ns, ready);
            return;
        case FOLLOW_END:
            break;
        }
    }
    if (fail == FAIL_NONE) {
        fail = expect_judge(&worker->order->expect, &vuser->look, parse);
    }
    end_exchange(vuser, fail, now_ns, ready);
}

static uint32_t draw_item(struct worker *worker)
{
    return (uint32_t)(rng_u64(&worker->rng) % worker->order->plan->item_count);
}

/* The items of the plan in turn, or drawn. */
static uint32_t next_item(struct vuser *vuser)
{
    const struct plan *plan = vuser->worker->order->plan;
    uint32_t item = vuser->item;

    vuser->item =
        plan->items_random ? draw_item(vuser->worker) : (uint32_t)((item + 1) % plan->item_count);
    return item;
}

/* A closed one, or else the one not used for longest. */
static bool is_better_spent(const struct vuser *vuser, const struct conn *conn,
                            const struct conn *than)
{
    bool closed = conn->step == CONN_CLOSED;

    if (closed != (than->step == CONN_CLOSED)) {
        return closed;
    }
    return vuser->requests - conn->used > vuser->requests - than->used;
}

/* The user's connection to the origin; when it has none, one of the others becomes it. */
static struct conn *conn_for(struct vuser *vuser, uint16_t origin)
{
    struct conn *spent = vuser->conns;

    for (size_t i = 0; i < vuser->worker->order->conns; i++) {
        struct conn *conn = &vuser->conns[i];

        if (conn->origin == origin) {
            return conn;
        }
        if (is_better_spent(vuser, conn, spent)) {
            spent = conn;
        }
    }
    conn_close(spent);
    spent->origin = origin;
    spent->opened_before = false;
    return spent;
}

/* The exchange's request, which is there, goes to that origin. */
static void send_request(struct vuser *vuser, uint16_t origin, int64_t now_ns)
{
    struct worker *worker = vuser->worker;
    struct exchange *exchange = &vuser->exchange;

    expect_begin(&worker->order->expect, &vuser->look,
                 vuser->follow != NULL ? &vuser->follow->heads : NULL, exchange);
    vuser->addresses_tried = 0;
    vuser->binds_tried = 0;
    vuser->send_error = 0;
    vuser->requests++;
    vuser->conn = conn_for(vuser, origin);
    vuser->conn->used = vuser->requests;
    if (vuser->conn->step == CONN_CLOSED) {
        dial_start(vuser, now_ns);
        return;
    }
    vuser->state = VUSER_ACTIVE;
    exchange->send_start_ns = now_ns;
    session_submit(&vuser->conn->session, exchange);
    timer_set(&vuser->timer, &worker->loop, now_ns + worker->order->plan->timeout_ns);
    vuser_write(vuser);
}

/* What the item asks for, and where. */
static uint16_t take_request(struct vuser *vuser, uint32_t item, int64_t now_ns)
{
    const struct worker *worker = vuser->worker;
    const struct order_request *request = &worker->order->requests[item];
    struct exchange *exchange = &vuser->exchange;
    uint16_t origin = request->origin;

    if (vuser->follow != NULL) {
        follow_begin(vuser->follow, item, &vuser->worker->rng, worker_wall_s(worker, now_ns),
                     exchange, &origin);
        return origin;
    }
    exchange->request = request->head;
    exchange->body = request->body;
    exchange->kind = request->kind;
    exchange->idempotent = request->idempotent;
    exchange->closes = request->closes;
    return origin;
}

static void vuser_next(struct vuser *vuser, int64_t now_ns)
{
    struct worker *worker = vuser->worker;
    uint16_t origin;

    if (!worker_claim(worker, now_ns)) {
        user_done(vuser);
        return;
    }
    vuser->exchange = (struct exchange){
        .iteration = worker->iterations++,
        .intended_ns = now_ns,
        .start_ns = now_ns,
        .dwell_ns = -1,
    };
    origin = take_request(vuser, next_item(vuser), now_ns);
    tally_started(worker->tally, &vuser->exchange, now_ns);
    send_request(vuser, origin, now_ns);
}

/* Timers run before descriptors: after a stall of this side the answer may lie in the socket, and
 * the server is not to be blamed. */
static bool answer_is_there(struct vuser *vuser)
{
    uint32_t request = vuser->requests;

    reader_read(vuser, READY_READ);
    return vuser->state != VUSER_ACTIVE || vuser->requests != request;
}

static void vuser_timed_out(struct vuser *vuser, int64_t now_ns)
{
    if (answer_is_there(vuser)) {
        return;
    }
    if (session_out(&vuser->conn->session).len > 0) {
        vuser_fail(vuser, FAIL_TIMEOUT_SEND, now_ns);
    } else if (!vuser->conn->session.parse.any_byte) {
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
    case VUSER_SEEKING:
        dial_start(vuser, clock_now_ns());
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
    uint32_t request = vuser->requests;

    /* TLS may have to read before it can write. */
    if (((ready & READY_WRITE) != 0 || vuser->conn->stream.tls != NULL) &&
        session_out(&vuser->conn->session).len > 0) {
        vuser_write(vuser);
    }
    /* Writing may have ended the exchange, and what is ready spoke of its connection. */
    if (vuser->state == VUSER_ACTIVE && vuser->requests == request &&
        ((ready & ~(uint32_t)READY_WRITE) != 0 || vuser->conn->stream.wants_write)) {
        reader_read(vuser, ready);
    }
}

void vuser_ready(struct watch *watch, UNUSED struct loop *loop, uint32_t ready)
{
    struct conn *conn = (struct conn *)watch;
    struct vuser *vuser = conn->user;

    if (conn != vuser->conn) {
        conn_idle_ready(conn, ready);
        return;
    }
    switch ((enum vuser_state)vuser->state) {
    case VUSER_OPENING:
    case VUSER_CONNECTING:
        dial_ready(vuser, ready);
        if (vuser->state == VUSER_OPEN && conn->stream.tls != NULL) {
            conn_idle_ready(conn, ready); /* what came with the end of the handshake */
        }
        /* An answer may have come with the connection. */
        if (vuser->state == VUSER_ACTIVE && (ready & ~(uint32_t)READY_WRITE) != 0) {
            reader_read(vuser, ready);
        }
        return;
    case VUSER_ACTIVE:
        active_ready(vuser, ready);
        return;
    case VUSER_OPEN:
        conn_idle_ready(conn, ready);
        return;
    case VUSER_IDLE:
    case VUSER_SEEKING:
    case VUSER_PAUSED:
    case VUSER_DONE:
        return;
    }
}

bool vuser_is_busy(const struct vuser *vuser)
{
    return vuser->state == VUSER_ACTIVE || vuser->state == VUSER_CONNECTING ||
           vuser->state == VUSER_SEEKING;
}

void vuser_init(struct vuser *vuser, struct worker *worker, uint32_t number, struct conn *conns)
{
    const struct order *order = worker->order;

    *vuser = (struct vuser){ .worker = worker, .number = number, .conn = conns, .conns = conns };
    vuser->item = order->plan->items_random ? draw_item(worker)
                                            : (uint32_t)(number % order->plan->item_count);
    for (size_t i = 0; i < order->conns; i++) {
        conn_init(&conns[i], vuser);
    }
    /* What it opens before its first exchange is for that one. */
    conns->origin = order->requests[vuser->item].origin;
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
    if (vuser_is_busy(vuser)) {
        tally_unfinished(vuser->worker->tally, &vuser->exchange, answer_so_far(vuser), now_ns);
    }
    user_done(vuser);
}
