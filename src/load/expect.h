/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What makes a complete answer a good one: its status, the length of its body, a text in it.
 *
 * struct expect is what the plan asks for: made once, shared by all workers, read only. struct
 * expect_look is what one exchange has shown so far; a text is looked for in the body as its author
 * wrote it, so an encoded one is decoded, and the first of them has the look take the memory for
 * that. A plan that asks nothing of bodies leaves them to be discarded unseen and pays one branch
 * an answer.
 */
#ifndef LOAD_EXPECT_H
#define LOAD_EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fail.h"
#include "http/body_sink.h"
#include "http/decode.h"
#include "http/exchange.h"
#include "http/h1.h"
#include "http/needle.h"
#include "plan/plan.h"

struct expect {
    const struct plan_statuses *statuses;
    bool of_body;       /* one of the next two is asked for */
    int64_t length;     /* -1: any */
    struct needle text; /* empty: any */
};

enum { EXPECT_DECODED_MAX = 64 << 20 };

struct expect_look {
    struct body_sink sink;  /* for the body as it comes */
    struct body_sink plain; /* for the body as its author wrote it */
    const struct needle *text;
    struct needle_search search;
    const struct str *heads; /* where the answer's head is once its body begins */
    struct decode *decode;   /* NULL: no encoded body has come yet */
    bool begun, encoded;     /* the body; and it is decoded */
};

/* The plan must outlive it. */
void expect_init(struct expect *expect, const struct plan *plan);
void expect_fini(struct expect *expect); /* accepts a zeroed one */

/* Gives the exchange a sink that looks for the text. */
void expect_watch(const struct expect *expect, struct expect_look *look, const struct str *heads,
                  struct exchange *exchange);
void expect_look_fini(struct expect_look *look); /* accepts a zeroed one */

/* Before a request is submitted; the look must outlive it. heads: will hold what comes up to the
 * end of the head before the body is handed on; not used without a text. */
static inline void expect_begin(const struct expect *expect, struct expect_look *look,
                                const struct str *heads, struct exchange *exchange)
{
    if (expect->text.text.len > 0) {
        expect_watch(expect, look, heads, exchange);
    }
}

/* Bytes of the body as its author wrote it, as far as it was looked at. */
uint64_t expect_decoded(const struct expect_look *look, const struct h1_parse *answer);

/* For an answer with a good status: FAIL_NONE, FAIL_CHECK, or FAIL_TRUNCATED when an encoded body
 * ends too early. */
enum fail expect_judge_body(const struct expect *expect, const struct expect_look *look,
                            const struct h1_parse *answer);

/* Of a complete answer: one of these, or FAIL_STATUS. */
static inline enum fail expect_judge(const struct expect *expect, const struct expect_look *look,
                                     const struct h1_parse *answer)
{
    if (!plan_status_good(expect->statuses, answer->status)) {
        return FAIL_STATUS;
    }
    return expect->of_body ? expect_judge_body(expect, look, answer) : FAIL_NONE;
}

/* What was missing, after FAIL_CHECK: for people. */
void expect_explain(const struct expect *expect, const struct expect_look *look,
                    const struct h1_parse *answer, char *text, size_t size);

#endif
