/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a trial found: the document of cli.md in memory. Everything after the trial (percentiles,
 * SLOs, validity, text, JSON) is a pure function of it.
 *
 * Owns its strings and series; the plan is borrowed and must outlive it. Big (about a megabyte):
 * allocate it.
 */
#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/tls.h"
#include "plan/plan.h"
#include "probe/machine.h"
#include "result/counts.h"
#include "result/window.h"
#include "stats/hist.h"
#include "stats/quantiles.h"

/* The times that are measured, in the order of the document. */
#define LATENCY_LIST(X)                                                                            \
    X(RESPONSE, "response", "from the intended start to the last byte")                            \
    X(SERVICE, "service", "from the send to the last byte, connect included")                      \
    X(SLIP, "slip", "from the intended start to the send")                                         \
    X(DWELL, "dwell", "from the arrival in our socket to our reading it")                          \
    X(DNS, "dns", "resolving the name")                                                            \
    X(CONNECT, "connect", "making a connection")                                                   \
    X(TLS, "tls", "the TLS handshake")                                                             \
    X(SEND, "send", "handing the request to the kernel")                                           \
    X(FIRST_BYTE, "first_byte", "from the request sent to the first byte of the answer")           \
    X(TRANSFER, "transfer", "from the first to the last byte of the answer")                       \
    X(FAILED_RESPONSE, "failed_response", "from the start to the failure, of failed requests")     \
    X(PACED, "paced", "response, had each user asked at its usual pace and not waited")

enum latency {
#define LATENCY_ENUM(name, word, text) LATENCY_##name,
    LATENCY_LIST(LATENCY_ENUM)
#undef LATENCY_ENUM
        LATENCY_COUNT
};

const char *latency_word(enum latency latency);
const char *latency_text(enum latency latency);

enum run_state { RUN_FINISHED, RUN_INTERRUPTED, RUN_ABORTED };

enum about { ABOUT_GENERATOR, ABOUT_SERVER, ABOUT_SAMPLE };
enum level { LEVEL_OK, LEVEL_INFO, LEVEL_WARN, LEVEL_FAIL };
enum slo_state { SLO_HELD, SLO_MISSED, SLO_NO_DATA };

const char *run_state_word(enum run_state state);
const char *about_word(enum about about);
const char *level_word(enum level level);
const char *slo_state_word(enum slo_state state);

/* One validity check that ran. */
struct check {
    const char *id; /* "V-GEN-CPU" */
    enum about about;
    enum level level;
    double value, limit; /* in the check's own unit; NaN when not known (null in the document) */
    char text[200];
};

struct slo_outcome {
    enum slo_state state;
    double actual; /* ns for times, share for errors, a second for rates */
    uint64_t violations, of;
};

enum {
    RESULT_CHECKS_MAX = 32,
    RESULT_SERIES_MAX = 256,
    RESULT_THREADS_MAX = 1024,
    RESULT_SAMPLE_MAX = 200,
    RESULT_FIELD_MAX = 128,
    RESULT_ADDRESSES_MAX = 64,
};

/* A point of the series: a window, or several merged once there are too many. */
struct point {
    int64_t t_ns; /* its start, from the start of the run */
    int64_t width_ns;
    enum phase phase;
    uint64_t started, ok, failed, bytes_in;
    uint32_t in_flight;
    int64_t p50_ns, p95_ns, p99_ns; /* -1 when there was no answer */
};

struct first_answer {
    bool known;
    unsigned status, version_minor;
    uint64_t bytes; /* of the body */
    char content_type[RESULT_FIELD_MAX], server[RESULT_FIELD_MAX], location[RESULT_FIELD_MAX];
    char address[RESULT_FIELD_MAX]; /* the peer's */
};

/* An address of a target, and the connections to it that stood, in the whole run. */
struct address_use {
    char address[RESULT_FIELD_MAX];
    uint64_t connections;
};

/* TLS of the whole run; made is false when no origin has TLS. */
struct result_tls {
    bool made;
    struct tls_facts facts; /* of the first handshake with the first such origin */
    struct tls_counts counts;
    uint64_t
        unclean_ends; /* bodies that ended with their connection, and TLS did not vouch for it */
};

/* How well the run knows one of stats/quantiles.h of its response times. */
struct confidence {
    bool known;              /* the 95 % interval */
    bool weak;               /* the percentile is given, but little carries it */
    int64_t low_ns, high_ns; /* of the interval */
    double vif;              /* see stats/interval.h; 0 when not known */
    unsigned batches;        /* stretches of the run that hold something */
    unsigned episodes;       /* > 0: so few of them hold 80 % of what is above it */
};

/* What the generator says of itself over the measured time. */
struct generator {
    double cpu_s;
    double busy_max, busy[RESULT_THREADS_MAX]; /* CPU time / wall time of each worker */
    double
        run_wait; /* largest share of wall time that a worker waited for a CPU; NaN when unknown */
    double steal; /* share of the machine's CPU time taken by its host; NaN when unknown */
    int64_t rss_bytes; /* at its largest */
    unsigned threads;
    bool stamped; /* times end at the kernel's receive stamp, and not at the read */
    uint64_t pauses;
    uint64_t dwell_dropped; /* stamps thrown away because the wall clock stepped */
};

struct result {
    /* run */
    char id[32];
    int argc;
    char **argv; /* redacted copies, owned */
    int64_t started_real_ns;
    int64_t started_ns;  /* monotonic: t = 0 of the series */
    int64_t duration_ns; /* the measured time as it was */
    int64_t warmup_ns, ramp_ns, wall_ns;
    enum run_state state;
    int exit_code;
    const struct plan *plan; /* borrowed */

    struct machine machine;
    struct first_answer first;
    struct result_tls tls;
    struct address_use addresses[RESULT_ADDRESSES_MAX]; /* that were used, most of them one */
    size_t address_count;
    uint64_t cookies_dropped;              /* by the rules of RFC 6265, of the whole run */
    char cookie_sample[RESULT_SAMPLE_MAX]; /* why, of one; or "" */
    struct counts counts;                  /* requests started inside the measured time */
    struct counts totals;                  /* the whole run */
    uint64_t window_ok, window_failed,
        window_started; /* completed (started) inside measured windows: the rates */
    uint64_t bytes_in, bytes_out, body_in; /* in measured windows, heads included */
    uint64_t body_decoded; /* of good answers; known only when bodies are looked at */
    uint64_t totals_bytes_in, totals_bytes_out;
    double users_mean; /* N: time-average of users with a request under way, measured time */
    /* Ages of the requests under way at the end of the measured time, less the ages of those at its
     * start: N * T = sum of the times of what completed + this, exactly. */
    int64_t edge_ages_ns;
    uint64_t slow[SLO_MAX_COUNT];
    uint64_t windows_started, windows_completed; /* sums over all windows: must equal the totals */
    uint64_t refused_backoffs; /* times a user backed off from a refused connection */
    uint64_t client_closes;    /* connections that this side closed first */
    uint64_t body_length_min, body_length_max; /* of good answers */
    int64_t oldest_unfinished_ns; /* age at the end of the oldest unfinished request; 0 none */
    char sample[FAIL_COUNT][RESULT_SAMPLE_MAX]; /* one example of each failure, or "" */

    struct hist latency[LATENCY_COUNT];
    struct confidence confidence[QUANTILES_COUNT]; /* of LATENCY_RESPONSE, by stats/quantiles.h */
    /* Of everything that completed in measured windows, failures too: from the intended start until
     * we had read it, response and dwell in one. For Little's law. */
    struct hist checked_response;

    struct point series[RESULT_SERIES_MAX];
    size_t series_count;

    struct generator generator;

    /* judged by verdict */
    struct slo_outcome slo[SLO_MAX_COUNT];
    struct check checks[RESULT_CHECKS_MAX];
    size_t check_count;
    bool valid;
};

struct result *result_new(void);
void result_free(struct result *result); /* accepts NULL */

/* Rates over the measured time; 0 when nothing was measured. */
double result_ok_per_s(const struct result *result);
double result_failed_per_s(const struct result *result);
double result_started_per_s(const struct result *result);

/* The usual pace of a user of a closed load: the median response. 0 when there was no answer. */
int64_t result_pace_ns(const struct result *result);
/* Makes LATENCY_PACED of the responses, by stats/paced.h. */
void result_add_paced(struct result *result);

/* Copies an argument vector with secrets replaced by ***: values of -u, --user, userinfo in URLs,
 * Authorization, Proxy-Authorization and Cookie headers, --data and --body. keep: copied as it is.
 */
void result_set_argv(struct result *result, int argc, char *const *argv, bool keep_secrets);

#endif
