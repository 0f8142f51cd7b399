/* SPDX-License-Identifier: Apache-2.0 */
#include "load/sample.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "load/dial.h"
#include "load/follow.h"
#include "load/worker.h"

void sample_keep(struct vuser *vuser, enum fail fail, int64_t now_ns)
{
    const struct exchange *exchange = &vuser->exchange;
    const struct h1_parse *parse = &vuser->conn->session.parse;
    char *text = vuser->worker->tally->sample[fail];
    char address[ADDRESS_TEXT_MAX];
    size_t used;

    if (text[0] != '\0') {
        return;
    }
    (void)snprintf(text, RESULT_SAMPLE_MAX, "user %u, %.3g ms after its start, %s", vuser->number,
                   (double)(now_ns - exchange->start_ns) / (double)MSEC_NS,
                   address_format(dial_address(vuser), address));
    used = strlen(text);
    if (fail == FAIL_PROTOCOL) {
        struct str header = session_fault(&vuser->conn->session);

        (void)snprintf(text + used, RESULT_SAMPLE_MAX - used, ": %s (byte 0x%02x%s%.*s)",
                       h1_error_text(parse->error), parse->error_byte, header.len > 0 ? " in " : "",
                       STR_ARG(header));
    } else if (fail == FAIL_STATUS) {
        (void)snprintf(text + used, RESULT_SAMPLE_MAX - used, ": status %u", parse->status);
    } else if (fail == FAIL_CHECK) {
        (void)snprintf(text + used, RESULT_SAMPLE_MAX - used, ": ");
        expect_explain(&vuser->worker->order->expect, &vuser->look, parse, text + used + 2,
                       RESULT_SAMPLE_MAX - used - 2);
    } else if (fail == FAIL_REDIRECT) {
        (void)snprintf(text + used, RESULT_SAMPLE_MAX - used, ": %s", vuser->follow->why);
    } else if (fail == FAIL_TRUNCATED && vuser->look.encoded &&
               vuser->conn->session.exchange == NULL) {
        (void)snprintf(text + used, RESULT_SAMPLE_MAX - used, ": %s",
                       decode_end_text(decode_finish(vuser->look.decode)));
    } else if (fail == FAIL_TRUNCATED) {
        (void)snprintf(text + used, RESULT_SAMPLE_MAX - used,
                       parse->has_length ? ": %llu of %llu body bytes" : ": %llu body bytes",
                       (unsigned long long)parse->body_bytes, (unsigned long long)parse->length);
    } else if (fail == FAIL_TIMEOUT_BODY) {
        (void)snprintf(text + used, RESULT_SAMPLE_MAX - used,
                       parse->until_close ? ": no length, never closed, %llu body bytes"
                                          : ": %llu body bytes so far",
                       (unsigned long long)parse->body_bytes);
    } else if (vuser->conn->step == CONN_TUNNEL && parse->head_done) {
        (void)snprintf(text + used, RESULT_SAMPLE_MAX - used, ": the proxy answers CONNECT with %u",
                       parse->status);
    } else if (fail == FAIL_TLS && vuser->conn->stream.error == EPROTO) {
        (void)snprintf(text + used, RESULT_SAMPLE_MAX - used, ": %s",
                       tls_context_reason(vuser->worker->tls));
    } else if (vuser->conn->stream.error != 0) {
        (void)snprintf(text + used, RESULT_SAMPLE_MAX - used, ": %s",
                       strerrordesc_np(vuser->conn->stream.error));
    }
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
