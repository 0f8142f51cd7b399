/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread of the built-in server: its listener, its loop, its guests. Lanes share the gate and
 * the stop flag and nothing else.
 *
 * lane_open() on the thread that made the server, lane_run() on the lane's own, then lane_close()
 * on any.
 */
#ifndef TARGET_LANE_H
#define TARGET_LANE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "ev/loop.h"
#include "target/answer.h"
#include "target/gate.h"
#include "target/hold_log.h"
#include "target/target.h"

enum { LANE_INPUT_BYTES = 64 << 10, LANE_BLOCK_BYTES = 256 << 10 };

struct fault_counts;
struct guest;
struct tls_context;

/* What all lanes of a server have in common; outlives them. */
struct lane_setup {
    const struct target_config *config;
    struct gate *gate;
    atomic_bool *stop;
    atomic_uint_fast64_t *connections; /* numbers them */
    struct fault_counts *faults;
    int64_t start_ns; /* the origin of the freezes */
    int log_fd;       /* -1: none */
    bool tcp;
    struct tls_context **tls; /* one a lane; NULL: plain */
    uint32_t guests_max;
    char *block; /* LANE_BLOCK_BYTES: what /bytes/N is made of */
};

/* CLOCK_REALTIME - CLOCK_MONOTONIC, as last seen. */
struct lane_offset {
    int64_t offset_ns, sampled_ns;
    bool steady; /* the clock was not stepped since the sample before */
};

struct lane {
    const struct lane_setup *setup;
    struct loop loop;
    struct watch listener;
    int listen_fd;
    struct timer accept_again, flush_log, freeze;
    bool accept_rests; /* until accept_again: there was no descriptor left */
    struct gate_inbox inbox;
    struct rng rng;
    struct hold_log log;
    struct lane_offset offset;
    struct answer_pages pages;
    struct tls_context *tls; /* not owned; NULL: plain */
    struct buf head;         /* the answer that is being made */
    char *input;             /* what was just read, of whichever guest */
    struct guest *idle;      /* memory of those who left */
    struct guest *eager;     /* could send more at once, let others go first */
    struct guest *all;
    uint64_t served;
    pthread_t thread;
};

bool lane_open(struct lane *lane, const struct lane_setup *setup, int listen_fd, uint64_t index,
               struct err *err) MUST_CHECK;
/* Until the stop flag is set and the loop woken. */
void lane_run(struct lane *lane);
void lane_close(struct lane *lane);

static inline bool lane_logs(const struct lane *lane)
{
    return lane->setup->log_fd >= 0;
}

/* A kernel receive stamp as CLOCK_MONOTONIC, at most now_ns. */
int64_t lane_convert_stamp(struct lane *lane, int64_t real_ns, int64_t now_ns);

#endif
