/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "base/base64.h"
#include "base/mem.h"
#include "cmd/cmd_ab.h"

#define AT(field) offsetof(struct cmd_ab, field)

enum {
    TIMED_REQUESTS = 50000,
    TIMEOUT_S = 30,
    CREDENTIALS_MAX = 64 << 10,
    BUFFER_BYTES_MAX = 1 << 30,
};

#define REQUESTS_MAX INT64_C(1000000000000)
#define SECONDS_MAX  INT64_C(31536000) /* a year */

static bool refuse(struct cmd_ab *ab, struct err *err, const char *text)
{
    ab->bad_value = true;
    return err_set(err, ERR_USAGE, "%s", text);
}

static bool number(struct str text, int64_t least, int64_t most, int64_t *ret_value)
{
    uint64_t value;

    if (!str_u64(str_trim(text), &value) || value > (uint64_t)most || (int64_t)value < least) {
        return false;
    }
    *ret_value = (int64_t)value;
    return true;
}

static bool parse_requests(struct str text, void *config, struct err *err)
{
    struct cmd_ab *ab = config;

    return number(text, 1, REQUESTS_MAX, &ab->requests) ||
           refuse(ab, err, "Invalid number of requests");
}

/* Whether it is within its range is said with the usage, as ab does: see cmd_ab.c. */
static bool parse_concurrency(struct str text, void *config, UNUSED struct err *err)
{
    struct cmd_ab *ab = config;

    if (!number(text, 0, INT64_MAX, &ab->concurrency)) {
        ab->concurrency = 0;
    }
    return true;
}

static bool parse_time_limit(struct str text, void *config, struct err *err)
{
    struct cmd_ab *ab = config;

    if (!number(text, 0, SECONDS_MAX, &ab->time_limit_s)) {
        return refuse(ab, err, "Invalid timelimit: write whole seconds");
    }
    ab->requests = TIMED_REQUESTS;
    return true;
}

static bool parse_timeout(struct str text, void *config, struct err *err)
{
    struct cmd_ab *ab = config;

    return number(text, 1, SECONDS_MAX, &ab->timeout_s) ||
           refuse(ab, err, "Invalid timeout: write whole seconds");
}

static bool parse_buffer(struct str text, void *config, struct err *err)
{
    struct cmd_ab *ab = config;

    return number(text, 0, BUFFER_BYTES_MAX, &ab->buffer_bytes) ||
           refuse(ab, err, "Invalid windowsize: write bytes");
}

static bool parse_verbosity(struct str text, void *config, struct err *err)
{
    struct cmd_ab *ab = config;

    return number(text, 0, INT32_MAX, &ab->verbosity) ||
           refuse(ab, err, "Invalid verbosity: write 0 to 4");
}

static void set_text(char **field, struct str text)
{
    mem_free(*field);
    *field = mem_strndup(text.p, text.len);
}

/* -p and -u each say the method and its body. */
static bool take_body(struct cmd_ab *ab, const char *method, struct str file, struct err *err)
{
    if (ab->method != NULL || ab->head) {
        return refuse(ab, err,
                      method[1] == 'O' ? "Cannot mix POST with other methods"
                                       : "Cannot mix PUT with other methods");
    }
    set_text(&ab->method, str_of(method));
    set_text(&ab->body_file, file);
    return true;
}

static bool parse_post(struct str text, void *config, struct err *err)
{
    return take_body(config, "POST", text, err);
}

static bool parse_put(struct str text, void *config, struct err *err)
{
    return take_body(config, "PUT", text, err);
}

static bool parse_protocol(struct str text, void *config, struct err *err)
{
    struct cmd_ab *ab = config;

    if (str_eq_nocase(text, STR("ALL"))) {
        ab->protocol = PLAN_TLS_ANY;
    } else if (str_eq_nocase(text, STR("TLS1.2"))) {
        ab->protocol = PLAN_TLS_1_2;
    } else if (str_eq_nocase(text, STR("TLS1.3"))) {
        ab->protocol = PLAN_TLS_1_3;
    } else {
        return refuse(ab, err, "Invalid protocol: write TLS1.2, TLS1.3 or ALL");
    }
    return true;
}

static void add_credentials(struct cmd_ab *ab, const char *name, struct str text)
{
    struct buf line;

    buf_init(&line, CREDENTIALS_MAX);
    buf_puts(&line, name);
    buf_puts(&line, ": Basic ");
    base64_encode(str_trim(text), &line);
    opt_texts_add(&ab->credentials, buf_str(&line));
    buf_fini(&line);
}

static bool parse_auth(struct str text, void *config, UNUSED struct err *err)
{
    add_credentials(config, "Authorization", text);
    return true;
}

static bool parse_proxy_auth(struct str text, void *config, UNUSED struct err *err)
{
    struct cmd_ab *ab = config;

    add_credentials(ab, "Proxy-Authorization", text);
    set_text(&ab->proxy_userpass, str_trim(text));
    return true;
}

#define LOAD    "Load"
#define REQUEST "Request"
#define TLS     "TLS"
#define OUTPUT  "Output"

/* The letters are ab's; long names are for those who read the line later. */
const struct opt cmd_ab_options[] = {
    { .name = "requests",
      .letters = "n",
      .type = OPT_CUSTOM,
      .parse = parse_requests,
      .offset = 0,
      .arg = "N",
      .without = "1, 50000 with -t",
      .group = LOAD,
      .help = "requests in all; after -t it overrides the 50000 of that" },
    { .name = "concurrency",
      .letters = "c",
      .type = OPT_CUSTOM,
      .parse = parse_concurrency,
      .offset = 0,
      .arg = "N",
      .without = "1",
      .group = LOAD,
      .help = "requests at a time" },
    { .name = "timelimit",
      .letters = "t",
      .type = OPT_CUSTOM,
      .parse = parse_time_limit,
      .offset = 0,
      .arg = "SECONDS",
      .without = "no limit",
      .group = LOAD,
      .help = "end after so long; implies -n 50000" },
    { .name = "timeout",
      .letters = "s",
      .type = OPT_CUSTOM,
      .parse = parse_timeout,
      .offset = 0,
      .arg = "SECONDS",
      .without = "30",
      .group = LOAD,
      .help = "wait for each answer at most so long" },
    { .name = "keepalive",
      .letters = "k",
      .type = OPT_SWITCH,
      .offset = AT(keep_alive),
      .group = LOAD,
      .help = "keep connections open for further requests" },
    { .name = "keep-going",
      .letters = "r",
      .type = OPT_SWITCH,
      .offset = AT(keep_going),
      .group = LOAD,
      .help = "go on after connections that fail" },
    { .name = "windowsize",
      .letters = "b",
      .type = OPT_CUSTOM,
      .parse = parse_buffer,
      .offset = 0,
      .arg = "BYTES",
      .without = "the kernel's",
      .group = LOAD,
      .help = "size of the kernel's send and receive buffers" },
    { .name = "bind",
      .letters = "B",
      .type = OPT_TEXT,
      .offset = AT(bind),
      .arg = "ADDR",
      .group = LOAD,
      .help = "source address" },
    { .name = "postfile",
      .letters = "p",
      .type = OPT_CUSTOM,
      .parse = parse_post,
      .offset = 0,
      .arg = "FILE",
      .group = REQUEST,
      .help = "POST the contents of FILE" },
    { .name = "putfile",
      .letters = "u",
      .type = OPT_CUSTOM,
      .parse = parse_put,
      .offset = 0,
      .arg = "FILE",
      .group = REQUEST,
      .help = "PUT the contents of FILE" },
    { .name = "content-type",
      .letters = "T",
      .type = OPT_TEXT,
      .offset = AT(content_type),
      .arg = "TYPE",
      .without = "text/plain",
      .group = REQUEST,
      .help = "type of what is sent" },
    { .name = "head",
      .letters = "i",
      .type = OPT_SWITCH,
      .offset = AT(head),
      .group = REQUEST,
      .help = "HEAD instead of GET" },
    { .name = "method",
      .letters = "m",
      .type = OPT_TEXT,
      .offset = AT(method),
      .arg = "NAME",
      .without = "GET",
      .group = REQUEST,
      .help = "method" },
    { .name = "cookie",
      .letters = "C",
      .type = OPT_TEXTS,
      .offset = AT(cookies),
      .arg = "NAME=VALUE",
      .group = REQUEST,
      .help = "cookie, repeatable" },
    { .name = "header",
      .letters = "H",
      .type = OPT_TEXTS,
      .offset = AT(headers),
      .arg = "LINE",
      .group = REQUEST,
      .help = "header 'Name: value', repeatable; replaces ab's own of that name" },
    { .name = "auth",
      .letters = "A",
      .type = OPT_CUSTOM,
      .parse = parse_auth,
      .offset = 0,
      .arg = "NAME:PASS",
      .group = REQUEST,
      .help = "basic authentication" },
    { .name = "proxy-auth",
      .letters = "P",
      .type = OPT_CUSTOM,
      .parse = parse_proxy_auth,
      .offset = 0,
      .arg = "NAME:PASS",
      .group = REQUEST,
      .help = "basic authentication at the proxy" },
    { .name = "proxy",
      .letters = "X",
      .type = OPT_TEXT,
      .offset = AT(proxy),
      .arg = "HOST[:PORT]",
      .group = REQUEST,
      .help = "proxy; its port is 80 unless given" },
    { .name = "protocol",
      .letters = "f",
      .type = OPT_CUSTOM,
      .parse = parse_protocol,
      .offset = 0,
      .arg = "NAME",
      .without = "ALL",
      .group = TLS,
      .help = "version of TLS: TLS1.2, TLS1.3 or ALL" },
    { .name = "ciphersuite",
      .letters = "Z",
      .type = OPT_TEXT,
      .offset = AT(ciphers),
      .arg = "LIST",
      .without = "the library's",
      .group = TLS,
      .help = "ciphers to offer, in OpenSSL's words" },
    { .name = "certfile",
      .letters = "E",
      .type = OPT_TEXT,
      .offset = AT(certificate),
      .arg = "FILE",
      .group = TLS,
      .help = "certificate (chain) and key to show to the server, PEM" },
    { .name = "no-sni",
      .letters = "I",
      .type = OPT_SWITCH,
      .offset = AT(no_sni),
      .group = TLS,
      .help = "do not say which name is asked for" },
    { .name = "variable",
      .letters = "l",
      .type = OPT_SWITCH,
      .offset = AT(variable),
      .group = OUTPUT,
      .help = "answers may differ in length" },
    { .name = "quiet",
      .letters = "q",
      .type = OPT_SWITCH,
      .offset = AT(quiet),
      .group = OUTPUT,
      .help = "no progress" },
    { .name = "verbosity",
      .letters = "v",
      .type = OPT_CUSTOM,
      .parse = parse_verbosity,
      .offset = 0,
      .arg = "N",
      .without = "0",
      .group = OUTPUT,
      .help = "2 shows requests, answers and warnings, 3 statuses, 4 whole bodies" },
    { .name = "no-percentiles",
      .letters = "d",
      .type = OPT_SWITCH,
      .offset = AT(no_percentiles),
      .group = OUTPUT,
      .help = "without the table of percentiles" },
    { .name = "no-deviations",
      .letters = "S",
      .type = OPT_SWITCH,
      .offset = AT(no_deviations),
      .group = OUTPUT,
      .help = "without deviations and medians" },
    { .name = "gnuplot",
      .letters = "g",
      .type = OPT_TEXT,
      .offset = AT(gnuplot),
      .arg = "FILE",
      .group = OUTPUT,
      .help = "a line a request for gnuplot" },
    { .name = "csv",
      .letters = "e",
      .type = OPT_TEXT,
      .offset = AT(csv),
      .arg = "FILE",
      .group = OUTPUT,
      .help = "percentiles as CSV" },
    { .name = "html",
      .letters = "w",
      .type = OPT_SWITCH,
      .offset = AT(html),
      .group = OUTPUT,
      .help = "an HTML table instead of text" },
    { .name = "table-attributes",
      .letters = "x",
      .type = OPT_TEXT,
      .empty_allowed = true,
      .offset = AT(table),
      .arg = "TEXT",
      .group = OUTPUT,
      .help = "attributes of the table; implies -w" },
    { .name = "tr-attributes",
      .letters = "y",
      .type = OPT_TEXT,
      .empty_allowed = true,
      .offset = AT(tr),
      .arg = "TEXT",
      .group = OUTPUT,
      .help = "attributes of its rows; implies -w" },
    { .name = "td-attributes",
      .letters = "z",
      .type = OPT_TEXT,
      .empty_allowed = true,
      .offset = AT(td),
      .arg = "TEXT",
      .without = "bgcolor=white",
      .group = OUTPUT,
      .help = "attributes of its cells; implies -w" },
    { .name = "version",
      .letters = "V",
      .type = OPT_SWITCH,
      .offset = AT(version),
      .group = OUTPUT,
      .help = "print the version and end" },
    { .name = NULL },
};

void cmd_ab_init(struct cmd_ab *ab)
{
    *ab = (struct cmd_ab){ .requests = 1, .concurrency = 1, .timeout_s = TIMEOUT_S };
}

void cmd_ab_fini(struct cmd_ab *ab)
{
    struct opt_set set = { cmd_ab_options, ab };

    opt_fini(&set, 1);
    opt_texts_fini(&ab->credentials);
    mem_free(ab->body_file);
    mem_free(ab->proxy_userpass);
    mem_free(ab->target);
    mem_free(ab->host);
    mem_free(ab->path);
    url_fini(&ab->url);
}
