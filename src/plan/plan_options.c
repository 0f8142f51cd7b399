/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_options.h"

#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "base/unit.h"
#include "plan/plan.h"
#include "plan/route.h"

#define AT(field) offsetof(struct plan, field)

/* A year: a limit against slips, not against patience. */
#define LONGEST_NS (365 * 24 * 3600 * SEC_NS)

enum { CONNECTIONS_MAX = 1000000, THREADS_MAX = 1024 };

#define REQUESTS_MAX INT64_C(1000000000000)

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
static bool parse_measured(struct str text, void *field, struct err *err)
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
    if (ns < MSEC_NS || ns > LONGEST_NS) {
        return err_set(err, ERR_USAGE, "'%.*s' is not between 1ms and a year: write 10s",
                       STR_ARG(text));
    }
    *(int64_t *)field = ns;
    return true;
}

static bool parse_warmup(struct str text, void *field, struct err *err)
{
    int64_t ns;

    if (str_eq(text, STR("auto"))) {
        return err_set(err, ERR_USAGE, "auto is not in this version yet: give a time, such as 2s");
    }
    if (!unit_parse_duration(text, &ns, err)) {
        return false;
    }
    if (ns > LONGEST_NS) {
        return err_set(err, ERR_USAGE, "'%.*s' is more than a year: write 2s", STR_ARG(text));
    }
    *(int64_t *)field = ns;
    return true;
}

static bool parse_threads(struct str text, void *field, struct err *err)
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

static bool parse_http(struct str text, void *field, struct err *err)
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

static bool parse_expect_status(struct str text, void *field, struct err *err)
{
    return plan_statuses_parse(text, field, err);
}

/* Plain digits: whether 4k is 4000 or 4096 bytes is no question for an exact length. */
static bool parse_expect_length(struct str text, void *field, struct err *err)
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

static bool parse_slo(struct str text, void *field, struct err *err)
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

static bool parse_seed(struct str text, void *field, struct err *err)
{
    struct plan *plan = field;

    if (!str_u64(text, &plan->seed)) {
        return err_set(err, ERR_USAGE, "'%.*s' is not a whole number: write 71", STR_ARG(text));
    }
    plan->seed_given = true;
    return true;
}

static bool parse_tag(struct str text, void *field, struct err *err)
{
    size_t equals = str_find(text, '=');

    if (equals == 0 || equals == text.len) {
        return err_set(err, ERR_USAGE, "'%.*s' is not a name and a value: write branch=main",
                       STR_ARG(text));
    }
    opt_texts_add(field, text);
    return true;
}

static bool parse_connect_to(struct str text, void *field, struct err *err)
{
    if (!route_check_connect_to(text, err)) {
        return false;
    }
    opt_texts_add(field, text);
    return true;
}

static bool parse_resolve(struct str text, void *field, struct err *err)
{
    if (!route_check_resolve(text, err)) {
        return false;
    }
    opt_texts_add(field, text);
    return true;
}

/* Watching a server is a later part; not to watch one is what happens now. */
static bool parse_server(struct str text, UNUSED void *field, struct err *err)
{
    if (!str_eq(text, STR("none"))) {
        return err_set(err, ERR_USAGE,
                       "watching a server is not in this version yet: only none is accepted");
    }
    return true;
}

#define LOAD    "Load"
#define REQUEST "Request"
#define WHERE   "Where from and where to"
#define JUDGING "Judging"
#define KEEPING "Keeping track"

const struct opt plan_options[] = {
    { .name = "connections",
      .letters = "c",
      .type = OPT_COUNT,
      .offset = AT(connections),
      .arg = "N",
      .def = "50",
      .min = 1,
      .max = CONNECTIONS_MAX,
      .group = LOAD,
      .help = "users, each with a connection of its own, back to back" },
    { .name = "requests",
      .letters = "n",
      .type = OPT_COUNT,
      .offset = AT(requests),
      .arg = "N",
      .min = 1,
      .max = REQUESTS_MAX,
      .group = LOAD,
      .help = "exactly N requests in all; with -d too, whichever comes first" },
    { .name = "duration",
      .letters = "d",
      .type = OPT_CUSTOM,
      .parse = parse_measured,
      .offset = AT(duration_ns),
      .arg = "T",
      .without = "10s",
      .group = LOAD,
      .help = "measured time, after the warm-up: 10s, 2m, bare seconds" },
    { .name = "ramp",
      .type = OPT_DURATION,
      .offset = AT(ramp_ns),
      .arg = "T",
      .max = LONGEST_NS,
      .without = "1000 a second",
      .group = LOAD,
      .help = "spread the opening of connections over T, before -d begins" },
    { .name = "close",
      .type = OPT_SWITCH,
      .offset = AT(close),
      .without = "keep-alive",
      .group = LOAD,
      .help = "a new connection for every request" },
    { .name = "threads",
      .letters = "t",
      .type = OPT_CUSTOM,
      .parse = parse_threads,
      .offset = AT(threads),
      .arg = "N",
      .without = "by CPUs and connections",
      .group = LOAD,
      .help = "worker threads; only the long form goes over the CPUs" },
    { .name = "warmup",
      .type = OPT_CUSTOM,
      .parse = parse_warmup,
      .offset = AT(warmup_ns),
      .arg = "T",
      .without = "5 % of -d, at most 1s; 0 with -n",
      .group = LOAD,
      .help = "load first, left out of the numbers" },
    { .name = "timeout",
      .type = OPT_DURATION,
      .offset = AT(timeout_ns),
      .arg = "T",
      .def = "30s",
      .min = USEC_NS,
      .max = LONGEST_NS,
      .group = LOAD,
      .help = "time limit of a request, from its send" },
    { .name = "connect-timeout",
      .type = OPT_DURATION,
      .offset = AT(connect_timeout_ns),
      .arg = "T",
      .def = "10s",
      .min = USEC_NS,
      .max = LONGEST_NS,
      .group = LOAD,
      .help = "time limit of a connect" },
    { .name = "drain",
      .type = OPT_DURATION,
      .offset = AT(drain_ns),
      .arg = "T",
      .max = LONGEST_NS,
      .without = "timeout, at most 5s",
      .group = LOAD,
      .help = "wait at the end for answers that are under way" },

    { .name = "method",
      .letters = "X",
      .aliases = "request",
      .type = OPT_TEXT,
      .offset = AT(method),
      .arg = "NAME",
      .without = "GET, POST with data",
      .group = REQUEST,
      .help = "method" },
    { .name = "header",
      .letters = "H",
      .type = OPT_TEXTS,
      .offset = AT(headers),
      .arg = "LINE",
      .group = REQUEST,
      .help = "header 'Name: value', repeatable; 'Name:' removes one of brunt's own" },
    { .name = "data",
      .aliases = "body",
      .type = OPT_TEXT,
      .empty_allowed = true,
      .offset = AT(data),
      .arg = "DATA|@FILE",
      .group = REQUEST,
      .help = "body of the request, sent as it is; @- is standard input; implies POST" },
    { .name = "user",
      .letters = "u",
      .type = OPT_TEXT,
      .offset = AT(userpass),
      .arg = "NAME:PASS",
      .group = REQUEST,
      .help = "basic authentication" },
    { .name = "host",
      .type = OPT_TEXT,
      .offset = AT(host),
      .arg = "HOST",
      .group = REQUEST,
      .help = "Host header instead of the URL's" },
    { .name = "http",
      .type = OPT_CUSTOM,
      .parse = parse_http,
      .offset = AT(http),
      .arg = "1.1|1.0",
      .def = "1.1",
      .group = REQUEST,
      .help = "protocol" },

    { .name = "proxy",
      .letters = "x",
      .type = OPT_TEXT,
      .offset = AT(proxy),
      .arg = "URL",
      .without = "none, whatever http_proxy says",
      .group = WHERE,
      .help = "send all to this proxy: http://[NAME:PASS@]HOST:PORT" },
    { .name = "bind",
      .aliases = "interface",
      .type = OPT_TEXTS,
      .offset = AT(bind),
      .arg = "ADDR[,ADDR]",
      .group = WHERE,
      .help = "source addresses, used in turn" },
    { .name = "connect-to",
      .type = OPT_CUSTOM,
      .parse = parse_connect_to,
      .offset = AT(connect_to),
      .arg = "HOST1:PORT1:HOST2:PORT2",
      .group = WHERE,
      .help = "connect to HOST2:PORT2 for HOST1:PORT1, repeatable; a part may be empty" },
    { .name = "resolve",
      .type = OPT_CUSTOM,
      .parse = parse_resolve,
      .offset = AT(resolve),
      .arg = "HOST:PORT:ADDR[,ADDR]",
      .group = WHERE,
      .help = "addresses of a host instead of a look-up, repeatable; * is any host" },
    { .name = "unix",
      .aliases = "unix-socket",
      .type = OPT_TEXT,
      .offset = AT(unix_path),
      .arg = "PATH",
      .group = WHERE,
      .help = "connect to this socket" },
    { .name = "ipv4",
      .letters = "4",
      .type = OPT_VALUE,
      .value = PLAN_IPV4,
      .offset = AT(family),
      .group = WHERE,
      .help = "IPv4 addresses only" },
    { .name = "ipv6",
      .letters = "6",
      .type = OPT_VALUE,
      .value = PLAN_IPV6,
      .offset = AT(family),
      .group = WHERE,
      .help = "IPv6 addresses only" },

    { .name = "expect-status",
      .type = OPT_CUSTOM,
      .parse = parse_expect_status,
      .offset = AT(expect_status),
      .arg = "LIST",
      .def = "200-399",
      .group = JUDGING,
      .help = "statuses that count as good: 200,204,300-399,2xx" },
    { .name = "expect-length",
      .type = OPT_CUSTOM,
      .parse = parse_expect_length,
      .offset = AT(expect_length),
      .arg = "N",
      .without = "any",
      .group = JUDGING,
      .help = "length that the body of a good answer has, in bytes" },
    { .name = "expect-body",
      .type = OPT_TEXT,
      .offset = AT(expect_body),
      .arg = "TEXT",
      .without = "any",
      .group = JUDGING,
      .help = "text that the body of a good answer holds" },
    { .name = "slo",
      .type = OPT_CUSTOM,
      .parse = parse_slo,
      .offset = 0,
      .arg = "EXPR",
      .group = JUDGING,
      .help = "promise to hold, repeatable: p95:25ms, mean:10ms, max:1s, errors:0.1%, "
              "rate:1000/s; a missed one is exit 1" },
    { .name = "strict",
      .type = OPT_SWITCH,
      .offset = AT(strict),
      .group = JUDGING,
      .help = "exit 4 when the measurement is not valid" },
    { .name = "server",
      .type = OPT_CUSTOM,
      .parse = parse_server,
      .offset = 0,
      .arg = "none",
      .without = "none",
      .group = JUDGING,
      .help = "server to watch meanwhile" },

    { .name = "seed",
      .type = OPT_CUSTOM,
      .parse = parse_seed,
      .offset = 0,
      .arg = "N",
      .without = "random, printed",
      .group = KEEPING,
      .help = "for every random choice" },
    { .name = "name",
      .type = OPT_TEXT,
      .offset = AT(name),
      .arg = "TEXT",
      .group = KEEPING,
      .help = "name of the run" },
    { .name = "tag",
      .type = OPT_CUSTOM,
      .parse = parse_tag,
      .offset = AT(tags),
      .arg = "K=V",
      .group = KEEPING,
      .help = "mark on the run, repeatable" },
    { .name = "note",
      .type = OPT_TEXT,
      .offset = AT(note),
      .arg = "TEXT",
      .group = KEEPING,
      .help = "remark on the run" },
    { .name = NULL },
};
