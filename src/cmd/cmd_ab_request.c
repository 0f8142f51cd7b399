/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/cmd_ab.h"
#include "http/request.h"

enum { BODY_BYTES_MAX = 256 << 20, READ_BYTES = 64 << 10 };

#define USER_AGENT "ApacheBench/2.3"

/* The host of "host:port", "[::1]:port" as it was written. */
static struct str cut_host(struct str authority)
{
    if (authority.len > 0 && authority.p[0] == '[') {
        size_t end = str_find(authority, ']');

        return (struct str){ authority.p + 1, end > 0 ? end - 1 : 0 };
    }
    return (struct str){ authority.p, str_find(authority, ':') };
}

bool cmd_ab_target(struct cmd_ab *ab, const char *text, struct err *err)
{
    struct str whole = { text, strlen(text) }, rest = whole, host;
    struct buf target;
    size_t slash;
    bool ok;

    if (str_starts(rest, STR("http://")) || str_starts(rest, STR("https://"))) {
        rest = str_from(rest, str_find(rest, ':') + 3);
    }
    slash = str_find(rest, '/');
    if (str_find(rest, '@') < slash) {
        return err_set(err, ERR_USAGE, "invalid URL: a name and its password are -A NAME:PASS");
    }
    host = cut_host((struct str){ rest.p, slash });
    /* "ftp://host/" has no host of the name ftp. */
    if (slash == rest.len || host.len == 0 || rest.p[slash - 1] == ':') {
        return err_set(err, ERR_USAGE, "invalid URL");
    }
    buf_init(&target, URL_BYTES_MAX);
    buf_puts(&target, rest.p == whole.p ? "http://" : "");
    buf_add_str(&target, whole);
    ok = url_parse(buf_str(&target), &ab->url, err);
    if (ok) {
        ab->target = mem_strdup(target.data);
        ab->host = mem_strndup(host.p, host.len);
        ab->path = mem_strdup(rest.p + slash);
    }
    buf_fini(&target);
    return ok || err_prefix(err, "invalid URL");
}

/* The value of the user's Host header, without its port; p = NULL when there is none. */
static struct str given_host(const struct cmd_ab *ab)
{
    for (size_t i = 0; i < ab->headers.count; i++) {
        struct str line = str_of(ab->headers.items[i]);
        size_t colon = str_find(line, ':');

        if (str_eq_nocase(str_trim((struct str){ line.p, colon }), STR("Host"))) {
            struct str value = str_trim(str_from(line, colon + 1));

            return value.len > 0 && value.p[0] == '[' ? value : cut_host(value);
        }
    }
    return (struct str){ NULL, 0 };
}

static bool is_literal(struct str name)
{
    char text[INET6_ADDRSTRLEN];
    struct in6_addr unused;

    str_copy(text, sizeof(text), name);
    return str_find(name, ':') < name.len || str_find(name, '[') < name.len ||
           inet_pton(AF_INET, text, &unused) == 1;
}

struct str cmd_ab_server_name(const struct cmd_ab *ab)
{
    struct str given = given_host(ab);
    struct str name = given.p != NULL ? given : str_of(ab->host);

    return ab->no_sni || is_literal(name) ? STR("") : name;
}

static bool read_body(const char *path, struct buf *body, struct err *err)
{
    FILE *file = fopen(path, "re");
    char *piece;
    size_t n;
    bool ok;

    if (file == NULL) {
        return err_set(err, ERR_SYSTEM, "Could not open POST data file (%s): %m", path);
    }
    piece = mem_new(READ_BYTES, 1);
    while ((n = fread(piece, 1, READ_BYTES, file)) > 0) {
        buf_add(body, piece, n);
    }
    ok = ferror(file) == 0 || err_set(err, ERR_SYSTEM, "Could not read POST data file: %m");
    (void)fclose(file);
    mem_free(piece);
    if (ok && body->overflow) {
        ok = err_set(err, ERR_LIMIT, "the POST data file is larger than %d MiB",
                     BODY_BYTES_MAX >> 20);
    }
    return ok;
}

static const char *method_of(const struct cmd_ab *ab)
{
    return ab->method != NULL ? ab->method : ab->head ? "HEAD" : "GET";
}

/* Whether the user has a header of that name. */
static bool is_given(const struct cmd_ab *ab, const char *name)
{
    for (size_t i = 0; i < ab->headers.count; i++) {
        struct str line = str_of(ab->headers.items[i]);

        if (str_eq_nocase(str_trim((struct str){ line.p, str_find(line, ':') }), str_of(name))) {
            return true;
        }
    }
    return false;
}

static void put(const struct cmd_ab *ab, const char *name, const char *value, struct buf *buf)
{
    if (!is_given(ab, name)) {
        buf_printf(buf, "%s: %s\r\n", name, value);
    }
}

/* In one line, as RFC 6265 section 5.4 has it. */
static void put_cookies(const struct cmd_ab *ab, struct buf *buf)
{
    if (ab->cookies.count == 0 || is_given(ab, "Cookie")) {
        return;
    }
    for (size_t i = 0; i < ab->cookies.count; i++) {
        buf_puts(buf, i == 0 ? "Cookie: " : "; ");
        buf_puts(buf, ab->cookies.items[i]);
    }
    buf_puts(buf, "\r\n");
}

static void put_credentials(const struct cmd_ab *ab, struct buf *buf)
{
    for (size_t i = 0; i < ab->credentials.count; i++) {
        const char *line = ab->credentials.items[i];
        bool of_proxy = line[0] == 'P';

        if (!is_given(ab, of_proxy ? "Proxy-Authorization" : "Authorization") &&
            !(of_proxy && cmd_ab_tunnels(ab))) {
            buf_puts(buf, line);
            buf_puts(buf, "\r\n");
        }
    }
}

/* A proxy is asked for the whole URL, but for https, where it is a tunnel. */
static void put_target(const struct cmd_ab *ab, struct buf *buf)
{
    if (ab->proxy != NULL && !cmd_ab_tunnels(ab)) {
        buf_puts(buf, "http://");
        url_format_host(&ab->url, buf);
    }
    buf_puts(buf, ab->url.target);
}

static void put_host(const struct cmd_ab *ab, struct buf *buf)
{
    uint16_t own = ab->url.scheme == URL_HTTPS ? 443 : 80;

    if (is_given(ab, "Host")) {
        return;
    }
    buf_printf(buf, ab->url.is_ipv6 ? "Host: [%s]" : "Host: %s", ab->host);
    if (ab->url.port != own) {
        buf_printf(buf, ":%u", ab->url.port);
    }
    buf_puts(buf, "\r\n");
}

static void lay_out(const struct cmd_ab *ab, struct str body, struct buf *buf)
{
    buf_puts(buf, method_of(ab));
    buf_putc(buf, ' ');
    put_target(ab, buf);
    buf_puts(buf, " HTTP/1.0\r\n");
    if (ab->keep_alive) {
        put(ab, "Connection", "Keep-Alive", buf);
    }
    put_cookies(ab, buf);
    put_credentials(ab, buf);
    if (body.p != NULL) {
        if (!is_given(ab, "Content-length")) {
            buf_printf(buf, "Content-length: %zu\r\n", body.len);
        }
        put(ab, "Content-type", ab->content_type != NULL ? ab->content_type : "text/plain", buf);
    }
    for (size_t i = 0; i < ab->headers.count; i++) {
        buf_puts(buf, ab->headers.items[i]);
        buf_puts(buf, "\r\n");
    }
    put_host(ab, buf);
    put(ab, "User-Agent", USER_AGENT, buf);
    put(ab, "Accept", "*/*", buf);
    buf_puts(buf, "\r\n");
}

static bool has_control_byte(const char *text)
{
    for (; text != NULL && *text != '\0'; text++) {
        if (((unsigned char)*text < 0x20 && *text != '\t') || *text == 0x7f) {
            return true;
        }
    }
    return false;
}

/* What brunt's own encoder refuses, ab's layout does not make right. */
static bool check(const struct cmd_ab *ab, struct str body, struct err *err)
{
    struct request_parts parts = {
        .url = &ab->url,
        .version = HTTP_1_0,
        .method = method_of(ab),
        .headers = (const char *const *)ab->headers.items,
        .header_count = ab->headers.count,
        .body = body,
        .content_type = ab->content_type,
    };
    struct buf sample;
    bool ok;

    for (size_t i = 0; i < ab->headers.count; i++) {
        if (strchr(ab->headers.items[i], ':') == NULL) {
            return err_set(err, ERR_USAGE, "the header '%.200s' has no colon: write 'Name: value'",
                           ab->headers.items[i]);
        }
    }
    for (size_t i = 0; i < ab->cookies.count; i++) {
        if (has_control_byte(ab->cookies.items[i])) {
            return err_set(err, ERR_USAGE, "a cookie holds a control byte");
        }
    }
    buf_init(&sample, REQUEST_BYTES_MAX);
    ok = request_encode(&parts, &sample, err);
    buf_fini(&sample);
    return ok;
}

bool cmd_ab_request(const struct cmd_ab *ab, struct buf *buf, size_t *ret_head_bytes,
                    struct err *err)
{
    struct str none = { NULL, 0 };
    struct buf body;
    bool ok;

    buf_init(&body, BODY_BYTES_MAX);
    ok = (ab->body_file == NULL || read_body(ab->body_file, &body, err)) &&
         check(ab, ab->body_file != NULL ? buf_str(&body) : none, err);
    if (ok) {
        lay_out(ab, ab->body_file != NULL ? buf_str(&body) : none, buf);
        *ret_head_bytes = buf->len;
        buf_add_str(buf, buf_str(&body));
        ok = !buf->overflow || err_set(err, ERR_LIMIT, "Request too long");
    }
    buf_fini(&body);
    return ok;
}
