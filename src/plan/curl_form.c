/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/curl_form.h"

#include <stdio.h>

#include "base/mem.h"

/* What curl takes files for by the end of their name. */
static const struct {
    const char *ending, *type;
} types[] = {
    { ".gif", "image/gif" },       { ".jpg", "image/jpeg" },    { ".jpeg", "image/jpeg" },
    { ".png", "image/png" },       { ".svg", "image/svg+xml" }, { ".txt", "text/plain" },
    { ".htm", "text/html" },       { ".html", "text/html" },    { ".pdf", "application/pdf" },
    { ".xml", "application/xml" },
};

static const char *type_of(const char *path)
{
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        if (str_ends(str_of(path), str_of(types[i].ending))) {
            return types[i].type;
        }
    }
    return "application/octet-stream";
}

/* Length of "; name=" at the beginning when the text is that, else 0. */
static size_t parameter(struct str text, struct str name)
{
    size_t at = 1;

    if (text.len == 0 || text.p[0] != ';') {
        return 0;
    }
    while (at < text.len && text.p[at] == ' ') {
        at++;
    }
    return str_starts(str_from(text, at), name) ? at + name.len : 0;
}

static bool is_parameter(struct str text)
{
    return parameter(text, STR("type=")) > 0 || parameter(text, STR("filename=")) > 0 ||
           parameter(text, STR("encoder=")) > 0 || parameter(text, STR("headers=")) > 0;
}

/* Cuts what stands before the next parameter off; quotes around it go. */
static char *cut_value(struct str *rest)
{
    struct buf buf;
    char *value;
    size_t at = 0;

    if (rest->len > 0 && rest->p[0] == '"') {
        buf_init(&buf, rest->len);
        for (at = 1; at < rest->len && rest->p[at] != '"'; at++) {
            at += rest->p[at] == '\\' && at + 1 < rest->len;
            buf_putc(&buf, rest->p[at]);
        }
        value = mem_strndup(buf_str(&buf).p, buf.len);
        buf_fini(&buf);
        *rest = str_from(*rest, at + 1);
        return value;
    }
    while (at < rest->len && !is_parameter(str_from(*rest, at))) {
        at++;
    }
    value = mem_strndup(rest->p, at);
    *rest = str_from(*rest, at);
    return value;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static bool take_parameters(struct str rest, struct curl_part *part, struct err *err)
{
    while (rest.len > 0) {
        size_t type = parameter(rest, STR("type=")), name = parameter(rest, STR("filename="));
        char **field = type > 0 ? &part->type : &part->file_name;

        if (type == 0 && name == 0) {
            return err_set(err, ERR_USAGE,
                           "-F: a part has ;type= and ;filename=, and nothing else behind its "
                           "content");
        }
        rest = str_from(rest, type > 0 ? type : name);
        mem_free(*field);
        *field = cut_value(&rest);
    }
    return true;
}

bool curl_form_parse(struct str name, struct str text, struct curl_part *ret_part, struct err *err)
{
    struct curl_part part = { .name = name };
    bool attached = str_starts(text, STR("@"));
    struct str rest = text;

    if (attached || str_starts(text, STR("<"))) {
        rest = str_from(text, 1);
        part.path = cut_value(&rest);
    } else if (str_starts(text, STR("\""))) {
        part.text = cut_value(&rest);
        part.content = str_of(part.text);
    } else {
        while (part.content.len < text.len && !is_parameter(str_from(text, part.content.len))) {
            part.content.len++;
        }
        part.content.p = text.p;
        rest = str_from(text, part.content.len);
    }
    if (!take_parameters(rest, &part, err)) {
        curl_form_part_fini(&part);
        return false;
    }
    if (attached && part.file_name == NULL) {
        part.file_name = mem_strdup(last_part(part.path));
    }
    if (attached && part.type == NULL) {
        part.type = mem_strdup(type_of(part.path));
    }
    *ret_part = part;
    return true;
}

void curl_form_part_fini(struct curl_part *part)
{
    mem_free(part->path);
    mem_free(part->text);
    mem_free(part->file_name);
    mem_free(part->type);
    *part = (struct curl_part){ 0 };
}

static uint64_t mix(uint64_t value, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        value = (value ^ (unsigned char)text.p[i]) * UINT64_C(1099511628211);
    }
    return value;
}

static void choose_boundary(const struct curl_part *parts, size_t count, char *boundary)
{
    uint64_t value = UINT64_C(14695981039346656037);
    bool taken = true;

    for (size_t i = 0; i < count; i++) {
        value = mix(mix(value, parts[i].name), parts[i].content);
    }
    while (taken) {
        (void)snprintf(boundary, CURL_FORM_BOUNDARY_MAX, "------------------------%016llx",
                       (unsigned long long)value);
        taken = false;
        for (size_t i = 0; i < count && !taken; i++) {
            taken = str_find_str(parts[i].content, str_of(boundary)) < parts[i].content.len;
        }
        value++;
    }
}

/* A quote or a line break would end the name (RFC 7578 section 2, as browsers write it). */
static void add_quoted(struct str name, struct buf *buf)
{
    buf_putc(buf, '"');
    for (size_t i = 0; i < name.len; i++) {
        char c = name.p[i];

        if (c == '"' || c == '\r' || c == '\n') {
            buf_puts(buf, c == '"' ? "%22" : c == '\r' ? "%0D" : "%0A");
        } else {
            buf_putc(buf, c);
        }
    }
    buf_putc(buf, '"');
}

void curl_form_encode(const struct curl_part *parts, size_t count, struct buf *buf,
                      char boundary[CURL_FORM_BOUNDARY_MAX])
{
    choose_boundary(parts, count, boundary);
    for (size_t i = 0; i < count; i++) {
        const struct curl_part *part = &parts[i];

        buf_printf(buf, "--%s\r\nContent-Disposition: form-data; name=", boundary);
        add_quoted(part->name, buf);
        if (part->file_name != NULL) {
            buf_puts(buf, "; filename=");
            add_quoted(str_of(part->file_name), buf);
        }
        if (part->type != NULL) {
            buf_printf(buf, "\r\nContent-Type: %s", part->type);
        }
        buf_puts(buf, "\r\n\r\n");
        buf_add_str(buf, part->content);
        buf_puts(buf, "\r\n");
    }
    buf_printf(buf, "--%s--\r\n", boundary);
}
