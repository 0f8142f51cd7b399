/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The built-in server behind `brunt serve`: fast answers, or answers with known delays and sizes.
 */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct target_config {
    char *listen;    /* "ADDR:PORT", "[ADDR]:PORT", "unix:PATH"; port 0: a free one */
    int64_t threads; /* 1 */
    int64_t workers; /* requests in work at once, the others wait in line; 0: no limit */
    int64_t cpu_ns;  /* CPU time burnt for each request */
    int64_t freeze_ns, freeze_period_ns; /* all stops for freeze in every period; 0: never */
    char *log; /* what came, when, and how long it was held; NULL: no log */
    uint64_t seed;
};

struct target;

/* Listens. The address as text for people and scripts: target_address(). */
struct target *target_new(const struct target_config *config, struct err *err);
const char *target_address(const struct target *target); /* "127.0.0.1:8080", "unix:/path" */
/* Serves until target_stop() (async-signal-safe) is called or the limits are reached. */
bool target_run(struct target *target, struct err *err) MUST_CHECK;
void target_stop(struct target *target);
void target_free(struct target *target);

/* `self`: serves in a child process that dies with this one. ret_port: where, on 127.0.0.1;
 * ret_pid: to end it. */
bool target_spawn(const struct target_config *config, uint16_t *ret_port, int *ret_pid,
                  struct err *err) MUST_CHECK;

#endif
