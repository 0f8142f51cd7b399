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
    session->name = (struct h1_name){ 0 };
    session->out = exchange->request;
    session->rest = exchange->body;
    session->close_asked = session->close_asked || exchange->closes;
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
    if (!session->parse.keep_alive || session->close_asked || session_out(session).len > 0) {
        session->broken = true;
    }
    session->exchange = NULL;
    return SESSION_DONE;
}

/* What the parser took in of a broken head or trailer, so that the header at fault has its name. Of
 * a trailer only lines that begin in this piece are known. */
static void name_broken(struct session *session, struct str in)
{
    if (session->parse.head_done) {
        session->name = (struct h1_name){ 0 };
        in = str_from(in, str_find(in, '\n') + 1);
    }
    h1_name_take(&session->name, in);
}

struct str session_fault(const struct session *session)
{
    enum h1_error error = session->parse.error;
    bool of_header =
        error == H1_ERROR_HEADER_NAME || error == H1_ERROR_CONTROL_BYTE || error == H1_ERROR_LENGTH;

    return of_header ? h1_name_text(&session->name) : (struct str){ NULL, 0 };
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
    if (event == SESSION_MORE && !session->parse.head_done) {
        h1_name_take(&session->name, in);
    }
    if (event == SESSION_ERROR) {
        name_broken(session, (struct str){ in.p, used });
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
