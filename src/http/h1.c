/* SPDX-License-Identifier: Apache-2.0 */
#include "http/h1.h"

#include <assert.h>
#include <endian.h>
#include <string.h>

#include "base/err.h"

/*
 * One function a state, chosen by a table; each takes in at least one byte, or moves to another
 * state, or ends. Nothing looks ahead except where a whole word of input is there anyway, and then
 * only to do at once what the bytes one by one would have done.
 */
enum state {
    /* the head: bytes are counted against H1_HEAD_BYTES_MAX */
    STATE_START,
    STATE_START_CR,
    STATE_VERSION,
    STATE_VERSION_END,
    STATE_STATUS,
    STATE_STATUS_END,
    STATE_LINE,
    STATE_NAME,
    STATE_NAME_BLANK,
    STATE_NAME_SKIP,
    STATE_LENGTH,
    STATE_LIST,
    STATE_TEXT,
    STATE_LINE_CR,
    STATE_HEAD_CR,
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

enum token { TOKEN_CLOSE, TOKEN_KEEP_ALIVE, TOKEN_CHUNKED, TOKEN_IDENTITY, TOKEN_COUNT };

enum value { VALUE_BEFORE, VALUE_IN, VALUE_AFTER };

enum flag {
    FLAG_CLOSE = 1,
    FLAG_KEEP_ALIVE = 2,
    FLAG_CODED = 4,
    FLAG_LAST_CHUNKED = 8,
    FLAG_TRAILER = 16,
};

struct word {
    const char *text;
    uint8_t len;
};

#define WORD(literal)                                                                              \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

static const struct word header_names[HEADER_COUNT] = {
    [HEADER_LENGTH] = WORD("content-length"),
    [HEADER_CODING] = WORD("transfer-encoding"),
    [HEADER_CONNECTION] = WORD("connection"),
};

static const struct word token_names[TOKEN_COUNT] = {
    [TOKEN_CLOSE] = WORD("close"),
    [TOKEN_KEEP_ALIVE] = WORD("keep-alive"),
    [TOKEN_CHUNKED] = WORD("chunked"),
    [TOKEN_IDENTITY] = WORD("identity"),
};

static const uint64_t number_end = UINT64_C(1) << 62;

struct cursor {
    const unsigned char *p, *end;
};

const char *h1_error_text(enum h1_error error)
{
    static const char *const texts[] = {
#define H1_ERROR_TEXT(name, text) text,
        H1_ERROR_LIST(H1_ERROR_TEXT)
#undef H1_ERROR_TEXT
    };
    static_assert(COUNT_OF(texts) == H1_ERROR_COUNT, "every error has a text");

    return texts[error];
}

static void fail(struct h1_parse *parser, enum h1_error error, unsigned char byte)
{
    parser->error = (uint8_t)error;
    parser->error_byte = byte;
    parser->state = STATE_ERROR;
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t';
}

static bool is_control(unsigned char c)
{
    return (c < 0x20 && c != '\t') || c == 0x7f;
}

static unsigned char lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? (unsigned char)(c | 0x20) : c;
}

static inline uint64_t load8(const unsigned char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof(word));
    return le64toh(word);
}

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Sets the top bit of every byte below 0x20 or equal to 0x7f. Bytes after the first hit, and after
 * a 0xff, may be marked though they are not. */
static inline uint64_t control_bits(uint64_t word)
{
    return ((word - EACH_BYTE(0x20)) | (word + EACH_BYTE(0x01))) & ~word & EACH_BYTE(0x80);
}

/* Sets the top bit of every byte equal to `byte`; bytes after the first hit may be marked too. */
static inline uint64_t equal_bits(uint64_t word, unsigned char byte)
{
    uint64_t other = word ^ EACH_BYTE(byte);

    return (other - EACH_BYTE(0x01)) & ~other & EACH_BYTE(0x80);
}

/* The first control byte, tabs left out, or end. */
static inline const unsigned char *find_control(const unsigned char *p, const unsigned char *end)
{
    while (end - p >= 8) {
        uint64_t bits = control_bits(load8(p));

        if (bits == 0) {
            p += 8;
            continue;
        }
        p += __builtin_ctzll(bits) / 8;
        if (is_control(*p)) {
            return p;
        }
        p++;
    }
    while (p < end && !is_control(*p)) {
        p++;
    }
    return p;
}

/* The first colon or control byte, or end. */
static inline const unsigned char *find_colon(const unsigned char *p, const unsigned char *end)
{
    while (end - p >= 8) {
        uint64_t word = load8(p), bits = control_bits(word) | equal_bits(word, ':');

        if (bits == 0) {
            p += 8;
            continue;
        }
        p += __builtin_ctzll(bits) / 8;
        if (*p == ':' || is_control(*p)) {
            return p;
        }
        p++;
    }
    while (p < end && *p != ':' && !is_control(*p)) {
        p++;
    }
    return p;
}

/* Whether eight bytes are these (in lower case), letters in any case. Letters alone have bit 0x40
 * set among the bytes used here, and their case is bit 0x20. */
static inline bool same8(const unsigned char *p, const char *want)
{
    uint64_t word = load8((const unsigned char *)want);

    return ((load8(p) ^ word) & ~((word & EACH_BYTE(0x40)) >> 1)) == 0;
}

/* The candidates that have byte c at position `at`. */
static uint8_t words_matching(const struct word *words, uint8_t candidates, uint8_t at,
                              unsigned char c)
{
    uint8_t matching = 0;

    for (unsigned i = 0; candidates >> i != 0; i++) {
        if ((candidates >> i & 1) != 0 && at < words[i].len &&
            (unsigned char)words[i].text[at] == lower(c)) {
            matching |= (uint8_t)(1U << i);
        }
    }
    return matching;
}

/* The candidate that is complete at this length, or `none`. */
static unsigned word_complete(const struct word *words, uint8_t candidates, uint8_t len,
                              unsigned none)
{
    for (unsigned i = 0; candidates >> i != 0; i++) {
        if ((candidates >> i & 1) != 0 && words[i].len == len) {
            return i;
        }
    }
    return none;
}

/* At a CR, an LF or a byte that must not be in a line. */
static void line_end(struct h1_parse *parser, struct cursor *cursor)
{
    if (*cursor->p == '\n') {
        cursor->p++;
        parser->state = STATE_LINE;
    } else if (*cursor->p != '\r') {
        fail(parser, H1_ERROR_CONTROL_BYTE, *cursor->p);
    } else if (cursor->end - cursor->p >= 2 && cursor->p[1] == '\n') {
        cursor->p += 2;
        parser->state = STATE_LINE;
    } else {
        cursor->p++;
        parser->state = STATE_LINE_CR;
    }
}

static void step_start(struct h1_parse *parser, struct cursor *cursor)
{
    const unsigned char *p = cursor->p;

    if (*p == '\r' || *p == '\n') {
        parser->state = *p == '\r' ? STATE_START_CR : STATE_START;
        cursor->p++;
        return;
    }
    parser->any_byte = true;
    parser->at = 0;
    if (cursor->end - p >= 12 && memcmp(p, "HTTP/1.", 7) == 0 && (p[7] == '0' || p[7] == '1') &&
        p[8] == ' ') {
        parser->version_minor = (uint8_t)(p[7] - '0');
        parser->state = STATE_STATUS;
        cursor->p += 9;
        return;
    }
    parser->state = STATE_VERSION;
}

static void step_start_cr(struct h1_parse *parser, struct cursor *cursor)
{
    if (*cursor->p != '\n') {
        fail(parser, H1_ERROR_STATUS_LINE, '\r');
        return;
    }
    cursor->p++;
    parser->state = STATE_START;
}

static void step_version(struct h1_parse *parser, struct cursor *cursor)
{
    static const char prefix[] = "HTTP/1.";
    unsigned char c = *cursor->p;

    if (parser->at < sizeof(prefix) - 1) {
        if (c != (unsigned char)prefix[parser->at]) {
            fail(parser, parser->at < 5 ? H1_ERROR_STATUS_LINE : H1_ERROR_VERSION, c);
            return;
        }
        parser->at++;
    } else if (c == '0' || c == '1') {
        parser->version_minor = (uint8_t)(c - '0');
        parser->state = STATE_VERSION_END;
    } else {
        fail(parser, H1_ERROR_VERSION, c);
        return;
    }
    cursor->p++;
}

static void step_version_end(struct h1_parse *parser, struct cursor *cursor)
{
    if (!is_blank(*cursor->p)) {
        fail(parser, H1_ERROR_VERSION, *cursor->p);
        return;
    }
    cursor->p++;
    parser->at = 0;
    parser->state = STATE_STATUS;
}

static void step_status(struct h1_parse *parser, struct cursor *cursor)
{
    const unsigned char *p = cursor->p;
    unsigned status = parser->status, at = parser->at;

    while (p < cursor->end && at == 0 && is_blank(*p)) {
        p++;
    }
    while (p < cursor->end && at < 3) {
        if (*p < (at == 0 ? '1' : '0') || *p > '9') {
            fail(parser, H1_ERROR_STATUS, *p);
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

static void step_status_end(struct h1_parse *parser, struct cursor *cursor)
{
    unsigned char c = *cursor->p;

    if (!is_blank(c) && c != '\r' && c != '\n') {
        fail(parser, H1_ERROR_STATUS, c);
        return;
    }
    parser->header = HEADER_OTHER;
    parser->state = STATE_TEXT;
}

/* Whatever nobody reads up to the end of the line: a reason or a value. */
static void step_text(struct h1_parse *parser, struct cursor *cursor)
{
    cursor->p = find_control(cursor->p, cursor->end);
    if (cursor->p < cursor->end) {
        line_end(parser, cursor);
    }
}

static void step_line_cr(struct h1_parse *parser, struct cursor *cursor)
{
    if (*cursor->p != '\n') {
        fail(parser, H1_ERROR_CONTROL_BYTE, '\r');
        return;
    }
    cursor->p++;
    parser->state = STATE_LINE;
}

/* At the colon or behind it: which value comes. */
static void value_begin(struct h1_parse *parser, unsigned header)
{
    parser->header = (uint8_t)header;
    parser->value = VALUE_BEFORE;
    parser->at = 0;
    switch ((enum header)header) {
    case HEADER_LENGTH:
        parser->left = 0;
        parser->state = STATE_LENGTH;
        return;
    case HEADER_CODING:
        parser->candidates = 1U << TOKEN_CHUNKED | 1U << TOKEN_IDENTITY;
        parser->state = STATE_LIST;
        return;
    case HEADER_CONNECTION:
        parser->candidates = 1U << TOKEN_CLOSE | 1U << TOKEN_KEEP_ALIVE;
        parser->state = STATE_LIST;
        return;
    case HEADER_COUNT:
    case HEADER_OTHER:
        parser->state = STATE_TEXT;
        return;
    }
}

/* A folded line goes on with the value before it. */
static void value_resume(struct h1_parse *parser)
{
    switch ((enum header)parser->header) {
    case HEADER_LENGTH:
        parser->state = STATE_LENGTH;
        return;
    case HEADER_CODING:
    case HEADER_CONNECTION:
        parser->state = STATE_LIST;
        return;
    case HEADER_COUNT:
    case HEADER_OTHER:
        parser->state = STATE_TEXT;
        return;
    }
}

/*
 * Takes in header lines that matter to nobody, and the two that every answer has, as long as they
 * are whole words of input away from its end. Stops at the first line it does not understand, which
 * then goes byte by byte.
 */
static void lines_fast(struct h1_parse *parser, struct cursor *cursor)
{
    const unsigned char *p = cursor->p, *end = cursor->end;

    while (end - p >= 24) {
        unsigned char c = (unsigned char)(*p | 0x20);

        if (c == 'c') {
            if (same8(p, "content-") && same8(p + 7, "-length:")) {
                value_begin(parser, HEADER_LENGTH);
                p += 15;
                break;
            }
            if (same8(p, "connecti") && same8(p + 8, "on: keep") && same8(p + 16, "-alive\r\n")) {
                parser->header = HEADER_CONNECTION;
                parser->value = VALUE_AFTER;
                parser->flags |= FLAG_KEEP_ALIVE;
                p += 24;
                continue;
            }
            if (same8(p, "connecti") || (same8(p, "content-") && (p[8] | 0x20) == 'l')) {
                break;
            }
        } else if (c == 't' || *p <= ' ' || *p == ':') {
            break;
        }
        cursor->p = find_colon(p, end);
        if (cursor->p == end || *cursor->p != ':') {
            break;
        }
        parser->header = HEADER_OTHER;
        p = find_control(cursor->p + 1, end);
        if (end - p < 2 || p[0] != '\r' || p[1] != '\n') {
            parser->state = STATE_TEXT;
            break;
        }
        p += 2;
    }
    cursor->p = p;
}

static void line_begin(struct h1_parse *parser, struct cursor *cursor)
{
    const unsigned char *line = cursor->p;

    parser->candidates = 0;
    if ((parser->flags & FLAG_TRAILER) == 0) {
        lines_fast(parser, cursor);
        parser->candidates = (1U << HEADER_COUNT) - 1;
    }
    if (cursor->p == line) {
        parser->at = 0;
        parser->state = STATE_NAME;
    }
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

static void step_line(struct h1_parse *parser, struct cursor *cursor)
{
    unsigned char c = *cursor->p;

    if (is_blank(c)) {
        cursor->p++;
        value_resume(parser);
        return;
    }
    if (parser->header == HEADER_LENGTH && parser->value == VALUE_BEFORE) {
        fail(parser, H1_ERROR_LENGTH, c);
        return;
    }
    if (c == '\n') {
        cursor->p++;
        head_end(parser);
    } else if (c == '\r') {
        cursor->p++;
        parser->state = STATE_HEAD_CR;
    } else if (c == ':') {
        fail(parser, H1_ERROR_HEADER_NAME, c);
    } else {
        line_begin(parser, cursor);
    }
}

static void step_head_cr(struct h1_parse *parser, struct cursor *cursor)
{
    if (*cursor->p != '\n') {
        fail(parser, H1_ERROR_CONTROL_BYTE, '\r');
        return;
    }
    cursor->p++;
    head_end(parser);
}

/* At the colon: the header's value begins. */
static void step_name(struct h1_parse *parser, struct cursor *cursor)
{
    while (cursor->p < cursor->end) {
        unsigned char c = *cursor->p;

        if (parser->candidates == 0) {
            parser->state = STATE_NAME_SKIP;
            return;
        }
        if (c == ':' || is_blank(c)) {
            parser->header =
                (uint8_t)word_complete(header_names, parser->candidates, parser->at, HEADER_OTHER);
            parser->state = STATE_NAME_BLANK;
            return;
        }
        parser->candidates = words_matching(header_names, parser->candidates, parser->at, c);
        if (parser->candidates != 0) {
            parser->at++;
            cursor->p++;
        }
    }
}

/* Behind a whole name: blanks, then the colon. */
static void step_name_blank(struct h1_parse *parser, struct cursor *cursor)
{
    unsigned char c = *cursor->p;

    if (c == ':') {
        cursor->p++;
        value_begin(parser, parser->header);
    } else if (is_blank(c)) {
        cursor->p++;
    } else {
        parser->state = STATE_NAME_SKIP;
    }
}

/* In a name that means nothing here. */
static void step_name_skip(struct h1_parse *parser, struct cursor *cursor)
{
    cursor->p = find_colon(cursor->p, cursor->end);
    if (cursor->p == cursor->end) {
        return;
    }
    if (*cursor->p == ':') {
        cursor->p++;
        value_begin(parser, HEADER_OTHER);
    } else {
        bool ends = *cursor->p == '\r' || *cursor->p == '\n';

        fail(parser, ends ? H1_ERROR_HEADER_NAME : H1_ERROR_CONTROL_BYTE, *cursor->p);
    }
}

static bool length_commit(struct h1_parse *parser, unsigned char c)
{
    if (parser->has_length && parser->length != parser->left) {
        fail(parser, H1_ERROR_LENGTH, c);
        return false;
    }
    parser->has_length = true;
    parser->length = parser->left;
    return true;
}

static void step_length(struct h1_parse *parser, struct cursor *cursor)
{
    for (; cursor->p < cursor->end; cursor->p++) {
        unsigned char c = *cursor->p;

        if (c >= '0' && c <= '9' && parser->value != VALUE_AFTER) {
            parser->value = VALUE_IN;
            parser->left = parser->left * 10 + (c - '0');
            if (parser->left >= number_end) {
                fail(parser, H1_ERROR_LENGTH, c);
                return;
            }
            continue;
        }
        if (parser->value == VALUE_IN) {
            if (!length_commit(parser, c)) {
                return;
            }
            parser->value = VALUE_AFTER;
        }
        if (c == ',' && parser->value == VALUE_AFTER) {
            parser->value = VALUE_BEFORE;
            parser->left = 0;
        } else if (c == '\r' || c == '\n' || is_control(c)) {
            line_end(parser, cursor);
            return;
        } else if (!is_blank(c)) {
            fail(parser, H1_ERROR_LENGTH, c);
            return;
        }
    }
}

/* One element of a connection or transfer-encoding list is over. */
static void token_end(struct h1_parse *parser)
{
    unsigned token = word_complete(token_names, parser->candidates, parser->at, TOKEN_COUNT);

    if (parser->value != VALUE_IN) {
        return;
    }
    parser->value = VALUE_AFTER;
    if (token == TOKEN_CLOSE) {
        parser->flags |= FLAG_CLOSE;
    } else if (token == TOKEN_KEEP_ALIVE) {
        parser->flags |= FLAG_KEEP_ALIVE;
    } else if (token == TOKEN_CHUNKED) {
        parser->flags |= FLAG_CODED | FLAG_LAST_CHUNKED;
    } else if (token == TOKEN_COUNT && parser->header == HEADER_CODING) {
        parser->flags = (uint8_t)((parser->flags | FLAG_CODED) & ~FLAG_LAST_CHUNKED);
    }
}

static void step_list(struct h1_parse *parser, struct cursor *cursor)
{
    for (; cursor->p < cursor->end; cursor->p++) {
        unsigned char c = *cursor->p;

        if (c == ',') {
            token_end(parser);
            value_begin(parser, parser->header);
        } else if (is_blank(c) || c == ';') {
            token_end(parser);
        } else if (is_control(c)) {
            token_end(parser);
            line_end(parser, cursor);
            return;
        } else if (parser->value != VALUE_AFTER) {
            parser->value = VALUE_IN;
            parser->candidates = words_matching(token_names, parser->candidates, parser->at, c);
            if (parser->candidates != 0) {
                parser->at++;
            }
        }
    }
}

/* Takes n bytes of the body or chunk, which has `left`, off the input. */
static void body_take(struct h1_parse *parser, struct cursor *cursor)
{
    uint64_t n = (uint64_t)(cursor->end - cursor->p);

    if (n > parser->left) {
        n = parser->left;
    }
    parser->left -= n;
    parser->body_bytes += n;
    cursor->p += n;
}

static void step_body_length(struct h1_parse *parser, struct cursor *cursor)
{
    body_take(parser, cursor);
    if (parser->left == 0) {
        parser->state = STATE_DONE;
    }
}

static void step_body_close(struct h1_parse *parser, struct cursor *cursor)
{
    parser->body_bytes += (uint64_t)(cursor->end - cursor->p);
    cursor->p = cursor->end;
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
        fail(parser, H1_ERROR_HEAD_TOO_BIG, c);
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

static void step_chunk_size(struct h1_parse *parser, struct cursor *cursor)
{
    for (; cursor->p < cursor->end; cursor->p++) {
        unsigned char c = *cursor->p;
        int digit = hex_digit(c);

        if (digit < 0) {
            if (parser->value == VALUE_BEFORE) {
                fail(parser, H1_ERROR_CHUNK, c);
            } else {
                parser->state = STATE_CHUNK_EXTENSION;
            }
            return;
        }
        if (parser->left >= number_end >> 4) {
            fail(parser, H1_ERROR_CHUNK, c);
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
static void step_chunk_extension(struct h1_parse *parser, struct cursor *cursor)
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
            fail(parser, H1_ERROR_CHUNK, c);
            return;
        }
        if (!chunk_line_byte(parser, c)) {
            return;
        }
    }
}

static void step_chunk_size_cr(struct h1_parse *parser, struct cursor *cursor)
{
    if (*cursor->p != '\n') {
        fail(parser, H1_ERROR_CHUNK, '\r');
        return;
    }
    cursor->p++;
    chunk_begin(parser);
}

static void step_chunk_data(struct h1_parse *parser, struct cursor *cursor)
{
    body_take(parser, cursor);
    if (parser->left == 0) {
        parser->state = STATE_CHUNK_END;
    }
}

/* Behind the last byte of a chunk; at the LF the next one begins. */
static void step_chunk_end(struct h1_parse *parser, struct cursor *cursor)
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
        fail(parser, H1_ERROR_CHUNK, c);
    }
}

static void (*const steps[])(struct h1_parse *parser, struct cursor *cursor) = {
    [STATE_START] = step_start,
    [STATE_START_CR] = step_start_cr,
    [STATE_VERSION] = step_version,
    [STATE_VERSION_END] = step_version_end,
    [STATE_STATUS] = step_status,
    [STATE_STATUS_END] = step_status_end,
    [STATE_LINE] = step_line,
    [STATE_NAME] = step_name,
    [STATE_NAME_BLANK] = step_name_blank,
    [STATE_NAME_SKIP] = step_name_skip,
    [STATE_LENGTH] = step_length,
    [STATE_LIST] = step_list,
    [STATE_TEXT] = step_text,
    [STATE_LINE_CR] = step_line_cr,
    [STATE_HEAD_CR] = step_head_cr,
    [STATE_BODY_LENGTH] = step_body_length,
    [STATE_BODY_CLOSE] = step_body_close,
    [STATE_CHUNK_SIZE] = step_chunk_size,
    [STATE_CHUNK_EXTENSION] = step_chunk_extension,
    [STATE_CHUNK_SIZE_CR] = step_chunk_size_cr,
    [STATE_CHUNK_DATA] = step_chunk_data,
    [STATE_CHUNK_END] = step_chunk_end,
    [STATE_CHUNK_END_CR] = step_chunk_end,
};
static_assert(COUNT_OF(steps) == STATE_DONE, "every state that takes bytes has its step");
static_assert(sizeof(struct h1_parse) <= 64, "a parser is one cache line");

void h1_parse_begin(struct h1_parse *parser, enum h1_request request)
{
    *parser = (struct h1_parse){ .request = (uint8_t)request };
}

/* Takes in head, at most what the limit leaves; the error comes at the same byte however the input
 * is split. */
static void head_run(struct h1_parse *parser, struct cursor *cursor)
{
    const unsigned char *begin = cursor->p;
    size_t room = H1_HEAD_BYTES_MAX - parser->head_bytes;
    struct cursor head = *cursor;

    if ((size_t)(head.end - head.p) > room) {
        head.end = head.p + room;
    }
    while (head.p < head.end && parser->state < STATE_BODY_LENGTH) {
        steps[parser->state](parser, &head);
    }
    parser->head_bytes += (uint32_t)(head.p - begin);
    cursor->p = head.p;
    if (parser->head_bytes == H1_HEAD_BYTES_MAX && parser->state < STATE_BODY_LENGTH) {
        fail(parser, H1_ERROR_HEAD_TOO_BIG, 0);
    }
}

enum parse h1_parse(struct h1_parse *parser, struct str in, size_t *ret_used)
{
    const unsigned char *begin = (const unsigned char *)in.p;
    struct cursor cursor = { begin, begin + in.len };

    while (cursor.p < cursor.end && parser->state < STATE_DONE) {
        if (parser->state < STATE_BODY_LENGTH) {
            head_run(parser, &cursor);
        } else {
            steps[parser->state](parser, &cursor);
        }
    }
    *ret_used = (size_t)(cursor.p - begin);
    if (parser->state == STATE_ERROR) {
        return PARSE_ERROR;
    }
    return parser->state == STATE_DONE ? PARSE_DONE : PARSE_MORE;
}

enum parse h1_parse_eof(struct h1_parse *parser)
{
    if (parser->state == STATE_ERROR) {
        return PARSE_ERROR;
    }
    if (parser->state == STATE_BODY_CLOSE) {
        parser->state = STATE_DONE;
    }
    return parser->state == STATE_DONE ? PARSE_DONE : PARSE_MORE;
}

uint64_t h1_body_left(const struct h1_parse *parser)
{
    return parser->state == STATE_BODY_LENGTH ? parser->left : 0;
}

enum parse h1_skip(struct h1_parse *parser, uint64_t n)
{
    assert(n <= h1_body_left(parser));
    parser->left -= n;
    parser->body_bytes += n;
    if (parser->state == STATE_BODY_LENGTH && parser->left == 0) {
        parser->state = STATE_DONE;
    }
    return parser->state == STATE_DONE ? PARSE_DONE : PARSE_MORE;
}

struct str h1_head_find(struct str head, struct str name)
{
    struct str line;

    while (str_cut(&head, '\n', &line)) {
        size_t colon = str_find(line, ':');

        if (colon < line.len && str_eq_nocase(str_trim((struct str){ line.p, colon }), name)) {
            return str_trim(str_from(line, colon + 1));
        }
    }
    return (struct str){ NULL, 0 };
}

struct str h1_name_around(struct str in, size_t at)
{
    size_t begin = at < in.len ? at : in.len;
    struct str line;

    while (begin > 0 && in.p[begin - 1] != '\n') {
        begin--;
    }
    line = str_from(in, begin);
    line.len = str_find(line, '\n');
    if (str_starts(line, STR("HTTP/"))) {
        return (struct str){ line.p, 0 };
    }
    line.len = str_find(line, ':');
    return str_trim(line);
}
