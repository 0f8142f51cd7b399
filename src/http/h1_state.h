/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the answer parser, shared by its files alone: h1.c runs the states, h1_head.c has
 * the status line and the lines, h1_field.c their names and values, h1_body.c the body.
 *
 * One function a state, chosen by a table. Each takes in at least one byte, or moves to another
 * state, or fails; it is called with at least one byte of input. Nothing looks ahead, except where
 * so many bytes of input are there anyway, and then only to do at once what the bytes one by one
 * would have done.
 */
#ifndef HTTP_H1_STATE_H
#define HTTP_H1_STATE_H

#include "http/h1.h"

enum state {
    /* the head: bytes are counted against H1_HEAD_BYTES_MAX */
    STATE_START,
    STATE_START_CR,
    STATE_VERSION,
    STATE_VERSION_END,
    STATE_STATUS,
    STATE_STATUS_END,
    STATE_TEXT, /* whatever nobody reads up to the end of the line: a reason or a value */
    STATE_LINE_CR,
    STATE_LINE,
    STATE_HEAD_CR,
    STATE_NAME,
    STATE_NAME_BLANK,
    STATE_NAME_SKIP,
    STATE_LENGTH,
    STATE_LIST,
    /* the body */
    STATE_BODY_LENGTH,
    STATE_BODY_CLOSE,
    STATE_CHUNK_SIZE,
    STATE_CHUNK_EXTENSION,
    STATE_CHUNK_SIZE_CR,
    STATE_CHUNK_DATA,
    STATE_CHUNK_END,
    STATE_CHUNK_END_CR,
    /* the end */
    STATE_DONE,
    STATE_ERROR
};

/* The header whose value is read, or was: a folded line goes on with it. */
enum header { HEADER_LENGTH, HEADER_CODING, HEADER_CONNECTION, HEADER_COUNT, HEADER_OTHER };

/* How far a number or an element of a list is. */
enum value { VALUE_BEFORE, VALUE_IN, VALUE_AFTER };

enum flag {
    FLAG_CLOSE = 1,
    FLAG_KEEP_ALIVE = 2,
    FLAG_CODED = 4,
    FLAG_LAST_CHUNKED = 8,
    FLAG_TRAILER = 16,
};

/* Lengths and chunk sizes are below. */
#define H1_NUMBER_END (UINT64_C(1) << 62)

struct cursor {
    const unsigned char *p, *end;
};

typedef void h1_step(struct h1_parse *parser, struct cursor *cursor);

h1_step h1_head_start, h1_head_start_cr, h1_head_version, h1_head_version_end, h1_head_status,
    h1_head_status_end, h1_head_text, h1_head_line_cr, h1_head_line, h1_head_end_cr;
h1_step h1_field_name, h1_field_name_blank, h1_field_name_skip, h1_field_length, h1_field_list;
h1_step h1_body_length, h1_body_close, h1_body_chunk_size, h1_body_chunk_extension,
    h1_body_chunk_size_cr, h1_body_chunk_data, h1_body_chunk_end;

/* At a CR, an LF or a byte that may not be in a line. */
h1_step h1_head_line_end;
/* A folded line goes on with the value before it. */
void h1_field_resume(struct h1_parse *parser);

static inline void h1_fail(struct h1_parse *parser, enum h1_error error, unsigned char byte)
{
    parser->error = (uint8_t)error;
    parser->error_byte = byte;
    parser->state = STATE_ERROR;
}

static inline bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t';
}

static inline bool is_control(unsigned char c)
{
    return (c < 0x20 && c != '\t') || c == 0x7f;
}

#endif
