/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A judged result to text, JSON, CSV and HDR's .hgrm; the live lines. Pure but for the live line,
 * which writes to stderr.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "result/result.h"

struct report_style {
    bool color;
    bool explain;              /* one sentence under each number */
    bool verbose;              /* all checks, all phases */
    bool quiet;                /* only the numbers */
    bool ascii;                /* the terminal does not speak UTF-8 */
    unsigned columns;          /* of the terminal; 0: not known, some 100 */
    const double *percentiles; /* 0..1, ascending; NULL: p50 p90 p95 p99 p99.9 */
    size_t percentile_count;
    bool keep_secrets;
};

void report_text(const struct result *result, const struct report_style *style, struct buf *buf);
/* brunt.result/1 */
void report_json(const struct result *result, const struct report_style *style, struct buf *buf);
/* The series, a row a point, with a header line. */
void report_csv(const struct result *result, struct buf *buf);
/* The response histogram as HdrHistogram's percentile distribution, milliseconds. */
void report_hgrm(const struct result *result, struct buf *buf);

#endif
