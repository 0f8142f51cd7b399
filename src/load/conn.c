/* SPDX-License-Identifier: Apache-2.0 */
#include "load/conn.h"

#include "load/vuser.h"
#include "load/worker.h"

void conn_init(struct conn *conn, struct vuser *user)
{
    *conn = (struct conn){ .watch = { vuser_ready }, .user = user };
    conn->stream.fd = -1;
}

static struct loop *loop_of(const struct conn *conn)
{
    return &conn->user->worker->loop;
}

bool conn_watch(struct conn *conn, bool writes)
{
    conn->watched = writes ? loop_watch(loop_of(conn), conn->stream.fd, &conn->watch)
                           : loop_watch_reader(loop_of(conn), conn->stream.fd, &conn->watch);
    conn->writes_watched = writes;
    conn->level = false;
    return conn->watched;
}

bool conn_await_write(struct conn *conn)
{
    if (!conn->watched) {
        return conn_watch(conn, true);
    }
    if (!conn->writes_watched) {
        conn_yield(conn);
    }
    return true;
}

void conn_yield(struct conn *conn)
{
    conn->level = false;
    conn->writes_watched = true;
    (void)loop_rewatch(loop_of(conn), conn->stream.fd, &conn->watch);
}

static void forget(struct conn *conn)
{
    loop_forget(loop_of(conn), &conn->watch);
    conn->user->worker->tally->open--;
    conn->user->worker->shaking -= conn->step == CONN_TLS;
    conn->step = CONN_CLOSED;
    conn->session.exchange = NULL;
    conn->watched = conn->stands = conn->level = conn->writes_watched = false;
}

void conn_close(struct conn *conn)
{
    if (conn->step != CONN_CLOSED) {
        forget(conn);
        stream_close(&conn->stream);
    }
}

void conn_leave(struct conn *conn)
{
    forget(conn);
    worker_linger(conn->user->worker, &conn->stream);
}

void conn_idle_ready(struct conn *conn, uint32_t ready)
{
    struct worker *worker = conn->user->worker;

    if ((ready & ~(uint32_t)READY_WRITE) == 0) {
        return;
    }
    /* A ticket, say. Anything else is the end, or an answer that nobody asked for. */
    if (conn->stream.tls != NULL && (ready & (READY_PEER_CLOSED | READY_HANGUP)) == 0 &&
        stream_read(&conn->stream, STREAM_COPY, worker->buffer, WORKER_READ_BYTES).io == IO_WAIT) {
        return;
    }
    conn_close(conn);
}
