/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The percentiles that documents and texts speak of: their names and how many samples they ask for.
 */
#ifndef REPORT_PERCENTILE_H
#define REPORT_PERCENTILE_H

#include <stddef.h>

enum { PERCENTILE_WORD_MAX = 24 };

/* The fixed list of the document: p50 to p99_99. */
struct percentile {
    double quantile;
    const char *key;
};

enum { PERCENTILE_COUNT = 7 };
extern const struct percentile percentile_document[PERCENTILE_COUNT];

/* "p99.9" of 0.999, "max" of 1, into text of PERCENTILE_WORD_MAX bytes, which is returned. */
const char *percentile_word(double quantile, char *text);

#endif
