/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The name of the header line that an answer's head has come to, however the head came in pieces:
 * what a report says of a head that is broken. The answer parser keeps no byte, so this is fed
 * beside it, and only when a head is not whole in its first piece or is broken.
 *
 * A zeroed one is at the beginning of a line. It keeps H1_NAME_MAX bytes of a name and no more.
 */
#ifndef HTTP_H1_NAME_H
#define HTTP_H1_NAME_H

#include "base/str.h"

enum { H1_NAME_MAX = 40 };

struct h1_name {
    char text[H1_NAME_MAX];
    unsigned char len;
    unsigned char at; /* its own business: where in a line */
};

/* The next bytes of the head. */
void h1_name_take(struct h1_name *name, struct str in);

/* The name of the line that the last byte was in, or of the one that a folded line belongs to; a
 * line without a colon is all name. Empty in a status line. Valid until the next call. */
struct str h1_name_text(const struct h1_name *name);

#endif
