/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/curl_line.h"

#include <string.h>

#include "base/mem.h"
#include "plan/curl_options.h"

/* Where the parser is, and the option under it. */
struct cursor {
    const struct opt_spec *spec;
    struct curl_line *line;
    char *const *argv;
    int argc, at;
    struct str word; /* the option as it was written, without its value */
    struct err *err;
    char letter[2]; /* what word is of a short option: "-X" */
};

static bool refuse(const struct cursor *cursor, const char *why)
{
    return err_set(cursor->err, ERR_USAGE, "%.*s: %s", STR_ARG(cursor->word), why);
}

static bool is_switch(const struct opt *row)
{
    return !opt_takes_value(row);
}

/* One of brunt's options; "NAME=VALUE" gives a fixed value, "NAME=" is a switch whatever the value.
 */
static bool assign(const struct cursor *cursor, const char *as, struct str value)
{
    struct str name = { as, str_find(str_of(as), '=') };
    const struct opt_set *set;
    const struct opt *row = opt_find(cursor->spec, name, &set);

    if (row == NULL) {
        return refuse(cursor, "this is not in this version yet");
    }
    if (as[name.len] == '=') {
        value = str_of(as + name.len + 1);
    }
    return opt_assign(row, set->config, value, cursor->err) ||
           err_prefix(cursor->err, "%.*s", STR_ARG(cursor->word));
}

static bool add_piece(const struct cursor *cursor, enum curl_piece_kind kind, struct str name,
                      struct str text)
{
    struct curl_line *line = cursor->line;

    if (line->piece_count == CURL_LINE_PIECES_MAX) {
        return refuse(cursor, "too many pieces of data: at most 1000");
    }
    line->pieces = mem_resize(line->pieces, line->piece_count + 1, sizeof(*line->pieces));
    line->pieces[line->piece_count++] = (struct curl_piece){
        .kind = kind,
        .name = name.p != NULL ? mem_strndup(name.p, name.len) : NULL,
        .text = mem_strndup(text.p, text.len),
    };
    return true;
}

static bool add_data(const struct cursor *cursor, enum curl_piece_kind file, struct str value)
{
    struct str none = { NULL, 0 };

    return str_starts(value, STR("@")) ? add_piece(cursor, file, none, str_from(value, 1))
                                       : add_piece(cursor, CURL_TEXT, none, value);
}

/* "content", "=content", "name=content", "@file", "name@file" */
static bool add_encoded(const struct cursor *cursor, struct str value)
{
    size_t equals = str_find(value, '='), at = str_find(value, '@');
    struct str name = { NULL, 0 }, content = value;
    char text[256];

    if (equals < at) {
        name = equals > 0 ? (struct str){ value.p, equals + 1 } : name;
        content = str_from(value, equals + 1);
        return add_piece(cursor, CURL_ENCODED, name, content);
    }
    if (at == value.len) {
        return add_piece(cursor, CURL_ENCODED, name, content);
    }
    if (at + 2 > sizeof(text)) {
        return refuse(cursor, "the name is longer than 250 bytes");
    }
    memcpy(text, value.p, at);
    text[at] = '=';
    name = at > 0 ? (struct str){ text, at + 1 } : name;
    return add_piece(cursor, CURL_FILE_ENCODED, name, str_from(value, at + 1));
}

static bool add_form(const struct cursor *cursor, enum curl_piece_kind kind, struct str value)
{
    size_t equals = str_find(value, '=');

    if (equals == 0 || equals == value.len) {
        return refuse(cursor, "a part of a form is NAME=CONTENT, NAME=@FILE or NAME=<FILE");
    }
    cursor->line->form = true;
    return add_piece(cursor, kind, (struct str){ value.p, equals }, str_from(value, equals + 1));
}

/* A pseudo-header of HTTP/2 is part of the request line, and the length is that of the body. */
static bool is_browsers(struct str header)
{
    struct str name = { header.p, str_find(header, ':') };

    return name.len == 0 || str_eq_nocase(str_trim(name), STR("content-length"));
}

static bool add_header(const struct cursor *cursor, struct str value)
{
    value = str_trim(value);
    if (str_starts(value, STR("@"))) {
        return refuse(cursor, "headers are not read from a file: give each with -H");
    }
    if (value.len == 0 || !is_browsers(value)) {
        opt_texts_add(&cursor->line->headers, value);
    }
    return true;
}

/* -A, -e and the like: an empty value removes the header. */
static bool add_field(const struct cursor *cursor, const char *name, struct str value)
{
    struct buf buf;

    if (strcmp(name, "Referer") == 0 && str_ends(value, STR(";auto"))) {
        return refuse(cursor, "a referer does not change with redirects: leave ;auto out");
    }
    buf_init(&buf, (size_t)1 << 20);
    buf_puts(&buf, name);
    buf_puts(&buf, ": ");
    buf_puts(&buf, strcmp(name, "Authorization") == 0 ? "Bearer " : "");
    buf_puts(&buf, strcmp(name, "Range") == 0 ? "bytes=" : "");
    buf_add_str(&buf, value);
    opt_texts_add(&cursor->line->headers, buf_str(&buf));
    buf_fini(&buf);
    return true;
}

static bool add_cookie(const struct cursor *cursor, struct str value)
{
    struct curl_line *line = cursor->line;
    struct buf buf;

    if (str_find(value, '=') == value.len && value.len > 0) {
        return refuse(cursor, "this is the name of a file of cookies, which is not read: give "
                              "NAME=VALUE");
    }
    buf_init(&buf, (size_t)1 << 20);
    if (line->cookie != NULL && line->cookie[0] != '\0') {
        buf_puts(&buf, line->cookie);
        buf_puts(&buf, "; ");
    }
    buf_add_str(&buf, value);
    mem_free(line->cookie);
    line->cookie = mem_strndup(buf_str(&buf).p, buf.len);
    buf_fini(&buf);
    return true;
}

static bool set_text(char **field, struct str value)
{
    mem_free(*field);
    *field = mem_strndup(value.p, value.len);
    return true;
}

static bool apply(const struct cursor *cursor, const struct curl_option *option, struct str value)
{
    struct curl_line *line = cursor->line;
    struct str none = { NULL, 0 };

    switch (option->kind) {
    case CURL_OPTION_IGNORED:
        return true;
    case CURL_OPTION_REFUSED:
        return refuse(cursor, option->as);
    case CURL_OPTION_PLAN:
        return assign(cursor, option->as, value);
    case CURL_OPTION_URL:
        opt_texts_add(&line->urls, value);
        return true;
    case CURL_OPTION_METHOD:
        return set_text(&line->method, value);
    case CURL_OPTION_HEADER:
        return add_header(cursor, value);
    case CURL_OPTION_FIELD:
        return add_field(cursor, option->as, value);
    case CURL_OPTION_COOKIE:
        return add_cookie(cursor, value);
    case CURL_OPTION_DATA:
        return add_data(cursor, CURL_FILE_LINES, value);
    case CURL_OPTION_DATA_RAW:
        return add_piece(cursor, CURL_TEXT, none, value);
    case CURL_OPTION_DATA_BINARY:
        return add_data(cursor, CURL_FILE, value);
    case CURL_OPTION_DATA_URLENCODE:
        return add_encoded(cursor, value);
    case CURL_OPTION_JSON:
        line->json = true;
        return str_starts(value, STR("@")) ? add_data(cursor, CURL_FILE, value)
                                           : add_piece(cursor, CURL_JSON, none, value);
    case CURL_OPTION_FORM:
        return add_form(cursor, CURL_FORM, value);
    case CURL_OPTION_FORM_STRING:
        return add_form(cursor, CURL_FORM_STRING, value);
    case CURL_OPTION_UPLOAD:
        return set_text(&line->upload, value);
    case CURL_OPTION_GET:
        line->get = true;
        return true;
    case CURL_OPTION_HEAD:
        line->head = true;
        return true;
    case CURL_OPTION_GLOB_OFF:
        line->glob_off = true;
        return true;
    case CURL_OPTION_FROM:
        return set_text(&line->from, value);
    }
    return true;
}

/* The value of the option under the cursor: behind it, or the next word. */
static bool take_value(struct cursor *cursor, struct str glued, struct str *ret_value)
{
    if (glued.p != NULL) {
        *ret_value = glued;
        return true;
    }
    if (cursor->at + 1 >= cursor->argc) {
        return refuse(cursor, "this needs a value after it");
    }
    *ret_value = str_of(cursor->argv[++cursor->at]);
    return true;
}

/* A long option that curl does not have. */
static bool parse_own(struct cursor *cursor, struct str name, struct str glued)
{
    const struct opt_set *set;
    const struct opt *row = opt_find(cursor->spec, name, &set);
    struct str value = { "", 0 };

    if (row == NULL && str_starts(name, STR("no-"))) {
        const struct opt *on = opt_find(cursor->spec, str_from(name, 3), &set);
        const struct curl_option *curl = curl_options_find(str_from(name, 3));

        if (curl != NULL && !curl->value) {
            return curl->kind == CURL_OPTION_IGNORED ||
                   refuse(cursor, "leave it and what it takes back out");
        }
        if (on != NULL && on->type == OPT_SWITCH && glued.p == NULL) {
            *(bool *)((char *)set->config + on->offset) = false;
            return true;
        }
    }
    if (row == NULL) {
        return err_set(cursor->err, ERR_USAGE, "unknown option %.*s: neither curl nor brunt has it",
                       STR_ARG(cursor->word));
    }
    if (is_switch(row) && glued.p != NULL) {
        return refuse(cursor, "this takes no value");
    }
    if (!is_switch(row) && !take_value(cursor, glued, &value)) {
        return false;
    }
    return opt_assign(row, set->config, value, cursor->err) ||
           err_prefix(cursor->err, "%.*s", STR_ARG(cursor->word));
}

static bool parse_long(struct cursor *cursor, struct str word)
{
    size_t equals = str_find(word, '=');
    struct str name = str_from(word, 2), glued = { NULL, 0 }, value = { "", 0 };
    const struct curl_option *option;

    cursor->word = (struct str){ word.p, equals };
    if (equals < word.len) {
        name.len = equals - 2;
        glued = str_from(word, equals + 1);
    }
    option = curl_options_find(name);
    if (option == NULL) {
        return parse_own(cursor, name, glued);
    }
    if (!option->value && glued.p != NULL) {
        return refuse(cursor, "this takes no value");
    }
    return (!option->value || option->kind == CURL_OPTION_REFUSED ||
            take_value(cursor, glued, &value)) &&
           apply(cursor, option, value);
}

/* "-sSLXPOST": switches in a row, the last may take a value. */
static bool parse_short(struct cursor *cursor, const char *word)
{
    for (const char *at = word + 1; *at != '\0'; at++) {
        const struct curl_option *option = curl_options_find_letter(*at);
        struct str value = { "", 0 }, none = { NULL, 0 };

        cursor->letter[1] = *at;
        cursor->word = (struct str){ cursor->letter, 2 };
        if (option == NULL) {
            return err_set(cursor->err, ERR_USAGE, "unknown option -%c: curl has none", *at);
        }
        if (!option->value || option->kind == CURL_OPTION_REFUSED) {
            if (!apply(cursor, option, value)) {
                return false;
            }
            continue;
        }
        return take_value(cursor, at[1] != '\0' ? str_of(at + 1) : none, &value) &&
               apply(cursor, option, value);
    }
    return true;
}

bool curl_line_parse(const struct opt_spec *spec, int argc, char *const *argv,
                     struct curl_line *line, struct err *err)
{
    struct cursor cursor = {
        .spec = spec, .line = line, .argv = argv, .argc = argc, .err = err, .letter = { '-' }
    };
    bool options = true;

    for (; cursor.at < argc; cursor.at++) {
        const char *word = argv[cursor.at];
        bool ok = true;

        if (options && strcmp(word, "--") == 0) {
            options = false;
        } else if (options && word[0] == '-' && word[1] == '-') {
            ok = parse_long(&cursor, str_of(word));
        } else if (options && word[0] == '-' && word[1] != '\0') {
            ok = parse_short(&cursor, word);
        } else {
            opt_texts_add(&line->urls, str_of(word));
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}

void curl_line_fini(struct curl_line *line)
{
    for (size_t i = 0; i < line->piece_count; i++) {
        mem_free(line->pieces[i].name);
        mem_free(line->pieces[i].text);
    }
    mem_free(line->pieces);
    opt_texts_fini(&line->urls);
    opt_texts_fini(&line->headers);
    mem_free(line->method);
    mem_free(line->cookie);
    mem_free(line->upload);
    mem_free(line->from);
    *line = (struct curl_line){ 0 };
}
