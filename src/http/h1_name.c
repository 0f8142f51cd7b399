/* SPDX-License-Identifier: Apache-2.0 */
#include "http/h1_name.h"

enum at { AT_BEGIN, AT_NAME, AT_VALUE };

static void take_byte(struct h1_name *name, char c)
{
    if (name->at == AT_BEGIN) {
        /* A folded line goes on with the value of the header before it. */
        bool folded = c == ' ' || c == '\t';

        name->at = folded ? AT_VALUE : AT_NAME;
        name->len = folded ? name->len : 0;
    }
    if (c == '\n') {
        name->at = AT_BEGIN;
    } else if (c == ':') {
        name->at = AT_VALUE;
    } else if (name->at == AT_NAME && name->len < H1_NAME_MAX) {
        name->text[name->len++] = c;
    }
}

void h1_name_take(struct h1_name *name, struct str in)
{
    for (size_t i = 0; i < in.len; i++) {
        take_byte(name, in.p[i]);
    }
}

struct str h1_name_text(const struct h1_name *name)
{
    struct str text = str_trim((struct str){ name->text, name->len });

    return str_starts(text, STR("HTTP/")) ? (struct str){ text.p, 0 } : text;
}
