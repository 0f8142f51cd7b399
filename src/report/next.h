/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One command that is worth running after this one, made of options that exist in this version.
 */
#ifndef REPORT_NEXT_H
#define REPORT_NEXT_H

#include "report/page.h"
#include "result/result.h"

void next_suggest(struct page *page, const struct result *result);

#endif
