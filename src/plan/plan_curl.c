/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_curl.h"

#include <string.h>

#include "base/mem.h"
#include "plan/curl_form.h"
#include "plan/curl_line.h"
#include "plan/shell_words.h"

#define TYPE_FORM "application/x-www-form-urlencoded"
#define TYPE_JSON "application/json"

/* What all requests of a line send. */
struct sending {
    struct plan *plan;
    const struct curl_line *line;
    struct buf query; /* -G */
    struct buf text;  /* of the body */
    struct str body;  /* p = NULL: none */
    const char *content_type;
    struct err *err;
};

static bool refuse(const struct sending *sending, const char *why)
{
    return err_set(sending->err, ERR_USAGE, "%s", why);
}

static bool is_unreserved(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c != '\0' && strchr("-._~", c) != NULL);
}

/* `blank` is how a blank is written: + in a form, %20 in a path. */
static void add_encoded(struct str text, const char *blank, struct buf *buf)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == ' ') {
            buf_puts(buf, blank);
        } else if (is_unreserved(text.p[i])) {
            buf_putc(buf, text.p[i]);
        } else {
            buf_printf(buf, "%%%02X", (unsigned char)text.p[i]);
        }
    }
}

static void add_without_lines(struct str text, struct buf *buf)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] != '\n' && text.p[i] != '\r' && text.p[i] != '\0') {
            buf_putc(buf, text.p[i]);
        }
    }
}

static bool add_piece(struct sending *sending, const struct curl_piece *piece, struct buf *buf)
{
    struct str text = str_of(piece->text);
    bool file = piece->kind == CURL_FILE || piece->kind == CURL_FILE_LINES ||
                piece->kind == CURL_FILE_ENCODED;

    if (file && !plan_files_get(&sending->plan->files, piece->text, &text, sending->err)) {
        return false;
    }
    buf_puts(buf, piece->name != NULL ? piece->name : "");
    switch (piece->kind) {
    case CURL_TEXT:
    case CURL_FILE:
    case CURL_JSON:
    case CURL_FORM:
    case CURL_FORM_STRING:
        buf_add_str(buf, text);
        return true;
    case CURL_FILE_LINES:
        add_without_lines(text, buf);
        return true;
    case CURL_ENCODED:
    case CURL_FILE_ENCODED:
        add_encoded(text, "+", buf);
        return true;
    }
    return true;
}

/* All pieces of data, joined. */
static bool join_pieces(struct sending *sending, struct buf *buf)
{
    const struct curl_line *line = sending->line;

    for (size_t i = 0; i < line->piece_count; i++) {
        if (i > 0 && !line->json) {
            buf_putc(buf, '&');
        }
        if (!add_piece(sending, &line->pieces[i], buf)) {
            return false;
        }
    }
    return !buf->overflow || refuse(sending, "the data is over the limit of 256 MiB");
}

static bool fill_parts(struct sending *sending, struct curl_part *parts)
{
    const struct curl_line *line = sending->line;

    for (size_t i = 0; i < line->piece_count; i++) {
        const struct curl_piece *piece = &line->pieces[i];

        if (piece->kind == CURL_FORM_STRING) {
            parts[i].name = str_of(piece->name);
            parts[i].content = str_of(piece->text);
            continue;
        }
        if (!curl_form_parse(str_of(piece->name), str_of(piece->text), &parts[i], sending->err) ||
            (parts[i].path != NULL && !plan_files_get(&sending->plan->files, parts[i].path,
                                                      &parts[i].content, sending->err))) {
            return false;
        }
    }
    return true;
}

/* A Content-Type of the user's gets the boundary too, as in curl. */
static void set_form_type(struct plan *plan, const char *boundary)
{
    struct opt_texts *headers = &plan->headers;
    struct buf buf;

    buf_init(&buf, (size_t)1 << 16);
    for (size_t i = 0; i < headers->count; i++) {
        if (request_same_field(headers->items[i], "Content-Type;")) {
            buf_printf(&buf, "%s; boundary=%s", headers->items[i], boundary);
            mem_free(headers->items[i]);
            headers->items[i] = mem_strdup(buf.data);
            buf_fini(&buf);
            return;
        }
    }
    buf_printf(&buf, "Content-Type: multipart/form-data; boundary=%s", boundary);
    opt_texts_add(headers, buf_str(&buf));
    buf_fini(&buf);
}

static bool set_form(struct sending *sending)
{
    const struct curl_line *line = sending->line;
    struct curl_part *parts = mem_new(line->piece_count, sizeof(*parts));
    char boundary[CURL_FORM_BOUNDARY_MAX];
    bool ok = fill_parts(sending, parts);

    if (ok) {
        curl_form_encode(parts, line->piece_count, &sending->text, boundary);
        set_form_type(sending->plan, boundary);
        sending->body = buf_str(&sending->text);
        ok = !sending->text.overflow || refuse(sending, "the form is over the limit of 256 MiB");
    }
    for (size_t i = 0; i < line->piece_count; i++) {
        curl_form_part_fini(&parts[i]);
    }
    mem_free(parts);
    return ok;
}

static void add_unless_given(struct plan *plan, const char *header)
{
    for (size_t i = 0; i < plan->headers.count; i++) {
        if (request_same_field(plan->headers.items[i], header)) {
            return;
        }
    }
    opt_texts_add(&plan->headers, str_of(header));
}

static bool set_body(struct sending *sending)
{
    const struct curl_line *line = sending->line;
    struct plan *plan = sending->plan;

    if (line->upload != NULL) {
        return plan_files_get(&plan->files, line->upload, &sending->body, sending->err);
    }
    if (line->form) {
        return set_form(sending);
    }
    sending->content_type = line->json ? TYPE_JSON : TYPE_FORM;
    if (line->json) {
        add_unless_given(plan, "Accept: " TYPE_JSON);
    }
    /* A file alone is sent from where it is. */
    if (line->piece_count == 1 && line->pieces[0].kind == CURL_FILE) {
        return plan_files_get(&plan->files, line->pieces[0].text, &sending->body, sending->err);
    }
    if (!join_pieces(sending, &sending->text)) {
        return false;
    }
    sending->body = buf_str(&sending->text);
    return true;
}

static bool check_combination(const struct sending *sending)
{
    const struct curl_line *line = sending->line;

    if (line->urls.count == 0) {
        return refuse(sending, "there is no URL in the curl command");
    }
    for (size_t i = 0; line->form && i < line->piece_count; i++) {
        if (line->pieces[i].kind != CURL_FORM && line->pieces[i].kind != CURL_FORM_STRING) {
            return refuse(sending, "-F and -d make two bodies: a request has one");
        }
    }
    if (line->upload != NULL && line->piece_count > 0 && !line->get) {
        return refuse(sending, "-T and -d make two bodies: a request has one");
    }
    if (line->form && line->get) {
        return refuse(sending, "-F and -G: a form of parts does not go into a URL");
    }
    if (line->head && line->piece_count > 0 && !line->get) {
        return refuse(sending, "-I and -d: HEAD has no body; with -G the data goes into the URL");
    }
    return true;
}

/* The method where -X says none. */
static const char *implied_method(const struct curl_line *line)
{
    if (line->head) {
        return "HEAD";
    }
    if (line->upload != NULL) {
        return "PUT";
    }
    return line->piece_count > 0 && !line->get ? "POST" : NULL;
}

/* "[1-9]" and "{a,b}", of which curl makes several URLs. */
static bool has_range(struct str text)
{
    size_t at = 1;

    while (at < text.len && (is_unreserved(text.p[at]) || text.p[at] == ':')) {
        at++;
    }
    return at < text.len && text.p[at] == ']' && str_find((struct str){ text.p, at }, '-') < at &&
           str_find((struct str){ text.p, at }, ':') == at;
}

static bool check_globs(const struct sending *sending, struct str url)
{
    for (size_t i = 0; i < url.len && !sending->line->glob_off; i++) {
        struct str rest = str_from(url, i);

        if ((rest.p[0] == '{' && str_find(rest, '}') < rest.len) ||
            (rest.p[0] == '[' && has_range(rest))) {
            return refuse(sending, "curl makes several URLs of {a,b} and [1-9]: give each, or -g "
                                   "to send the brackets");
        }
    }
    return true;
}

/* The URL with what -G and -T add. */
static void complete_url(const struct sending *sending, struct str url, struct buf *buf)
{
    const char *upload = sending->line->upload;
    struct str query = buf_str(&sending->query);

    url.len = str_find(url, '#');
    buf_add_str(buf, url);
    if (upload != NULL && str_ends(url, STR("/"))) {
        const char *slash = strrchr(upload, '/');

        add_encoded(str_of(slash != NULL ? slash + 1 : upload), "%20", buf);
    }
    if (query.len > 0) {
        buf_putc(buf, str_find(url, '?') < url.len ? '&' : '?');
        buf_add_str(buf, query);
    }
}

static bool fill_item(const struct sending *sending, struct str text, struct plan_item *item)
{
    const struct curl_line *line = sending->line;
    const char *method = line->method != NULL ? line->method : implied_method(line);
    struct buf buf;
    bool ok;

    if (!check_globs(sending, text)) {
        return false;
    }
    buf_init(&buf, 2 * URL_BYTES_MAX);
    complete_url(sending, text, &buf);
    ok = url_parse(buf_str(&buf), &item->url, sending->err);
    buf_fini(&buf);
    item->method = mem_strdup(method);
    item->content_type = sending->content_type;
    item->body = sending->body;
    if (sending->body.p != NULL && sending->body.p == sending->text.data) {
        item->body_text = mem_strndup(sending->body.p, sending->body.len);
        item->body.p = item->body_text;
    }
    return ok;
}

static bool make_items(struct sending *sending)
{
    const struct curl_line *line = sending->line;
    struct plan *plan = sending->plan;

    plan->items = mem_new(line->urls.count, sizeof(*plan->items));
    plan->item_count = line->urls.count;
    plan->items_given = true;
    for (size_t i = 0; i < line->urls.count; i++) {
        if (!fill_item(sending, str_of(line->urls.items[i]), &plan->items[i])) {
            return false;
        }
    }
    mem_free(plan->target);
    plan->target = mem_strdup(line->urls.items[0]);
    return true;
}

static bool build(struct plan *plan, const struct curl_line *line, struct err *err)
{
    struct sending sending = { .plan = plan, .line = line, .err = err };
    struct buf cookie;
    bool ok;

    buf_init(&sending.query, URL_BYTES_MAX);
    buf_init(&sending.text, PLAN_FILES_READ_MAX);
    for (size_t i = 0; i < line->headers.count; i++) {
        opt_texts_add(&plan->headers, str_of(line->headers.items[i]));
    }
    if (line->cookie != NULL) {
        buf_init(&cookie, (size_t)1 << 20);
        buf_printf(&cookie, "Cookie: %s", line->cookie);
        opt_texts_add(&plan->headers, buf_str(&cookie));
        buf_fini(&cookie);
    }
    ok = check_combination(&sending) && (!line->get || join_pieces(&sending, &sending.query)) &&
         ((line->piece_count == 0 && line->upload == NULL) || (line->get && line->upload == NULL) ||
          set_body(&sending)) &&
         make_items(&sending);
    buf_fini(&sending.query);
    buf_fini(&sending.text);
    return ok;
}

/* "$ curl" and "curl.exe" at the beginning of what was pasted. */
static size_t leading_words(struct str *words, size_t count)
{
    size_t skip = count > 0 && str_eq(words[0], STR("$")) ? 1 : 0;

    return skip < count &&
                   (str_eq(words[skip], STR("curl")) || str_eq_nocase(words[skip], STR("curl.exe")))
               ? skip + 1
               : 0;
}

static bool parse_words(const struct opt_spec *spec, int argc, char *const *argv,
                        struct curl_line *line, struct err *err)
{
    struct str first[2] = { { NULL, 0 } };
    size_t skip;

    for (int i = 0; i < 2 && i < argc; i++) {
        first[i] = str_of(argv[i]);
    }
    skip = leading_words(first, argc < 2 ? (size_t)argc : 2);
    return curl_line_parse(spec, argc - (int)skip, argv + skip, line, err);
}

/* The words of a file, after those of the command line. */
static bool parse_file(struct plan *plan, const struct opt_spec *spec, struct curl_line *line,
                       struct err *err)
{
    char *path = line->from;
    struct opt_texts words;
    struct str text;
    bool ok;

    line->from = NULL;
    ok = plan_files_get(&plan->files, path, &text, err) && shell_words_split(text, &words, err);
    if (!ok) {
        err_prefix(err, "--from");
        mem_free(path);
        return false;
    }
    mem_free(path);
    ok = parse_words(spec, (int)words.count, words.items, line, err);
    opt_texts_fini(&words);
    return ok && (line->from == NULL || err_set(err, ERR_USAGE, "--from: there is another in it"));
}

bool plan_curl_take(struct plan *plan, const struct opt_spec *spec, int argc, char *const *argv,
                    struct err *err)
{
    struct curl_line line = { 0 };
    bool ok = parse_words(spec, argc, argv, &line, err);

    /* "-" alone is no URL. */
    if (ok && line.from == NULL && line.urls.count == 1 && strcmp(line.urls.items[0], "-") == 0) {
        opt_texts_fini(&line.urls);
        line.from = mem_strdup("-");
    }
    ok = ok && (line.from == NULL || parse_file(plan, spec, &line, err)) && build(plan, &line, err);
    curl_line_fini(&line);
    return ok;
}
