/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/printable.h"

/* Length of the UTF-8 sequence at the front that may be shown, 0 when it may not. */
static size_t shown_length(struct str text)
{
    unsigned char lead = (unsigned char)text.p[0];
    unsigned char next = text.len > 1 ? (unsigned char)text.p[1] : 0;
    size_t length = lead < 0x80   ? 1
                    : lead < 0xc2 ? 0
                    : lead < 0xe0 ? 2
                    : lead < 0xf0 ? 3
                    : lead < 0xf5 ? 4
                                  : 0;

    if (length == 1) {
        return lead >= 0x20 && lead != 0x7f;
    }
    if (length == 0 || length > text.len) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)text.p[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    /* U+0080 to U+009F are control characters too; over-long forms, surrogates and what is past
     * the end of Unicode are none. */
    if ((lead == 0xc2 && next < 0xa0) || (lead == 0xe0 && next < 0xa0) ||
        (lead == 0xed && next >= 0xa0) || (lead == 0xf0 && next < 0x90) ||
        (lead == 0xf4 && next >= 0x90)) {
        return 0;
    }
    /* Marks that turn the direction of the text around: U+200E.., U+202A.., U+2066.. */
    if (lead == 0xe2 &&
        ((next == 0x80 && ((unsigned char)text.p[2] & 0xfe) == 0x8e) ||
         (next == 0x80 && (unsigned char)text.p[2] >= 0xaa && (unsigned char)text.p[2] <= 0xae) ||
         (next == 0x81 && (unsigned char)text.p[2] >= 0xa6 && (unsigned char)text.p[2] <= 0xa9))) {
        return 0;
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
