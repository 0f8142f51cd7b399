/* SPDX-License-Identifier: Apache-2.0 */
#include "http/h1_state.h"

/* Takes what there is of the body or chunk, which has `left`, off the input: so many bytes. */
static uint64_t body_take(struct h1_parse *parser, struct cursor *cursor)
{
    uint64_t n = (uint64_t)(cursor->end - cursor->p);

    if (n > parser->left) {
        n = parser->left;
    }
    parser->left -= n;
    parser->body_bytes += n;
    cursor->p += n;
    return n;
}

/* The n bytes of the body that were just taken. The last thing a state does, so that a body without
 * a sink costs one branch and no register saved. */
static void body_show(const struct h1_parse *parser, const struct cursor *cursor, uint64_t n)
{
    if (parser->sink != NULL) {
        parser->sink->take(parser->sink, (struct str){ (const char *)cursor->p - n, (size_t)n });
    }
}

void h1_body_length(struct h1_parse *parser, struct cursor *cursor)
{
    uint64_t n = body_take(parser, cursor);

    if (parser->left == 0) {
        parser->state = STATE_DONE;
    }
    body_show(parser, cursor, n);
}

void h1_body_close(struct h1_parse *parser, struct cursor *cursor)
{
    uint64_t n = (uint64_t)(cursor->end - cursor->p);

    parser->body_bytes += n;
    cursor->p = cursor->end;
    body_show(parser, cursor, n);
}

static int hex_digit(unsigned char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Counts a byte of a chunk's first line; false when it is one too many. */
static bool chunk_line_byte(struct h1_parse *parser, unsigned char c)
{
    if (parser->chunk_line_bytes == H1_HEAD_BYTES_MAX) {
        h1_fail(parser, H1_ERROR_HEAD_TOO_BIG, c);
        return false;
    }
    parser->chunk_line_bytes++;
    return true;
}

/* At the end of a chunk's first line. */
static void chunk_begin(struct h1_parse *parser)
{
    parser->chunk_line_bytes = 0;
    if (parser->left > 0) {
        parser->state = STATE_CHUNK_DATA;
        return;
    }
    parser->flags |= FLAG_TRAILER;
    parser->header = HEADER_OTHER;
    parser->state = STATE_LINE;
}

void h1_body_chunk_size(struct h1_parse *parser, struct cursor *cursor)
{
    for (; cursor->p < cursor->end; cursor->p++) {
        unsigned char c = *cursor->p;
        int digit = hex_digit(c);

        if (digit < 0) {
            if (parser->value == VALUE_BEFORE) {
                h1_fail(parser, H1_ERROR_CHUNK, c);
            } else {
                parser->state = STATE_CHUNK_EXTENSION;
            }
            return;
        }
        if (parser->left >= H1_NUMBER_END >> 4) {
            h1_fail(parser, H1_ERROR_CHUNK, c);
            return;
        }
        if (!chunk_line_byte(parser, c)) {
            return;
        }
        parser->left = parser->left << 4 | (unsigned)digit;
        parser->value = VALUE_IN;
    }
}

/* Behind the size: blanks, then an extension from a semicolon on, then the end of the line. */
void h1_body_chunk_extension(struct h1_parse *parser, struct cursor *cursor)
{
    for (; cursor->p < cursor->end; cursor->p++) {
        unsigned char c = *cursor->p;

        if (c == '\r' || c == '\n') {
            cursor->p++;
            if (c == '\n') {
                chunk_begin(parser);
            } else {
                parser->state = STATE_CHUNK_SIZE_CR;
            }
            return;
        }
        if (c == ';') {
            parser->value = VALUE_AFTER;
        } else if (is_control(c) || (parser->value != VALUE_AFTER && !is_blank(c))) {
            h1_fail(parser, H1_ERROR_CHUNK, c);
            return;
        }
        if (!chunk_line_byte(parser, c)) {
            return;
        }
    }
}

void h1_body_chunk_size_cr(struct h1_parse *parser, struct cursor *cursor)
{
    if (*cursor->p != '\n') {
        h1_fail(parser, H1_ERROR_CHUNK, '\r');
        return;
    }
    cursor->p++;
    chunk_begin(parser);
}

void h1_body_chunk_data(struct h1_parse *parser, struct cursor *cursor)
{
    uint64_t n = body_take(parser, cursor);

    if (parser->left == 0) {
        parser->state = STATE_CHUNK_END;
    }
    body_show(parser, cursor, n);
}

/* Behind the last byte of a chunk; at the LF the next one begins. */
void h1_body_chunk_end(struct h1_parse *parser, struct cursor *cursor)
{
    unsigned char c = *cursor->p;

    if (c == '\r' && parser->state == STATE_CHUNK_END) {
        cursor->p++;
        parser->state = STATE_CHUNK_END_CR;
    } else if (c == '\n') {
        cursor->p++;
        parser->value = VALUE_BEFORE;
        parser->state = STATE_CHUNK_SIZE;
    } else {
        h1_fail(parser, H1_ERROR_CHUNK, c);
    }
}
