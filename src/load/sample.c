/* SPDX-License-Identifier: Apache-2.0 */
#include "load/sample.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "load/dial.h"
#include "load/follow.h"
#include "load/worker.h"

static void explain_cut(const struct session *session, const struct expect_look *look, char *text,
                        size_t size)
{
    const struct h1_parse *parse = &session->parse;

    if (look->encoded && session->exchange == NULL) {
        (void)snprintf(text, size, "%s", decode_end_text(decode_finish(look->decode)));
    } else {
        (void)snprintf(text, size,
                       parse->has_length ? "%llu of %llu body bytes" : "%llu body bytes",
                       (unsigned long long)parse->body_bytes, (unsigned long long)parse->length);
    }
}

void sample_explain(const struct expect *expect, const struct expect_look *look,
                    const struct session *session, enum fail fail, char *text, size_t size)
{
    const struct h1_parse *parse = &session->parse;
    struct str header = session_fault(session);

    text[0] = '\0';
    if (fail == FAIL_PROTOCOL) {
        (void)snprintf(text, size, "%s (byte 0x%02x%s%.*s)", h1_error_text(parse->error),
                       parse->error_byte, header.len > 0 ? " in " : "", STR_ARG(header));
    } else if (fail == FAIL_STATUS) {
        (void)snprintf(text, size, "status %u", parse->status);
    } else if (fail == FAIL_CHECK) {
        expect_explain(expect, look, parse, text, size);
    } else if (fail == FAIL_TRUNCATED) {
        explain_cut(session, look, text, size);
    } else if (fail == FAIL_TIMEOUT_BODY) {
        (void)snprintf(text, size,
                       parse->until_close ? "no length, never closed, %llu body bytes"
                                          : "%llu body bytes so far",
                       (unsigned long long)parse->body_bytes);
    }
}

/* What went wrong below the answer. */
static void explain_connection(const struct vuser *vuser, enum fail fail, char *text, size_t size)
{
    const struct conn *conn = vuser->conn;

    if (fail == FAIL_REDIRECT) {
        (void)snprintf(text, size, "%s", vuser->follow->why);
    } else if (fail == FAIL_DNS) {
        (void)snprintf(text, size, "%s", origins_why(&vuser->worker->order->origins, conn->origin));
    } else if (conn->step == CONN_TUNNEL && conn->session.parse.head_done) {
        (void)snprintf(text, size, "the proxy answers CONNECT with %u", conn->session.parse.status);
    } else if (conn->step == CONN_TUNNEL && conn->stream.error == 0) {
        (void)snprintf(text, size, "the proxy gives no answer to CONNECT");
    } else if (fail == FAIL_TLS && conn->stream.error == EPROTO) {
        (void)snprintf(text, size, "%s", tls_context_reason(vuser->worker->tls));
    } else if (conn->stream.error != 0) {
        (void)snprintf(text, size, "%s", strerrordesc_np(conn->stream.error));
    }
}

void sample_keep(struct vuser *vuser, enum fail fail, int64_t now_ns)
{
    const struct worker *worker = vuser->worker;
    char *text = worker->tally->sample[fail];
    char address[ADDRESS_TEXT_MAX] = "no address", why[RESULT_SAMPLE_MAX];

    if (text[0] != '\0') {
        return;
    }
    if (fail != FAIL_DNS) {
        (void)address_format(dial_address(vuser), address);
    }
    sample_explain(&worker->order->expect, &vuser->look, &vuser->conn->session, fail, why,
                   sizeof(why));
    if (why[0] == '\0') {
        explain_connection(vuser, fail, why, sizeof(why));
    }
    (void)snprintf(text, RESULT_SAMPLE_MAX, "user %u, %.3g ms after its start, %s%s%s",
                   vuser->number, (double)(now_ns - vuser->exchange.start_ns) / (double)MSEC_NS,
                   address, why[0] != '\0' ? ": " : "", why);
}

void sample_keep_head(struct vuser *vuser, const char *bytes, size_t n, int64_t now_ns)
{
    struct tally *tally = vuser->worker->tally;
    size_t room = TALLY_HEAD_MAX - tally->head_len;

    if (vuser != &vuser->worker->users[0]) {
        return; /* the first user's first answer */
    }
    n = n < room ? n : room;
    memcpy(tally->head + tally->head_len, bytes, n);
    tally->head_len += n;
    if (vuser->conn->session.parse.head_done) {
        tally->head_at_ns = now_ns;
        tally->head_from = *dial_address(vuser);
        if (tally->head_len > vuser->conn->session.parse.head_bytes) {
            tally->head_len = vuser->conn->session.parse.head_bytes;
        }
    }
}
