/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/words.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool words_next(struct str *rest, struct str *ret_word)
{
    size_t start = 0, end;

    while (start < rest->len && is_blank(rest->p[start])) {
        start++;
    }
    end = start;
    while (end < rest->len && !is_blank(rest->p[end])) {
        end++;
    }
    if (end == start) {
        return false;
    }
    *ret_word = (struct str){ rest->p + start, end - start };
    *rest = str_from(*rest, end);
    return true;
}

bool words_skip_next(struct str *rest, unsigned count, struct str *ret_word)
{
    for (; count > 0; count--) {
        struct str skipped;

        if (!words_next(rest, &skipped)) {
            return false;
        }
    }
    return words_next(rest, ret_word);
}

bool words_next_u64(struct str *rest, uint64_t *ret_value)
{
    struct str word;

    return words_next(rest, &word) && str_u64(word, ret_value);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool words_hex(struct str word, uint64_t *ret_value)
{
    uint64_t value = 0;

    if (word.len == 0 || word.len > 16) {
        return false;
    }
    for (size_t i = 0; i < word.len; i++) {
        int digit = hex_digit(word.p[i]);

        if (digit < 0) {
            return false;
        }
        value = value << 4 | (unsigned)digit;
    }
    *ret_value = value;
    return true;
}
