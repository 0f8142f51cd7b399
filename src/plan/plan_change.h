/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request of a plan as it is sent when the answers before it had a say: at the URL that a
 * redirect led to, with cookies, with the answer to a challenge.
 */
#ifndef PLAN_PLAN_CHANGE_H
#define PLAN_PLAN_CHANGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "http/url.h"

struct plan;

struct plan_change {
    const struct url *url; /* where it goes */
    const char *method;
    bool no_body;             /* the redirect dropped it, and the headers about it */
    bool foreign;             /* another origin than the plan's: what is secret stays, and Host */
    struct str cookie;        /* "a=1; b=2" besides the user's own, or empty */
    struct str authorization; /* the header's value, or empty */
};

/* Appends request i so changed; see request_encode(). With body_apart, unless no_body, the head
 * alone. */
bool plan_change_encode(const struct plan *plan, size_t i, const struct plan_change *change,
                        struct buf *buf, struct err *err) MUST_CHECK;

#endif
