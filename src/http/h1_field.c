/* SPDX-License-Identifier: Apache-2.0 */
#include "http/h1_state.h"

enum token { TOKEN_CLOSE, TOKEN_KEEP_ALIVE, TOKEN_CHUNKED, TOKEN_IDENTITY, TOKEN_COUNT };

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

static unsigned char lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? (unsigned char)(c | 0x20) : c;
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
void h1_field_resume(struct h1_parse *parser)
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

/* At the colon: the header's value begins. */
void h1_field_name(struct h1_parse *parser, struct cursor *cursor)
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
void h1_field_name_blank(struct h1_parse *parser, struct cursor *cursor)
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
void h1_field_name_skip(struct h1_parse *parser, struct cursor *cursor)
{
    while (cursor->p < cursor->end && *cursor->p != ':' && !is_control(*cursor->p)) {
        cursor->p++;
    }
    if (cursor->p == cursor->end) {
        return;
    }
    if (*cursor->p == ':') {
        cursor->p++;
        value_begin(parser, HEADER_OTHER);
    } else {
        bool ends = *cursor->p == '\r' || *cursor->p == '\n';

        h1_fail(parser, ends ? H1_ERROR_HEADER_NAME : H1_ERROR_CONTROL_BYTE, *cursor->p);
    }
}

static bool length_commit(struct h1_parse *parser, unsigned char c)
{
    if (parser->has_length && parser->length != parser->left) {
        h1_fail(parser, H1_ERROR_LENGTH, c);
        return false;
    }
    parser->has_length = true;
    parser->length = parser->left;
    return true;
}

void h1_field_length(struct h1_parse *parser, struct cursor *cursor)
{
    for (; cursor->p < cursor->end; cursor->p++) {
        unsigned char c = *cursor->p;

        if (c >= '0' && c <= '9' && parser->value != VALUE_AFTER) {
            parser->value = VALUE_IN;
            parser->left = parser->left * 10 + (c - '0');
            if (parser->left >= H1_NUMBER_END) {
                h1_fail(parser, H1_ERROR_LENGTH, c);
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
            h1_head_line_end(parser, cursor);
            return;
        } else if (!is_blank(c)) {
            h1_fail(parser, H1_ERROR_LENGTH, c);
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

void h1_field_list(struct h1_parse *parser, struct cursor *cursor)
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
            h1_head_line_end(parser, cursor);
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
