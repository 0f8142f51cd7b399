/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A promise about the answers: `p95<25ms`, or without quoting `p95:25ms`.
 *
 * `p95<25ms` means: of all requests due in the measured time, at most 5 % were slow, failed or
 * unfinished. It is decided by a counter of the answers over the threshold that the workers keep,
 * never by the edges of a histogram.
 */
#ifndef PLAN_SLO_H
#define PLAN_SLO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

enum slo_metric {
    SLO_QUANTILE, /* p50, p99.9: share of requests over threshold_ns <= 1 - quantile */
    SLO_MEAN,     /* mean response of good answers */
    SLO_MAX,      /* the slowest */
    SLO_ERRORS,   /* (failed + unfinished) / started */
    SLO_RATE,     /* good answers a second, with > */
};

enum { SLO_MAX_COUNT = 8, SLO_TEXT_MAX = 64 };

struct slo {
    enum slo_metric metric;
    bool greater;            /* only for SLO_RATE */
    bool implied;            /* errors<1%, which every set without an errors term gets */
    double quantile;         /* 0..1 exclusive */
    int64_t threshold_ns;    /* of QUANTILE, MEAN, MAX */
    double limit;            /* share of ERRORS, a second for RATE */
    char text[SLO_TEXT_MAX]; /* as written, with < for : */
};

bool slo_parse(struct str text, struct slo *ret_slo, struct err *err) MUST_CHECK;

/* "p95", "errors", ... into text of 16 bytes. */
void slo_metric_word(const struct slo *slo, char *text);

#endif
