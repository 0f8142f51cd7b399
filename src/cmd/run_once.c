/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/run_once.h"

#include <stdio.h>

#include "base/unit.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "cmd/printable.h"
#include "result/redact.h"
#include "trial/once.h"

enum { TEXT_BYTES_MAX = 64 << 20 };

/* Cuts head and body apart; the head is without its empty line. */
static struct str cut_head(struct str message, struct str *ret_body)
{
    size_t end = str_find_str(message, STR("\r\n\r\n"));

    *ret_body = str_from(message, end + 4);
    return (struct str){ message.p, end };
}

static void write_head(struct str head, bool keep_secrets, struct buf *buf)
{
    struct str rest = head, line;
    bool first = true;

    while (str_cut(&rest, '\n', &line)) {
        line = str_trim(line);
        if (keep_secrets || first) {
            printable_add_line(line, buf);
        } else {
            struct buf shown;

            buf_init(&shown, line.len * 2 + 64);
            (void)redact_argument(line, REDACT_NEXT_HEADER, &shown);
            printable_add_line(buf_str(&shown), buf);
            buf_fini(&shown);
        }
        buf_putc(buf, '\n');
        first = false;
    }
    buf_putc(buf, '\n');
}

static void write_request(const struct once *once, bool keep_secrets, struct buf *buf)
{
    struct str body, head = cut_head(buf_str(&once->request), &body);

    write_head(head, keep_secrets, buf);
    if (body.len > 0 && keep_secrets) {
        printable_add(body, buf);
        buf_puts(buf, "\n\n");
    } else if (body.len > 0) {
        buf_printf(buf, "*** (%zu bytes, --keep-secrets shows them)\n\n", body.len);
    }
}

static void write_answer(const struct once *once, bool keep_secrets, struct buf *buf)
{
    struct str body, head = cut_head(buf_str(&once->answer), &body);

    if (head.len == 0) {
        return;
    }
    write_head(head, keep_secrets, buf);
    printable_add(body, buf);
    if (body.len > 0 && body.p[body.len - 1] != '\n') {
        buf_putc(buf, '\n');
    }
    if (once->answer_bytes > once->answer.len) {
        buf_puts(buf, "... and more that is not shown\n");
    }
}

static bool show(const struct once *once, bool keep_secrets, struct err *err)
{
    struct buf buf;
    bool ok;

    buf_init(&buf, TEXT_BYTES_MAX);
    write_request(once, keep_secrets, &buf);
    write_answer(once, keep_secrets, &buf);
    ok = output_write("-", buf_str(&buf), err);
    buf_fini(&buf);
    return ok;
}

/* Bytes and times are conversation, so that the output stays what went over the wire. */
static void tell(const struct once *once, const struct run_outputs *outputs)
{
    char bytes[UNIT_TEXT_MAX], time[UNIT_TEXT_MAX];

    if (!outputs->quiet && outputs->progress != LIVE_NONE) {
        (void)fprintf(stderr, "brunt: %u from %s, %s body in %s\n", once->status, once->address,
                      unit_format_bytes((double)once->body_bytes, bytes),
                      unit_format_duration(once->response_ns, time));
    }
}

int run_once(struct plan *plan, const struct run_outputs *outputs)
{
    struct once once = { 0 };
    struct err err;
    int code = EXIT_DONE;

    if (!once_run(plan, &once, &err)) {
        code = cmd_fail(&err);
        once_fini(&once);
        return code;
    }
    if (!show(&once, outputs->keep_secrets, &err)) {
        (void)cmd_fail(&err);
        code = EXIT_UNWRITTEN;
    }
    if (once.status != 0) {
        tell(&once, outputs);
    }
    /* As with a load of one request: when that failed, nothing was measured. */
    if (once.fail != FAIL_NONE) {
        (void)err_set(&err, ERR_PEER, "the request failed: %s: %s", fail_word(once.fail),
                      once.why[0] != '\0' ? once.why : fail_text(once.fail));
        code = cmd_fail(&err);
    }
    once_fini(&once);
    return code;
}
