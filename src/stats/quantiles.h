/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fixed list of quantiles that a trial keeps intervals of and that documents give: p50 to
 * p99.99. Other quantiles can be read off a histogram, but have no place of their own.
 */
#ifndef STATS_QUANTILES_H
#define STATS_QUANTILES_H

#include <stddef.h>

enum { QUANTILES_COUNT = 7 };

struct quantile {
    double share;    /* 0..1 exclusive */
    const char *key; /* of the document: "p99_9" */
};

extern const struct quantile quantiles_list[QUANTILES_COUNT];

/* The place in the list; QUANTILES_COUNT when it has none. */
size_t quantiles_find(double share);

#endif
