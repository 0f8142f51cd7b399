/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One plan executed once: emits windows to sinks, gives a result. The only place that makes load.
 *
 * Runs on the calling thread (the control thread), which starts the workers and waits for them.
 * SIGINT and SIGTERM are taken over while it runs: the first stops the load and drains, the second
 * ends at once.
 */
#ifndef TRIAL_TRIAL_H
#define TRIAL_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "load/rows.h"
#include "load/tap.h"
#include "plan/plan.h"
#include "result/result.h"
#include "result/window.h"

struct trial_env {
    const struct window_sink *sinks;
    size_t sink_count;
    const char *samples_path; /* a row a request is written here, or NULL */
    struct row_sink rows;     /* takes every row, on the control thread; take NULL: nobody */
    struct tap *tap;          /* sees the bytes of all answers (load/tap.h), or NULL */
    bool connect_counts; /* -n, kept alive: connections open in their user's first request, and not
                            all before the start */
    int64_t silence_ns;  /* the run is given up after so long without any answer; 0: 10 s */
};

/* Known before the first request is sent: what a person is told at the start. */
struct trial_outlook {
    unsigned threads;
    double port_ceiling_per_s; /* 0: none foreseen */
    char warning[400];         /* "" or one line */
};

struct trial;

/*
 * Resolves the target, checks that it can be reached, raises the descriptor limit, counts ports and
 * allocates all. The plan is borrowed, its url, threads and target_local are completed. ERR_USAGE
 * (2): the plan cannot be executed here; ERR_PEER (3): nothing listens; it took at most the connect
 * timeout.
 */
struct trial *trial_new(struct plan *plan, const struct trial_env *env, struct err *err);
const struct trial_outlook *trial_outlook(const struct trial *trial);

/* Executes it. false only when it could not start. *result comes from result_new(). */
bool trial_run(struct trial *trial, struct result *result, struct err *err) MUST_CHECK;
/* The signal that ended the run early (SIGINT, SIGTERM), or 0. */
int trial_signal(const struct trial *trial);
/* After the run: false when the samples file could not be written whole, or rows were lost. */
bool trial_samples_written(const struct trial *trial, struct err *err) MUST_CHECK;
void trial_free(struct trial *trial); /* accepts NULL */

#endif
