/* SPDX-License-Identifier: Apache-2.0 */
#include "http/h1_request_parse.h"

#include <assert.h>

enum { VALUE_BYTES_MAX = 4096, LENGTH_BITS_MAX = 62 };

/* In the order of the table at the end. Up to STATE_TRAILER all bytes count as head, but for those
 * of bodies and chunk sizes. */
enum state {
    STATE_START,
    STATE_METHOD,
    STATE_TARGET,
    STATE_VERSION,
    STATE_LINE,
    STATE_NAME,
    STATE_VALUE,
    STATE_HEAD_END,
    STATE_HEAD_DONE,
    STATE_LENGTH_BODY,
    STATE_CHUNK_SIZE,
    STATE_CHUNK_EXTENSION,
    STATE_CHUNK_BODY,
    STATE_CHUNK_END,
    STATE_TRAILER_LINE,
    STATE_TRAILER,
    STATE_DONE,
    STATE_COUNT,
};

/* The headers that mean something to the parser. */
enum header {
    HEADER_OTHER,
    HEADER_HOST,
    HEADER_AUTHORIZATION,
    HEADER_CONNECTION,
    HEADER_CONTENT_LENGTH,
    HEADER_CONTENT_TYPE,
    HEADER_EXPECT,
    HEADER_TRANSFER_ENCODING,
};

static const char *const header_names[] = {
    [HEADER_HOST] = "host",
    [HEADER_AUTHORIZATION] = "authorization",
    [HEADER_CONNECTION] = "connection",
    [HEADER_CONTENT_LENGTH] = "content-length",
    [HEADER_CONTENT_TYPE] = "content-type",
    [HEADER_EXPECT] = "expect",
    [HEADER_TRANSFER_ENCODING] = "transfer-encoding",
};

void h1_request_parse_init(struct h1_request_parse *parser)
{
    *parser = (struct h1_request_parse){ 0 };
    buf_init(&parser->target, H1_REQUEST_TARGET_BYTES_MAX);
    buf_init(&parser->value, VALUE_BYTES_MAX);
    buf_init(&parser->authorization, VALUE_BYTES_MAX);
    h1_request_parse_begin(parser);
}

void h1_request_parse_fini(struct h1_request_parse *parser)
{
    buf_fini(&parser->target);
    buf_fini(&parser->value);
    buf_fini(&parser->authorization);
}

void h1_request_parse_begin(struct h1_request_parse *parser)
{
    buf_reset(&parser->target);
    buf_reset(&parser->authorization);
    parser->method[0] = parser->content_type[0] = '\0';
    parser->version_minor = 0;
    parser->is_head = parser->keep_alive = parser->expects_continue = parser->chunked = false;
    parser->has_length = parser->close_seen = parser->keep_alive_seen = parser->return_seen = false;
    parser->error = H1_REQUEST_ERROR_NONE;
    parser->length = parser->body_bytes = parser->left = 0;
    parser->state = STATE_START;
    parser->head_bytes = parser->hosts = parser->name_len = 0;
    parser->header = HEADER_OTHER;
}

bool h1_request_parse_is_fresh(const struct h1_request_parse *parser)
{
    return parser->state == STATE_START;
}

static enum request_event fail(struct h1_request_parse *parser, enum h1_request_error error)
{
    parser->error = (uint8_t)error;
    return REQUEST_ERROR;
}

/* The bytes of RFC 9110's token. */
static bool is_token(char c)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";

    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && memchr(marks, c, sizeof(marks) - 1) != NULL);
}

/* For lines that hold nothing else: a carriage return, once, and the line feed. *ret_ended: the
 * line feed came. False: another byte. */
static bool line_end(struct h1_request_parse *parser, char byte, bool *ret_ended)
{
    *ret_ended = byte == '\n';
    if (byte == '\r' && !parser->return_seen) {
        parser->return_seen = true;
        return true;
    }
    parser->return_seen = false;
    return byte == '\n';
}

/*
 * One function a state. Each takes bytes of `in` from *at on, at least one, until the state changes
 * or the input ends, and returns REQUEST_MORE to go on, or an event.
 */

static enum request_event in_start(struct h1_request_parse *parser, struct str in, size_t *at)
{
    if (in.p[*at] == '\r' || in.p[*at] == '\n') {
        ++*at;
    } else {
        parser->state = STATE_METHOD;
    }
    return REQUEST_MORE;
}

static enum request_event in_method(struct h1_request_parse *parser, struct str in, size_t *at)
{
    for (; *at < in.len && in.p[*at] != ' '; ++*at) {
        if (!is_token(in.p[*at]) || parser->name_len + 1 >= H1_REQUEST_METHOD_MAX) {
            return fail(parser, H1_REQUEST_ERROR_METHOD);
        }
        parser->method[parser->name_len++] = in.p[*at];
    }
    parser->method[parser->name_len] = '\0';
    if (*at < in.len) {
        if (parser->name_len == 0) {
            return fail(parser, H1_REQUEST_ERROR_METHOD);
        }
        ++*at;
        parser->is_head = strcmp(parser->method, "HEAD") == 0;
        parser->state = STATE_TARGET;
    }
    return REQUEST_MORE;
}

static enum request_event in_target(struct h1_request_parse *parser, struct str in, size_t *at)
{
    size_t start = *at;

    while (*at < in.len && (unsigned char)in.p[*at] > ' ' && in.p[*at] != 0x7f) {
        ++*at;
    }
    buf_add(&parser->target, in.p + start, *at - start);
    if (parser->target.overflow) {
        return fail(parser, H1_REQUEST_ERROR_TARGET_TOO_LONG);
    }
    if (*at < in.len) {
        if (in.p[*at] == '\r' || in.p[*at] == '\n') {
            return fail(parser, H1_REQUEST_ERROR_LINE);
        }
        if (in.p[*at] != ' ' || parser->target.len == 0) {
            return fail(parser, H1_REQUEST_ERROR_TARGET);
        }
        ++*at;
        parser->name_len = 0;
        parser->state = STATE_VERSION;
    }
    return REQUEST_MORE;
}

static enum request_event in_version(struct h1_request_parse *parser, struct str in, size_t *at)
{
    static const char form[] = "HTTP/d.d";
    bool ended;

    for (; *at < in.len && parser->name_len < sizeof(form) - 1; ++*at) {
        char want = form[parser->name_len], byte = in.p[*at];

        if (want == 'd' ? byte < '0' || byte > '9' : byte != want) {
            return fail(parser, H1_REQUEST_ERROR_LINE);
        }
        parser->name[parser->name_len++] = byte;
    }
    if (*at == in.len) {
        return REQUEST_MORE;
    }
    if (!line_end(parser, in.p[*at], &ended)) {
        return fail(parser, H1_REQUEST_ERROR_LINE);
    }
    ++*at;
    if (ended) {
        if (parser->name[5] != '1') {
            return fail(parser, H1_REQUEST_ERROR_VERSION);
        }
        parser->version_minor = parser->name[7] == '0' ? 0 : 1;
        parser->state = STATE_LINE;
    }
    return REQUEST_MORE;
}

/* The first byte of a line of the head. */
static enum request_event in_line(struct h1_request_parse *parser, struct str in, size_t *at)
{
    if (in.p[*at] == '\r' || in.p[*at] == '\n') {
        parser->state = STATE_HEAD_END;
    } else {
        parser->name_len = 0;
        parser->state = STATE_NAME;
    }
    return REQUEST_MORE;
}

static enum header header_find(const struct h1_request_parse *parser)
{
    struct str name = { parser->name, parser->name_len };

    for (enum header i = HEADER_HOST; i < COUNT_OF(header_names); i++) {
        if (str_eq(name, str_of(header_names[i]))) {
            return i;
        }
    }
    return HEADER_OTHER;
}

static enum request_event in_name(struct h1_request_parse *parser, struct str in, size_t *at)
{
    for (; *at < in.len && in.p[*at] != ':'; ++*at) {
        char byte = in.p[*at];

        if (!is_token(byte)) {
            return fail(parser, H1_REQUEST_ERROR_HEADER_NAME);
        }
        /* A name that is longer than any known one only has to stay different from them. */
        if (parser->name_len < sizeof(parser->name)) {
            parser->name[parser->name_len++] =
                byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
        }
    }
    if (*at < in.len) {
        if (parser->name_len == 0) {
            return fail(parser, H1_REQUEST_ERROR_HEADER_NAME);
        }
        ++*at;
        parser->header = (uint8_t)header_find(parser);
        buf_reset(&parser->value);
        parser->state = STATE_VALUE;
    }
    return REQUEST_MORE;
}

static void take_connection(struct h1_request_parse *parser, struct str value)
{
    struct str option;

    while (str_cut(&value, ',', &option)) {
        option = str_trim(option);
        parser->close_seen |= str_eq_nocase(option, STR("close"));
        parser->keep_alive_seen |= str_eq_nocase(option, STR("keep-alive"));
    }
}

static bool take_content_length(struct h1_request_parse *parser, struct str value)
{
    uint64_t length;

    if (parser->has_length || !str_u64(value, &length) || length >> LENGTH_BITS_MAX != 0) {
        return false;
    }
    parser->has_length = true;
    parser->length = length;
    return true;
}

static enum request_event take_header(struct h1_request_parse *parser)
{
    struct str value = str_trim(buf_str(&parser->value));
    bool too_long = parser->value.overflow;

    switch ((enum header)parser->header) {
    case HEADER_OTHER:
        break;
    case HEADER_HOST:
        parser->hosts = parser->hosts == 0 ? 1 : 2;
        break;
    case HEADER_AUTHORIZATION:
        buf_reset(&parser->authorization);
        buf_add_str(&parser->authorization, value);
        break;
    case HEADER_CONNECTION:
        take_connection(parser, value);
        break;
    case HEADER_CONTENT_LENGTH:
        if (too_long || !take_content_length(parser, value)) {
            return fail(parser, H1_REQUEST_ERROR_LENGTH);
        }
        break;
    case HEADER_CONTENT_TYPE:
        if (!too_long && value.len < sizeof(parser->content_type)) {
            str_copy(parser->content_type, sizeof(parser->content_type), value);
        }
        break;
    case HEADER_EXPECT:
        parser->expects_continue = str_eq_nocase(value, STR("100-continue"));
        break;
    case HEADER_TRANSFER_ENCODING:
        if (too_long || parser->chunked || !str_eq_nocase(value, STR("chunked"))) {
            return fail(parser, H1_REQUEST_ERROR_CODING);
        }
        parser->chunked = true;
        break;
    }
    return REQUEST_MORE;
}

/* Up to the line feed, without it. False: a control byte. A carriage return is one unless the line
 * feed follows. */
static bool value_span(struct h1_request_parse *parser, struct str in, size_t *at)
{
    for (; *at < in.len && in.p[*at] != '\n'; ++*at) {
        unsigned char byte = (unsigned char)in.p[*at];

        if (parser->return_seen || (byte < ' ' && byte != '\t' && byte != '\r') || byte == 0x7f) {
            return false;
        }
        parser->return_seen = byte == '\r';
    }
    return true;
}

static enum request_event in_value(struct h1_request_parse *parser, struct str in, size_t *at)
{
    size_t start = *at;

    if (!value_span(parser, in, at)) {
        return fail(parser, H1_REQUEST_ERROR_CONTROL_BYTE);
    }
    if (parser->header > HEADER_HOST) {
        buf_add(&parser->value, in.p + start, *at - start);
    }
    if (*at == in.len) {
        return REQUEST_MORE;
    }
    ++*at;
    parser->return_seen = false;
    parser->state = STATE_LINE;
    return take_header(parser);
}

/* What the whole of the head says. */
static enum request_event head_end(struct h1_request_parse *parser)
{
    if (parser->hosts > 1 || (parser->version_minor > 0 && parser->hosts == 0)) {
        return fail(parser, H1_REQUEST_ERROR_HOST);
    }
    if (parser->chunked && parser->has_length) {
        return fail(parser, H1_REQUEST_ERROR_LENGTH);
    }
    if (parser->chunked && parser->version_minor == 0) {
        return fail(parser, H1_REQUEST_ERROR_CODING);
    }
    parser->keep_alive =
        !parser->close_seen && (parser->version_minor > 0 || parser->keep_alive_seen);
    parser->left = parser->length;
    parser->state = STATE_HEAD_DONE;
    return REQUEST_HEAD;
}

static enum request_event in_head_end(struct h1_request_parse *parser, struct str in, size_t *at)
{
    bool ended;

    if (!line_end(parser, in.p[*at], &ended)) {
        return fail(parser, H1_REQUEST_ERROR_HEADER_NAME);
    }
    ++*at;
    return ended ? head_end(parser) : REQUEST_MORE;
}

/* Takes no byte: how the body goes on. */
static enum request_event in_head_done(struct h1_request_parse *parser, struct str in, size_t *at)
{
    (void)in;
    (void)at;
    parser->name_len = 0;
    if (parser->chunked) {
        parser->state = STATE_CHUNK_SIZE;
    } else if (parser->left > 0) {
        parser->state = STATE_LENGTH_BODY;
    } else {
        parser->state = STATE_DONE;
        return REQUEST_DONE;
    }
    return REQUEST_MORE;
}

static enum request_event take_piece(struct h1_request_parse *parser, struct str in, size_t *at)
{
    size_t room = in.len - *at;
    size_t n = parser->left < room ? (size_t)parser->left : room;

    parser->piece = (struct str){ in.p + *at, n };
    parser->left -= n;
    parser->body_bytes += n;
    *at += n;
    return REQUEST_BODY;
}

static enum request_event in_length_body(struct h1_request_parse *parser, struct str in, size_t *at)
{
    enum request_event event = take_piece(parser, in, at);

    if (parser->left == 0) {
        parser->state = STATE_HEAD_DONE;
    }
    return event;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

static enum request_event in_chunk_size(struct h1_request_parse *parser, struct str in, size_t *at)
{
    for (; *at < in.len && hex_digit(in.p[*at]) >= 0; ++*at) {
        /* Leading zeros count too: an endless row of them is no size. */
        if (parser->name_len >= 16 || parser->left >> (LENGTH_BITS_MAX - 4) != 0) {
            return fail(parser, H1_REQUEST_ERROR_CHUNK);
        }
        parser->left = parser->left * 16 + (uint64_t)hex_digit(in.p[*at]);
        parser->name_len++;
    }
    if (*at < in.len) {
        char byte = in.p[*at];

        if (parser->name_len == 0 ||
            (byte != '\r' && byte != '\n' && byte != ';' && byte != ' ' && byte != '\t')) {
            return fail(parser, H1_REQUEST_ERROR_CHUNK);
        }
        parser->state = STATE_CHUNK_EXTENSION;
    }
    return REQUEST_MORE;
}

static enum request_event in_chunk_extension(struct h1_request_parse *parser, struct str in,
                                             size_t *at)
{
    if (!value_span(parser, in, at)) {
        return fail(parser, H1_REQUEST_ERROR_CHUNK);
    }
    if (*at < in.len) {
        ++*at;
        parser->return_seen = false;
        parser->state = parser->left > 0 ? STATE_CHUNK_BODY : STATE_TRAILER_LINE;
    }
    return REQUEST_MORE;
}

static enum request_event in_chunk_body(struct h1_request_parse *parser, struct str in, size_t *at)
{
    enum request_event event = take_piece(parser, in, at);

    if (parser->left == 0) {
        parser->state = STATE_CHUNK_END;
    }
    return event;
}

static enum request_event in_chunk_end(struct h1_request_parse *parser, struct str in, size_t *at)
{
    bool ended;

    if (!line_end(parser, in.p[*at], &ended)) {
        return fail(parser, H1_REQUEST_ERROR_CHUNK);
    }
    ++*at;
    if (ended) {
        parser->name_len = 0;
        parser->state = STATE_CHUNK_SIZE;
    }
    return REQUEST_MORE;
}

static enum request_event in_trailer_line(struct h1_request_parse *parser, struct str in,
                                          size_t *at)
{
    bool returned = parser->return_seen, ended;

    if (!line_end(parser, in.p[*at], &ended)) {
        if (returned) {
            return fail(parser, H1_REQUEST_ERROR_CHUNK);
        }
        parser->state = STATE_TRAILER;
        return REQUEST_MORE;
    }
    ++*at;
    if (ended) {
        parser->state = STATE_DONE;
        return REQUEST_DONE;
    }
    return REQUEST_MORE;
}

/* Trailers are read over: nothing asks for them. */
static enum request_event in_trailer(struct h1_request_parse *parser, struct str in, size_t *at)
{
    if (!value_span(parser, in, at)) {
        return fail(parser, H1_REQUEST_ERROR_CONTROL_BYTE);
    }
    if (*at < in.len) {
        ++*at;
        parser->return_seen = false;
        parser->state = STATE_TRAILER_LINE;
    }
    return REQUEST_MORE;
}

static enum request_event in_done(struct h1_request_parse *parser, struct str in, size_t *at)
{
    (void)parser;
    (void)in;
    (void)at;
    return REQUEST_DONE;
}

static enum request_event (*const states[])(struct h1_request_parse *, struct str, size_t *) = {
    [STATE_START] = in_start,
    [STATE_METHOD] = in_method,
    [STATE_TARGET] = in_target,
    [STATE_VERSION] = in_version,
    [STATE_LINE] = in_line,
    [STATE_NAME] = in_name,
    [STATE_VALUE] = in_value,
    [STATE_HEAD_END] = in_head_end,
    [STATE_HEAD_DONE] = in_head_done,
    [STATE_LENGTH_BODY] = in_length_body,
    [STATE_CHUNK_SIZE] = in_chunk_size,
    [STATE_CHUNK_EXTENSION] = in_chunk_extension,
    [STATE_CHUNK_BODY] = in_chunk_body,
    [STATE_CHUNK_END] = in_chunk_end,
    [STATE_TRAILER_LINE] = in_trailer_line,
    [STATE_TRAILER] = in_trailer,
    [STATE_DONE] = in_done,
};

static_assert(COUNT_OF(states) == STATE_COUNT, "every state has its function");

static bool is_head_state(enum state state)
{
    return state < STATE_HEAD_DONE || state == STATE_CHUNK_EXTENSION ||
           state == STATE_TRAILER_LINE || state == STATE_TRAILER;
}

enum request_event h1_request_parse(struct h1_request_parse *parser, struct str in,
                                    size_t *ret_used)
{
    enum request_event event = REQUEST_MORE;
    size_t at = 0;

    /* The two states that need no byte go on with an empty input too. */
    while (event == REQUEST_MORE && (at < in.len || parser->state == STATE_HEAD_DONE)) {
        size_t before = at;

        if (!is_head_state(parser->state)) {
            event = states[parser->state](parser, in, &at);
            continue;
        }
        /* Cut to what the limit leaves, so that it strikes at the same byte however the input is
         * split. */
        struct str rest = { in.p, in.len };
        size_t room = H1_REQUEST_HEAD_BYTES_MAX - parser->head_bytes;

        if (room == 0) {
            event = fail(parser, H1_REQUEST_ERROR_HEAD_TOO_BIG);
            break;
        }
        if (rest.len - at > room) {
            rest.len = at + room;
        }
        event = states[parser->state](parser, rest, &at);
        parser->head_bytes += (uint32_t)(at - before);
    }
    *ret_used = at;
    return event;
}
