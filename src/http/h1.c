/* SPDX-License-Identifier: Apache-2.0 */
#include "http/h1.h"

#include <assert.h>

#include "base/err.h"
#include "http/h1_state.h"

static h1_step *const steps[] = {
    [STATE_START] = h1_head_start,
    [STATE_START_CR] = h1_head_start_cr,
    [STATE_VERSION] = h1_head_version,
    [STATE_VERSION_END] = h1_head_version_end,
    [STATE_STATUS] = h1_head_status,
    [STATE_STATUS_END] = h1_head_status_end,
    [STATE_TEXT] = h1_head_text,
    [STATE_LINE_CR] = h1_head_line_cr,
    [STATE_LINE] = h1_head_line,
    [STATE_HEAD_CR] = h1_head_end_cr,
    [STATE_NAME] = h1_field_name,
    [STATE_NAME_BLANK] = h1_field_name_blank,
    [STATE_NAME_SKIP] = h1_field_name_skip,
    [STATE_LENGTH] = h1_field_length,
    [STATE_LIST] = h1_field_list,
    [STATE_BODY_LENGTH] = h1_body_length,
    [STATE_BODY_CLOSE] = h1_body_close,
    [STATE_CHUNK_SIZE] = h1_body_chunk_size,
    [STATE_CHUNK_EXTENSION] = h1_body_chunk_extension,
    [STATE_CHUNK_SIZE_CR] = h1_body_chunk_size_cr,
    [STATE_CHUNK_DATA] = h1_body_chunk_data,
    [STATE_CHUNK_END] = h1_body_chunk_end,
    [STATE_CHUNK_END_CR] = h1_body_chunk_end,
};
static_assert(COUNT_OF(steps) == STATE_DONE, "every state that takes bytes has its step");
static_assert(sizeof(struct h1_parse) <= 64, "a parser is one cache line");

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
        h1_fail(parser, H1_ERROR_HEAD_TOO_BIG, 0);
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

static bool is_empty_line(struct str line)
{
    return line.len == 0 || (line.len == 1 && line.p[0] == '\r');
}

/* Begins like "HTTP/1.1 103 Early Hints". */
static bool is_interim(struct str head)
{
    struct str status = str_trim(str_from(head, sizeof("HTTP/1.1") - 1));

    return status.len >= 3 && status.p[0] == '1' && !str_starts(status, STR("101"));
}

struct str h1_final_head(struct str heads)
{
    struct str head = { heads.p, 0 }, line;

    while (str_cut(&heads, '\n', &line)) {
        if (head.len > 0 && is_empty_line(line) && is_interim(head)) {
            head.len = 0;
            continue;
        }
        if (head.len == 0) {
            head.p = line.p;
        }
        if (head.len > 0 || !is_empty_line(line)) {
            head.len = (size_t)(line.p + line.len - head.p) + (heads.p != NULL);
        }
        if (head.len > 0 && is_empty_line(line)) {
            return head;
        }
    }
    head.len = is_interim(head) ? 0 : head.len;
    return head;
}

bool h1_head_next(struct str *rest, struct str name, struct str *ret_value)
{
    struct str line, more;

    while (str_cut(rest, '\n', &line) && !is_empty_line(line)) {
        size_t colon;

        while (rest->len > 0 && is_blank((unsigned char)rest->p[0])) {
            (void)str_cut(rest, '\n', &more);
            line.len = (size_t)(more.p + more.len - line.p);
        }
        colon = str_find(line, ':');
        if (colon < line.len && str_eq_nocase(str_trim((struct str){ line.p, colon }), name)) {
            *ret_value = str_trim(str_from(line, colon + 1));
            return true;
        }
    }
    *rest = (struct str){ NULL, 0 };
    return false;
}

struct str h1_head_find(struct str heads, struct str name)
{
    struct str value, head = h1_final_head(heads);

    if (!h1_head_next(&head, name, &value)) {
        return (struct str){ NULL, 0 };
    }
    value.len = str_find(value, '\n');
    return str_trim(value);
}
