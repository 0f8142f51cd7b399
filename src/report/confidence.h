/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How well the percentiles of the responses are known, in the summary: an interval behind, or a ~
 * before what is weak. The interval of a weak one is in the document only: it is not to be trusted.
 */
#ifndef REPORT_CONFIDENCE_H
#define REPORT_CONFIDENCE_H

#include "report/page.h"
#include "result/result.h"

/* "p95 1.98 ms (1.95..2.02)", "p99 ~3.10 ms": an item. The percentile is one that is given. */
void confidence_add(struct page *page, const struct result *result, double quantile);
/* With -v, when something is weak, a line of it: what, and why. */
void confidence_weak(struct page *page, const struct result *result);
/* With --explain: what the signs mean. */
void confidence_explain(struct page *page, const struct result *result);

#endif
