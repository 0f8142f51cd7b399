/* SPDX-License-Identifier: Apache-2.0 */
#include "http/redirect.h"

#include <assert.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

/* A reference in its parts (RFC 3986 section 4.1); p = NULL for one that is absent. */
struct reference {
    struct str scheme, authority, path, query;
};

/* The base's target is at most three times what was parsed, and what is merged may be as long. */
enum { MERGED_BYTES_MAX = 5 * URL_BYTES_MAX };

bool redirect_is(unsigned status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Length of the scheme in front of a colon, 0 when the text begins with none. */
static size_t scheme_length(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];

        if (c == ':') {
            return i;
        }
        if (!is_alpha(c) && (i == 0 || c == '\0' || strchr("0123456789+-.", c) == NULL)) {
            return 0;
        }
    }
    return 0;
}

static size_t find_any(struct str text, const char *bytes)
{
    size_t end = text.len;

    for (; *bytes != '\0'; bytes++) {
        size_t at = str_find(text, *bytes);

        end = at < end ? at : end;
    }
    return end;
}

static struct reference cut(struct str text)
{
    struct reference reference = { 0 };
    size_t end;

    text.len = str_find(text, '#');
    text = str_trim(text);
    end = scheme_length(text);
    if (end > 0) {
        reference.scheme = (struct str){ text.p, end };
        text = str_from(text, end + 1);
    }
    if (str_starts(text, STR("//"))) {
        text = str_from(text, 2);
        end = find_any(text, "/?");
        reference.authority = (struct str){ text.p, end };
        text = str_from(text, end);
    }
    end = str_find(text, '?');
    reference.path = (struct str){ text.p, end };
    if (end < text.len) {
        reference.query = str_from(text, end + 1);
    }
    return reference;
}

/* Takes the last segment and the slash before it off what was put behind `begin`. */
static void drop_segment(struct buf *buf, size_t begin)
{
    while (buf->len > begin && buf->data[--buf->len] != '/') {
    }
}

/* Appends the path without its dot segments (RFC 3986 section 5.2.4). */
static void put_path(struct str path, struct buf *buf)
{
    size_t begin = buf->len;
    struct str segment;

    if (path.len > 0 && path.p[0] == '/') {
        path = str_from(path, 1);
    }
    while (str_cut(&path, '/', &segment)) {
        bool last = path.p == NULL;

        if (str_eq(segment, STR(".."))) {
            drop_segment(buf, begin);
        } else if (!str_eq(segment, STR("."))) {
            buf_putc(buf, '/');
            buf_add_str(buf, segment);
            continue;
        }
        if (last) {
            buf_putc(buf, '/');
        }
    }
}

/* Path and query of a reference without an authority (RFC 3986 section 5.2.2). */
static void put_relative(const struct url *base, const struct reference *reference, struct buf *buf)
{
    struct str target = str_of(base->target);
    struct str path = { target.p, str_find(target, '?') };
    struct buf merged;

    if (reference->path.len == 0) {
        put_path(path, buf);
        if (reference->query.p == NULL) {
            buf_add_str(buf, str_from(target, path.len));
        }
        return;
    }
    if (reference->path.p[0] == '/') {
        put_path(reference->path, buf);
        return;
    }
    while (path.p[path.len - 1] != '/') {
        path.len--;
    }
    buf_init(&merged, MERGED_BYTES_MAX);
    buf_add_str(&merged, path);
    buf_add_str(&merged, reference->path);
    put_path(buf_str(&merged), buf);
    buf_fini(&merged);
}

/* The reference made whole, as a text that url_parse() takes. */
static void compose(const struct url *base, const struct reference *reference, struct buf *buf)
{
    char no_target[] = "";
    struct url origin = *base;

    if (reference->authority.p != NULL) {
        if (reference->scheme.p != NULL) {
            buf_add_str(buf, reference->scheme);
        } else {
            buf_puts(buf, url_scheme_word(base->scheme));
        }
        buf_puts(buf, "://");
        buf_add_str(buf, reference->authority);
        if (reference->path.len > 0) {
            put_path(reference->path, buf);
        }
    } else {
        origin.target = no_target;
        url_format(&origin, buf);
        put_relative(base, reference, buf);
    }
    if (reference->query.p != NULL) {
        buf_putc(buf, '?');
        buf_add_str(buf, reference->query);
    }
}

static bool check_reference(const struct url *base, const struct reference *reference,
                            struct err *err)
{
    struct str scheme = reference->scheme;

    if (scheme.p == NULL) {
        return true;
    }
    if (!str_eq_nocase(scheme, STR("http")) && !str_eq_nocase(scheme, STR("https"))) {
        return err_set(err, ERR_PEER, "the Location is of the scheme '%.*s', not http or https",
                       (int)(scheme.len < 200 ? scheme.len : 200), scheme.p);
    }
    if (reference->authority.p == NULL &&
        !str_eq_nocase(scheme, str_of(url_scheme_word(base->scheme)))) {
        return err_set(err, ERR_PEER, "the Location names the scheme %.*s and no host",
                       STR_ARG(scheme));
    }
    return true;
}

bool redirect_resolve(const struct url *base, struct str location, struct url *ret_url,
                      struct err *err)
{
    struct reference reference;
    struct url url;
    struct buf text;
    bool ok;

    assert(base->target != NULL);
    if (str_trim(location).len == 0) {
        return err_set(err, ERR_PEER, "the Location is empty");
    }
    if (location.len > URL_BYTES_MAX) {
        return err_set(err, ERR_PEER, "the Location is longer than %d bytes", URL_BYTES_MAX);
    }
    reference = cut(location);
    if (!check_reference(base, &reference, err)) {
        return false;
    }
    buf_init(&text, MERGED_BYTES_MAX);
    compose(base, &reference, &text);
    ok = url_parse(buf_str(&text), &url, err);
    buf_fini(&text);
    if (!ok) {
        err->kind = ERR_PEER;
        return err_prefix(err, "the Location leads nowhere");
    }
    if (url.userinfo == NULL && redirect_same_origin(base, &url)) {
        url.userinfo = mem_strdup(base->userinfo);
    }
    *ret_url = url;
    return true;
}

const char *redirect_method(unsigned status, const char *method, bool *ret_keeps_body)
{
    bool to_get = status == 303 ? strcmp(method, "HEAD") != 0
                                : (status == 301 || status == 302) && strcmp(method, "POST") == 0;

    *ret_keeps_body = !to_get && status != 303;
    return to_get ? "GET" : method;
}

bool redirect_same_origin(const struct url *a, const struct url *b)
{
    return a->scheme == b->scheme && a->port == b->port && strcmp(a->host, b->host) == 0;
}
