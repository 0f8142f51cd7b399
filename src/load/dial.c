/* SPDX-License-Identifier: Apache-2.0 */
#include "load/dial.h"

#include <errno.h>

#include "base/clock.h"
#include "load/worker.h"

enum { LINE_FULL_MS = 1 };

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

const struct address *dial_address(const struct vuser *vuser)
{
    const struct worker *worker = vuser->worker;
    size_t at = (worker->to_first + vuser->addresses_tried) % worker->order->to.count;

    return &worker->order->to.items[at];
}

/* The next source address when ports ran out on one, the next address of the target otherwise. */
static bool connect_elsewhere(struct vuser *vuser, enum fail fail)
{
    const struct order *order = vuser->worker->order;

    if (fail == FAIL_NO_DESCRIPTOR) {
        return false;
    }
    if (fail == FAIL_NO_PORT) {
        return ++vuser->binds_tried < order->from_count;
    }
    if (vuser->addresses_tried + 1U >= order->to.count) {
        return false;
    }
    vuser->addresses_tried++;
    return true;
}

void dial_failed(struct vuser *vuser, enum fail fail, int64_t now_ns)
{
    vuser_close(vuser);
    if (connect_elsewhere(vuser, fail)) {
        dial_start(vuser, now_ns);
    } else if (vuser->state == VUSER_OPENING) {
        vuser->state = VUSER_OPEN; /* its first exchange tries again and tells why not */
        timer_clear(&vuser->timer);
        worker_user_opened(vuser->worker);
    } else {
        vuser_fail(vuser, fail, now_ns);
    }
}

static const struct address *next_source(struct worker *worker)
{
    if (worker->order->from_count == 0) {
        return NULL;
    }
    return &worker->order->from[worker->from_next++ % worker->order->from_count];
}

void dial_watch(struct vuser *vuser, bool writes)
{
    struct loop *loop = &vuser->worker->loop;

    bool watched = writes ? loop_watch(loop, vuser->stream.fd, &vuser->watch)
                          : loop_watch_reader(loop, vuser->stream.fd, &vuser->watch);

    vuser->writes_watched = writes;
    vuser->level = false;
    if (!watched) {
        dial_failed(vuser, FAIL_NO_DESCRIPTOR, clock_now_ns()); /* the kernel's limit of watches */
    }
}

void dial_connected(struct vuser *vuser, int64_t now_ns)
{
    struct worker *worker = vuser->worker;

    vuser->refused = 0;
    /* What works is tried first from now on. */
    worker->to_first =
        (uint32_t)((worker->to_first + vuser->addresses_tried) % worker->order->to.count);
    vuser->addresses_tried = 0;
    vuser->exchange.connected_ns = now_ns;
    /* Kept-alive connections are few, and most are made before the measured time. */
    if (!worker->order->plan->close) {
        hist_record(&worker->tally->latency[LATENCY_CONNECT],
                    now_ns - vuser->exchange.connect_start_ns);
    }
    if (vuser->connected_before && !worker->order->plan->close) {
        tally_reconnected(worker->tally, &vuser->exchange);
    }
    vuser->connected_before = true;
    if (vuser->state == VUSER_OPENING) {
        vuser->exchange.connected_ns = 0;
        vuser->state = VUSER_OPEN;
        timer_clear(&vuser->timer);
        worker_user_opened(worker);
        return;
    }
    vuser->state = VUSER_ACTIVE;
    session_submit(&vuser->session, &vuser->exchange);
    timer_set(&vuser->timer, &worker->loop, now_ns + worker->order->plan->timeout_ns);
}

/* Opens the socket and, since a connection on the same machine or to a unix socket stands at once,
 * sends without waiting for the loop. */
void dial_start(struct vuser *vuser, int64_t now_ns)
{
    struct worker *worker = vuser->worker;
    const struct address *to = dial_address(vuser);
    struct stream_options options = { .bind = next_source(worker),
                                      .stamps = worker->order->stamped,
                                      .buffer_bytes = (int)worker->order->plan->buffer_bytes };
    bool opening = vuser->state == VUSER_OPENING;

    if (vuser->exchange.connect_start_ns == 0) {
        vuser->exchange.connect_start_ns = now_ns;
    }
    if (!opening) {
        vuser->state = VUSER_CONNECTING;
    }
    if (!stream_connect(&vuser->stream, to, &options)) {
        if (vuser->stream.error == EAGAIN && !vuser->stream.tcp) {
            /* A unix socket whose line of waiting connections is full: where TCP would wait. */
            timer_set(&vuser->timer, &worker->loop, now_ns + LINE_FULL_MS * MSEC_NS);
            return;
        }
        dial_failed(vuser, dial_fail_of(vuser->stream.error), clock_now_ns());
        return;
    }
    worker->tally->open++;
    vuser->writes_watched = false; /* what the last connection was watched for is over */
    session_begin(&vuser->session, worker->order->plan->close);
    timer_set(&vuser->timer, &worker->loop, now_ns + worker->order->plan->connect_timeout_ns);
    if (opening) {
        dial_watch(vuser, true);
    } else {
        vuser_write(vuser);
    }
}

void dial_ready(struct vuser *vuser, uint32_t ready)
{
    int64_t now_ns = clock_now_ns();
    int error = 0;

    if ((ready & (READY_ERROR | READY_HANGUP)) != 0) {
        error = stream_connect_error(&vuser->stream);
        error = error != 0 ? error : ECONNRESET;
    } else if ((ready & READY_WRITE) == 0) {
        return;
    }
    if (error != 0) {
        vuser->stream.error = error;
        dial_failed(vuser, dial_fail_of(error), now_ns);
        return;
    }
    if (vuser->state != VUSER_OPENING) {
        vuser_write(vuser);
        return;
    }
    dial_connected(vuser, now_ns);
    if ((ready & ~(uint32_t)READY_WRITE) != 0) {
        vuser_close(vuser); /* closed, or an answer that nobody asked for */
    }
}

void dial_due(struct vuser *vuser, int64_t now_ns)
{
    int64_t limit_ns = vuser->worker->order->plan->connect_timeout_ns;
    uint64_t iteration = vuser->exchange.iteration;

    if (now_ns - vuser->exchange.connect_start_ns < limit_ns && vuser->stream.fd < 0) {
        dial_start(vuser, now_ns);
        return;
    }
    if (vuser->state == VUSER_CONNECTING && vuser->stream.fd >= 0) {
        /* After a stall of this side it may stand long since. */
        vuser_write(vuser);
        if (vuser->state != VUSER_CONNECTING || vuser->exchange.iteration != iteration) {
            return;
        }
    }
    dial_failed(vuser, FAIL_CONNECT_TIMEOUT, now_ns);
}
