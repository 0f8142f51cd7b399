/* SPDX-License-Identifier: Apache-2.0 */
#include "http/cookie.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "http/cookie_date.h"

static_assert(sizeof(struct cookie_jar) <= 32, "an empty jar is small: there is one a user");

#define NEVER INT64_MAX

/* A cookie, its texts not owned. */
struct cookie {
    struct str name, value;
    struct str domain; /* in a Set-Cookie p = NULL without the attribute */
    struct str path;   /* likewise */
    int64_t expires_s;
    bool host_only, secure;
};

/* How a cookie lies in the jar: this, then name, value, domain and path without gaps, so that a
 * record may begin at any address. */
struct record {
    int64_t expires_s;
    uint16_t name_len, value_len, domain_len, path_len;
    bool host_only, secure;
};

static size_t record_size(const struct cookie *cookie)
{
    return sizeof(struct record) + cookie->name.len + cookie->value.len + cookie->domain.len +
           cookie->path.len;
}

static struct cookie record_read(const char *at)
{
    struct cookie cookie;
    struct record record;

    memcpy(&record, at, sizeof(record));
    cookie.name = (struct str){ at + sizeof(record), record.name_len };
    cookie.value = (struct str){ cookie.name.p + record.name_len, record.value_len };
    cookie.domain = (struct str){ cookie.value.p + record.value_len, record.domain_len };
    cookie.path = (struct str){ cookie.domain.p + record.domain_len, record.path_len };
    cookie.expires_s = record.expires_s;
    cookie.host_only = record.host_only;
    cookie.secure = record.secure;
    return cookie;
}

static char *put_text(char *at, struct str text, bool lower)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];

        at[i] = (char)(lower && c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    }
    return at + text.len;
}

static void record_write(char *at, const struct cookie *cookie)
{
    struct record record;

    memset(&record, 0, sizeof(record));
    record.expires_s = cookie->expires_s;
    record.name_len = (uint16_t)cookie->name.len;
    record.value_len = (uint16_t)cookie->value.len;
    record.domain_len = (uint16_t)cookie->domain.len;
    record.path_len = (uint16_t)cookie->path.len;
    record.host_only = cookie->host_only;
    record.secure = cookie->secure;
    memcpy(at, &record, sizeof(record));
    at = put_text(at + sizeof(record), cookie->name, false);
    at = put_text(at, cookie->value, false);
    at = put_text(at, cookie->domain, true);
    (void)put_text(at, cookie->path, false);
}

/* An address is only ever its own domain. url_parse() lets a last label of digits be nothing else.
 */
static bool is_address(const struct url *url)
{
    size_t len = strlen(url->host);

    return url->is_ipv6 || (url->host[len - 1] >= '0' && url->host[len - 1] <= '9' &&
                            strspn(url->host, "0123456789.") == len);
}

/* RFC 6265 section 5.1.3. */
static bool domain_matches(const struct url *url, struct str domain)
{
    struct str host = str_of(url->host);

    if (str_eq_nocase(host, domain)) {
        return true;
    }
    return !is_address(url) && host.len > domain.len && host.p[host.len - domain.len - 1] == '.' &&
           str_eq_nocase(str_from(host, host.len - domain.len), domain);
}

static struct str path_of(const struct url *url)
{
    struct str target = str_of(url->target);

    target.len = str_find(target, '?');
    return target;
}

/* RFC 6265 section 5.1.4. */
static bool path_matches(struct str path, struct str cookie_path)
{
    return str_starts(path, cookie_path) &&
           (path.len == cookie_path.len || path.p[cookie_path.len] == '/' ||
            str_ends(cookie_path, STR("/")));
}

/* The path of the request up to its last slash. */
static struct str default_path(const struct url *url)
{
    struct str path = path_of(url);

    do {
        path.len--;
    } while (path.p[path.len] != '/');
    path.len += path.len == 0;
    return path;
}

/* "-1", "3600": false for what is to be ignored. */
static bool parse_max_age(struct str text, int64_t now_s, int64_t *ret_expires_s)
{
    bool negative = text.len > 0 && text.p[0] == '-';
    struct str digits = str_from(text, negative);
    uint64_t age_s = 0;

    for (size_t i = 0; i < digits.len; i++) {
        if (digits.p[i] < '0' || digits.p[i] > '9') {
            return false;
        }
    }
    if (digits.len == 0) {
        return false;
    }
    if (negative) {
        *ret_expires_s = INT64_MIN;
        return true;
    }
    /* Too large a number is for ever. */
    if (!str_u64(digits, &age_s) || age_s > INT64_MAX / 2) {
        *ret_expires_s = NEVER;
    } else {
        *ret_expires_s = age_s == 0 ? INT64_MIN : now_s + (int64_t)age_s;
    }
    return true;
}

/* The times of a cookie while its attributes are read: Max-Age beats Expires. */
struct expiry {
    bool by_age;
    int64_t expires_s;
};

static void read_attribute(struct cookie *cookie, struct expiry *expiry, struct str text,
                           int64_t now_s)
{
    size_t equals = str_find(text, '=');
    struct str name = str_trim((struct str){ text.p, equals });
    struct str value = str_trim(str_from(text, equals + 1));
    int64_t expires_s;

    if (str_eq_nocase(name, STR("max-age"))) {
        if (parse_max_age(value, now_s, &expires_s)) {
            *expiry = (struct expiry){ true, expires_s };
        }
    } else if (str_eq_nocase(name, STR("expires"))) {
        if (!expiry->by_age && cookie_date_parse(value, &expires_s)) {
            expiry->expires_s = expires_s;
        }
    } else if (str_eq_nocase(name, STR("domain"))) {
        if (value.len > 0) {
            cookie->domain = str_from(value, value.p[0] == '.');
        }
    } else if (str_eq_nocase(name, STR("path"))) {
        bool usable = value.len > 0 && value.p[0] == '/';

        cookie->path = usable ? value : (struct str){ NULL, 0 };
    } else if (str_eq_nocase(name, STR("secure"))) {
        cookie->secure = true;
    }
}

static bool has_control_byte(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.p[i];

        if ((c < 0x20 && c != '\t') || c == 0x7f) {
            return true;
        }
    }
    return false;
}

/* RFC 6265 section 5.2. */
static enum cookie_fate parse(struct str text, int64_t now_s, struct cookie *ret_cookie)
{
    struct cookie cookie = { 0 };
    struct expiry expiry = { false, NEVER };
    struct str piece = { 0 };
    size_t equals;

    text = str_trim(text);
    if (has_control_byte(text)) {
        return COOKIE_CONTROL_BYTE;
    }
    (void)str_cut(&text, ';', &piece);
    equals = str_find(piece, '=');
    cookie.name = str_trim((struct str){ piece.p, equals });
    cookie.value = str_trim(str_from(piece, equals + 1));
    if (equals == piece.len || cookie.name.len == 0) {
        return COOKIE_NO_NAME;
    }
    if (cookie.name.len + cookie.value.len > COOKIE_BYTES_MAX) {
        return COOKIE_TOO_LARGE;
    }
    while (str_cut(&text, ';', &piece)) {
        read_attribute(&cookie, &expiry, piece, now_s);
    }
    cookie.expires_s = expiry.expires_s;
    *ret_cookie = cookie;
    return COOKIE_KEPT;
}

/* Domain and path of a cookie from this URL (RFC 6265 section 5.3, steps 4 to 7). */
static enum cookie_fate settle(struct cookie *cookie, const struct url *url)
{
    struct str host = str_of(url->host);

    if (cookie->domain.len > 0 && !domain_matches(url, cookie->domain)) {
        return COOKIE_FOREIGN_DOMAIN;
    }
    if (cookie->domain.len > 0 && str_find(cookie->domain, '.') == cookie->domain.len &&
        !str_eq_nocase(cookie->domain, STR("localhost"))) {
        if (!str_eq_nocase(cookie->domain, host)) {
            return COOKIE_WIDE_DOMAIN;
        }
        cookie->domain.len = 0;
    }
    if (cookie->domain.len == 0) {
        cookie->domain = host;
        cookie->host_only = true;
    }
    if (cookie->path.p == NULL) {
        cookie->path = default_path(url);
    }
    return cookie->path.len > COOKIE_PATH_MAX ? COOKIE_TOO_LARGE : COOKIE_KEPT;
}

/* Makes a gap of `more` bytes in place of `less` bytes. */
static void splice(struct cookie_jar *jar, size_t at, size_t less, size_t more)
{
    size_t len = jar->len - less + more, room = jar->room > 0 ? jar->room : 128;

    while (room < len) {
        room *= 2;
    }
    if (room > jar->room) {
        jar->bytes = mem_resize(jar->bytes, room, 1);
        jar->room = (uint32_t)room;
    }
    memmove(jar->bytes + at + more, jar->bytes + at + less, jar->len - at - less);
    jar->len = (uint32_t)len;
}

static void drop_expired(struct cookie_jar *jar, int64_t now_s)
{
    size_t at = 0;

    while (at < jar->len) {
        struct cookie old = record_read(jar->bytes + at);
        size_t size = record_size(&old);

        if (old.expires_s <= now_s) {
            splice(jar, at, size, 0);
            jar->count--;
        } else {
            at += size;
        }
    }
}

static bool same_cookie(const struct cookie *a, const struct cookie *b)
{
    return str_eq(a->name, b->name) && str_eq_nocase(a->domain, b->domain) &&
           str_eq(a->path, b->path);
}

/* Where the jar has this cookie and how much of it; its end and 0 when it has not. */
static size_t find(const struct cookie_jar *jar, const struct cookie *cookie, size_t *ret_size)
{
    size_t at = 0;

    *ret_size = 0;
    while (at < jar->len) {
        struct cookie old = record_read(jar->bytes + at);

        if (same_cookie(&old, cookie)) {
            *ret_size = record_size(&old);
            return at;
        }
        at += record_size(&old);
    }
    return at;
}

static bool has_room(const struct cookie_jar *jar, size_t old_size, size_t new_size)
{
    size_t count_max = jar->count_max > 0 ? jar->count_max : COOKIE_JAR_COUNT_DEFAULT;

    return (old_size > 0 || jar->count < count_max) &&
           jar->len - old_size + new_size <= COOKIE_JAR_BYTES_MAX;
}

enum cookie_fate cookie_jar_take(struct cookie_jar *jar, const struct url *url, struct str value,
                                 int64_t now_s)
{
    struct cookie cookie;
    size_t at, old_size, new_size;
    enum cookie_fate fate = parse(value, now_s, &cookie);

    if (fate == COOKIE_KEPT) {
        fate = settle(&cookie, url);
    }
    if (fate != COOKIE_KEPT) {
        return fate;
    }
    at = find(jar, &cookie, &old_size);
    new_size = record_size(&cookie);
    if (cookie.expires_s <= now_s) {
        if (old_size > 0) {
            splice(jar, at, old_size, 0);
            jar->count--;
        }
        return COOKIE_REMOVED;
    }
    if (!has_room(jar, old_size, new_size)) {
        drop_expired(jar, now_s);
        at = find(jar, &cookie, &old_size);
    }
    if (!has_room(jar, old_size, new_size)) {
        return COOKIE_JAR_FULL;
    }
    splice(jar, at, old_size, new_size);
    record_write(jar->bytes + at, &cookie);
    if (old_size == 0) {
        jar->count++;
    }
    return COOKIE_KEPT;
}

static bool goes_to(const struct cookie *cookie, const struct url *url, int64_t now_s)
{
    bool domain = cookie->host_only ? str_eq(cookie->domain, str_of(url->host))
                                    : domain_matches(url, cookie->domain);

    return domain && cookie->expires_s > now_s && (!cookie->secure || url->scheme == URL_HTTPS) &&
           path_matches(path_of(url), cookie->path);
}

/* Appends those whose path has this length, and says which the next shorter one is. */
static size_t put_paths(const struct cookie_jar *jar, const struct url *url, int64_t now_s,
                        size_t path_len, struct buf *buf)
{
    size_t at = 0, next = 0;

    while (at < jar->len) {
        struct cookie cookie = record_read(jar->bytes + at);

        at += record_size(&cookie);
        if (cookie.path.len > path_len || !goes_to(&cookie, url, now_s)) {
            continue;
        }
        if (cookie.path.len < path_len) {
            next = cookie.path.len > next ? cookie.path.len : next;
            continue;
        }
        buf_add_str(buf, cookie.name);
        buf_putc(buf, '=');
        buf_add_str(buf, cookie.value);
        buf_puts(buf, "; ");
    }
    return next;
}

bool cookie_jar_put(const struct cookie_jar *jar, const struct url *url, int64_t now_s,
                    struct buf *buf)
{
    size_t begin = buf->len, path_len = COOKIE_PATH_MAX;

    while (path_len > 0) {
        path_len = put_paths(jar, url, now_s, path_len, buf);
    }
    if (buf->len == begin) {
        return false;
    }
    buf->len = buf->overflow ? begin : buf->len - 2;
    buf->data[buf->len] = '\0';
    return !buf->overflow;
}

void cookie_jar_fini(struct cookie_jar *jar)
{
    mem_free(jar->bytes);
    *jar = (struct cookie_jar){ .count_max = jar->count_max };
}

const char *cookie_fate_word(enum cookie_fate fate)
{
    static const char *const words[] = {
#define COOKIE_FATE_WORD(name, word, text) word,
        COOKIE_FATE_LIST(COOKIE_FATE_WORD)
#undef COOKIE_FATE_WORD
    };
    static_assert(COUNT_OF(words) == COOKIE_FATE_COUNT, "every fate has its word");

    return words[fate];
}

const char *cookie_fate_text(enum cookie_fate fate)
{
    static const char *const texts[] = {
#define COOKIE_FATE_TEXT(name, word, text) text,
        COOKIE_FATE_LIST(COOKIE_FATE_TEXT)
#undef COOKIE_FATE_TEXT
    };
    static_assert(COUNT_OF(texts) == COOKIE_FATE_COUNT, "every fate has its text");

    return texts[fate];
}
