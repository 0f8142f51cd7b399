/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stretch of a trial and what completed in it; a result is the fold of its windows.
 *
 * A sample belongs to the window it completes in. Rates count completions inside measured windows.
 * Latency, SLO counters and `counts` speak of the requests that started inside the measured time,
 * also those that completed in a drain window.
 */
#ifndef RESULT_WINDOW_H
#define RESULT_WINDOW_H

#include <stdint.h>

#include "plan/slo.h"
#include "stats/hist.h"

#define PHASE_LIST(X) X(RAMP, "ramp") X(WARMUP, "warmup") X(MEASURED, "measured") X(DRAIN, "drain")

enum phase {
#define PHASE_ENUM(name, word) PHASE_##name,
    PHASE_LIST(PHASE_ENUM)
#undef PHASE_ENUM
        PHASE_COUNT
};

const char *phase_word(enum phase phase);

struct window {
    uint32_t index;
    enum phase phase;
    int64_t start_ns, end_ns; /* monotonic; end is where it really ended */
    /* all requests, whenever they started */
    uint64_t started, ok, failed; /* started in it; completed in it */
    uint64_t bytes_in, bytes_out, body_in;
    uint64_t body_decoded;     /* of good answers */
    uint64_t busy_ns;          /* time-integral of users with a request under way */
    uint32_t in_flight;        /* at its end */
    uint32_t open_connections; /* at its end */
    /* of those, the requests that started inside the measured time */
    uint64_t slow[SLO_MAX_COUNT]; /* good answers over each SLO's threshold */
    struct hist response; /* of good answers; in ramp and warm-up windows: of all good answers */
};

/* Adds what another worker saw in the same window (same index and phase): sums, the earlier start,
 * the later end, merged histogram. A reset window takes index, phase and times of what is merged
 * into it first. */
void window_merge(struct window *into, const struct window *from);
void window_reset(struct window *window);

/* Where windows go, on the control thread, in order of index, each once. */
struct window_sink {
    void (*window)(void *self, const struct window *window);
    void *self;
};

#endif
