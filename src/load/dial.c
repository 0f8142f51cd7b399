/* SPDX-License-Identifier: Apache-2.0 */
#include "load/dial.h"

#include <errno.h>

#include "base/clock.h"
#include "load/worker.h"

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
    default:
        return FAIL_CONNECT_OTHER;
    }
}

/* The next source address when ports ran out on one, the next address of the target otherwise. */
static bool connect_elsewhere(struct vuser *vuser, enum fail fail)
{
    struct worker *worker = vuser->worker;

    if (fail == FAIL_NO_DESCRIPTOR) {
        return false;
    }
    if (fail == FAIL_NO_PORT) {
        return ++vuser->binds_tried < worker->order->from_count;
    }
    if (++vuser->addresses_tried >= worker->order->to.count) {
        return false;
    }
    worker->to_first = (worker->to_first + 1) % (uint32_t)worker->order->to.count;
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

    vuser->writes_watched = writes;
    vuser->level = false;
    if (writes) {
        (void)loop_watch(loop, vuser->stream.fd, &vuser->watch);
    } else {
        (void)loop_watch_reader(loop, vuser->stream.fd, &vuser->watch);
    }
}

void dial_connected(struct vuser *vuser, int64_t now_ns)
{
    struct worker *worker = vuser->worker;

    vuser->refused = 0;
    vuser->exchange.connected_ns = now_ns;
    if (vuser->connected_before && !worker->order->plan->close) {
        tally_reconnected(worker->tally, &vuser->exchange);
    }
    vuser->connected_before = true;
    if (vuser->state == VUSER_OPENING) {
        hist_record(&worker->tally->latency[LATENCY_CONNECT],
                    now_ns - vuser->exchange.connect_start_ns);
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
    const struct address *to = &worker->order->to.items[worker->to_first];
    struct stream_options options = { .bind = next_source(worker),
                                      .stamps = worker_wants_stamps(worker) };
    bool opening = vuser->state == VUSER_OPENING;

    if (vuser->exchange.connect_start_ns == 0) {
        vuser->exchange.connect_start_ns = now_ns;
    }
    if (!opening) {
        vuser->state = VUSER_CONNECTING;
    }
    if (!stream_connect(&vuser->stream, to, &options)) {
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
    if (vuser->state == VUSER_OPENING) {
        dial_connected(vuser, now_ns);
    } else {
        vuser_write(vuser);
    }
}
