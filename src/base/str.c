/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool str_eq(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

bool str_eq_nocase(struct str a, struct str b)
{
    return a.len == b.len && str_starts_nocase(a, b);
}

bool str_starts(struct str text, struct str prefix)
{
    return text.len >= prefix.len && (prefix.len == 0 || memcmp(text.p, prefix.p, prefix.len) == 0);
}

bool str_starts_nocase(struct str text, struct str prefix)
{
    if (text.len < prefix.len) {
        return false;
    }
    for (size_t i = 0; i < prefix.len; i++) {
        if (lower(text.p[i]) != lower(prefix.p[i])) {
            return false;
        }
    }
    return true;
}

bool str_ends(struct str text, struct str suffix)
{
    return text.len >= suffix.len && str_eq(str_from(text, text.len - suffix.len), suffix);
}

size_t str_find(struct str text, char byte)
{
    const char *hit = text.len == 0 ? NULL : memchr(text.p, byte, text.len);

    return hit == NULL ? text.len : (size_t)(hit - text.p);
}

size_t str_find_str(struct str text, struct str needle)
{
    for (size_t at = 0; at + needle.len <= text.len; at++) {
        if (str_starts(str_from(text, at), needle)) {
            return at;
        }
    }
    return text.len;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct str str_trim(struct str text)
{
    while (text.len > 0 && is_blank(text.p[0])) {
        text.p++;
        text.len--;
    }
    while (text.len > 0 && is_blank(text.p[text.len - 1])) {
        text.len--;
    }
    return text;
}

struct str str_from(struct str text, size_t start)
{
    if (start > text.len) {
        start = text.len;
    }
    return (struct str){ text.p + start, text.len - start };
}

bool str_cut(struct str *rest, char separator, struct str *ret_piece)
{
    size_t at;

    if (rest->p == NULL) {
        return false;
    }
    at = str_find(*rest, separator);
    *ret_piece = (struct str){ rest->p, at };
    if (at == rest->len) {
        *rest = (struct str){ NULL, 0 };
    } else {
        *rest = str_from(*rest, at + 1);
    }
    return true;
}

bool str_u64(struct str text, uint64_t *ret_value)
{
    uint64_t value = 0;

    if (text.len == 0) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] < '0' || text.p[i] > '9' || __builtin_mul_overflow(value, 10U, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text.p[i] - '0'), &value)) {
            return false;
        }
    }
    *ret_value = value;
    return true;
}

void str_copy(char *to, size_t size, struct str from)
{
    size_t n = from.len < size - 1 ? from.len : size - 1;

    if (n > 0) {
        memcpy(to, from.p, n);
    }
    to[n] = '\0';
}
