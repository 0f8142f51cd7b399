/* SPDX-License-Identifier: Apache-2.0 */
#include "load/dial.h"

#include <errno.h>

#include "base/clock.h"
#include "load/worker.h"

enum { LINE_FULL_MS = 1, SEEK_AGAIN_MS = 10, PORTS_A_WINDOW = 32, WINDOWS_TRIED_MAX = 16 };

enum fail dial_fail_of(int error)
{
    switch (error) {
    case ECONNREFUSED:
        return FAIL_CONNECT_REFUSED;
    case EADDRNOTAVAIL:
        return FAIL_NO_PORT;
    case EMFILE:
    case ENFILE:
        return FAIL_NO_DESCRIPTOR;
    case ETIMEDOUT:
        return FAIL_CONNECT_TIMEOUT;
    case ECONNRESET:
    case EPIPE:
        return FAIL_RESET; /* it stood, and was thrown away before the request was out */
    default:
        return FAIL_CONNECT_OTHER;
    }
}

static const struct origin *origin_of(const struct vuser *vuser)
{
    return &vuser->worker->order->origins.items[vuser->conn->origin];
}

static struct origin_state *state_of(const struct vuser *vuser)
{
    return &vuser->worker->origins[vuser->conn->origin];
}

static size_t address_index(const struct vuser *vuser)
{
    return (state_of(vuser)->to_first + vuser->addresses_tried) % origin_of(vuser)->to.count;
}

const struct address *dial_address(const struct vuser *vuser)
{
    return &origin_of(vuser)->to.items[address_index(vuser)];
}

/* The next source address when ports ran out on one, the next address of the target otherwise. */
static bool connect_elsewhere(struct vuser *vuser, enum fail fail)
{
    if (fail == FAIL_NO_DESCRIPTOR || vuser->conn->stands) {
        return false;
    }
    if (fail == FAIL_NO_PORT) {
        return ++vuser->binds_tried < vuser->worker->order->origins.from_count;
    }
    if (vuser->addresses_tried + 1U >= origin_of(vuser)->to.count) {
        return false;
    }
    vuser->addresses_tried++;
    return true;
}

void dial_failed(struct vuser *vuser, enum fail fail, int64_t now_ns)
{
    bool elsewhere = connect_elsewhere(vuser, fail);

    if (elsewhere) {
        conn_close(vuser->conn);
        dial_start(vuser, now_ns);
    } else if (vuser->state == VUSER_OPENING) {
        conn_close(vuser->conn);
        vuser->state = VUSER_OPEN; /* its first exchange tries again and tells why not */
        timer_clear(&vuser->timer);
        worker_user_opened(vuser->worker);
    } else {
        vuser_fail(vuser, fail, now_ns);
    }
}

/* The next in turn that can reach the address. */
static const struct address *next_source(struct worker *worker, const struct address *to)
{
    const struct origins *origins = &worker->order->origins;

    for (size_t i = 0; i < origins->from_count; i++) {
        const struct address *from = &origins->from[worker->from_next++ % origins->from_count];

        if (from->u.sa.sa_family == to->u.sa.sa_family) {
            return from;
        }
    }
    return NULL;
}

static void watch(struct vuser *vuser, bool writes)
{
    if (!conn_watch(vuser->conn, writes)) {
        dial_failed(vuser, FAIL_NO_DESCRIPTOR, clock_now_ns()); /* the kernel's limit of watches */
    }
}

/* Kept-alive connections are few, and most are made before the measured time: their phases are
 * recorded as they come, those of short ones with their exchanges. */
static void record(struct vuser *vuser, enum latency latency, int64_t from_ns, int64_t to_ns)
{
    if (!vuser->worker->order->plan->close) {
        hist_record(&vuser->worker->tally->latency[latency], to_ns - from_ns);
    }
}

void dial_stands(struct vuser *vuser, int64_t now_ns)
{
    vuser->conn->stands = true;
    /* What works is tried first from now on. */
    state_of(vuser)->to_first = (uint32_t)address_index(vuser);
    state_of(vuser)->connections[state_of(vuser)->to_first]++;
    vuser->addresses_tried = 0;
    vuser->exchange.connected_ns = now_ns;
}

void dial_done(struct vuser *vuser, int64_t now_ns)
{
    struct worker *worker = vuser->worker;
    struct conn *conn = vuser->conn;
    struct exchange *exchange = &vuser->exchange;

    conn->step = CONN_READY;
    vuser->refused = 0;
    record(vuser, LATENCY_CONNECT, exchange->connect_start_ns, exchange->connected_ns);
    if (exchange->secured_ns != 0) {
        record(vuser, LATENCY_TLS, exchange->connected_ns, exchange->secured_ns);
    }
    if (conn->opened_before && !worker->order->plan->close) {
        tally_reconnected(worker->tally, exchange);
    }
    conn->opened_before = true;
    if (vuser->state == VUSER_OPENING) {
        exchange->connected_ns = 0;
        vuser->state = VUSER_OPEN;
        timer_clear(&vuser->timer);
        worker_user_opened(worker);
        return;
    }
    vuser->state = VUSER_ACTIVE;
    timer_set(&vuser->timer, &worker->loop, now_ns + worker->order->plan->timeout_ns);
}

/* The way to the origin is open, and nothing but the exchange is missing. */
static void carry(struct vuser *vuser, int64_t now_ns)
{
    bool opening = vuser->state == VUSER_OPENING;

    session_begin(&vuser->conn->session, vuser->worker->order->plan->close);
    dial_done(vuser, now_ns);
    if (!opening) {
        session_submit(&vuser->conn->session, &vuser->exchange);
        vuser->exchange.send_start_ns = now_ns;
        vuser_write(vuser);
    }
}

void dial_await(struct vuser *vuser, bool writes)
{
    struct conn *conn = vuser->conn;

    if (!conn->watched) {
        watch(vuser, writes);
    } else if (writes) {
        (void)conn_await_write(conn);
    }
}

static void shake(struct vuser *vuser)
{
    struct conn *conn = vuser->conn;
    struct stream *stream = &conn->stream;
    int64_t now_ns = clock_now_ns();
    enum io io = tls_handshake(stream);
    /* The first bytes of it are the first that go over the connection. */
    bool stands = io == IO_WAIT ? !stream->wants_write : io == IO_DONE || stream->error == EPROTO;

    if (!conn->stands && stands) {
        dial_stands(vuser, now_ns);
    }
    switch (io) {
    case IO_WAIT:
        dial_await(vuser, stream->wants_write);
        return;
    case IO_EOF:
    case IO_FAIL:
        dial_failed(vuser, conn->stands ? FAIL_TLS : dial_fail_of(stream->error), clock_now_ns());
        return;
    case IO_DONE:
        break;
    }
    now_ns = clock_now_ns();
    vuser->worker->shaking--;
    conn->step = CONN_READY;
    vuser->exchange.secured_ns = now_ns;
    carry(vuser, now_ns);
}

static void secure_or_carry(struct vuser *vuser, int64_t now_ns)
{
    if (origin_of(vuser)->tls) {
        vuser->conn->step = CONN_TLS;
        vuser->worker->shaking++;
        tls_start(&vuser->conn->stream, vuser->worker->tls, &state_of(vuser)->peer);
        shake(vuser);
    } else {
        carry(vuser, now_ns);
    }
}

static void ask_tunnel(struct vuser *vuser)
{
    struct conn *conn = vuser->conn;
    int64_t now_ns = clock_now_ns();
    size_t n = 0;

    switch (stream_write(&conn->stream, session_out(&conn->session), &n)) {
    case IO_WAIT:
        dial_await(vuser, true);
        return;
    case IO_EOF:
    case IO_FAIL:
        dial_failed(vuser, dial_fail_of(conn->stream.error), now_ns);
        return;
    case IO_DONE:
        break;
    }
    if (!conn->stands) {
        dial_stands(vuser, now_ns);
    }
    session_sent(&conn->session, n);
    dial_await(vuser, session_out(&conn->session).len > 0);
}

/* What the proxy says to CONNECT. Behind its answer nothing can follow: on what it opens the client
 * speaks first. */
static void hear_tunnel(struct vuser *vuser)
{
    struct conn *conn = vuser->conn;
    struct worker *worker = vuser->worker;
    struct session *session = &conn->session;
    struct stream_read read =
        stream_read(&conn->stream, STREAM_COPY, worker->buffer, WORKER_READ_BYTES);
    int64_t now_ns = clock_now_ns();
    enum session_event event = SESSION_MORE;

    if (read.io == IO_WAIT) {
        return;
    }
    if (read.io == IO_DONE) {
        event = session_feed(session, (struct str){ worker->buffer, read.n });
    }
    if (read.io == IO_DONE && event == SESSION_MORE && !session->parse.head_done) {
        return;
    }
    if (event != SESSION_DONE || session->parse.status / 100 != 2) {
        dial_failed(vuser, FAIL_CONNECT_OTHER, now_ns);
        return;
    }
    vuser->exchange.connected_ns = now_ns;
    secure_or_carry(vuser, now_ns);
}

/* The socket is there: whatever goes over it first shows whether it stands. */
static void go_on(struct vuser *vuser)
{
    struct conn *conn = vuser->conn;

    if (origin_of(vuser)->connect != NULL) {
        conn->step = CONN_TUNNEL;
        session_begin(&conn->session, false);
        session_submit(&conn->session, &state_of(vuser)->tunnel);
        ask_tunnel(vuser);
    } else if (origin_of(vuser)->tls) {
        secure_or_carry(vuser, clock_now_ns());
    } else if (vuser->state == VUSER_OPENING) {
        watch(vuser, true);
    } else {
        session_begin(&conn->session, vuser->worker->order->plan->close);
        session_submit(&conn->session, &vuser->exchange);
        vuser_write(vuser);
    }
}

/* A redirect led to an origin that is not known yet. */
static bool is_found(struct vuser *vuser, int64_t now_ns)
{
    struct worker *worker = vuser->worker;
    uint16_t origin = vuser->conn->origin;

    switch (origins_state(&worker->order->origins, origin)) {
    case ORIGIN_FOUND:
        if (worker->origins[origin].tunnel.kind != H1_REQUEST_CONNECT) {
            origin_state_init(&worker->origins[origin], origin_of(vuser));
        }
        return true;
    case ORIGIN_SOUGHT:
        vuser->state = VUSER_SEEKING;
        timer_set(&vuser->timer, &worker->loop, now_ns + SEEK_AGAIN_MS * MSEC_NS);
        return false;
    case ORIGIN_LOST:
        vuser_fail(vuser, FAIL_DNS, now_ns);
        return false;
    }
    return false;
}

/* Once half of the local ports of a source address are taken, the kernel looks through all of them
 * for each connect, which takes it up to a millisecond. So it is given few to look at: a window,
 * the next one each time. */
static void next_ports(struct worker *worker, struct stream_options *options)
{
    const struct order *order = worker->order;
    unsigned windows = (order->port_high + 1 - order->port_low) / PORTS_A_WINDOW;
    /* Workers begin at different places. */
    unsigned first = windows / order->threads * worker->index;
    unsigned window = (first + worker->port_next++) % windows;

    options->port_low = (uint16_t)(order->port_low + window * PORTS_A_WINDOW);
    options->port_high = (uint16_t)(options->port_low + PORTS_A_WINDOW - 1);
}

/* As stream_connect(), from one of the next windows of ports or, when all of these are full, from
 * any. */
static bool connect_from_window(struct worker *worker, struct stream *stream,
                                const struct address *to, struct stream_options *options)
{
    for (int i = 0; i < WINDOWS_TRIED_MAX; i++) {
        next_ports(worker, options);
        if (stream_connect(stream, to, options)) {
            return true;
        }
        if (stream->error != EADDRNOTAVAIL) {
            return false;
        }
    }
    options->port_low = options->port_high = 0;
    return stream_connect(stream, to, options);
}

static bool connect_to(struct worker *worker, struct stream *stream, const struct address *to,
                       struct stream_options *options)
{
    return worker->order->port_low > 0 ? connect_from_window(worker, stream, to, options)
                                       : stream_connect(stream, to, options);
}

static void dial(struct vuser *vuser, int64_t now_ns)
{
    struct worker *worker = vuser->worker;
    struct conn *conn = vuser->conn;
    const struct address *to = dial_address(vuser);
    struct stream_options options = { .bind = next_source(worker, to),
                                      .stamps = worker->order->stamped,
                                      .buffer_bytes = (int)worker->order->plan->buffer_bytes };

    if (vuser->exchange.connect_start_ns == 0) {
        vuser->exchange.connect_start_ns = now_ns;
    }
    vuser->state = vuser->state == VUSER_OPENING ? VUSER_OPENING : VUSER_CONNECTING;
    if (!connect_to(worker, &conn->stream, to, &options)) {
        if (conn->stream.error == EAGAIN && !conn->stream.tcp) {
            /* A unix socket whose line of waiting connections is full: where TCP would wait. */
            timer_set(&vuser->timer, &worker->loop, now_ns + LINE_FULL_MS * MSEC_NS);
            return;
        }
        dial_failed(vuser, dial_fail_of(conn->stream.error), clock_now_ns());
        return;
    }
    worker->tally->open++;
    conn->step = CONN_TCP;
    timer_set(&vuser->timer, &worker->loop, now_ns + worker->order->plan->connect_timeout_ns);
    go_on(vuser);
}

void dial_start(struct vuser *vuser, int64_t now_ns)
{
    if (is_found(vuser, now_ns)) {
        dial(vuser, now_ns);
    }
}

/* A user that only opens a bare connection waits until it can be written to. */
static void opened(struct vuser *vuser, uint32_t ready)
{
    int64_t now_ns = clock_now_ns();

    dial_stands(vuser, now_ns);
    carry(vuser, now_ns);
    if ((ready & ~(uint32_t)READY_WRITE) != 0) {
        conn_close(vuser->conn); /* closed, or an answer that nobody asked for */
    }
}

static bool connect_went_wrong(struct vuser *vuser, uint32_t ready)
{
    struct conn *conn = vuser->conn;
    int error;

    if (conn->stands || (ready & (READY_ERROR | READY_HANGUP)) == 0) {
        return false;
    }
    error = stream_connect_error(&conn->stream);
    conn->stream.error = error != 0 ? error : ECONNRESET;
    dial_failed(vuser, dial_fail_of(conn->stream.error), clock_now_ns());
    return true;
}

void dial_ready(struct vuser *vuser, uint32_t ready)
{
    struct conn *conn = vuser->conn;

    if (connect_went_wrong(vuser, ready) || (!conn->stands && (ready & READY_WRITE) == 0)) {
        return;
    }
    switch ((enum conn_step)conn->step) {
    case CONN_TCP:
        if (vuser->state == VUSER_OPENING) {
            opened(vuser, ready);
        } else {
            vuser_write(vuser);
        }
        return;
    case CONN_TUNNEL:
        if (session_out(&conn->session).len > 0) {
            ask_tunnel(vuser);
        } else {
            hear_tunnel(vuser);
        }
        return;
    case CONN_TLS:
        shake(vuser);
        return;
    case CONN_CLOSED:
    case CONN_READY:
        return;
    }
}

static enum fail fail_of_delay(const struct conn *conn)
{
    return conn->step == CONN_TLS && conn->stands ? FAIL_TLS : FAIL_CONNECT_TIMEOUT;
}

void dial_due(struct vuser *vuser, int64_t now_ns)
{
    struct conn *conn = vuser->conn;
    int64_t limit_ns = vuser->worker->order->plan->connect_timeout_ns;
    uint32_t request = vuser->requests;
    unsigned tried = vuser->addresses_tried + vuser->binds_tried;

    if (now_ns - vuser->exchange.connect_start_ns < limit_ns && conn->step == CONN_CLOSED) {
        dial_start(vuser, now_ns);
        return;
    }
    if (vuser->state == VUSER_CONNECTING && conn->step != CONN_CLOSED) {
        /* After a stall of this side it may stand long since. */
        dial_ready(vuser, READY_READ | READY_WRITE);
        if (vuser->state != VUSER_CONNECTING || vuser->requests != request ||
            vuser->addresses_tried + vuser->binds_tried != tried) {
            return;
        }
    }
    conn->stream.error = ETIMEDOUT;
    dial_failed(vuser, fail_of_delay(conn), now_ns);
}
