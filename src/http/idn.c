/* SPDX-License-Identifier: Apache-2.0 */
#include "http/idn.h"

#include <stdint.h>

/* Letters of a label, far more than the 63 bytes that it may have in the end. */
enum { LABEL_MAX = 64, SHOWN_MAX = 200, NAME_BYTES_MAX = 1024 };

/* RFC 3492 section 5. */
enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, BIAS = 72, FIRST = 0x80 };

static const uint32_t no_letter = UINT32_MAX;

bool idn_needed(struct str host)
{
    for (size_t i = 0; i < host.len; i++) {
        if ((unsigned char)host.p[i] >= 0x80) {
            return true;
        }
    }
    return false;
}

/* The letter at the front of the text, taken off it; no_letter when it is not UTF-8 (RFC 3629). */
static uint32_t take_letter(struct str *text)
{
    static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
    unsigned char first = (unsigned char)text->p[0];
    size_t more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    uint32_t letter = first & (0x7fU >> (more == 0 ? 0 : more + 1));

    if ((first >= 0x80 && first < 0xc0) || first >= 0xf8 || more >= text->len) {
        return no_letter;
    }
    for (size_t i = 1; i <= more; i++) {
        unsigned char c = (unsigned char)text->p[i];

        if ((c & 0xc0) != 0x80) {
            return no_letter;
        }
        letter = letter << 6 | (c & 0x3fU);
    }
    if (letter < least[more] || letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000)) {
        return no_letter;
    }
    *text = str_from(*text, more + 1);
    return letter;
}

/* Capitals from first to last: each `shift` before its small letter, or with step 2 in pairs, of
 * which the capital comes first. */
static const struct capitals {
    uint32_t first, last, step, shift;
} capitals[] = {
    { 'A', 'Z', 1, 0x20 },     { 0xc0, 0xd6, 1, 0x20 },   { 0xd8, 0xde, 1, 0x20 },
    { 0x100, 0x12e, 2, 1 },    { 0x132, 0x136, 2, 1 },    { 0x139, 0x147, 2, 1 },
    { 0x14a, 0x176, 2, 1 },    { 0x179, 0x17d, 2, 1 },    { 0x1a0, 0x1a4, 2, 1 },
    { 0x1af, 0x1af, 2, 1 },    { 0x1cd, 0x1db, 2, 1 },    { 0x1de, 0x1ee, 2, 1 },
    { 0x200, 0x232, 2, 1 },    { 0x386, 0x386, 1, 0x26 }, { 0x388, 0x38a, 1, 0x25 },
    { 0x38c, 0x38c, 1, 0x40 }, { 0x38e, 0x38f, 1, 0x3f }, { 0x391, 0x3a1, 1, 0x20 },
    { 0x3a3, 0x3ab, 1, 0x20 }, { 0x400, 0x40f, 1, 0x50 }, { 0x410, 0x42f, 1, 0x20 },
    { 0x460, 0x480, 2, 1 },    { 0x48a, 0x4be, 2, 1 },    { 0x4c1, 0x4cd, 2, 1 },
    { 0x4d0, 0x52e, 2, 1 },    { 0x531, 0x556, 1, 0x30 }, { 0x1e00, 0x1e94, 2, 1 },
    { 0x1ea0, 0x1efe, 2, 1 },
};

static uint32_t small_letter(uint32_t letter)
{
    if (letter == 0x178) {
        return 0xff; /* its pair stands in the first block */
    }
    for (size_t i = 0; i < COUNT_OF(capitals); i++) {
        const struct capitals *row = &capitals[i];

        if (letter >= row->first && letter <= row->last && (letter - row->first) % row->step == 0) {
            return letter + row->shift;
        }
    }
    return letter;
}

static uint32_t usual_form(uint32_t letter)
{
    if (letter == 0x3002 || letter == 0xff61) {
        return '.';
    }
    if (letter >= 0xff01 && letter <= 0xff5e) {
        letter -= 0xfee0;
    }
    return small_letter(letter);
}

/* What names another host than it seems to: marks that compose, and what cannot be seen. */
static bool is_refused(uint32_t letter)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        { 0x80, 0xa0 },     { 0xad, 0xad },     { 0x130, 0x130 },   { 0x300, 0x36f },
        { 0x3099, 0x309a }, { 0x1680, 0x1680 }, { 0x2000, 0x200f }, { 0x2028, 0x202f },
        { 0x205f, 0x206f }, { 0x3000, 0x3000 }, { 0xe000, 0xf8ff }, { 0xfdd0, 0xfdef },
        { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xfff0, 0xffff }, { 0xe0000, 0x10ffff },
    };

    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        if (letter >= ranges[i].first && letter <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

static char digit_of(uint32_t value)
{
    return (char)(value < 26 ? 'a' + value : '0' + (value - 26));
}

static uint32_t next_bias(uint32_t delta, uint32_t done, bool first)
{
    uint32_t k = 0;

    delta = first ? delta / DAMP : delta / 2;
    delta += delta / done;
    for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE) {
        delta /= BASE - T_MIN;
    }
    return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static void put_number(struct buf *buf, uint32_t number, uint32_t bias)
{
    for (uint32_t k = BASE;; k += BASE) {
        uint32_t t = k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;

        if (number < t) {
            buf_putc(buf, digit_of(number));
            return;
        }
        buf_putc(buf, digit_of(t + (number - t) % (BASE - t)));
        number = (number - t) / (BASE - t);
    }
}

static uint32_t least_from(const uint32_t *letters, size_t count, uint32_t from)
{
    uint32_t least = no_letter;

    for (size_t i = 0; i < count; i++) {
        if (letters[i] >= from && letters[i] < least) {
            least = letters[i];
        }
    }
    return least;
}

/* RFC 3492 section 6.3. Numbers stay below LABEL_MAX * 0x110000 and so within 32 bits. */
static void put_punycode(struct buf *buf, const uint32_t *letters, size_t count)
{
    uint32_t next = FIRST, delta = 0, bias = BIAS, done = 0, basic;

    for (size_t i = 0; i < count; i++) {
        if (letters[i] < FIRST) {
            buf_putc(buf, (char)letters[i]);
            done++;
        }
    }
    basic = done;
    if (basic > 0) {
        buf_putc(buf, '-');
    }
    while (done < count) {
        uint32_t least = least_from(letters, count, next);

        delta += (least - next) * (done + 1);
        next = least;
        for (size_t i = 0; i < count; i++) {
            delta += letters[i] < next;
            if (letters[i] == next) {
                put_number(buf, delta, bias);
                bias = next_bias(delta, done + 1, done == basic);
                delta = 0;
                done++;
            }
        }
        delta++;
        next++;
    }
}

static void put_label(struct buf *buf, const uint32_t *letters, size_t count)
{
    if (least_from(letters, count, FIRST) != no_letter) {
        buf_puts(buf, "xn--");
        put_punycode(buf, letters, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        buf_putc(buf, (char)letters[i]);
    }
}

bool idn_encode(struct str host, struct buf *buf, struct err *err)
{
    struct str shown = { host.p, host.len < SHOWN_MAX ? host.len : SHOWN_MAX };
    uint32_t letters[LABEL_MAX];
    size_t count = 0;

    while (host.len > 0) {
        uint32_t letter = take_letter(&host);

        if (letter == no_letter) {
            return err_set(err, ERR_USAGE, "the host '%.*s' is not UTF-8", STR_ARG(shown));
        }
        if (is_refused(letter)) {
            return err_set(err, ERR_USAGE,
                           "the host '%.*s' holds U+%04X, which is not clear in a name: write its "
                           "punycode form (xn--...)",
                           STR_ARG(shown), letter);
        }
        letter = usual_form(letter);
        if (letter == '.') {
            put_label(buf, letters, count);
            buf_putc(buf, '.');
            count = 0;
        } else if (count == LABEL_MAX) {
            return err_set(err, ERR_USAGE, "a part of the host '%.*s' is longer than 63 bytes",
                           STR_ARG(shown));
        } else {
            letters[count++] = letter;
        }
    }
    put_label(buf, letters, count);
    return true;
}

bool idn_same(struct str name, struct str host)
{
    struct buf ascii;
    struct err unused;
    bool same;

    if (!idn_needed(name)) {
        return str_eq_nocase(name, host);
    }
    buf_init(&ascii, NAME_BYTES_MAX);
    same = idn_encode(name, &ascii, &unused) && !ascii.overflow &&
           str_eq_nocase(buf_str(&ascii), host);
    buf_fini(&ascii);
    return same;
}
