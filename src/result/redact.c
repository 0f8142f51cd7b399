/* SPDX-License-Identifier: Apache-2.0 */
#include "result/redact.h"

#include "base/err.h"

static const struct str stars = { "***", 3 };

/* Length of the run without any of the stop bytes. */
static size_t span_until(struct str text, const char *stops)
{
    size_t at = 0;

    while (at < text.len && strchr(stops, text.p[at]) == NULL) {
        at++;
    }
    return at;
}

/* Appends an authority without its user information: all up to the last @ of it. */
static void add_authority(struct str authority, struct buf *buf)
{
    size_t at = authority.len;

    while (at > 0 && authority.p[at - 1] != '@') {
        at--;
    }
    if (at > 1) {
        buf_add_str(buf, stars);
        buf_putc(buf, '@');
    } else {
        at = 0;
    }
    buf_add_str(buf, str_from(authority, at));
}

void redact_url(struct str text, struct buf *buf)
{
    static const struct str mark = { "://", 3 };
    size_t scheme = str_find_str(text, mark);
    size_t authority;

    if (scheme == text.len) {
        /* "name:pass@host/path" is a URL too. */
        authority = span_until(text, "/?# \t");
        add_authority((struct str){ text.p, authority }, buf);
        buf_add_str(buf, str_from(text, authority));
        return;
    }
    while (scheme < text.len) {
        buf_add(buf, text.p, scheme + mark.len);
        text = str_from(text, scheme + mark.len);
        authority = span_until(text, "/?# \t");
        add_authority((struct str){ text.p, authority }, buf);
        text = str_from(text, authority);
        scheme = str_find_str(text, mark);
    }
    buf_add_str(buf, text);
}

static bool header_is_secret(struct str name)
{
    static const char *const parts[] = { "authorization", "cookie", "api-key", "apikey",
                                         "token",         "secret", "password" };

    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        for (size_t at = 0; at < name.len; at++) {
            if (str_starts_nocase(str_from(name, at), str_of(parts[i]))) {
                return true;
            }
        }
    }
    return false;
}

static void redact_header(struct str header, struct buf *buf)
{
    size_t colon = str_find(header, ':');

    if (colon < header.len && header_is_secret((struct str){ header.p, colon })) {
        buf_add(buf, header.p, colon);
        buf_puts(buf, ": ***");
        return;
    }
    redact_url(header, buf);
}

static void redact_value(struct str value, enum redact_next kind, struct buf *buf)
{
    switch (kind) {
    case REDACT_NEXT_FREE:
        redact_url(value, buf);
        return;
    case REDACT_NEXT_SECRET:
        buf_add_str(buf, stars);
        return;
    case REDACT_NEXT_HEADER:
        redact_header(value, buf);
        return;
    case REDACT_NEXT_DATA:
        buf_add_str(buf, str_starts(value, STR("@")) ? value : stars);
        return;
    }
}

/* Options of curl that hold secrets, beside those that begin with data. */
static enum redact_next curl_option_kind(struct str name)
{
    static const char *const secret[] = { "user", "proxy-user",    "cookie", "json",
                                          "form", "oauth2-bearer", "pass",   "form-string",
                                          "cert", "url-query" };

    for (size_t i = 0; i < COUNT_OF(secret); i++) {
        if (str_eq(name, str_of(secret[i]))) {
            return REDACT_NEXT_SECRET;
        }
    }
    if (str_eq(name, STR("header"))) {
        return REDACT_NEXT_HEADER;
    }
    return str_starts(name, STR("data")) ? REDACT_NEXT_DATA : REDACT_NEXT_FREE;
}

static enum redact_next curl_letter_kind(char letter)
{
    switch (letter) {
    case 'b':
    case 'E':
    case 'F':
    case 'u':
    case 'U':
        return REDACT_NEXT_SECRET;
    case 'd':
        return REDACT_NEXT_DATA;
    case 'H':
        return REDACT_NEXT_HEADER;
    }
    return REDACT_NEXT_FREE;
}

static enum redact_next long_option_kind(struct str name)
{
    if (str_eq(name, STR("user"))) {
        return REDACT_NEXT_SECRET;
    }
    if (str_eq(name, STR("header"))) {
        return REDACT_NEXT_HEADER;
    }
    /* --data, and what curl calls --data-raw and the like. */
    if (str_starts(name, STR("data")) || str_eq(name, STR("body"))) {
        return REDACT_NEXT_DATA;
    }
    return REDACT_NEXT_FREE;
}

static enum redact_next redact_long(struct str argument, bool curl, struct buf *buf)
{
    size_t equal = str_find(argument, '=');
    struct str name = str_from((struct str){ argument.p, equal }, 2);
    enum redact_next kind = curl ? curl_option_kind(name) : long_option_kind(name);

    if (equal == argument.len) {
        buf_add_str(buf, argument);
        return kind;
    }
    buf_add(buf, argument.p, equal + 1);
    redact_value(str_from(argument, equal + 1), kind, buf);
    return REDACT_NEXT_FREE;
}

/* -u and -H, alone, with a glued value, or behind switches that take none ("-qH..."). */
static enum redact_next redact_short(struct str argument, struct buf *buf)
{
    size_t at = 1;
    enum redact_next kind;

    while (at < argument.len && strchr("qvLV46", argument.p[at]) != NULL) {
        at++;
    }
    if (at == argument.len || (argument.p[at] != 'u' && argument.p[at] != 'H')) {
        if (argument.len > 2) {
            buf_add(buf, argument.p, 2);
            redact_url(str_from(argument, 2), buf);
        } else {
            buf_add_str(buf, argument);
        }
        return REDACT_NEXT_FREE;
    }
    kind = argument.p[at] == 'u' ? REDACT_NEXT_SECRET : REDACT_NEXT_HEADER;
    buf_add(buf, argument.p, at + 1);
    if (at + 1 == argument.len) {
        return kind;
    }
    if (argument.p[at + 1] == '=') {
        buf_putc(buf, '=');
        at++;
    }
    redact_value(str_from(argument, at + 1), kind, buf);
    return REDACT_NEXT_FREE;
}

enum redact_next redact_argument(struct str argument, enum redact_next next, struct buf *buf)
{
    if (next != REDACT_NEXT_FREE) {
        redact_value(argument, next, buf);
        return REDACT_NEXT_FREE;
    }
    if (str_starts(argument, STR("--"))) {
        return redact_long(argument, false, buf);
    }
    if (argument.len > 1 && argument.p[0] == '-') {
        return redact_short(argument, buf);
    }
    redact_url(argument, buf);
    return REDACT_NEXT_FREE;
}

/* The letters of curl that take a value; all before it are switches. */
static enum redact_next redact_curl_short(struct str argument, struct buf *buf)
{
    size_t at = 1;
    enum redact_next kind;

    while (at < argument.len && strchr("AbcCdDeEFHKmoPQrtTuUwxXyYz", argument.p[at]) == NULL) {
        at++;
    }
    kind = at < argument.len ? curl_letter_kind(argument.p[at]) : REDACT_NEXT_FREE;
    if (at + 1 >= argument.len) {
        buf_add_str(buf, argument);
        return kind;
    }
    buf_add(buf, argument.p, at + 1);
    redact_value(str_from(argument, at + 1), kind, buf);
    return REDACT_NEXT_FREE;
}

enum redact_next redact_curl_argument(struct str argument, enum redact_next next, struct buf *buf)
{
    if (next != REDACT_NEXT_FREE) {
        redact_value(argument, next, buf);
        return REDACT_NEXT_FREE;
    }
    if (str_starts(argument, STR("--"))) {
        return redact_long(argument, true, buf);
    }
    if (argument.len > 1 && argument.p[0] == '-') {
        return redact_curl_short(argument, buf);
    }
    redact_url(argument, buf);
    return REDACT_NEXT_FREE;
}
