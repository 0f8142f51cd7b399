/* SPDX-License-Identifier: Apache-2.0 */
#include "json/json_write.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_COLUMNS = 96, DOUBLE_TEXT_MAX = 32 };

void json_write_init(struct json_write *json, struct buf *buf)
{
    *json = (struct json_write){ .buf = buf, .line_start = buf->len };
}

static void new_line(struct json_write *json)
{
    buf_putc(json->buf, '\n');
    json->line_start = json->buf->len;
    for (unsigned i = 0; i < json->depth; i++) {
        buf_puts(json->buf, "  ");
    }
}

/*
 * Length of the UTF-8 character at the start of the text (RFC 3629: no overlong forms, no
 * surrogates, nothing past U+10FFFF), or 0.
 */
static size_t utf8_length(struct str text)
{
    unsigned char first = (unsigned char)text.p[0];
    unsigned char low = 0x80, high = 0xbf;
    size_t len = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

    if (len > text.len || (first >= 0x80 && first < 0xc2) || first > 0xf4) {
        return 0;
    }
    if (first == 0xe0) {
        low = 0xa0;
    } else if (first == 0xed) {
        high = 0x9f;
    } else if (first == 0xf0) {
        low = 0x90;
    } else if (first == 0xf4) {
        high = 0x8f;
    }
    for (size_t i = 1; i < len; i++) {
        unsigned char byte = (unsigned char)text.p[i];

        if (byte < low || byte > high) {
            return 0;
        }
        low = 0x80;
        high = 0xbf;
    }
    return len;
}

/* '"', '\\' and what would move a terminal's cursor. */
static void add_ascii(struct buf *buf, unsigned char byte)
{
    switch (byte) {
    case '"':
        buf_puts(buf, "\\\"");
        return;
    case '\\':
        buf_puts(buf, "\\\\");
        return;
    case '\n':
        buf_puts(buf, "\\n");
        return;
    case '\r':
        buf_puts(buf, "\\r");
        return;
    case '\t':
        buf_puts(buf, "\\t");
        return;
    default:
        if (byte < 0x20 || byte == 0x7f) {
            buf_printf(buf, "\\u%04x", byte);
        } else {
            buf_putc(buf, (char)byte);
        }
    }
}

static void add_quoted(struct buf *buf, struct str text)
{
    buf_putc(buf, '"');
    while (text.len > 0) {
        size_t len = utf8_length(text);

        if (len == 0) {
            buf_puts(buf, "\xef\xbf\xbd");
            len = 1;
        } else if (len == 1) {
            add_ascii(buf, (unsigned char)text.p[0]);
        } else {
            buf_add(buf, text.p, len);
        }
        text = str_from(text, len);
    }
    buf_putc(buf, '"');
}

/* Comma, line and key before a value. */
static void place(struct json_write *json, const char *key)
{
    bool filled = json->filled[json->depth];

    json->filled[json->depth] = true;
    if (filled) {
        buf_putc(json->buf, ',');
    }
    if (json->row_depth > 0) {
        bool outermost = json->depth == json->row_depth;

        if (outermost && json->buf->len - json->line_start > ROW_COLUMNS) {
            new_line(json);
        } else if (filled) {
            buf_putc(json->buf, ' ');
        }
    } else if (json->depth > 0) {
        new_line(json);
    }
    assert((key != NULL) == (json->depth > 0 && json->closer[json->depth] == '}'));
    if (key != NULL) {
        add_quoted(json->buf, str_of(key));
        buf_puts(json->buf, ": ");
    }
}

static void begin(struct json_write *json, const char *key, char opener, char closer)
{
    place(json, key);
    buf_putc(json->buf, opener);
    assert(json->depth < JSON_WRITE_DEPTH_MAX);
    json->depth++;
    json->filled[json->depth] = false;
    json->closer[json->depth] = closer;
}

void json_write_object(struct json_write *json, const char *key)
{
    begin(json, key, '{', '}');
}

void json_write_array(struct json_write *json, const char *key)
{
    begin(json, key, '[', ']');
}

void json_write_row(struct json_write *json, const char *key)
{
    begin(json, key, '[', ']');
    if (json->row_depth == 0) {
        json->row_depth = json->depth;
    }
}

void json_write_end(struct json_write *json)
{
    char closer = json->closer[json->depth];
    bool filled = json->filled[json->depth];
    bool in_row = json->row_depth > 0;

    assert(json->depth > 0);
    if (json->row_depth == json->depth) {
        json->row_depth = 0;
    }
    json->depth--;
    if (filled && !in_row) {
        new_line(json);
    }
    buf_putc(json->buf, closer);
    if (json->depth == 0) {
        buf_putc(json->buf, '\n');
    }
}

void json_write_string(struct json_write *json, const char *key, struct str value)
{
    place(json, key);
    add_quoted(json->buf, value);
}

void json_write_text(struct json_write *json, const char *key, const char *value)
{
    if (value == NULL) {
        json_write_null(json, key);
        return;
    }
    json_write_string(json, key, str_of(value));
}

void json_write_int(struct json_write *json, const char *key, int64_t value)
{
    place(json, key);
    buf_printf(json->buf, "%" PRId64, value);
}

void json_write_uint(struct json_write *json, const char *key, uint64_t value)
{
    place(json, key);
    buf_printf(json->buf, "%" PRIu64, value);
}

void json_write_double(struct json_write *json, const char *key, double value)
{
    char text[DOUBLE_TEXT_MAX];
    char *comma;

    if (!isfinite(value)) {
        json_write_null(json, key);
        return;
    }
    /* 15 digits survive the way there and back, so a shorter form is found by dropping zeros. */
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    /* A locale may have put a comma. */
    comma = strchr(text, ',');
    if (comma != NULL) {
        *comma = '.';
    }
    place(json, key);
    buf_puts(json->buf, text);
}

void json_write_bool(struct json_write *json, const char *key, bool value)
{
    place(json, key);
    buf_puts(json->buf, value ? "true" : "false");
}

void json_write_null(struct json_write *json, const char *key)
{
    place(json, key);
    buf_puts(json->buf, "null");
}
