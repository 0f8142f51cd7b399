/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the summary that judges: failures by cause, SLOs, validity, what a reader should
 * notice, and what to do next.
 */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "report/page.h"
#include "result/result.h"

void findings_failures(struct page *page, const struct result *result);
void findings_slos(struct page *page, const struct result *result);
void findings_notes(struct page *page, const struct result *result);
void findings_validity(struct page *page, const struct result *result);

#endif
