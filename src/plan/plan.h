/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to do: one load, typed and checked.
 *
 * Life cycle: plan_init() gives the defaults; the option table (plan/plan_options.h) fills it;
 * plan_take_args() sets the target; plan_check() validates and resolves what depends on other
 * fields; from then on it is read only and may be shared by threads. plan_fini() frees everything.
 * A field that the user did not give holds the value named beside it until plan_check() resolves
 * it.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "http/request.h"
#include "http/url.h"
#include "opt/opt_texts.h"
#include "plan/plan_files.h"
#include "plan/plan_item.h"
#include "plan/slo.h"

enum plan_family { PLAN_ANY, PLAN_IPV4, PLAN_IPV6 };

enum plan_tls_version { PLAN_TLS_ANY, PLAN_TLS_1_2, PLAN_TLS_1_3 };

enum { PLAN_BIND_MAX = 256, PLAN_EXPECT_BODY_MAX = 64 << 10 };

/* Statuses that count as good: a bit for each of 100..599. */
struct plan_statuses {
    uint64_t bits[10]; /* bit s of word s / 64 */
};

struct plan {
    /* where */
    char *target; /* as the user wrote it: a URL, "self", the name of a file of URLs, or "-" */
    bool self;
    bool target_file;  /* the target is a file of URLs, or standard input */
    bool target_local; /* the target is this machine: set by the trial once addresses are known */
    char *unix_path;   /* connect to this socket instead, or NULL */
    enum plan_family family;
    char *proxy;                          /* as the user wrote it, or NULL */
    bool proxy_tunnel;                    /* also for http; https always goes through a tunnel */
    struct url proxy_url;                 /* by plan_check(), when there is one */
    struct opt_texts connect_to, resolve; /* entries as written, checked: see plan/route.h */
    struct opt_texts bind;                /* source addresses, each checked to be one */
    int64_t buffer_bytes; /* SO_SNDBUF and SO_RCVBUF of each connection; 0: the kernel's choice */

    /* the requests, by plan_check(): at least one. The URL of self is filled by who starts it. */
    struct plan_item *items;
    size_t item_count;
    bool items_given;        /* made from something else than the target, before plan_check() */
    struct plan_files files; /* whose contents are bodies */
    struct buf problems; /* of a file of URLs that plan_check() refused: a line each, or empty */
    bool items_random;   /* drawn for each request; otherwise user k begins at item k and goes on */

    /* what holds for each request that does not say otherwise */
    enum http_version http;
    char *method; /* as given; NULL: GET, or POST with data */
    struct opt_texts headers;
    char *data;            /* "DATA" or "@FILE" as written; NULL for none */
    struct str body;       /* what is sent, by plan_check(); in data or files */
    char *userpass;        /* "name:password" */
    bool digest;           /* it is for digest authentication, not for basic */
    char *host;            /* Host header instead of the URL's */
    bool compressed;       /* gzip, deflate and br are asked for */
    bool cookies;          /* each user keeps those it is given (RFC 6265) */
    bool location;         /* follow redirects */
    int64_t max_redirects; /* 20 */

    /* The request byte for byte, borrowed, instead of one made of an item and of what stands above,
     * but for the method; p NULL: none. */
    struct str encoded;

    /* TLS */
    bool insecure;    /* any certificate will do */
    char *cacert;     /* file of the authorities to trust instead of the system's, or NULL */
    char *cert, *key; /* files of the client's own, or NULL */
    bool tls_resume;  /* otherwise each connection makes a full handshake */
    char *sni;        /* name to ask for instead of the URL's host, or NULL */
    bool no_sni;      /* ask for no name */
    enum plan_tls_version tls_min, tls_max;
    char *ciphers; /* OpenSSL's list, or NULL */

    /* what a good answer is */
    struct plan_statuses expect_status; /* 200..399 */
    int64_t expect_length;              /* of the body; -1: any */
    char *expect_body;                  /* a text in it, or NULL */

    /* the load */
    int64_t connections; /* 50; never over requests */
    int64_t requests;    /* 0: not limited by number */
    int64_t duration_ns; /* 0: not given; resolved to 10 s unless requests is given */
    int64_t ramp_ns;     /* -1: 1000 connections a second */
    int64_t warmup_ns;   /* -1: min(1 s, 5 % of the duration); 0 with -n */
    int64_t timeout_ns, connect_timeout_ns; /* 30 s, 10 s */
    int64_t drain_ns;                       /* -1: min(timeout, 5 s) */
    int64_t threads; /* 0: by CPUs and connections, by the trial; never over connections */
    bool close;      /* a new connection for every request */

    /* judging */
    struct slo slos[SLO_MAX_COUNT];
    size_t slo_count;
    bool strict;

    /* the rest */
    uint64_t seed;
    bool seed_given;
    char *name, *note;
    struct opt_texts tags; /* "K=V" */
};

void plan_init(struct plan *plan);
void plan_fini(struct plan *plan); /* accepts a zeroed one */

/* Everything that can be wrong without sending a byte: ERR_USAGE and one line. Resolves defaults,
 * reads `@FILE` data, adds the implied errors<1%, takes `random` as the seed when none was given.
 */
bool plan_check(struct plan *plan, uint64_t random, struct err *err) MUST_CHECK;

bool plan_status_good(const struct plan_statuses *statuses, unsigned status);
/* "200,204,300-399,2xx" */
bool plan_statuses_parse(struct str text, struct plan_statuses *ret_statuses,
                         struct err *err) MUST_CHECK;

/* Whether requests for the URL go through a tunnel that a proxy opens. */
bool plan_tunnels(const struct plan *plan, const struct url *url);

/* Request i in its parts, but for its headers: those of the item, and those of the plan that it has
 * none like. The list is to be freed, its texts are the plan's. */
struct request_parts plan_request_parts(const struct plan *plan, size_t i);
struct opt_texts plan_request_headers(const struct plan *plan, size_t i);

/* Encodes request i; see request_encode(). With body_apart it is the head alone, which announces
 * the body's length. */
bool plan_encode_request(const struct plan *plan, size_t i, struct buf *buf,
                         struct err *err) MUST_CHECK;

#endif
