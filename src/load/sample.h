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

struct vuser;

/* The user's exchange fails of this cause: its text, unless the worker has one already. */
void sample_keep(struct vuser *vuser, enum fail fail, int64_t now_ns);

/* Bytes of an answer as they came, to be called while the worker has no complete head; it takes the
 * first answer of its first user. */
void sample_keep_head(struct vuser *vuser, const char *bytes, size_t n, int64_t now_ns);

#endif
