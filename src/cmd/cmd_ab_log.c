/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/mem.h"
#include "cmd/cmd_ab.h"
#include "http/h1.h"

/* As much of an answer as ab shows, and as much as -v 4 does here. */
enum { SHOWN_BYTES = 8191, WHOLE_BYTES_MAX = 64 << 20 };

enum { LEVEL_STATUSES = 3, LEVEL_BODIES = 4 };

/* One user's answer under way. */
struct answer {
    struct h1_parse parse;
    struct buf text; /* as it came */
    bool open;       /* has begun, and is not shown yet */
};

struct cmd_ab_log {
    struct tap tap;
    int64_t verbosity;
    enum h1_request kind;
    uint32_t users;
    struct answer answers[];
};

/* Bytes as they are: whoever asks for them may want them piped on. */
static void show(const struct cmd_ab_log *log, struct answer *answer)
{
    unsigned status = answer->parse.head_done ? answer->parse.status : 0;

    answer->open = false;
    (void)printf("LOG: header received:\n");
    (void)fwrite(buf_str(&answer->text).p, 1, answer->text.len, stdout);
    (void)printf("\n");
    if (status / 100 != 2) {
        (void)printf("WARNING: Response code not 2xx (%03u)\n", status);
    } else if (log->verbosity >= LEVEL_STATUSES) {
        (void)printf("LOG: Response code = %03u\n", status);
    }
}

/* Up to the limit, where buf_add() would rather add nothing. */
static void keep(struct answer *answer, struct str bytes)
{
    size_t room = answer->text.limit - answer->text.len;

    buf_add(&answer->text, bytes.p, bytes.len < room ? bytes.len : room);
}

static void take(struct tap *tap, uint32_t user, bool begins, struct str bytes)
{
    struct cmd_ab_log *log = (struct cmd_ab_log *)tap;
    struct answer *answer = &log->answers[user];
    size_t used;

    if (begins) {
        if (answer->open) {
            show(log, answer); /* it ended with its connection */
        }
        buf_reset(&answer->text);
        h1_parse_begin(&answer->parse, log->kind);
        answer->open = true;
    }
    if (!answer->open) {
        return; /* what comes after the end belongs to no answer */
    }
    keep(answer, bytes);
    if (h1_parse(&answer->parse, bytes, &used) != PARSE_MORE) {
        show(log, answer);
    }
}

struct cmd_ab_log *cmd_ab_log_new(int64_t verbosity, uint32_t users, bool head_requests)
{
    struct cmd_ab_log *log = mem_new(1, sizeof(*log) + users * sizeof(log->answers[0]));

    log->tap.take = take;
    log->verbosity = verbosity;
    log->kind = head_requests ? H1_REQUEST_HEAD : H1_REQUEST_PLAIN;
    log->users = users;
    for (uint32_t i = 0; i < users; i++) {
        buf_init(&log->answers[i].text, verbosity >= LEVEL_BODIES ? WHOLE_BYTES_MAX : SHOWN_BYTES);
    }
    return log;
}

struct tap *cmd_ab_log_tap(struct cmd_ab_log *log)
{
    return &log->tap;
}

void cmd_ab_log_free(struct cmd_ab_log *log)
{
    for (uint32_t i = 0; log != NULL && i < log->users; i++) {
        if (log->answers[i].open) {
            show(log, &log->answers[i]);
        }
        buf_fini(&log->answers[i].text);
    }
    mem_free(log);
}
