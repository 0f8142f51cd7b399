/* SPDX-License-Identifier: Apache-2.0 */
#include "http/request.h"

#include <string.h>

#include "base/base64.h"
#include "http/h1.h"

/* One of the user's headers, taken apart. */
struct field {
    struct str name, value;
    bool removed; /* "Name:": not sent, and brunt's own is not either */
};

static bool is_token_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static bool is_token(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!is_token_byte(text.p[i])) {
            return false;
        }
    }
    return text.len > 0;
}

static bool check_value(const char *name, struct str value, struct err *err)
{
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.p[i];

        if ((c < 0x20 && c != '\t') || c == 0x7f) {
            return err_set(err, ERR_USAGE, "the header '%s' holds a control byte (0x%02x)", name,
                           c);
        }
    }
    return true;
}

static bool field_parse(const char *text, struct field *ret_field, struct err *err)
{
    struct str whole = str_trim(str_of(text));
    struct field field = { 0 };
    size_t colon = str_find(whole, ':');

    if (colon < whole.len) {
        field.name = str_trim((struct str){ whole.p, colon });
        field.value = str_trim(str_from(whole, colon + 1));
        field.removed = field.value.len == 0;
    } else if (whole.len > 0 && whole.p[whole.len - 1] == ';') {
        field.name = str_trim((struct str){ whole.p, whole.len - 1 });
    } else {
        return err_set(err, ERR_USAGE, "the header '%.200s' has no colon: write 'Name: value'",
                       text);
    }
    if (!is_token(field.name)) {
        return err_set(err, ERR_USAGE, "'%.*s' is not the name of a header",
                       (int)(field.name.len < 200 ? field.name.len : 200), field.name.p);
    }
    *ret_field = field;
    return true;
}

/* The user's header of that name; the first when there are several. */
static bool find_field(const struct request_parts *parts, const char *name, struct field *ret_field)
{
    struct err unused;

    for (size_t i = 0; i < parts->header_count; i++) {
        struct field field = { 0 };

        if (field_parse(parts->headers[i], &field, &unused) &&
            str_eq_nocase(field.name, str_of(name))) {
            *ret_field = field;
            return true;
        }
    }
    return false;
}

/* Whether the method is one whose body is expected, so that its absence has to be said. */
static bool wants_length(const char *method)
{
    return strcmp(method, "POST") == 0 || strcmp(method, "PUT") == 0 ||
           strcmp(method, "PATCH") == 0;
}

/* A length of the user's own has to be the true one: another would shift every answer after it. */
static bool check_length(const struct request_parts *parts, const struct field *field,
                         struct err *err)
{
    uint64_t length;

    if (field->removed) {
        return parts->body.len == 0 ||
               err_set(err, ERR_USAGE, "content-length cannot be removed: there is a body");
    }
    if (!str_u64(field->value, &length) || length != parts->body.len) {
        return err_set(err, ERR_USAGE, "content-length '%.*s' contradicts the body of %zu bytes",
                       (int)(field->value.len < 200 ? field->value.len : 200), field->value.p,
                       parts->body.len);
    }
    return true;
}

static bool check_fields(const struct request_parts *parts, struct err *err)
{
    size_t hosts = 0, lengths = 0;

    for (size_t i = 0; i < parts->header_count; i++) {
        struct field field = { 0 };
        char name[64];

        if (!field_parse(parts->headers[i], &field, err)) {
            return false;
        }
        str_copy(name, sizeof(name), field.name);
        if (!check_value(name, field.value, err)) {
            return false;
        }
        if (str_eq_nocase(field.name, STR("transfer-encoding"))) {
            return err_set(err, ERR_USAGE,
                           "transfer-encoding cannot be set: the body is sent "
                           "with a content-length");
        }
        if (str_eq_nocase(field.name, STR("content-length"))) {
            lengths++;
            if (!check_length(parts, &field, err)) {
                return false;
            }
        }
        hosts += str_eq_nocase(field.name, STR("host"));
    }
    if (hosts > 1 || lengths > 1) {
        return err_set(err, ERR_USAGE, "the header '%s' is given twice",
                       hosts > 1 ? "Host" : "Content-Length");
    }
    return true;
}

static bool check_parts(const struct request_parts *parts, struct err *err)
{
    if (!is_token(str_of(parts->method))) {
        return err_set(err, ERR_USAGE, "'%.200s' is not a method", parts->method);
    }
    if (parts->host != NULL && (parts->host[0] == '\0' || strchr(parts->host, ' ') != NULL)) {
        return err_set(err, ERR_USAGE, "'%.200s' is not a value of the Host header", parts->host);
    }
    return check_value("Host", str_of(parts->host), err) &&
           check_value("User-Agent", str_of(parts->user_agent), err) &&
           check_value("Content-Type", str_of(parts->content_type), err) &&
           check_fields(parts, err);
}

/* brunt's own header, unless the user has one of that name or there is nothing to say. */
static void put_own(const struct request_parts *parts, const char *name, const char *value,
                    struct buf *buf)
{
    struct field field;

    if (value != NULL && !find_field(parts, name, &field)) {
        buf_puts(buf, name);
        buf_puts(buf, ": ");
        buf_puts(buf, value);
        buf_puts(buf, "\r\n");
    }
}

/* Host is first whoever gave it (RFC 9110 section 7.2). */
static void put_host(const struct request_parts *parts, struct buf *buf)
{
    struct field field;

    if (find_field(parts, "Host", &field)) {
        if (!field.removed) {
            buf_printf(buf, "Host: %.*s\r\n", STR_ARG(field.value));
        }
        return;
    }
    buf_puts(buf, "Host: ");
    if (parts->host != NULL) {
        buf_puts(buf, parts->host);
    } else {
        url_format_host(parts->url, buf);
    }
    buf_puts(buf, "\r\n");
}

static void put_basic(const struct request_parts *parts, const char *name, const char *userpass,
                      struct buf *buf)
{
    struct buf plain;
    struct field field;

    if (userpass == NULL || find_field(parts, name, &field)) {
        return;
    }
    buf_init(&plain, REQUEST_BYTES_MAX);
    buf_puts(&plain, userpass);
    if (strchr(userpass, ':') == NULL) {
        buf_putc(&plain, ':');
    }
    buf_puts(buf, name);
    buf_puts(buf, ": Basic ");
    base64_encode(buf_str(&plain), buf);
    buf_puts(buf, "\r\n");
    buf_fini(&plain);
}

static void put_authorization(const struct request_parts *parts, struct buf *buf)
{
    if (!parts->no_auth) {
        put_basic(parts, "Authorization",
                  parts->userpass != NULL ? parts->userpass : parts->url->userinfo, buf);
    }
    if (parts->proxy != NULL) {
        put_basic(parts, "Proxy-Authorization", parts->proxy->userinfo, buf);
    }
}

/* In origin form, or for a proxy in absolute form (RFC 9112 section 3.2.2). */
static void put_target(const struct request_parts *parts, struct buf *buf)
{
    if (parts->proxy != NULL) {
        buf_puts(buf, url_scheme_word(parts->url->scheme));
        buf_puts(buf, "://");
        url_format_host(parts->url, buf);
    }
    buf_puts(buf, parts->url->target);
}

static void put_body_headers(const struct request_parts *parts, struct buf *buf)
{
    struct field field;

    if (parts->body.p != NULL) {
        put_own(parts, "Content-Type", parts->content_type, buf);
    }
    if ((parts->body.p != NULL || wants_length(parts->method)) &&
        !find_field(parts, "Content-Length", &field)) {
        buf_printf(buf, "Content-Length: %zu\r\n", parts->body.len);
    }
}

static void put_fields(const struct request_parts *parts, struct buf *buf)
{
    struct err unused;

    for (size_t i = 0; i < parts->header_count; i++) {
        struct field field;

        if (!field_parse(parts->headers[i], &field, &unused) || field.removed ||
            str_eq_nocase(field.name, STR("host"))) {
            continue;
        }
        buf_add_str(buf, field.name);
        buf_puts(buf, field.value.len > 0 ? ": " : ":");
        buf_add_str(buf, field.value);
        buf_puts(buf, "\r\n");
    }
}

static const char *connection_value(const struct request_parts *parts)
{
    switch (parts->version) {
    case HTTP_1_1:
        return parts->close ? "close" : NULL;
    case HTTP_1_0:
        return parts->close ? NULL : "keep-alive";
    }
    return NULL;
}

bool request_same_field(const char *header, const char *other)
{
    struct field one, two;
    struct err unused;

    return field_parse(header, &one, &unused) && field_parse(other, &two, &unused) &&
           str_eq_nocase(one.name, two.name);
}

bool request_encode(const struct request_parts *parts, struct buf *buf, struct err *err)
{
    size_t begin = buf->len;

    if (!check_parts(parts, err)) {
        return false;
    }
    buf_puts(buf, parts->method);
    buf_putc(buf, ' ');
    put_target(parts, buf);
    buf_puts(buf, parts->version == HTTP_1_0 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    put_host(parts, buf);
    put_own(parts, "User-Agent", parts->user_agent, buf);
    put_own(parts, "Accept", "*/*", buf);
    put_own(parts, "Accept-Encoding", parts->compressed ? "gzip, deflate, br" : NULL, buf);
    put_own(parts, "Connection", connection_value(parts), buf);
    put_authorization(parts, buf);
    put_body_headers(parts, buf);
    put_fields(parts, buf);
    buf_puts(buf, "\r\n");
    if (!parts->body_apart) {
        buf_add_str(buf, parts->body);
    }
    if (buf->overflow) {
        buf->len = begin;
        return err_set(err, ERR_LIMIT, "the request is larger than %zu bytes", buf->limit);
    }
    return true;
}

static bool has_token(struct str list, struct str token)
{
    struct str piece;

    while (str_cut(&list, ',', &piece)) {
        if (str_eq_nocase(str_trim(piece), token)) {
            return true;
        }
    }
    return false;
}

bool request_closes(struct str head)
{
    struct str rest = head, value, line = { head.p, str_find(head, '\n') };
    bool closes = false, keeps = false;

    while (h1_head_next(&rest, STR("connection"), &value)) {
        closes = closes || has_token(value, STR("close"));
        keeps = keeps || has_token(value, STR("keep-alive"));
    }
    return closes || (!keeps && str_ends(str_trim(line), STR("HTTP/1.0")));
}

void request_encode_connect(const struct url *url, const struct url *proxy, const char *user_agent,
                            struct buf *buf)
{
    struct request_parts parts = { .url = url };
    const char *open = url->is_ipv6 ? "[" : "", *close = url->is_ipv6 ? "]" : "";

    buf_printf(buf, "CONNECT %s%s%s:%u HTTP/1.1\r\nHost: %s%s%s:%u\r\n", open, url->host, close,
               url->port, open, url->host, close, url->port);
    put_own(&parts, "User-Agent", user_agent, buf);
    put_basic(&parts, "Proxy-Authorization", proxy->userinfo, buf);
    buf_puts(buf, "\r\n");
}
