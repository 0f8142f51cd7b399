/* SPDX-License-Identifier: Apache-2.0 */
#include "http/needle.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

/* How much of the text is matched after one byte more. */
static uint32_t step(const struct needle *needle, uint32_t matched, char byte)
{
    while (matched > 0 && needle->text.p[matched] != byte) {
        matched = needle->borders[matched - 1];
    }
    return needle->text.p[matched] == byte ? matched + 1 : 0;
}

void needle_init(struct needle *needle, struct str text)
{
    assert(text.len <= UINT32_MAX);
    *needle = (struct needle){ .text = text };
    if (text.len == 0) {
        return;
    }
    needle->borders = mem_new(text.len, sizeof(*needle->borders));
    for (size_t i = 1; i < text.len; i++) {
        needle->borders[i] = step(needle, needle->borders[i - 1], text.p[i]);
    }
}

void needle_fini(struct needle *needle)
{
    mem_free(needle->borders);
    *needle = (struct needle){ 0 };
}

void needle_look(const struct needle *needle, struct needle_search *search, struct str piece)
{
    size_t length = needle->text.len, at = 0;
    uint32_t matched = search->matched;

    assert(length > 0);
    if (search->found) {
        return;
    }
    /* What began in an earlier piece. */
    while (at < piece.len && matched > at) {
        matched = step(needle, matched, piece.p[at++]);
        if (matched == length) {
            search->found = true;
            return;
        }
    }
    if (matched <= at) {
        /* From here on all that can match lies in this piece. */
        piece = str_from(piece, at - matched);
        search->found =
            piece.len >= length && memmem(piece.p, piece.len, needle->text.p, length) != NULL;
        if (search->found) {
            return;
        }
        matched = 0;
        for (at = piece.len >= length ? piece.len - length + 1 : 0; at < piece.len; at++) {
            matched = step(needle, matched, piece.p[at]);
        }
    }
    search->matched = matched;
}
