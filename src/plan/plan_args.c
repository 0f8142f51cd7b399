/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_args.h"

#include <sys/stat.h>

#include "base/mem.h"

/* Files that mean something; none of these is a host's last label. */
static const char *const plan_endings[] = {
    ".yaml", ".yml", ".jmx", ".har", ".lua", ".lrs", ".usr", ".js", ".py",
};
static const char *const url_file_endings[] = { ".txt", ".json", ".jsonl", ".urls" };

static bool looks_like_url(struct str text)
{
    return str_find_str(text, STR("://")) < text.len || str_starts(text, STR("localhost"));
}

static bool refuse_missing(const struct opt_args *args, struct err *err)
{
    for (size_t i = args->use_count; i > 0; i--) {
        const struct opt_use *use = &args->uses[i - 1];

        if (!use->glued && looks_like_url(use->value)) {
            return err_set(err, ERR_USAGE,
                           "no TARGET: %s took the URL as its value (%s); write %s %s URL",
                           use->word, use->row->arg, use->word, use->row->arg);
        }
    }
    return err_set(err, ERR_USAGE,
                   "no TARGET beside the options (is a variable of the shell not set?): give a "
                   "URL, such as http://127.0.0.1:8080/, or self");
}

static bool refuse_second(const char *text, struct err *err)
{
    /* Not shown when it may hold a password. */
    bool secret = str_find(str_of(text), '@') < strlen(text);

    return err_set(err, ERR_USAGE,
                   "a second TARGET%s%s%s: one run loads one; several URLs at once are a file of "
                   "URLs, and to tell two apart there will be compare",
                   secret ? "" : " '", secret ? "" : text, secret ? "" : "'");
}

/* "127.0.0.1:8080/data.json" and "a.host/page.txt" name a host; "plans/a.yaml" does not. */
static bool starts_with_host(struct str text)
{
    struct str first = { text.p, str_find(text, '/') };

    return first.len < text.len && first.len > 0 && first.p[0] != '.' &&
           (str_find(first, '.') < first.len || str_find(first, ':') < first.len ||
            str_eq(first, STR("localhost")));
}

static bool has_ending(struct str text, const char *const *endings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_ends(text, str_of(endings[i]))) {
            return true;
        }
    }
    return false;
}

/* Whether the target is a file of URLs; it need not exist when its name looks like one. */
static bool check_file(const char *target, bool *ret_file, struct err *err)
{
    struct str text = str_of(target);
    bool host = str_find_str(text, STR("://")) < text.len || starts_with_host(text);
    struct stat status;
    bool exists;

    if (str_eq(text, STR("-"))) {
        *ret_file = true;
        return true;
    }
    exists = str_find_str(text, STR("://")) == text.len && stat(target, &status) == 0;
    if ((!host || exists) && (has_ending(text, plan_endings, COUNT_OF(plan_endings)) ||
                              (exists && S_ISDIR(status.st_mode)))) {
        return err_set(err, ERR_USAGE,
                       "'%s' is %s: plans and scripts are not in this version yet; give a URL "
                       "(http://%s/ if it is a host) or a file of URLs",
                       target, exists && S_ISDIR(status.st_mode) ? "a folder" : "a file", target);
    }
    *ret_file = exists || (!host && has_ending(text, url_file_endings, COUNT_OF(url_file_endings)));
    return true;
}

static bool check_threads(const struct opt_args *args, const struct plan *plan, unsigned cpus,
                          struct err *err)
{
    for (size_t i = 0; i < args->use_count; i++) {
        const struct opt_use *use = &args->uses[i];

        if (use->by_letter && str_eq(str_of(use->row->name), STR("threads")) &&
            plan->threads > cpus) {
            return err_set(err, ERR_USAGE,
                           "-t: %lld threads are more than the %u CPUs: --threads %lld insists; "
                           "users are -c, the measured time is -d %llds, the time limit of a "
                           "request --timeout",
                           (long long)plan->threads, cpus, (long long)plan->threads,
                           (long long)plan->threads);
        }
    }
    return true;
}

bool plan_take_args(struct plan *plan, const struct opt_args *args, unsigned cpus, struct err *err)
{
    const char *target = args->count > 0 ? args->items[0] : "self";

    if (args->count == 0 && args->options > 0) {
        return refuse_missing(args, err);
    }
    for (size_t i = 0; i < args->count; i++) {
        if (args->items[i][0] == '\0') {
            return err_set(err, ERR_USAGE,
                           "the TARGET is empty: is a variable of the shell not "
                           "set?");
        }
    }
    if (!check_threads(args, plan, cpus, err)) {
        return false;
    }
    if (args->count > 1) {
        return refuse_second(args->items[1], err);
    }
    plan->self = str_eq(str_of(target), STR("self"));
    if (!plan->self && !check_file(target, &plan->target_file, err)) {
        return false;
    }
    mem_free(plan->target);
    plan->target = mem_strdup(target);
    return true;
}
