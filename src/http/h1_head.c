/* SPDX-License-Identifier: Apache-2.0 */
#include "http/h1_state.h"

#include <string.h>

#include "http/h1_scan.h"

void h1_head_line_end(struct h1_parse *parser, struct cursor *cursor)
{
    if (*cursor->p == '\n') {
        cursor->p++;
        parser->state = STATE_LINE;
    } else if (*cursor->p != '\r') {
        h1_fail(parser, H1_ERROR_CONTROL_BYTE, *cursor->p);
    } else if (cursor->end - cursor->p >= 2 && cursor->p[1] == '\n') {
        cursor->p += 2;
        parser->state = STATE_LINE;
    } else {
        cursor->p++;
        parser->state = STATE_LINE_CR;
    }
}

/* Behind the line that p is in, given the odd ones of the bytes from p on; NULL when it does not
 * end in CR and LF, holds anything odd or comes near the end of the input. */
static inline const unsigned char *line_rest(const unsigned char *p, unsigned odd,
                                             const unsigned char *end)
{
    const unsigned char *last = end - 2 * SCAN_BYTES;
    unsigned colons;

    while (odd == 0) {
        if (p >= last) {
            return NULL;
        }
        p += SCAN_BYTES;
        odd = h1_odd_bits(p, &colons);
    }
    p += __builtin_ctz(odd);
    return h1_is_crlf(p) ? p + 2 : NULL;
}

/* "HTTP/1.1 200 OK" at once, when all of it is there and as it should be. */
static void status_fast(struct h1_parse *parser, struct cursor *cursor)
{
    const unsigned char *p = cursor->p, *next;
    unsigned minor, hundreds, tens, ones, colons;

    if (cursor->end - p < 2 * SCAN_BYTES || memcmp(p, "HTTP/1.", 7) != 0 || p[8] != ' ' ||
        p[12] != ' ') {
        return;
    }
    minor = p[7] - '0';
    hundreds = p[9] - '0';
    tens = p[10] - '0';
    ones = p[11] - '0';
    next = line_rest(p + 12, h1_odd_bits(p + 12, &colons), cursor->end);
    if (minor > 1 || hundreds - 1 > 8 || tens > 9 || ones > 9 || next == NULL) {
        return;
    }
    parser->version_minor = (uint8_t)minor;
    parser->status = (uint16_t)(hundreds * 100 + tens * 10 + ones);
    parser->header = HEADER_OTHER;
    parser->state = STATE_LINE;
    cursor->p = next;
    if (next < cursor->end) {
        h1_head_line(parser, cursor);
    }
}

void h1_head_start(struct h1_parse *parser, struct cursor *cursor)
{
    const unsigned char *p = cursor->p;

    if (*p == '\r' || *p == '\n') {
        parser->state = *p == '\r' ? STATE_START_CR : STATE_START;
        cursor->p++;
        return;
    }
    parser->any_byte = true;
    parser->at = 0;
    parser->state = STATE_VERSION;
    status_fast(parser, cursor);
}

void h1_head_start_cr(struct h1_parse *parser, struct cursor *cursor)
{
    if (*cursor->p != '\n') {
        h1_fail(parser, H1_ERROR_STATUS_LINE, '\r');
        return;
    }
    cursor->p++;
    parser->state = STATE_START;
}

void h1_head_version(struct h1_parse *parser, struct cursor *cursor)
{
    static const char prefix[] = "HTTP/1.";
    unsigned char c = *cursor->p;

    if (parser->at < sizeof(prefix) - 1) {
        if (c != (unsigned char)prefix[parser->at]) {
            h1_fail(parser, parser->at < 5 ? H1_ERROR_STATUS_LINE : H1_ERROR_VERSION, c);
            return;
        }
        parser->at++;
    } else if (c == '0' || c == '1') {
        parser->version_minor = (uint8_t)(c - '0');
        parser->state = STATE_VERSION_END;
    } else {
        h1_fail(parser, H1_ERROR_VERSION, c);
        return;
    }
    cursor->p++;
}

void h1_head_version_end(struct h1_parse *parser, struct cursor *cursor)
{
    if (!is_blank(*cursor->p)) {
        h1_fail(parser, H1_ERROR_VERSION, *cursor->p);
        return;
    }
    cursor->p++;
    parser->at = 0;
    parser->state = STATE_STATUS;
}

void h1_head_status(struct h1_parse *parser, struct cursor *cursor)
{
    const unsigned char *p = cursor->p;
    unsigned status = parser->status, at = parser->at;

    while (p < cursor->end && at == 0 && is_blank(*p)) {
        p++;
    }
    while (p < cursor->end && at < 3) {
        if (*p < (at == 0 ? '1' : '0') || *p > '9') {
            h1_fail(parser, H1_ERROR_STATUS, *p);
            parser->status = 0;
            cursor->p = p;
            return;
        }
        status = status * 10 + (*p - '0');
        at++;
        p++;
    }
    parser->status = (uint16_t)status;
    parser->at = (uint8_t)at;
    cursor->p = p;
    if (at == 3) {
        parser->state = STATE_STATUS_END;
    }
}

void h1_head_status_end(struct h1_parse *parser, struct cursor *cursor)
{
    unsigned char c = *cursor->p;

    if (!is_blank(c) && c != '\r' && c != '\n') {
        h1_fail(parser, H1_ERROR_STATUS, c);
        return;
    }
    parser->header = HEADER_OTHER;
    parser->state = STATE_TEXT;
}

/* Whatever nobody reads up to the end of the line: a reason or a value. */
void h1_head_text(struct h1_parse *parser, struct cursor *cursor)
{
    cursor->p = h1_find_control(cursor->p, cursor->end);
    if (cursor->p < cursor->end) {
        h1_head_line_end(parser, cursor);
    }
}

void h1_head_line_cr(struct h1_parse *parser, struct cursor *cursor)
{
    if (*cursor->p != '\n') {
        h1_fail(parser, H1_ERROR_CONTROL_BYTE, '\r');
        return;
    }
    cursor->p++;
    parser->state = STATE_LINE;
}

/* The first byte of a line that has to be looked at more closely. */
static const bool first_matters[256] = {
    ['c'] = true, ['C'] = true,  ['t'] = true,  ['T'] = true,  [':'] = true,
    [' '] = true, ['\t'] = true, ['\r'] = true, ['\n'] = true,
};

static bool line_matters(const unsigned char *p)
{
    return *p <= ' ' || *p == ':' || h1_same8(p, "transfer") || h1_same8(p, "connecti") ||
           (h1_same8(p, "content-") && (p[8] | 0x20) == 'l');
}

/* "Content-Length: 555", nothing odd about it: the end of the line, or NULL. */
static const unsigned char *length_fast(struct h1_parse *parser, const unsigned char *p,
                                        const unsigned char *end)
{
    const unsigned char *digits = p + sizeof("content-length: ") - 1;
    uint64_t length = 0;

    if (!h1_same8(p, "content-") || !h1_same8(p + 8, "length: ")) {
        return NULL;
    }
    for (p = digits; p < end && *p >= '0' && *p <= '9'; p++) {
        length = length * 10 + (*p - '0');
    }
    if (p == digits || p - digits > 18 || end - p < 2 || p[0] != '\r' || p[1] != '\n' ||
        (parser->has_length && parser->length != length)) {
        return NULL;
    }
    parser->has_length = true;
    parser->length = length;
    parser->header = HEADER_LENGTH;
    parser->value = VALUE_AFTER;
    return p + 2;
}

/* The lines that matter in the form that nearly every server gives them: the end, or NULL. */
static const unsigned char *line_known(struct h1_parse *parser, const unsigned char *p,
                                       const unsigned char *end)
{
    if (h1_same8(p, "connecti") && h1_same8(p + 8, "on: keep") && h1_same8(p + 16, "-alive\r\n")) {
        parser->header = HEADER_CONNECTION;
        parser->value = VALUE_AFTER;
        parser->flags |= FLAG_KEEP_ALIVE;
        return p + 24;
    }
    if (h1_same8(p, "transfer") && h1_same8(p + 8, "-encodin") && h1_same8(p + 16, "g: chunk") &&
        h1_same8(p + 20, "hunked\r\n")) {
        parser->header = HEADER_CODING;
        parser->value = VALUE_AFTER;
        parser->flags |= FLAG_CODED | FLAG_LAST_CHUNKED;
        return p + 28;
    }
    return length_fast(parser, p, end);
}

/* A line that matters to nobody: its end, or NULL when there is something odd about it. */
static inline const unsigned char *line_skip(const unsigned char *p, const unsigned char *end)
{
    unsigned colons, odd = h1_odd_bits(p, &colons);

    /* The bits up to the lowest of odd: a colon has to be among them. */
    if ((colons & (odd ^ (odd - 1))) == 0) {
        return NULL;
    }
    return line_rest(p, odd, end);
}

/*
 * Takes in whole lines as long as they are of the usual kinds and far enough from the end of the
 * input. The first that is not is left, from its first byte, to the steps: they alone judge.
 */
static const unsigned char *lines_fast(struct h1_parse *parser, const unsigned char *p,
                                       const unsigned char *end)
{
    while (end - p >= 2 * SCAN_BYTES) {
        const unsigned char *next;

        if (first_matters[*p] && line_matters(p)) {
            next = line_known(parser, p, end);
        } else {
            next = line_skip(p, end);
            parser->header = HEADER_OTHER;
        }
        if (next == NULL) {
            break;
        }
        p = next;
    }
    return p;
}

/* What the final head means for the body and for the connection. */
static void head_decide(struct h1_parse *parser)
{
    bool coded = (parser->flags & FLAG_CODED) != 0;
    bool bodiless = parser->request == H1_REQUEST_HEAD || parser->status == 101 ||
                    parser->status == 204 || parser->status == 304 ||
                    (parser->request == H1_REQUEST_CONNECT && parser->status / 100 == 2);

    parser->head_done = true;
    parser->keep_alive = (parser->flags & FLAG_CLOSE) == 0 && parser->status != 101 &&
                         (parser->version_minor == 1 || (parser->flags & FLAG_KEEP_ALIVE) != 0) &&
                         !(coded && (parser->has_length || parser->version_minor == 0));
    if (bodiless) {
        parser->state = STATE_DONE;
    } else if ((parser->flags & FLAG_LAST_CHUNKED) != 0) {
        parser->chunked = true;
        parser->value = VALUE_BEFORE;
        parser->left = 0;
        parser->state = STATE_CHUNK_SIZE;
    } else if (parser->has_length && !coded) {
        parser->left = parser->length;
        parser->state = parser->left == 0 ? STATE_DONE : STATE_BODY_LENGTH;
    } else {
        parser->until_close = true;
        parser->keep_alive = false;
        parser->state = STATE_BODY_CLOSE;
    }
}

static void head_end(struct h1_parse *parser)
{
    if ((parser->flags & FLAG_TRAILER) != 0) {
        parser->state = STATE_DONE;
        return;
    }
    if (parser->status >= 200 || parser->status == 101) {
        head_decide(parser);
        return;
    }
    parser->interims = parser->interims == UINT8_MAX ? UINT8_MAX : parser->interims + 1;
    parser->status = 0;
    parser->has_length = false;
    parser->length = 0;
    parser->flags = 0;
    parser->at = 0;
    parser->state = STATE_START;
}

static void line_begin(struct h1_parse *parser, struct cursor *cursor)
{
    const unsigned char *line = cursor->p;
    bool trailer = (parser->flags & FLAG_TRAILER) != 0;

    if (!trailer) {
        cursor->p = lines_fast(parser, line, cursor->end);
        if (cursor->end - cursor->p >= 2 && h1_is_crlf(cursor->p)) {
            cursor->p += 2;
            head_end(parser);
            return;
        }
    }
    if (cursor->p == line) {
        parser->at = 0;
        parser->candidates = trailer ? 0 : (1U << HEADER_COUNT) - 1;
        parser->state = STATE_NAME;
    }
}

void h1_head_line(struct h1_parse *parser, struct cursor *cursor)
{
    unsigned char c = *cursor->p;

    if (is_blank(c)) {
        cursor->p++;
        h1_field_resume(parser);
    } else if (parser->header == HEADER_LENGTH && parser->value == VALUE_BEFORE) {
        h1_fail(parser, H1_ERROR_LENGTH, c);
    } else if (c == '\r') {
        cursor->p++;
        parser->state = STATE_HEAD_CR;
    } else if (c == '\n') {
        cursor->p++;
        head_end(parser);
    } else if (c == ':') {
        h1_fail(parser, H1_ERROR_HEADER_NAME, c);
    } else {
        line_begin(parser, cursor);
    }
}

void h1_head_end_cr(struct h1_parse *parser, struct cursor *cursor)
{
    if (*cursor->p != '\n') {
        h1_fail(parser, H1_ERROR_CONTROL_BYTE, '\r');
        return;
    }
    cursor->p++;
    head_end(parser);
}
