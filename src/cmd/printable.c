/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/printable.h"

static unsigned char byte_at(struct str text, size_t i)
{
    return i < text.len ? (unsigned char)text.p[i] : 0;
}

/* Length of the UTF-8 sequence that a byte begins, 0 when it begins none. */
static size_t length_by_lead(unsigned char lead)
{
    if (lead < 0x80) {
        return 1;
    }
    if (lead < 0xc2 || lead >= 0xf5) {
        return 0;
    }
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/* U+0080 to U+009F are control characters; over-long forms, surrogates and what is past the end of
 * Unicode are no characters at all. */
static bool is_no_character(unsigned char lead, unsigned char next)
{
    return (lead == 0xc2 && next < 0xa0) || (lead == 0xe0 && next < 0xa0) ||
           (lead == 0xed && next >= 0xa0) || (lead == 0xf0 && next < 0x90) ||
           (lead == 0xf4 && next >= 0x90);
}

/* Marks that turn the direction of the text around: U+200E.., U+202A.., U+2066.. */
static bool is_direction_mark(struct str text)
{
    unsigned char next = byte_at(text, 1), last = byte_at(text, 2);

    if (byte_at(text, 0) != 0xe2) {
        return false;
    }
    return (next == 0x80 && ((last & 0xfe) == 0x8e || (last >= 0xaa && last <= 0xae))) ||
           (next == 0x81 && last >= 0xa6 && last <= 0xa9);
}

/* Length of the UTF-8 sequence at the front that may be shown, 0 when it may not. */
static size_t shown_length(struct str text)
{
    unsigned char lead = byte_at(text, 0);
    size_t length = length_by_lead(lead);

    if (length == 1) {
        return lead >= 0x20 && lead != 0x7f;
    }
    if (length > text.len || is_no_character(lead, byte_at(text, 1)) || is_direction_mark(text)) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((byte_at(text, i) & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

static void add(struct str text, bool one_line, struct buf *buf)
{
    while (text.len > 0) {
        bool space = text.p[0] == '\n' || text.p[0] == '\t';
        size_t length = shown_length(text);

        if (text.p[0] == '\r' && text.len > 1 && text.p[1] == '\n') {
            length = 1;
        } else if (space) {
            buf_putc(buf, one_line ? ' ' : text.p[0]);
            length = 1;
        } else if (length == 0) {
            buf_putc(buf, '?');
            length = 1;
        } else {
            buf_add(buf, text.p, length);
        }
        text = str_from(text, length);
    }
}

void printable_add(struct str text, struct buf *buf)
{
    add(text, false, buf);
}

void printable_add_line(struct str text, struct buf *buf)
{
    add(text, true, buf);
}
