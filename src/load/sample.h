/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a report shows as examples: one request of each cause of failure, and the head of the first
 * answer. Text is made once per cause and worker, never per request.
 */
#ifndef LOAD_SAMPLE_H
#define LOAD_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "http/session.h"
#include "load/expect.h"

struct vuser;

/* What an answer shows of why it failed, for people; "" when it shows nothing of this cause. */
void sample_explain(const struct expect *expect, const struct expect_look *look,
                    const struct session *session, enum fail fail, char *text, size_t size);

/* The user's exchange fails of this cause: its text, unless the worker has one already. */
void sample_keep(struct vuser *vuser, enum fail fail, int64_t now_ns);

/* Bytes of an answer as they came, to be called while the worker has no complete head; it takes the
 * first answer of its first user. */
void sample_keep_head(struct vuser *vuser, const char *bytes, size_t n, int64_t now_ns);

#endif
