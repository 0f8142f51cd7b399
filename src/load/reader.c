/* SPDX-License-Identifier: Apache-2.0 */
#include "load/reader.h"

#include "base/clock.h"
#include "load/follow.h"
#include "load/sample.h"
#include "load/stamps.h"
#include "load/worker.h"

enum {
    HEAD_READ_BYTES = 1 << 10, /* read to get a head when a large body follows */
    READS_A_TURN = 16,
    WANT_MAX = 512 << 10, /* cap of SO_RCVLOWAT */
};

static bool may_discard(const struct vuser *vuser, const struct session_want *want)
{
    return want->discard && want->max >= READER_LARGE_BYTES &&
           stream_can_discard(&vuser->conn->stream) && vuser->worker->order->tap == NULL;
}

static enum session_event feed(struct vuser *vuser, struct str bytes)
{
    struct session *session = &vuser->conn->session;
    bool in_head = vuser->follow != NULL && !session->parse.head_done;
    enum session_event event;

    if (in_head) {
        follow_hear(vuser->follow, bytes);
    }
    event = session_feed(session, bytes);
    if (in_head) {
        follow_heard(vuser->follow, &session->parse, event == SESSION_DONE);
    }
    return event;
}

/* One read; what it was worth. */
static enum session_event take(struct vuser *vuser, struct stream_read *ret_read,
                               int64_t *ret_now_ns)
{
    struct worker *worker = vuser->worker;
    struct session_want want = session_want(&vuser->conn->session);
    bool discard = may_discard(vuser, &want);
    bool begins = vuser->exchange.bytes_in == 0;

    if (discard) {
        *ret_read = stream_read(&vuser->conn->stream, STREAM_DISCARD, worker->buffer,
                                want.max < INT32_MAX ? (size_t)want.max : INT32_MAX);
    } else {
        size_t max = worker->large_bodies && vuser->exchange.first_byte_ns == 0 &&
                             stream_can_discard(&vuser->conn->stream)
                         ? HEAD_READ_BYTES
                         : WORKER_READ_BYTES;
        *ret_read = stream_read(&vuser->conn->stream, STREAM_COPY, worker->buffer, max);
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
        return session_skip(&vuser->conn->session, ret_read->n);
    }
    if (worker->order->tap != NULL) {
        worker->order->tap->take(worker->order->tap, vuser->number, begins,
                                 (struct str){ worker->buffer, ret_read->n });
    }
    enum session_event event = feed(vuser, (struct str){ worker->buffer, ret_read->n });
    if (worker->tally->head_at_ns == 0) {
        sample_keep_head(vuser, worker->buffer, ret_read->n, *ret_now_ns);
    }
    return event;
}

/* More of a large body is to come: the loop need not tell of every segment. But while the request
 * is still being sent it must tell of room to send, which the server may be waiting for. */
static void want_rest(struct vuser *vuser)
{
    struct session_want want = session_want(&vuser->conn->session);

    if (!may_discard(vuser, &want) || session_out(&vuser->conn->session).len > 0) {
        stream_want(&vuser->conn->stream, 1);
        return;
    }
    if (!vuser->conn->level) {
        vuser->conn->level =
            loop_watch_level(&vuser->worker->loop, vuser->conn->stream.fd, &vuser->conn->watch);
        vuser->conn->writes_watched = false;
    }
    if (vuser->conn->level) {
        stream_want(&vuser->conn->stream, want.max < WANT_MAX ? (uint32_t)want.max : WANT_MAX);
    }
}

static void ended(struct vuser *vuser, uint32_t ready)
{
    int64_t now_ns = clock_now_ns();

    vuser->conn->stream.error = vuser->send_error;
    if (session_eof(&vuser->conn->session) == SESSION_DONE) {
        if (vuser->exchange.first_byte_ns != 0) {
            vuser->exchange.done_ns = now_ns; /* the end of the stream was the end of the answer */
            vuser->exchange.dwell_ns = -1;
            vuser->worker->ends_unstamped = true;
        }
        vuser->worker->tally->unclean_ends += vuser->conn->stream.unclean;
        vuser_complete(vuser, now_ns, ready | READY_PEER_CLOSED);
        return;
    }
    vuser_stream_failed(vuser);
}

void reader_read(struct vuser *vuser, uint32_t ready)
{
    for (int reads = 1;; reads++) {
        struct stream_read read;
        int64_t now_ns = 0;
        enum session_event event = take(vuser, &read, &now_ns);

        if (read.io == IO_WAIT) {
            if (vuser->conn->stream.wants_write) {
                (void)conn_await_write(vuser->conn);
            }
            return;
        }
        if (read.io == IO_EOF) {
            ended(vuser, ready);
            return;
        }
        if (read.io == IO_FAIL) {
            vuser_stream_failed(vuser);
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
        if ((read.drained || vuser->conn->level) && (ready & READY_PEER_CLOSED) == 0) {
            return;
        }
        /* A body that never ends must not keep the others, and the time-outs, from their turn. */
        if (reads >= READS_A_TURN && !stream_over(&vuser->conn->stream)) {
            conn_yield(vuser->conn);
            return;
        }
    }
}
