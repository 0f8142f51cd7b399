/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of an option that may be given several times, in the order given. Owns copies; a
 * zeroed one is empty.
 */
#ifndef OPT_OPT_TEXTS_H
#define OPT_OPT_TEXTS_H

#include <stddef.h>

#include "base/str.h"

struct opt_texts {
    char **items;
    size_t count;
};

void opt_texts_add(struct opt_texts *texts, struct str text);
void opt_texts_fini(struct opt_texts *texts);

#endif
