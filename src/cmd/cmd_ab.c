/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/cmd_ab.h"
#include "cmd/output.h"
#include "cmd/printable.h"
#include "report/ab.h"
#include "trial/trial.h"
#include "verdict/judge.h"

enum {
    CONCURRENCY_MAX = 200000,
    PROGRESS_FROM = 150, /* more requests than these have lines of progress */
    PROGRESS_LEAST = 100,
    PROGRESS_PARTS = 10,
    LEVEL_HEADS = 2, /* -v: from here on bytes are shown */
    SIGNAL_EXIT = 128,
    TEXT_BYTES_MAX = 64 << 20,
    PROXY_PORT = 80,
};

/* Of -g: a line a request, and there may be many. */
#define FILE_BYTES_MAX ((size_t)1 << 36)

/* ab's codes for what its library reports. */
enum { CODE_TIMEOUT = 70007, CODE_NO_NAME = 670002, CODE_BITS = 255 };

/* ab's lines about TLS. */
struct tls_lines {
    char protocol[128], key[64], name[256];
};

struct run {
    struct cmd_ab config;
    struct plan plan;
    struct buf request;
    size_t head_bytes;
    struct ab ab;
    struct tls_lines tls;
    struct cmd_ab_log *log;  /* of -v, or NULL */
    uint64_t progress_every; /* 0: none */
    enum fail stopped;       /* by this failure, without -r; FAIL_NONE */
};

static int complain(const struct err *err, int code)
{
    struct buf line;

    buf_init(&line, (size_t)4 * ERR_TEXT_MAX);
    printable_add_line(str_of(err->text), &line);
    (void)fprintf(stderr, "brunt ab: %s\n", line.data);
    buf_fini(&line);
    if (code == CMD_AB_BAD_LINE) {
        (void)fputs("Usage: brunt ab [options] [http[s]://]hostname[:port]/path\n"
                    "brunt help ab lists the options\n",
                    stderr);
    }
    return code;
}

/* Under its own name: who it says it is decides what its numbers are worth. The lines are as many
 * as ab's. */
static void print_banner(bool html)
{
    const char *begin = html ? " " : "", *end = html ? "<br>\n" : "\n";

    (void)printf("%s%sThis is brunt %s, with the options and the output of ApacheBench, "
                 "Version 2.3%s",
                 html ? "<p>\n" : "", begin, BRUNT_VERSION, end);
    (void)printf("%sIt is not ApacheBench, and no part of the Apache HTTP Server%s", begin, end);
    (void)printf("%sWhat it counts otherwise: man brunt-ab%s", begin, end);
    (void)printf("%s", html ? "</p>\n<p>\n" : "\n");
}

static bool check_line(struct cmd_ab *config, struct err *err)
{
    if (config->head && config->method != NULL) {
        config->bad_value = true;
        return err_set(err, ERR_USAGE, "Cannot mix HEAD with other methods");
    }
    if (config->concurrency < 1 || config->concurrency > CONCURRENCY_MAX) {
        return err_set(err, ERR_USAGE, "Invalid Concurrency [Range 1..%d]", CONCURRENCY_MAX);
    }
    if (config->concurrency > config->requests) {
        return err_set(err, ERR_USAGE,
                       "Cannot use concurrency level greater than total number of requests");
    }
    return true;
}

static bool read_line(struct cmd_ab *config, const struct cmd_line *line, struct err *err)
{
    struct opt_set set = { cmd_ab_options, config };
    struct opt_args args;
    bool ok;

    if (!cmd_parse(line, &set, 1, NULL, &args, err)) {
        return false;
    }
    if (config->version) {
        ok = true;
    } else if (args.count != 1) {
        ok = err_set(err, ERR_USAGE, "wrong number of arguments");
    } else {
        ok = cmd_ab_target(config, args.items[0], err) && check_line(config, err);
    }
    opt_args_fini(&args);
    config->html =
        config->html || config->table != NULL || config->tr != NULL || config->td != NULL;
    return ok;
}

static bool check_outputs(const struct cmd_ab *config, struct err *err)
{
    if (config->csv != NULL && !output_check(config->csv, err)) {
        return err_prefix(err, "Cannot open CSV output file");
    }
    if (config->gnuplot != NULL && !output_check(config->gnuplot, err)) {
        return err_prefix(err, "Cannot open gnuplot output file");
    }
    return true;
}

/* As user information of a URL: every byte that could mean something there is encoded. */
static void add_userpass(struct str text, struct buf *url)
{
    bool name = true;

    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == ':' && name) {
            name = false;
            buf_putc(url, ':');
        } else {
            buf_printf(url, "%%%02x", (unsigned char)text.p[i]);
        }
    }
    buf_putc(url, '@');
}

static void set_proxy(struct plan *plan, const struct cmd_ab *config)
{
    struct buf url;

    buf_init(&url, URL_BYTES_MAX);
    buf_puts(&url, "http://");
    if (cmd_ab_tunnels(config) && config->proxy_userpass != NULL) {
        add_userpass(str_of(config->proxy_userpass), &url);
    }
    buf_puts(&url, config->proxy);
    if (strchr(config->proxy, ':') == NULL) {
        buf_printf(&url, ":%d", PROXY_PORT);
    }
    plan->proxy = mem_strdup(url.data);
    buf_fini(&url);
}

/* Any certificate will do, and no session is used again: what ab does. */
static void set_tls(struct plan *plan, const struct cmd_ab *config)
{
    struct str name = cmd_ab_server_name(config);

    plan->insecure = true;
    plan->tls_resume = false;
    plan->cert = mem_strdup(config->certificate);
    plan->ciphers = mem_strdup(config->ciphers);
    plan->tls_min = plan->tls_max = config->protocol;
    plan->no_sni = name.len == 0;
    if (name.len > 0 && !str_eq_nocase(name, str_of(config->url.host)) &&
        config->url.scheme == URL_HTTPS) {
        plan->sni = mem_strndup(name.p, name.len);
    }
}

/* One thread, all at once, no warm-up, no drain: what ab does. */
static bool make_plan(struct run *run, struct err *err)
{
    const struct cmd_ab *config = &run->config;
    struct plan *plan = &run->plan;

    plan->target = mem_strdup(config->target);
    plan->http = HTTP_1_0;
    plan->method = mem_strdup(config->head ? "HEAD" : config->method);
    plan->encoded = buf_str(&run->request);
    plan->close = !config->keep_alive;
    plan->requests = config->requests;
    plan->connections = config->concurrency;
    plan->duration_ns = config->time_limit_s * SEC_NS;
    plan->timeout_ns = plan->connect_timeout_ns = config->timeout_s * SEC_NS;
    plan->buffer_bytes = config->buffer_bytes;
    plan->ramp_ns = 1;
    plan->warmup_ns = plan->drain_ns = 0;
    plan->threads = 1;
    set_tls(plan, config);
    if (config->bind != NULL) {
        opt_texts_add(&plan->bind, str_of(config->bind));
    }
    if (config->proxy != NULL) {
        set_proxy(plan, config);
    }
    return plan_statuses_parse(STR("100-599"), &plan->expect_status, err) &&
           plan_check(plan, 0, err);
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static void set_report(struct run *run)
{
    const struct cmd_ab *config = &run->config;
    struct ab *ab = &run->ab;

    ab_init(ab, (uint64_t)config->requests);
    ab->host = config->host;
    ab->path = config->path;
    ab->port = config->url.port;
    ab->concurrency = config->concurrency;
    ab->keep_alive = config->keep_alive;
    ab->has_body = config->body_file != NULL;
    ab->variable = config->variable;
    ab->percentiles = !config->no_percentiles;
    ab->deviations = !config->no_deviations;
    ab->table = or_empty(config->table);
    ab->tr = or_empty(config->tr);
    ab->td = config->td != NULL ? config->td : "bgcolor=white";
    ab->real_offset_ns = clock_real_offset_ns();
    if (config->requests > PROGRESS_FROM && !config->quiet) {
        run->progress_every = (uint64_t)config->requests / PROGRESS_PARTS;
        run->progress_every =
            run->progress_every < PROGRESS_LEAST ? PROGRESS_LEAST : run->progress_every;
    }
}

/* What ends ab unless -r is given, as its library names it: which call, and the number of its
 * error; 0: ab goes on. */
static const struct ending {
    const char *call;
    int code;
} endings[FAIL_COUNT + 1] = {
    [FAIL_CONNECT_REFUSED] = { "apr_socket_recv", ECONNREFUSED },
    [FAIL_CONNECT_TIMEOUT] = { "apr_pollset_poll", CODE_TIMEOUT },
    [FAIL_CONNECT_OTHER] = { "apr_socket_connect()", EHOSTUNREACH },
    [FAIL_NO_PORT] = { "apr_socket_connect()", EADDRNOTAVAIL },
    [FAIL_NO_DESCRIPTOR] = { "socket", EMFILE },
    [FAIL_STALE_CONNECTION] = { "apr_socket_recv", ECONNRESET },
    [FAIL_RESET] = { "apr_socket_recv", ECONNRESET },
    [FAIL_TIMEOUT_SEND] = { "apr_pollset_poll", CODE_TIMEOUT },
    [FAIL_TIMEOUT_FIRST_BYTE] = { "apr_pollset_poll", CODE_TIMEOUT },
    [FAIL_TIMEOUT_BODY] = { "apr_pollset_poll", CODE_TIMEOUT },
};

static bool take_row(void *self, const struct row *row)
{
    struct run *run = self;

    if (!run->config.keep_going && endings[row->fail].code != 0) {
        run->stopped = row->fail;
        return false;
    }
    ab_take(&run->ab, row);
    if (run->progress_every > 0 && run->ab.done % run->progress_every == 0) {
        (void)fprintf(stderr, "Completed %llu requests\n", (unsigned long long)run->ab.done);
    }
    return true;
}

static const char *code_text(int code)
{
    return code == CODE_TIMEOUT ? "The timeout specified has expired" : strerrordesc_np(code);
}

static int say_stopped(const struct run *run)
{
    const struct ending *ending = &endings[run->stopped];

    (void)fprintf(stderr, "%s: %s (%d)\n", ending->call, code_text(ending->code), ending->code);
    if (run->ab.done > 0) {
        (void)printf("Total of %llu requests completed\n", (unsigned long long)run->ab.done);
    }
    return ending->code & CODE_BITS;
}

static bool write_file(const struct run *run, const char *path,
                       void (*write)(const struct ab *ab, struct buf *buf), struct err *err)
{
    struct buf buf;
    bool ok;

    if (path == NULL) {
        return true;
    }
    buf_init(&buf, FILE_BYTES_MAX);
    write(&run->ab, &buf);
    ok = buf.overflow ? err_set(err, ERR_LIMIT, "cannot write '%s': it is too large", path)
                      : output_write(path, buf_str(&buf), err);
    buf_fini(&buf);
    return ok;
}

static bool write_report(const struct run *run, struct err *err)
{
    struct buf buf;
    bool ok;

    buf_init(&buf, TEXT_BYTES_MAX);
    if (run->config.html) {
        ab_html(&run->ab, &buf);
    } else {
        ab_text(&run->ab, &buf);
    }
    ok = fwrite(buf.data, 1, buf.len, stdout) == buf.len;
    buf_fini(&buf);
    return (fflush(stdout) == 0 && ok && ferror(stdout) == 0) ||
           err_set(err, ERR_SYSTEM, "cannot write to standard output: %m");
}

/* What ab never says: that its own numbers do not hold. */
static void print_warnings(const struct result *result)
{
    for (size_t i = 0; i < result->check_count; i++) {
        const struct check *check = &result->checks[i];

        if (check->about == ABOUT_GENERATOR && check->level == LEVEL_FAIL) {
            (void)fprintf(stderr, "brunt: warning: %s\n", check->text);
        }
    }
}

static void say_finished(const struct run *run)
{
    if (run->progress_every > 0) {
        (void)fprintf(stderr, "Finished %llu requests\n", (unsigned long long)run->ab.done);
    } else {
        (void)printf("..done\n");
    }
}

/* As ab: what was agreed on, the key of the certificate, of the cipher, and of the exchange. */
static void set_tls_lines(struct run *run, const struct tls_facts *facts)
{
    struct tls_lines *lines = &run->tls;
    struct str name = cmd_ab_server_name(&run->config);
    struct str group = str_of(facts->group);

    (void)snprintf(lines->protocol, sizeof(lines->protocol), "%s,%s,%d,%d", facts->version,
                   facts->cipher, facts->key_bits, facts->cipher_bits);
    if (str_starts(group, STR("X"))) {
        (void)snprintf(lines->key, sizeof(lines->key), "%s %d bits", facts->group,
                       facts->group_bits);
    } else if (str_starts(group, STR("ffdhe")) || str_starts(group, STR("DH"))) {
        (void)snprintf(lines->key, sizeof(lines->key), "DH %d bits", facts->group_bits);
    } else {
        (void)snprintf(lines->key, sizeof(lines->key), "ECDH %s %d bits", facts->group,
                       facts->group_bits);
    }
    str_copy(lines->name, sizeof(lines->name), name);
    run->ab.tls_protocol = lines->protocol;
    run->ab.tls_key = group.len > 0 ? lines->key : NULL;
    run->ab.tls_name = name.len > 0 ? lines->name : NULL;
}

static int finish(struct run *run, const struct trial *trial, struct result *result)
{
    struct ab *ab = &run->ab;
    struct err err;
    char server[RESULT_FIELD_MAX];

    if (run->stopped != FAIL_NONE) {
        return say_stopped(run);
    }
    /* ab takes the first word. */
    str_copy(server, sizeof(server), str_of(result->first.server));
    server[strcspn(server, " \t")] = '\0';
    ab->server = server;
    ab->taken_s = (double)result->duration_ns / (double)SEC_NS;
    ab->bytes_in = result->totals_bytes_in;
    ab->bytes_out = result->totals_bytes_out;
    if (result->tls.made) {
        set_tls_lines(run, &result->tls.facts);
    }
    ab_end(ab);
    judge_result(result);
    if (result->sample[FAIL_TLS][0] != '\0') {
        (void)fprintf(stderr, "SSL handshake failed: %s\n", result->sample[FAIL_TLS]);
    }
    if (trial_signal(trial) == 0) {
        say_finished(run);
    }
    if (!trial_samples_written(trial, &err) || !write_report(run, &err)) {
        (void)cmd_fail(&err);
        return EXIT_UNWRITTEN;
    }
    if (!run->config.quiet) {
        print_warnings(result);
    }
    if (!write_file(run, run->config.csv, ab_csv, &err) ||
        !write_file(run, run->config.gnuplot, ab_gnuplot, &err)) {
        return complain(&err, CMD_AB_BAD_VALUE);
    }
    return trial_signal(trial) != 0 ? SIGNAL_EXIT + trial_signal(trial) : EXIT_DONE;
}

/* Before the first request: what cannot be reached, and by which error. */
static int say_unreachable(const struct run *run, const struct err *err)
{
    if (err->kind != ERR_PEER) {
        return complain(err, CMD_AB_BAD_VALUE);
    }
    if (err->errno_code == EPROTO) {
        (void)fprintf(stderr, "SSL handshake failed: %s\n", err->text);
        return CMD_AB_BAD_VALUE;
    }
    if (err->errno_code == 0) {
        (void)fprintf(stderr, "apr_sockaddr_info_get() for %s: %s (%d)\n",
                      run->config.proxy != NULL ? run->config.proxy : run->config.host, err->text,
                      CODE_NO_NAME);
        return CODE_NO_NAME & CODE_BITS;
    }
    (void)fprintf(stderr, "apr_socket_recv: %s (%d)\n", strerrordesc_np(err->errno_code),
                  err->errno_code);
    return err->errno_code & CODE_BITS;
}

static int execute(struct run *run)
{
    struct trial_env env = {
        .rows = { take_row, run },
        .tap = run->log != NULL ? cmd_ab_log_tap(run->log) : NULL,
        .connect_counts = true,
        .silence_ns = NEVER_NS,
    };
    struct trial *trial;
    struct result *result;
    struct err err;
    bool ok;
    int code;

    trial = trial_new(&run->plan, &env, &err);
    if (trial == NULL) {
        return say_unreachable(run, &err);
    }
    result = result_new();
    ok = trial_run(trial, result, &err);
    /* Shows what its connections ended, before the numbers. */
    cmd_ab_log_free(run->log);
    run->log = NULL;
    code = ok ? finish(run, trial, result) : cmd_fail(&err);
    result_free(result);
    trial_free(trial);
    return code;
}

static void print_head(const struct run *run)
{
    const struct cmd_ab *config = &run->config;
    struct str request = buf_str(&run->request);

    print_banner(config->html);
    if (!config->html) {
        (void)printf("Benchmarking %s ", config->host);
        if (config->proxy != NULL) {
            (void)printf("[through %s:%u] ", run->plan.proxy_url.host, run->plan.proxy_url.port);
        }
        (void)printf("(be patient)%s", run->progress_every > 0 ? "\n" : "...");
    }
    if (config->verbosity >= LEVEL_HEADS) {
        (void)printf("INFO: %.*s header == \n---\n%.*s\n---\n", (int)str_find(request, ' '),
                     request.p, (int)run->head_bytes, request.p);
    }
    (void)fflush(stdout);
}

static int load(struct run *run)
{
    int code;

    set_report(run);
    print_head(run);
    if (run->config.verbosity >= LEVEL_HEADS) {
        run->log = cmd_ab_log_new(run->config.verbosity, (uint32_t)run->config.concurrency,
                                  strcmp(run->plan.items[0].method, "HEAD") == 0);
    }
    code = execute(run);
    cmd_ab_log_free(run->log);
    (void)fflush(stdout);
    ab_fini(&run->ab);
    return code;
}

static int run(const struct cmd_line *line)
{
    struct run run = { .stopped = FAIL_NONE };
    struct err err;
    int code;

    cmd_ab_init(&run.config);
    plan_init(&run.plan);
    buf_init(&run.request, REQUEST_BYTES_MAX);
    if (!read_line(&run.config, line, &err)) {
        code = complain(&err, run.config.bad_value ? CMD_AB_BAD_VALUE : CMD_AB_BAD_LINE);
    } else if (run.config.version) {
        print_banner(run.config.html);
        code = EXIT_DONE;
    } else if (!check_outputs(&run.config, &err) ||
               !cmd_ab_request(&run.config, &run.request, &run.head_bytes, &err) ||
               !make_plan(&run, &err)) {
        code = complain(&err, CMD_AB_BAD_VALUE);
    } else {
        code = load(&run);
    }
    plan_fini(&run.plan);
    buf_fini(&run.request);
    cmd_ab_fini(&run.config);
    return code;
}

static const struct opt *const tables[] = { cmd_ab_options, NULL };

const struct cmd cmd_ab = {
    .name = "ab",
    .synopsis = "ab [OPTION]... [http[s]://]HOST[:PORT]/PATH",
    .summary = "load a URL with the options and the output of ab",
    .tables = tables,
    .run = run,
};
