/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_urls.h"

#include <string.h>

#include "plan/url_file.h"

static const char *shown_name(const struct plan *plan)
{
    return strcmp(plan->target, "-") == 0 ? "standard input" : plan->target;
}

static bool refuse(struct plan *plan, struct url_file *file, struct err *err)
{
    struct str problems = buf_str(&file->problems);

    if (file->problem_count == 1) {
        return err_set(err, ERR_USAGE, "%.*s", (int)str_find(problems, '\n'), problems.p);
    }
    buf_fini(&plan->problems);
    plan->problems = file->problems;
    file->problems = (struct buf){ 0 };
    return err_set(
        err, ERR_USAGE, "%zu lines of '%s' are wrong%s", file->problem_count, shown_name(plan),
        file->problem_count > URL_FILE_PROBLEMS_MAX ? ", of which the first are shown" : "");
}

static bool open_bodies(struct plan *plan, struct err *err)
{
    for (size_t i = 0; i < plan->item_count; i++) {
        struct plan_item *item = &plan->items[i];

        if (item->body_path == NULL) {
            continue;
        }
        if (strcmp(item->body_path, "-") == 0) {
            return err_set(err, ERR_USAGE,
                           "%s:%u: standard input is no body of a request in a file",
                           shown_name(plan), item->line);
        }
        if (!plan_files_get(&plan->files, item->body_path, &item->body, err)) {
            return err_prefix(err, "%s:%u", shown_name(plan), item->line);
        }
    }
    return true;
}

bool plan_urls_load(struct plan *plan, struct err *err)
{
    struct url_file file;
    struct str text;

    if (plan->data != NULL && strcmp(plan->data, "@-") == 0 && strcmp(plan->target, "-") == 0) {
        return err_set(err, ERR_USAGE,
                       "--data @-: standard input holds the URLs already: name a file");
    }
    if (!plan_files_get(&plan->files, plan->target, &text, err)) {
        return err_prefix(err, "the file of URLs");
    }
    if (!url_file_parse(text, shown_name(plan), &file)) {
        (void)refuse(plan, &file, err);
        url_file_fini(&file);
        return false;
    }
    plan->items = file.items;
    plan->item_count = file.count;
    if (!open_bodies(plan, err)) {
        plan->items = NULL;
        plan->item_count = 0;
        url_file_fini(&file);
        return false;
    }
    buf_fini(&file.problems);
    return true;
}
