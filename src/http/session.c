/* SPDX-License-Identifier: Apache-2.0 */
#include "http/session.h"

#include <assert.h>

void session_begin(struct session *session, bool close)
{
    *session = (struct session){ .close_asked = close };
}

void session_submit(struct session *session, struct exchange *exchange)
{
    assert(session_room(session));
    h1_parse_begin(&session->parse, exchange->kind);
    session->parse.sink = exchange->sink;
    session->exchange = exchange;
    session->out = exchange->request;
    session->exchanges++;
}

struct session_want session_want(const struct session *session)
{
    /* What a sink wants to see must be read. */
    uint64_t left = session->parse.sink == NULL ? h1_body_left(&session->parse) : 0;

    return (struct session_want){ .discard = left > 0, .max = left };
}

static enum session_event session_end(struct session *session, enum parse parse)
{
    switch (parse) {
    case PARSE_MORE:
        return SESSION_MORE;
    case PARSE_ERROR:
        session->broken = true;
        return SESSION_ERROR;
    case PARSE_DONE:
        break;
    }
    /* Answered before the request was sent whole: what is left of it would be taken for the next.
     */
    if (!session->parse.keep_alive || session->close_asked || session->out.len > 0) {
        session->broken = true;
    }
    session->exchange = NULL;
    return SESSION_DONE;
}

enum session_event session_feed(struct session *session, struct str in)
{
    size_t used = 0;
    enum session_event event;

    if (session->exchange == NULL) {
        session->broken = true;
        return SESSION_ERROR;
    }
    event = session_end(session, h1_parse(&session->parse, in, &used));
    if (event == SESSION_ERROR) {
        session->fault = h1_name_around(in, used);
    }
    if (event == SESSION_DONE && used < in.len) {
        session->broken = true;
    }
    return event;
}

enum session_event session_skip(struct session *session, uint64_t n)
{
    return session_end(session, h1_skip(&session->parse, n));
}

enum session_event session_eof(struct session *session)
{
    session->broken = true;
    if (session->exchange == NULL) {
        return SESSION_MORE;
    }
    return session_end(session, h1_parse_eof(&session->parse));
}
