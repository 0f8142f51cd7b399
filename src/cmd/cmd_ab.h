/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside `brunt ab`: what its options say, the request that follows, and the log of -v. Shared by
 * the files of the command alone.
 */
#ifndef CMD_CMD_AB_H
#define CMD_CMD_AB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "http/url.h"
#include "load/tap.h"
#include "opt/opt.h"
#include "opt/opt_texts.h"
#include "plan/plan.h"

/* ab's own exit codes: of a value that is no good, and of a line that is none (EINVAL). */
enum { CMD_AB_BAD_VALUE = 1, CMD_AB_BAD_LINE = 22 };

struct cmd_ab {
    int64_t requests, concurrency, time_limit_s, timeout_s, buffer_bytes, verbosity;
    bool head, variable, keep_going, keep_alive, html, quiet, no_percentiles, no_deviations,
        version, no_sni;
    char *bind, *content_type, *gnuplot, *csv, *proxy;
    char *ciphers, *certificate;
    enum plan_tls_version protocol;
    char *method, *body_file; /* NULL: GET, or HEAD; no body */
    char *table, *tr, *td;
    struct opt_texts cookies, headers;
    struct opt_texts credentials; /* header lines of -A and -P */
    char *proxy_userpass;         /* of -P, as it was written; or NULL */
    bool bad_value;               /* what the parser refused was a value */

    /* from the URL, by cmd_ab_target() */
    char *target; /* with its scheme */
    struct url url;
    char *host, *path; /* as they were written */
};

/* Rows that fill a struct cmd_ab. */
extern const struct opt cmd_ab_options[];

void cmd_ab_init(struct cmd_ab *ab);
void cmd_ab_fini(struct cmd_ab *ab);

/* ERR_USAGE unless it is [http[s]://]host[:port]/path. */
bool cmd_ab_target(struct cmd_ab *ab, const char *text, struct err *err) MUST_CHECK;

/* The name that TLS asks for: that of a Host header of the user's, else the URL's; a literal
 * address and with -I: "". */
struct str cmd_ab_server_name(const struct cmd_ab *ab);

/* Whether the request goes through a tunnel of the proxy's, to which alone -P then speaks. */
static inline bool cmd_ab_tunnels(const struct cmd_ab *ab)
{
    return ab->proxy != NULL && ab->url.scheme == URL_HTTPS;
}

/* Appends the request as ab lays it out, with the body; *ret_head_bytes is where that begins.
 * ERR_USAGE when it cannot be sent, ERR_SYSTEM when the file of the body cannot be read. */
bool cmd_ab_request(const struct cmd_ab *ab, struct buf *buf, size_t *ret_head_bytes,
                    struct err *err) MUST_CHECK;

/* Answers as -v shows them, on standard output. */
struct cmd_ab_log;

/* For users numbered below `users`. */
struct cmd_ab_log *cmd_ab_log_new(int64_t verbosity, uint32_t users, bool head_requests);
struct tap *cmd_ab_log_tap(struct cmd_ab_log *log);
/* Shows what ended with its connection, and frees. Accepts NULL. */
void cmd_ab_log_free(struct cmd_ab_log *log);

#endif
