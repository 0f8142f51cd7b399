/* SPDX-License-Identifier: Apache-2.0 */
#include "opt/opt_texts.h"

#include "base/mem.h"

void opt_texts_add(struct opt_texts *texts, struct str text)
{
    texts->items = mem_resize(texts->items, texts->count + 1, sizeof(*texts->items));
    texts->items[texts->count++] = mem_strndup(text.p, text.len);
}

void opt_texts_fini(struct opt_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        mem_free(texts->items[i]);
    }
    mem_free(texts->items);
    *texts = (struct opt_texts){ 0 };
}
