/* SPDX-License-Identifier: Apache-2.0 */
#include "report/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PAGE_GAP = 3, EXPLAIN_NAME = 13 };

static const char *const inks[] = {
    [INK_PLAIN] = "",        [INK_DIM] = "\x1b[2m",  [INK_BOLD] = "\x1b[1m",
    [INK_GOOD] = "\x1b[32m", [INK_BAD] = "\x1b[31m", [INK_WARN] = "\x1b[33m",
};

void page_init(struct page *page, const struct report_style *style, struct buf *buf)
{
    *page = (struct page){ .buf = buf, .style = style, .columns = PAGE_COLUMNS };
    if (style->columns >= PAGE_COLUMNS_MIN) {
        page->columns = style->columns;
    }
}

/* Control bytes, and the C1 controls that UTF-8 writes as C2 80 to C2 9F, become '?'. */
static void defuse(char *text)
{
    for (char *p = text; *p != '\0'; p++) {
        unsigned char byte = (unsigned char)*p;
        unsigned char next = (unsigned char)p[1];

        if (byte < 0x20 || byte == 0x7f) {
            *p = '?';
        } else if (byte == 0xc2 && next >= 0x80 && next <= 0x9f) {
            p[0] = '?';
            p[1] = '?';
        }
    }
}

/* For a terminal that shows nothing else: the middle dot of a product becomes '*', the rest '?'. */
static void make_ascii(char *text)
{
    char *to = text;

    for (const char *p = text; *p != '\0'; p++) {
        unsigned char byte = (unsigned char)*p;

        if (byte < 0x80) {
            *to++ = *p;
        } else if (byte == 0xc2 && (unsigned char)p[1] == 0xb7) {
            *to++ = '*';
        } else if ((byte & 0xc0) != 0x80) {
            *to++ = '?';
        }
    }
    *to = '\0';
}

/* What a format makes, in a form that is safe to show. */
static void PRINTF_LIKE(3, 0)
    form(const struct page *page, char *text, const char *format, va_list args)
{
    (void)vsnprintf(text, PAGE_ITEM_MAX, format, args);
    defuse(text);
    if (page->style->ascii) {
        make_ascii(text);
    }
}

/* Columns of a text: continuation bytes of UTF-8 take none. */
static size_t width_of(struct str text)
{
    size_t width = 0;

    for (size_t i = 0; i < text.len; i++) {
        width += ((unsigned char)text.p[i] & 0xc0) != 0x80;
    }
    return width;
}

static void spaces(struct page *page, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buf_putc(page->buf, ' ');
    }
    page->column += count;
}

static void put(struct page *page, enum ink ink, struct str text)
{
    bool colored = page->style->color && ink != INK_PLAIN && text.len > 0;

    if (colored) {
        buf_puts(page->buf, inks[ink]);
    }
    buf_add_str(page->buf, text);
    if (colored) {
        buf_puts(page->buf, "\x1b[0m");
    }
    page->column += width_of(text);
}

void page_begin(struct page *page, const char *label)
{
    page->column = 0;
    page->gap = PAGE_GAP;
    put(page, INK_DIM, str_of(label));
    spaces(page, page->column < PAGE_INDENT - 1 ? PAGE_INDENT - page->column : 1);
}

void page_end(struct page *page)
{
    buf_putc(page->buf, '\n');
    page->column = 0;
}

static void next_line(struct page *page)
{
    page_end(page);
    spaces(page, PAGE_INDENT);
}

void page_item(struct page *page, enum ink ink, const char *format, ...)
{
    char text[PAGE_ITEM_MAX];
    va_list args;
    size_t width;

    va_start(args, format);
    form(page, text, format, args);
    va_end(args);
    width = width_of(str_of(text));
    if (page->column > PAGE_INDENT) {
        if (page->column + page->gap + width > page->columns) {
            next_line(page);
        } else {
            spaces(page, page->gap);
        }
    }
    put(page, ink, str_of(text));
}

/* Bytes of the words that fit into `columns`, at least one word; *ret_rest is what follows. */
static struct str fitting(struct str text, size_t columns, struct str *ret_rest)
{
    struct str rest = text, word;
    size_t taken = 0;

    while (str_cut(&rest, ' ', &word)) {
        size_t end = (size_t)(word.p - text.p) + word.len;

        if (taken > 0 && width_of((struct str){ text.p, end }) > columns) {
            break;
        }
        taken = end;
    }
    *ret_rest = str_from(text, taken < text.len ? taken + 1 : taken);
    return (struct str){ text.p, taken };
}

void page_prose(struct page *page, enum ink ink, const char *format, ...)
{
    char text[PAGE_ITEM_MAX];
    struct str rest;
    va_list args;

    va_start(args, format);
    form(page, text, format, args);
    va_end(args);
    rest = str_of(text);
    if (page->column > PAGE_INDENT) {
        if (page->column + page->gap + str_find(rest, ' ') > page->columns) {
            next_line(page);
        } else {
            spaces(page, page->gap);
        }
    }
    for (;;) {
        size_t left = page->column < page->columns ? page->columns - page->column : 0;
        struct str line = fitting(rest, left, &rest);

        put(page, ink, line);
        if (rest.len == 0) {
            return;
        }
        next_line(page);
    }
}

void page_explain(struct page *page, const char *name, const char *sentence)
{
    char text[PAGE_ITEM_MAX];

    if (!page->style->explain) {
        return;
    }
    (void)snprintf(text, sizeof(text), "%s%*s %s", name,
                   (int)(EXPLAIN_NAME - width_of(str_of(name))), "", sentence);
    if (page->style->ascii) {
        make_ascii(text);
    }
    spaces(page, PAGE_INDENT + 2);
    put(page, INK_DIM, str_of(text));
    page_end(page);
}
