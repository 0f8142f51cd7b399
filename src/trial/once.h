/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One request of a plan, sent alone, with all of its answer: to see what a load would do before it
 * does it.
 */
#ifndef TRIAL_ONCE_H
#define TRIAL_ONCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fail.h"
#include "net/address.h"
#include "plan/plan.h"
#include "result/result.h"

enum { ONCE_ANSWER_MAX = 16 << 20 };

struct once {
    struct buf request; /* as it was sent */
    struct buf answer; /* as it came: head, framing and body; at most ONCE_ANSWER_MAX bytes of it */
    struct str heads;  /* a view of it so far */
    uint64_t answer_bytes, body_bytes;
    unsigned status;                 /* 0: no answer */
    enum fail fail;                  /* FAIL_NONE when the answer is complete and good */
    char why[RESULT_SAMPLE_MAX];     /* what the answer shows of it, for people; or empty */
    int64_t connect_ns, response_ns; /* response: from the connect to the last byte */
    char address[ADDRESS_TEXT_MAX];
};

/* Waits for the answer, at most the plan's time-outs. ERR_PEER when nothing listens, ERR_USAGE when
 * the plan cannot be sent; an answer that fails is no error: see ret_once->fail. once_fini() in
 * either case. */
bool once_run(struct plan *plan, struct once *ret_once, struct err *err) MUST_CHECK;
void once_fini(struct once *once);

#endif
