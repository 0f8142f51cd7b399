/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A slice of somebody else's bytes: never owned, not ended by a zero byte. str_cut is the only
 * splitter of the program; parsers are loops over it.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *p;
    size_t len;
};

/* For a literal. */
#define STR(literal) ((struct str){ (literal), sizeof(literal) - 1 })
/* For "%.*s". */
#define STR_ARG(str) (int)(str).len, (str).p

static inline struct str str_of(const char *text)
{
    return (struct str){ text, text == NULL ? 0 : strlen(text) };
}

bool str_eq(struct str a, struct str b);
bool str_eq_nocase(struct str a, struct str b); /* ASCII letters only */
bool str_starts(struct str text, struct str prefix);
bool str_starts_nocase(struct str text, struct str prefix);
bool str_ends(struct str text, struct str suffix);

/* Position of the first such byte, or text.len. */
size_t str_find(struct str text, char byte);
/* Position of the first occurrence of the needle, or text.len. */
size_t str_find_str(struct str text, struct str needle);

/* Without blanks and tabs (and \r, \n) at both ends. */
struct str str_trim(struct str text);

/* The part from start on; start may be past the end. */
struct str str_from(struct str text, size_t start);

/*
 * Cuts the piece before the first separator off *rest into *ret_piece and moves *rest behind the
 * separator. The last piece is what remains; after it, false. An empty text gives one empty piece
 * unless rest->p is NULL. (*rest gets p = NULL after the last piece.)
 */
bool str_cut(struct str *rest, char separator, struct str *ret_piece);

/* Decimal digits only, the whole slice, no sign; false when empty, with another byte, or over
 * UINT64_MAX. Numbers with units: base/unit.h. */
bool str_u64(struct str text, uint64_t *ret_value);

/* Copies into a zero-ended field, cut to size. */
void str_copy(char *to, size_t size, struct str from);

#endif
