/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/url_lines.h"

#include "base/mem.h"

/* What siege calls the data of a request, unless a header says something else. */
#define CONTENT_TYPE "application/x-www-form-urlencoded"

struct variable {
    char *name;
    struct buf value;
};

struct lines {
    struct url_reader *reader;
    struct variable *variables;
    size_t count;
};

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Length of the name at the beginning, 0 when there is none. */
static size_t name_length(struct str text)
{
    size_t at = 0;

    while (at < text.len && is_name_byte(text.p[at])) {
        at++;
    }
    return at > 0 && text.p[0] >= '0' && text.p[0] <= '9' ? 0 : at;
}

/* Cuts the word before the first blank off *rest, which then begins after the blanks. */
static struct str cut_word(struct str *rest)
{
    struct str word = { rest->p, 0 };

    while (word.len < rest->len && !is_blank(rest->p[word.len])) {
        word.len++;
    }
    *rest = str_trim(str_from(*rest, word.len));
    return word;
}

static struct str unquoted(struct str text)
{
    bool quoted = text.len >= 2 && (text.p[0] == '"' || text.p[0] == '\'') &&
                  text.p[text.len - 1] == text.p[0];

    return quoted ? (struct str){ text.p + 1, text.len - 2 } : text;
}

static struct variable *find(const struct lines *lines, struct str name)
{
    for (size_t i = 0; i < lines->count; i++) {
        if (str_eq(str_of(lines->variables[i].name), name)) {
            return &lines->variables[i];
        }
    }
    return NULL;
}

/* The name in "$(NAME)" or "${NAME}" at the beginning; its len is 0 when there is none. */
static struct str reference(struct str text)
{
    struct str inner = str_from(text, 2);
    size_t len = name_length(inner);
    char closer = text.len > 2 && text.p[1] == '(' ? ')' : '}';

    if (text.len < 4 || text.p[0] != '$' || (text.p[1] != '(' && text.p[1] != '{') || len == 0 ||
        len == inner.len || inner.p[len] != closer) {
        return (struct str){ text.p, 0 };
    }
    return (struct str){ inner.p, len };
}

/* Appends the text with the values of its variables. */
static bool expand(const struct lines *lines, struct str text, struct buf *buf)
{
    for (size_t at = 0; at < text.len; at++) {
        struct str name = reference(str_from(text, at));
        const struct variable *variable = name.len > 0 ? find(lines, name) : NULL;

        if (name.len > 0 && variable == NULL) {
            return url_reader_refuse(lines->reader, "no line before this one sets '%.*s'",
                                     (int)(name.len < 64 ? name.len : 64), name.p);
        }
        if (variable != NULL) {
            buf_add_str(buf, buf_str(&variable->value));
            at += name.len + 2;
        } else {
            buf_putc(buf, text.p[at]);
        }
    }
    if (buf->overflow) {
        return url_reader_refuse(lines->reader, "with its variables the line is longer than %d KiB",
                                 URL_FILE_LINE_MAX >> 10);
    }
    return true;
}

/* Whether the line is "NAME = value". */
static bool cut_assignment(struct str line, struct str *ret_name, struct str *ret_value)
{
    size_t len = name_length(line);
    struct str rest = str_trim(str_from(line, len));

    if (len == 0 || rest.len == 0 || rest.p[0] != '=') {
        return false;
    }
    *ret_name = (struct str){ line.p, len };
    *ret_value = unquoted(str_trim(str_from(rest, 1)));
    return true;
}

static void assign(struct lines *lines, struct str name, struct str value)
{
    struct variable *variable = find(lines, name);
    struct buf buf;

    buf_init(&buf, URL_FILE_LINE_MAX);
    if (!expand(lines, value, &buf)) {
        buf_fini(&buf);
        return;
    }
    if (variable == NULL && lines->count == URL_LINES_VARIABLES_MAX) {
        buf_fini(&buf);
        (void)url_reader_refuse(lines->reader, "more than %d variables", URL_LINES_VARIABLES_MAX);
        return;
    }
    if (variable == NULL) {
        lines->variables =
            mem_resize(lines->variables, lines->count + 1, sizeof(*lines->variables));
        variable = &lines->variables[lines->count++];
        variable->name = mem_strndup(name.p, name.len);
    } else {
        buf_fini(&variable->value);
    }
    variable->value = buf;
}

static bool is_method(struct str word)
{
    for (size_t i = 0; i < word.len; i++) {
        if (word.p[i] < 'A' || word.p[i] > 'Z') {
            return false;
        }
    }
    return word.len > 0;
}

/* "", "# comment", "METHOD", "METHOD data", "METHOD <FILE" */
static void read_method(struct url_reader *reader, struct plan_item *item, struct str rest)
{
    struct str word = cut_word(&rest);

    if (url_reader_is_idle(word)) {
        return;
    }
    if (!is_method(word)) {
        (void)url_reader_refuse(reader,
                                "'%.*s' after the URL is not a method, such as POST; a blank in a "
                                "URL is written %%20",
                                (int)(word.len < 64 ? word.len : 64), word.p);
        return;
    }
    if (!url_reader_set_method(reader, item, word) || rest.len == 0) {
        return;
    }
    item->content_type = CONTENT_TYPE;
    if (rest.p[0] == '<') {
        rest = unquoted(str_trim(str_from(rest, 1)));
        if (rest.len == 0) {
            (void)url_reader_refuse(reader, "'<' is not followed by the name of a file");
            return;
        }
        item->body_path = mem_strndup(rest.p, rest.len);
    } else {
        item->body_text = mem_strndup(rest.p, rest.len);
        item->body = (struct str){ item->body_text, rest.len };
    }
}

static void read_request(struct url_reader *reader, struct str line)
{
    struct plan_item *item;
    struct str url;

    if (line.len > 1 && (line.p[0] == '"' || line.p[0] == '\'')) {
        url = str_from(line, 1);
        url.len = str_find(url, line.p[0]);
        if (url.len + 1 == line.len) {
            (void)url_reader_refuse(reader, "the quote before the URL has no other after it");
            return;
        }
        line = str_trim(str_from(line, url.len + 2));
    } else {
        url = cut_word(&line);
    }
    item = url_reader_add(reader, url);
    if (item != NULL) {
        read_method(reader, item, line);
    }
}

static void read_line(struct lines *lines, struct str line)
{
    struct str name, value;
    struct buf buf;

    if (url_reader_is_idle(line)) {
        return;
    }
    if (cut_assignment(line, &name, &value)) {
        assign(lines, name, value);
        return;
    }
    if (str_find(line, '$') == line.len) {
        read_request(lines->reader, line);
        return;
    }
    buf_init(&buf, URL_FILE_LINE_MAX);
    if (expand(lines, line, &buf)) {
        read_request(lines->reader, buf_str(&buf));
    }
    buf_fini(&buf);
}

void url_lines_read(struct url_reader *reader)
{
    struct lines lines = { .reader = reader };
    struct str line;

    while (url_reader_next(reader, &line)) {
        read_line(&lines, line);
    }
    for (size_t i = 0; i < lines.count; i++) {
        mem_free(lines.variables[i].name);
        buf_fini(&lines.variables[i].value);
    }
    mem_free(lines.variables);
}
