/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>

#include "base/unit.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "net/tls_cert.h"
#include "target/fault.h"
#include "target/target.h"

#define SERVING "Serving"

#define OVER_TLS "TLS"

enum { FAULT_LIST_BYTES_MAX = 64 << 10 };

struct serving {
    struct target_config config;
    bool lists_faults;
};

/* In the order of enum tls_version, enum target_flaw and enum target_tls_fault. */
static const char *const versions[] = { "any", "1.2", "1.3", NULL };
static const char *const flaws[] = { "none", "expired", "not-yet", "wrong-host", NULL };
static const char *const tls_faults[] = {
    "none", "stall", "close", "reset", "alert", "plain", NULL
};

/* "200ms/2s", into freeze_ns and freeze_period_ns. */
static bool parse_freeze(struct str text, void *field, struct err *err)
{
    struct target_config *config =
        (struct target_config *)((char *)field - offsetof(struct target_config, freeze_ns));
    struct str rest = text, freeze;
    int64_t freeze_ns, period_ns;

    (void)str_cut(&rest, '/', &freeze);
    if (rest.p == NULL) {
        return err_set(err, ERR_USAGE, "'%.*s' is not a time and a period, as in 200ms/2s",
                       STR_ARG(text));
    }
    if (!unit_parse_duration(freeze, &freeze_ns, err) ||
        !unit_parse_duration(rest, &period_ns, err)) {
        return false;
    }
    config->freeze_ns = freeze_ns;
    config->freeze_period_ns = period_ns;
    return true;
}

#define FIELD(name) offsetof(struct serving, config.name)

static const struct opt serve_options[] = {
    { .name = "listen",
      .type = OPT_TEXT,
      .offset = FIELD(listen),
      .arg = "ADDR:PORT",
      .def = "127.0.0.1:8080",
      .group = SERVING,
      .help = "where: [ADDR]:PORT and unix:PATH too; port 0 is a free one" },
    { .name = "threads",
      .letters = "t",
      .type = OPT_COUNT,
      .offset = FIELD(threads),
      .arg = "N",
      .def = "1",
      .min = 1,
      .max = TARGET_THREADS_MAX,
      .group = SERVING,
      .help = "threads, each with a listening socket of its own" },
    { .name = "workers",
      .type = OPT_COUNT,
      .offset = FIELD(workers),
      .arg = "K",
      .without = "no limit",
      .min = 1,
      .group = SERVING,
      .help = "so many requests in work at once, the others wait in line" },
    { .name = "cpu",
      .type = OPT_DURATION,
      .offset = FIELD(cpu_ns),
      .arg = "T",
      .without = "none",
      .group = SERVING,
      .help = "CPU time to burn for each request" },
    { .name = "freeze",
      .type = OPT_CUSTOM,
      .offset = FIELD(freeze_ns),
      .arg = "T/PERIOD",
      .parse = parse_freeze,
      .without = "never",
      .group = SERVING,
      .help = "stop everything for T in every PERIOD" },
    { .name = "log",
      .type = OPT_TEXT,
      .offset = FIELD(log),
      .arg = "FILE",
      .without = "none",
      .group = SERVING,
      .help = "what came, when, and how long it was truly held" },
    { .name = "faults",
      .type = OPT_SWITCH,
      .offset = offsetof(struct serving, lists_faults),
      .group = SERVING,
      .help = "list what /fault/NAME answers, and end" },
    { .name = "tls",
      .type = OPT_SWITCH,
      .offset = FIELD(tls.on),
      .group = OVER_TLS,
      .help = "serve https, with a certificate made for localhost" },
    { .name = "tls-cert",
      .type = OPT_TEXT,
      .offset = FIELD(tls.cert),
      .arg = "FILE",
      .without = "made at the start",
      .group = OVER_TLS,
      .help = "the certificate, and those between it and its root (PEM)" },
    { .name = "tls-key",
      .type = OPT_TEXT,
      .offset = FIELD(tls.key),
      .arg = "FILE",
      .without = "in --tls-cert",
      .group = OVER_TLS,
      .help = "its key (PEM)" },
    { .name = "tls-ca-out",
      .type = OPT_TEXT,
      .offset = FIELD(tls.cert_out),
      .arg = "FILE",
      .without = "nowhere",
      .group = OVER_TLS,
      .help = "where the certificate that was made is written, for clients to trust" },
    { .name = "tls-version",
      .type = OPT_CHOICE,
      .offset = FIELD(tls.version),
      .arg = "V",
      .def = "any",
      .choices = versions,
      .group = OVER_TLS,
      .help = "1.2 or 1.3 only" },
    { .name = "tls-no-tickets",
      .type = OPT_SWITCH,
      .offset = FIELD(tls.no_tickets),
      .group = OVER_TLS,
      .help = "no session can be resumed" },
    { .name = "client-ca",
      .type = OPT_TEXT,
      .offset = FIELD(tls.client_ca),
      .arg = "FILE",
      .without = "none asked for",
      .group = OVER_TLS,
      .help = "who vouches for the certificate that a client needs (PEM)" },
    { .name = "tls-bad",
      .type = OPT_CHOICE,
      .offset = FIELD(tls.flaw),
      .arg = "HOW",
      .def = "none",
      .choices = flaws,
      .group = OVER_TLS,
      .help = "what is wrong with the certificate: expired, not-yet, wrong-host" },
    { .name = "tls-fault",
      .type = OPT_CHOICE,
      .offset = FIELD(tls.fault),
      .arg = "WHAT",
      .def = "none",
      .choices = tls_faults,
      .group = OVER_TLS,
      .help = "in place of a handshake: stall, close, reset, alert, plain" },
    { .name = NULL },
};

static const struct opt *const serve_tables[] = { serve_options, NULL };

/* For the signal handler. */
static struct target *target_told;

static void stop_serving(int signal_number)
{
    (void)signal_number;
    target_stop(target_told);
}

static void set_signals(struct target *target)
{
    struct sigaction action = { .sa_handler = stop_serving };

    target_told = target;
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

static void announce(const struct target *target, bool tls)
{
    const char *address = target_address(target);
    const struct tls_cert *cert = target_cert(target);
    char hex[TLS_CERT_SHA256_HEX];

    if (address[0] == 'u') {
        (void)fprintf(stderr, "brunt serve: listening at %s\n", address);
    } else {
        (void)fprintf(stderr, "brunt serve: listening on %s://%s/\n", tls ? "https" : "http",
                      address);
    }
    if (cert != NULL) {
        tls_cert_sha256(cert, hex);
        (void)fprintf(stderr, "brunt serve: certificate SHA-256 %s\n", hex);
    }
    (void)fflush(stderr);
}

static int serve_until_told(const struct target_config *config)
{
    struct err err;
    struct target *target = target_new(config, &err);
    int code = EXIT_DONE;

    if (target == NULL) {
        return cmd_fail(&err);
    }
    set_signals(target);
    announce(target, config->tls.on);
    if (!target_run(target, &err)) {
        code = target_served(target) > 0 ? EXIT_UNWRITTEN : EXIT_NOTHING;
        (void)cmd_fail(&err);
    }
    (void)fprintf(stderr, "brunt serve: %" PRIu64 " requests served\n", target_served(target));
    target_free(target);
    return code;
}

static int list_faults(void)
{
    struct buf list;
    struct err err;
    int code = EXIT_DONE;

    buf_init(&list, FAULT_LIST_BYTES_MAX);
    fault_list(&list);
    if (!output_write("-", buf_str(&list), &err)) {
        (void)cmd_fail(&err);
        code = EXIT_UNWRITTEN;
    }
    buf_fini(&list);
    return code;
}

static int serve_run(const struct cmd_line *line)
{
    struct serving serving = { .config.seed = 1 };
    struct opt_set set = { serve_options, &serving };
    struct opt_args args;
    struct err err;
    int code;

    opt_defaults(&set, 1);
    if (!cmd_parse(line, &set, 1, NULL, &args, &err)) {
        code = cmd_fail(&err);
    } else {
        if (args.count > 0) {
            (void)err_set(&err, ERR_USAGE, "serve takes no argument: '%s'", args.items[0]);
            code = cmd_fail(&err);
        } else if (serving.lists_faults) {
            code = list_faults();
        } else {
            code = serve_until_told(&serving.config);
        }
        opt_args_fini(&args);
    }
    opt_fini(&set, 1);
    return code;
}

const struct cmd cmd_serve = {
    .name = "serve",
    .synopsis = "serve [OPTION]...",
    .summary = "the built-in target: fast answers, or known delays and sizes",
    .tables = serve_tables,
    .run = serve_run,
};
