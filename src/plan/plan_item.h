/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One request of a plan: what it asks for, and how.
 *
 * Made by plan_check() from the target, and read only afterwards. What an item does not say itself
 * is the plan's: its headers go before the plan's, of which those of the same name are left out.
 */
#ifndef PLAN_PLAN_ITEM_H
#define PLAN_PLAN_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "http/url.h"
#include "opt/opt_texts.h"

enum { PLAN_ITEM_INLINE_MAX = 64 << 10 };

struct plan_item {
    struct url url;
    char *method; /* never NULL after plan_check() */
    struct opt_texts headers;
    struct str body;          /* p = NULL: none; in body_text or in the memory of the plan */
    char *body_text;          /* owned, or NULL */
    char *body_path;          /* of the file that is the body, "-" for standard input, or NULL */
    const char *content_type; /* of the body, unless a header says it; NULL: nothing is said */
    bool body_apart;          /* not encoded with the head, but to be sent after it */
    uint32_t line;            /* in the file of URLs; 0: it is from none */
};

void plan_item_fini(struct plan_item *item); /* accepts a zeroed one */

#endif
