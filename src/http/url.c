/* SPDX-License-Identifier: Apache-2.0 */
#include "http/url.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/mem.h"
#include "http/idn.h"

enum { PORT_HTTP = 80, PORT_HTTPS = 443, HOST_BYTES_MAX = 253, SHOWN_BYTES_MAX = 200 };

/* A URL in its parts, still as typed. */
struct pieces {
    struct str scheme; /* p = NULL when there is none */
    struct str userinfo;
    struct str host; /* without brackets */
    struct str port; /* p = NULL when there is no colon */
    struct str path; /* path and query */
    bool bracketed;
};

/* For "%.*s" in an error: not more of it than a line takes. */
static struct str shown(struct str text)
{
    if (text.len > SHOWN_BYTES_MAX) {
        text.len = SHOWN_BYTES_MAX;
    }
    return text;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_alnum(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void lower(char *text)
{
    for (char *c = text; *c != '\0'; c++) {
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c | 0x20 : *c);
    }
}

static int hex_value(char c)
{
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte that "%XX" at the front of the text stands for, or -1. */
static int escaped_byte(struct str text)
{
    if (text.len < 3 || text.p[0] != '%' || hex_value(text.p[1]) < 0 || hex_value(text.p[2]) < 0) {
        return -1;
    }
    return hex_value(text.p[1]) * 16 + hex_value(text.p[2]);
}

static bool has_byte(struct str text, char byte)
{
    return str_find(text, byte) < text.len;
}

static size_t find_any(struct str text, const char *bytes)
{
    for (size_t i = 0; i < text.len; i++) {
        if (strchr(bytes, text.p[i]) != NULL && text.p[i] != '\0') {
            return i;
        }
    }
    return text.len;
}

static bool check_bytes(struct str text, struct err *err)
{
    if (text.len == 0) {
        return err_set(err, ERR_USAGE, "the URL is empty: write one like http://127.0.0.1:8080/");
    }
    if (text.len > URL_BYTES_MAX) {
        return err_set(err, ERR_USAGE, "the URL is longer than %d bytes", URL_BYTES_MAX);
    }
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.p[i];

        if (c < 0x20 || c == 0x7f) {
            return err_set(err, ERR_USAGE, "byte %zu of the URL is a control byte (0x%02x)", i + 1,
                           c);
        }
    }
    return true;
}

/* Host and port of "host", "host:", "host:80", "[::1]:80". */
static bool cut_host(struct str text, struct pieces *pieces, struct err *err)
{
    size_t end;

    pieces->bracketed = text.len > 0 && text.p[0] == '[';
    if (pieces->bracketed) {
        end = str_find(text, ']');
        if (end == text.len) {
            return err_set(err, ERR_USAGE, "'%.*s' has no closing bracket", STR_ARG(shown(text)));
        }
        pieces->host = (struct str){ text.p + 1, end - 1 };
        text = str_from(text, end + 1);
        if (text.len > 0 && text.p[0] != ':') {
            return err_set(err, ERR_USAGE, "'%.*s' follows the address in brackets, not a port",
                           STR_ARG(shown(text)));
        }
        end = 0;
    } else {
        end = str_find(text, ':');
        pieces->host = (struct str){ text.p, end };
    }
    if (end < text.len) {
        pieces->port = str_from(text, end + 1);
    }
    if (has_byte(pieces->port, ':')) {
        return err_set(err, ERR_USAGE, "'%.*s' has several colons: an IPv6 address needs brackets",
                       STR_ARG(shown(text)));
    }
    return true;
}

/* "http:host", where host would be a port. */
static bool check_slashes(struct str text, struct err *err)
{
    static const struct str words[] = { { "http:", 5 }, { "https:", 6 } };

    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (str_starts_nocase(text, words[i]) &&
            !str_starts(str_from(text, words[i].len), STR("//"))) {
            return err_set(err, ERR_USAGE, "'%.*s' wants a colon and two slashes behind it: %s//",
                           (int)words[i].len - 1, words[i].p, words[i].p);
        }
    }
    return true;
}

static bool cut_pieces(struct str text, struct pieces *ret_pieces, struct err *err)
{
    struct pieces pieces = { 0 };
    size_t slash = find_any(text, "/?#");
    struct str authority, rest;

    if (slash > 0 && str_starts(str_from(text, slash - 1), STR("://"))) {
        pieces.scheme = (struct str){ text.p, slash - 1 };
        text = str_from(text, slash + 2);
        slash = find_any(text, "/?#");
    }
    authority = (struct str){ text.p, slash };
    rest = str_from(text, slash);
    rest.len = str_find(rest, '#');
    pieces.path = rest;
    for (size_t at = authority.len; at > 0; at--) {
        if (authority.p[at - 1] == '@') {
            pieces.userinfo = (struct str){ authority.p, at - 1 };
            authority = str_from(authority, at);
            break;
        }
    }
    if (!cut_host(authority, &pieces, err)) {
        return false;
    }
    *ret_pieces = pieces;
    return true;
}

/* Words that are no URL although a host could have such a name. */
static bool check_bare(struct str text, const struct pieces *pieces, struct err *err)
{
    struct str host = pieces->host;

    if (str_eq_nocase(host, STR("http")) || str_eq_nocase(host, STR("https"))) {
        return err_set(err, ERR_USAGE, "'%.*s' wants a colon and two slashes behind it: %.*s://",
                       STR_ARG(host), STR_ARG(host));
    }
    text.len = find_any(text, "?#");
    if (host.len == 0 || find_any(text, ".:/") < text.len ||
        str_eq_nocase(host, STR("localhost"))) {
        return true;
    }
    return err_set(err, ERR_USAGE,
                   "'%.*s' is not a URL; if a host has this name, write http://%.*s/",
                   STR_ARG(shown(host)), STR_ARG(shown(host)));
}

static bool parse_scheme(const struct pieces *pieces, struct url *url, struct err *err)
{
    if (pieces->scheme.p == NULL || str_eq_nocase(pieces->scheme, STR("http"))) {
        url->scheme = URL_HTTP;
        url->port = PORT_HTTP;
        return true;
    }
    if (str_eq_nocase(pieces->scheme, STR("https"))) {
        url->scheme = URL_HTTPS;
        url->port = PORT_HTTPS;
        return true;
    }
    if (pieces->scheme.len == 0) {
        return err_set(err, ERR_USAGE, "there is no scheme before '://': write http or https");
    }
    return err_set(err, ERR_USAGE, "the scheme '%.*s' is not supported: write http or https",
                   STR_ARG(shown(pieces->scheme)));
}

static bool parse_port(const struct pieces *pieces, struct url *url, struct err *err)
{
    uint64_t port;

    if (pieces->port.len == 0 && (pieces->port.p == NULL || pieces->scheme.p != NULL)) {
        return true;
    }
    if (!str_u64(pieces->port, &port) || port < 1 || port > UINT16_MAX) {
        return err_set(err, ERR_USAGE, "the port '%.*s' is not a number from 1 to 65535",
                       STR_ARG(shown(pieces->port)));
    }
    url->port = (uint16_t)port;
    return true;
}

/* "::1", or with a zone "fe80::1%25eth0", where a bare % is taken too; kept as "fe80::1%eth0". */
static bool parse_ipv6(struct str host, struct url *url, struct err *err)
{
    size_t percent = str_find(host, '%');
    struct str zone = str_from(host, percent + 1);
    char address[INET6_ADDRSTRLEN];
    struct in6_addr parsed;
    struct buf buf;
    bool ok = percent < sizeof(address);

    str_copy(address, sizeof(address), (struct str){ host.p, percent });
    ok = ok && inet_pton(AF_INET6, address, &parsed) == 1;
    if (str_starts(zone, STR("25"))) {
        zone = str_from(zone, 2);
    }
    ok = ok && (percent == host.len || (zone.len > 0 && zone.len <= 64));
    for (size_t i = 0; i < zone.len; i++) {
        ok = ok && (is_alnum(zone.p[i]) || strchr("-._~", zone.p[i]) != NULL);
    }
    if (!ok) {
        return err_set(err, ERR_USAGE, "'%.*s' in brackets is not an IPv6 address",
                       STR_ARG(shown(host)));
    }
    lower(address);
    buf_init(&buf, HOST_BYTES_MAX);
    buf_puts(&buf, address);
    if (zone.len > 0) {
        buf_putc(&buf, '%');
        buf_add_str(&buf, zone);
    }
    url->host = buf.data;
    url->is_ipv6 = true;
    return true;
}

static bool check_name(struct str host, struct err *err)
{
    if (host.len == 0) {
        return err_set(err, ERR_USAGE, "the URL names no host: write one like http://127.0.0.1/");
    }
    for (size_t i = 0; i < host.len; i++) {
        char c = host.p[i];

        if (!is_alnum(c) && strchr("-._", c) == NULL) {
            return err_set(err, ERR_USAGE, "'%c' may not be in a host name ('%.*s')", c,
                           STR_ARG(shown(host)));
        }
    }
    if (host.len > HOST_BYTES_MAX) {
        return err_set(err, ERR_USAGE, "the host is longer than %d bytes", HOST_BYTES_MAX);
    }
    return true;
}

/* Labels between dots; a last label of digits alone makes it an IPv4 address. */
static bool check_labels(struct str host, struct err *err)
{
    struct str rest = host, label = host;
    char address[INET_ADDRSTRLEN];
    struct in_addr parsed;

    if (rest.len > 1 && rest.p[rest.len - 1] == '.') {
        rest.len--;
    }
    while (str_cut(&rest, '.', &label)) {
        if (label.len == 0 || label.len > 63) {
            return err_set(err, ERR_USAGE, "'%.*s' is not a host name: a part of it is %s",
                           STR_ARG(shown(host)), label.len == 0 ? "empty" : "longer than 63 bytes");
        }
    }
    for (size_t i = 0; i < label.len; i++) {
        if (!is_digit(label.p[i])) {
            return true;
        }
    }
    str_copy(address, sizeof(address), host);
    if (host.len >= sizeof(address) || inet_pton(AF_INET, address, &parsed) != 1) {
        return err_set(err, ERR_USAGE, "'%.*s' is not an IPv4 address", STR_ARG(shown(host)));
    }
    return true;
}

static bool parse_host(const struct pieces *pieces, struct url *url, struct err *err)
{
    struct str host = pieces->host;
    struct buf ascii;
    bool ok;

    if (pieces->bracketed) {
        return parse_ipv6(host, url, err);
    }
    buf_init(&ascii, URL_BYTES_MAX);
    if (idn_needed(host)) {
        ok = idn_encode(host, &ascii, err);
        host = buf_str(&ascii);
    } else {
        ok = true;
    }
    ok = ok && check_name(host, err) && check_labels(host, err);
    if (ok) {
        url->host = mem_strndup(host.p, host.len);
        lower(url->host);
    }
    buf_fini(&ascii);
    return ok;
}

/* The text never appears in an error: it is a secret. */
static bool parse_userinfo(struct str text, struct url *url, struct err *err)
{
    struct buf buf;

    if (text.len == 0) {
        return true;
    }
    buf_init(&buf, URL_BYTES_MAX);
    for (size_t i = 0; i < text.len; i++) {
        int byte = escaped_byte(str_from(text, i));

        if (byte == 0) {
            buf_fini(&buf);
            return err_set(err, ERR_USAGE, "the user information holds a zero byte (%%00)");
        }
        buf_putc(&buf, byte < 0 ? text.p[i] : (char)byte);
        i += byte < 0 ? 0 : 2;
    }
    url->userinfo = buf.data;
    return true;
}

/* What RFC 3986 allows nowhere in a path or a query. Square brackets it does not allow either, but
 * they are sent bare by every browser and mean the same to every server. */
static bool must_escape(struct str at)
{
    unsigned char c = (unsigned char)at.p[0];

    if (c == '%') {
        return escaped_byte(at) < 0;
    }
    return c <= 0x20 || c >= 0x7f || strchr("\"<>\\^`{|}", c) != NULL;
}

static void parse_target(struct str path, struct url *url)
{
    struct buf buf;

    buf_init(&buf, 3 * URL_BYTES_MAX + 1);
    if (path.len == 0 || path.p[0] != '/') {
        buf_putc(&buf, '/');
    }
    for (size_t i = 0; i < path.len; i++) {
        if (must_escape(str_from(path, i))) {
            buf_printf(&buf, "%%%02X", (unsigned char)path.p[i]);
        } else {
            buf_putc(&buf, path.p[i]);
        }
    }
    url->target = buf.data;
}

bool url_parse(struct str text, struct url *ret_url, struct err *err)
{
    struct pieces pieces;
    struct url url = { 0 };

    text = str_trim(text);
    if (!check_bytes(text, err) || !check_slashes(text, err) || !cut_pieces(text, &pieces, err)) {
        return false;
    }
    if (pieces.scheme.p == NULL && !check_bare(text, &pieces, err)) {
        return false;
    }
    if (!parse_scheme(&pieces, &url, err) || !parse_host(&pieces, &url, err)) {
        return false;
    }
    if (!parse_port(&pieces, &url, err) || !parse_userinfo(pieces.userinfo, &url, err)) {
        url_fini(&url);
        return false;
    }
    parse_target(pieces.path, &url);
    *ret_url = url;
    return true;
}

void url_fini(struct url *url)
{
    mem_free(url->host);
    mem_free(url->target);
    mem_free(url->userinfo);
    *url = (struct url){ 0 };
}

void url_copy(const struct url *from, struct url *ret_to)
{
    struct url copy = *from;

    copy.host = mem_strdup(from->host);
    copy.target = mem_strdup(from->target);
    copy.userinfo = mem_strdup(from->userinfo);
    *ret_to = copy;
}

static void format_port(const struct url *url, struct buf *buf)
{
    if (url->port != (url->scheme == URL_HTTP ? PORT_HTTP : PORT_HTTPS)) {
        buf_printf(buf, ":%u", url->port);
    }
}

void url_format_host(const struct url *url, struct buf *buf)
{
    struct str host = str_of(url->host);

    if (url->is_ipv6) {
        /* A zone means something on this machine alone. */
        host.len = str_find(host, '%');
        buf_printf(buf, "[%.*s]", STR_ARG(host));
    } else {
        buf_add_str(buf, host);
    }
    format_port(url, buf);
}

void url_format(const struct url *url, struct buf *buf)
{
    struct str host = str_of(url->host);
    size_t percent = str_find(host, '%');

    buf_puts(buf, url_scheme_word(url->scheme));
    buf_puts(buf, url->is_ipv6 ? "://[" : "://");
    buf_add(buf, host.p, percent);
    if (percent < host.len) {
        buf_puts(buf, "%25");
        buf_add_str(buf, str_from(host, percent + 1));
    }
    if (url->is_ipv6) {
        buf_putc(buf, ']');
    }
    format_port(url, buf);
    buf_puts(buf, url->target);
}

const char *url_scheme_word(enum url_scheme scheme)
{
    switch (scheme) {
    case URL_HTTP:
        return "http";
    case URL_HTTPS:
        return "https";
    }
    return "";
}
