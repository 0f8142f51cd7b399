/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_values.h"

#include <string.h>

#include "base/clock.h"
#include "base/unit.h"
#include "plan/plan.h"
#include "plan/route.h"

enum { THREADS_MAX = 1024 };

/* Whether somebody meant data: hey, h2load and curl send it with -d. */
static bool looks_like_data(struct str text)
{
    static const char marks[] = "={[\"@<&";
    size_t at = 0;

    while (at < text.len && memchr(marks, text.p[at], sizeof(marks) - 1) == NULL) {
        at++;
    }
    return at < text.len || (text.len > 4 && (text.p[0] < '0' || text.p[0] > '9') &&
                             text.p[0] != '.' && text.p[0] != '-');
}

/* Data is secret and not repeated. */
bool plan_values_measured(struct str text, void *field, struct err *err)
{
    int64_t ns;

    if (looks_like_data(text)) {
        return err_set(err, ERR_USAGE,
                       "this is the measured time, such as 10s or 2m; data to send is "
                       "--data DATA or --data @FILE");
    }
    if (!unit_parse_duration(text, &ns, err)) {
        return false;
    }
    if (ns < MSEC_NS || ns > PLAN_VALUES_LONGEST_NS) {
        return err_set(err, ERR_USAGE, "'%.*s' is not between 1ms and a year: write 10s",
                       STR_ARG(text));
    }
    *(int64_t *)field = ns;
    return true;
}

bool plan_values_warmup(struct str text, void *field, struct err *err)
{
    int64_t ns;

    if (str_eq(text, STR("auto"))) {
        return err_set(err, ERR_USAGE, "auto is not in this version yet: give a time, such as 2s");
    }
    if (!unit_parse_duration(text, &ns, err)) {
        return false;
    }
    if (ns > PLAN_VALUES_LONGEST_NS) {
        return err_set(err, ERR_USAGE, "'%.*s' is more than a year: write 2s", STR_ARG(text));
    }
    *(int64_t *)field = ns;
    return true;
}

bool plan_values_threads(struct str text, void *field, struct err *err)
{
    int64_t threads, ns;
    struct err unused;

    if (!unit_parse_count(text, &threads, err)) {
        if (unit_parse_duration(text, &ns, &unused)) {
            return err_set(err, ERR_USAGE,
                           "this is the number of threads: the measured time is -d %.*s, the time "
                           "limit of a request --timeout %.*s",
                           STR_ARG(text), STR_ARG(text));
        }
        return err_set(err, ERR_USAGE,
                       "'%.*s' is not a number of threads: write 2; the measured time is -d 10s",
                       STR_ARG(text));
    }
    if (threads < 1 || threads > THREADS_MAX) {
        return err_set(err, ERR_USAGE,
                       "'%.*s' threads are not between 1 and %d: the measured time is -d 10s, the "
                       "time limit of a request --timeout 20s",
                       STR_ARG(text), THREADS_MAX);
    }
    *(int64_t *)field = threads;
    return true;
}

bool plan_values_http(struct str text, void *field, struct err *err)
{
    if (str_eq(text, STR("1.1"))) {
        *(enum http_version *)field = HTTP_1_1;
        return true;
    }
    if (str_eq(text, STR("1.0"))) {
        *(enum http_version *)field = HTTP_1_0;
        return true;
    }
    if (str_eq(text, STR("2")) || str_eq(text, STR("h2")) || str_eq(text, STR("h2c")) ||
        str_eq(text, STR("3"))) {
        return err_set(err, ERR_USAGE, "HTTP/%s is not in this version yet: 1.1 or 1.0",
                       text.p[0] == '3' ? "3" : "2");
    }
    return err_set(err, ERR_USAGE, "'%.*s' is not a version of HTTP: write 1.1 or 1.0",
                   STR_ARG(text));
}

bool plan_values_expect_status(struct str text, void *field, struct err *err)
{
    return plan_statuses_parse(text, field, err);
}

/* Plain digits: whether 4k is 4000 or 4096 bytes is no question for an exact length. */
bool plan_values_expect_length(struct str text, void *field, struct err *err)
{
    uint64_t length;

    if (!str_u64(text, &length) || length > INT64_MAX) {
        return err_set(err, ERR_USAGE,
                       "'%.*s' is not a number of bytes: write 4096, in digits without a unit",
                       STR_ARG(text));
    }
    *(int64_t *)field = (int64_t)length;
    return true;
}

bool plan_values_slo(struct str text, void *field, struct err *err)
{
    struct plan *plan = field;

    if (plan->slo_count == SLO_MAX_COUNT) {
        return err_set(err, ERR_USAGE, "there are more than %d of them", SLO_MAX_COUNT);
    }
    if (!slo_parse(text, &plan->slos[plan->slo_count], err)) {
        return false;
    }
    plan->slo_count++;
    return true;
}

bool plan_values_seed(struct str text, void *field, struct err *err)
{
    struct plan *plan = field;

    if (!str_u64(text, &plan->seed)) {
        return err_set(err, ERR_USAGE, "'%.*s' is not a whole number: write 71", STR_ARG(text));
    }
    plan->seed_given = true;
    return true;
}

bool plan_values_tag(struct str text, void *field, struct err *err)
{
    size_t equals = str_find(text, '=');

    if (equals == 0 || equals == text.len) {
        return err_set(err, ERR_USAGE, "'%.*s' is not a name and a value: write branch=main",
                       STR_ARG(text));
    }
    opt_texts_add(field, text);
    return true;
}

bool plan_values_connect_to(struct str text, void *field, struct err *err)
{
    if (!route_check_connect_to(text, err)) {
        return false;
    }
    opt_texts_add(field, text);
    return true;
}

bool plan_values_resolve(struct str text, void *field, struct err *err)
{
    if (!route_check_resolve(text, err)) {
        return false;
    }
    opt_texts_add(field, text);
    return true;
}

/* Watching a server is a later part; not to watch one is what happens now. */
bool plan_values_server(struct str text, UNUSED void *field, struct err *err)
{
    if (!str_eq(text, STR("none"))) {
        return err_set(err, ERR_USAGE,
                       "watching a server is not in this version yet: only none is accepted");
    }
    return true;
}

bool plan_values_tls_version(struct str text, void *field, struct err *err)
{
    struct plan *plan = field;

    if (!str_eq(text, STR("1.2")) && !str_eq(text, STR("1.3"))) {
        return err_set(err, ERR_USAGE, "'%.*s' is not a version of TLS: write 1.2 or 1.3",
                       STR_ARG(text));
    }
    plan->tls_min = plan->tls_max = text.p[2] == '2' ? PLAN_TLS_1_2 : PLAN_TLS_1_3;
    return true;
}

bool plan_values_on_off(struct str text, void *field, struct err *err)
{
    if (!str_eq(text, STR("on")) && !str_eq(text, STR("off"))) {
        return err_set(err, ERR_USAGE, "'%.*s' is neither on nor off", STR_ARG(text));
    }
    *(bool *)field = text.len == 2;
    return true;
}
