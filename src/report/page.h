/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text in labelled, aligned lines for people: items side by side, no line wider than it must be.
 *
 * What comes from a server may hold anything: bytes that a terminal would act on are shown as '?'.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "report/report.h"

enum ink { INK_PLAIN, INK_DIM, INK_BOLD, INK_GOOD, INK_BAD, INK_WARN };

enum { PAGE_COLUMNS = 104, PAGE_COLUMNS_MIN = 39, PAGE_INDENT = 11, PAGE_ITEM_MAX = 640 };

struct page {
    struct buf *buf;
    const struct report_style *style;
    size_t column, columns; /* the next; how many there are */
    size_t gap;             /* between items, until the line ends */
};

void page_init(struct page *page, const struct report_style *style, struct buf *buf);

/* Begins a line; "" continues the paragraph above. Any number of items, then page_end. */
void page_begin(struct page *page, const char *label);
/* Items are page->gap (3) blanks apart; one that does not fit goes to the next line whole. */
void page_item(struct page *page, enum ink ink, const char *format, ...) PRINTF_LIKE(3, 4);
/* Words, broken where the line ends. */
void page_prose(struct page *page, enum ink ink, const char *format, ...) PRINTF_LIKE(3, 4);
void page_end(struct page *page);
/* With --explain: what the number called `name` in the line above is. */
void page_explain(struct page *page, const char *name, const char *sentence);

#endif
