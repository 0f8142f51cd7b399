/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text looked for in bytes that arrive in pieces.
 *
 * The needle is made once and shared; a search holds one number, how much of the needle the bytes
 * so far end with, and so needs neither memory nor the pieces before. Within a piece the C
 * library's search does the work; the tables of Knuth, Morris and Pratt join the pieces, over less
 * than a needle's length at either end of each.
 */
#ifndef HTTP_NEEDLE_H
#define HTTP_NEEDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct needle {
    struct str text; /* not owned; empty: nothing is looked for */
    /* borders[i]: length of the longest proper prefix of the text that its first i + 1 bytes end
     * with */
    uint32_t *borders;
};

/* A zeroed one is at its beginning. */
struct needle_search {
    uint32_t matched;
    bool found;
};

/* An empty text makes a needle that must not be looked for. Below 4 GiB. */
void needle_init(struct needle *needle, struct str text);
void needle_fini(struct needle *needle); /* accepts a zeroed one */

void needle_look(const struct needle *needle, struct needle_search *search, struct str piece);

#endif
