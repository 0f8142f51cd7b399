/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_item.h"

#include "base/mem.h"

void plan_item_fini(struct plan_item *item)
{
    url_fini(&item->url);
    opt_texts_fini(&item->headers);
    mem_free(item->method);
    mem_free(item->body_text);
    mem_free(item->body_path);
    *item = (struct plan_item){ 0 };
}
