/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How texts name percentiles; stats/quantiles.h has the fixed list of the document.
 */
#ifndef REPORT_PERCENTILE_H
#define REPORT_PERCENTILE_H

enum { PERCENTILE_WORD_MAX = 24 };

/* "p99.9" of 0.999, "max" of 1, into text of PERCENTILE_WORD_MAX bytes, which is returned. */
const char *percentile_word(double quantile, char *text);

#endif
