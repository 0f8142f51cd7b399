/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long an answer is held: a law that delays are drawn from, as the query of /delay names it.
 *
 *     constant=20ms    always so long
 *     exp=5ms          exponential, by its mean
 *     lognormal=5ms,0.5    log-normal, by its median and the sigma of its logarithm
 *     list=1ms:90,5ms:9,50ms:1    one of these, by their weights
 *
 * Owns nothing. No draw is longer than DELAY_MAX_NS.
 */
#ifndef TARGET_DELAY_H
#define TARGET_DELAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"

enum delay_law { DELAY_NONE, DELAY_CONSTANT, DELAY_EXP, DELAY_LOGNORMAL, DELAY_LIST };

enum { DELAY_LIST_MAX = 16 };

#define DELAY_MAX_NS (INT64_C(3600) * 1000000000)

struct delay_step {
    int64_t delay_ns;
    double weight_sum; /* of this and all before it */
};

struct delay {
    enum delay_law law;
    int64_t scale_ns; /* the constant, the mean or the median */
    double sigma;
    int step_count;
    struct delay_step steps[DELAY_LIST_MAX];
};

/* The law whose name that is; DELAY_NONE when there is none. */
enum delay_law delay_law_find(struct str name);

/* Fills *ret_delay from the text behind "law=". ERR_USAGE says what is right. */
bool delay_parse(enum delay_law law, struct str text, struct delay *ret_delay,
                 struct err *err) MUST_CHECK;

/* 0 for DELAY_NONE. */
int64_t delay_draw_ns(const struct delay *delay, struct rng *rng);

#endif
