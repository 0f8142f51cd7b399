/* SPDX-License-Identifier: Apache-2.0 */
#include "load/tally.h"

#include <assert.h>
#include <sched.h>

#include "base/mem.h"

void tally_init(struct tally *tally, const struct order *order)
{
    /* It is large: zeroed where it was allocated, and not by way of the stack. */
    tally->order = order;
    tally->body_min = UINT64_MAX;
    tally->head_body_bytes = UINT64_MAX;
    tally->windows = mem_new(TALLY_WINDOWS, sizeof(struct window));
    tally->now = tally->windows;
    rows_init(&tally->rows, order->rows);
}

void tally_fini(struct tally *tally)
{
    rows_fini(&tally->rows);
    mem_free(tally->windows);
    tally->windows = NULL;
}

static void place_window(struct tally *tally, uint32_t index, int64_t start_ns)
{
    const struct order *order = tally->order;
    struct window *window = tally->now;
    int64_t phase_end_ns;

    window_reset(window);
    window->index = index;
    window->start_ns = start_ns;
    window->phase = order_phase(order, start_ns);
    phase_end_ns = order_phase_end(order, window->phase);
    window->end_ns = start_ns + order->window_ns;
    /* While connections open first, the ramp is one window. */
    if (window->end_ns > phase_end_ns || (window->phase == PHASE_RAMP && order->open_first)) {
        window->end_ns = phase_end_ns;
    }
    tally->measured_now = window->phase == PHASE_MEASURED;
}

void tally_begin(struct tally *tally)
{
    tally->busy_since_ns = tally->order->t0_ns;
    place_window(tally, 0, tally->order->t0_ns);
}

/* Completes the integral of busy users up to now. */
static void integrate_busy(struct tally *tally, int64_t now_ns)
{
    uint64_t area_ns;

    if (now_ns <= tally->busy_since_ns) {
        return;
    }
    area_ns = (uint64_t)(now_ns - tally->busy_since_ns) * tally->busy;
    tally->now->busy_ns += area_ns;
    if (tally->measured_now) {
        tally->measured_busy_ns += area_ns;
    }
    tally->busy_since_ns = now_ns;
}

/* The age, at the edge of the measured time, of all that is under way. */
static int64_t ages_at(const struct tally *tally, int64_t edge_ns)
{
    return (int64_t)((uint64_t)edge_ns * tally->busy - tally->busy_starts);
}

static void cross_edge(struct tally *tally, enum phase from, int64_t edge_ns)
{
    if (from == PHASE_MEASURED && !tally->measured_now) {
        tally->edge_ages_ns += ages_at(tally, edge_ns);
    } else if (from != PHASE_MEASURED && tally->measured_now) {
        tally->edge_ages_ns -= ages_at(tally, edge_ns);
    }
}

/* last: nothing comes after it, so it cannot swallow what does. */
static void hand_over(struct tally *tally, int64_t end_ns, bool last)
{
    struct window *window = tally->now;
    uint32_t handed = atomic_load_explicit(&tally->handed, memory_order_relaxed);
    uint32_t index = window->index + 1;

    integrate_busy(tally, end_ns);
    window->end_ns = end_ns;
    window->in_flight = tally->busy;
    window->open_connections = tally->open;
    if (handed + 1 - atomic_load_explicit(&tally->taken, memory_order_acquire) >= TALLY_WINDOWS &&
        !last && order_phase(tally->order, end_ns) == window->phase) {
        window->index = index; /* no buffer is free: this window swallows the next */
        window->end_ns = end_ns + tally->order->window_ns;
        if (window->end_ns > order_phase_end(tally->order, window->phase)) {
            window->end_ns = order_phase_end(tally->order, window->phase);
        }
        return;
    }
    while (handed + 1 - atomic_load_explicit(&tally->taken, memory_order_acquire) >=
           TALLY_WINDOWS) {
        /* A phase ends here, and phases do not mix. The control thread takes windows every few
         * milliseconds. */
        (void)sched_yield();
    }
    atomic_store_explicit(&tally->handed, handed + 1, memory_order_release);
    tally->now = &tally->windows[(handed + 1) % TALLY_WINDOWS];
    place_window(tally, index, end_ns);
    cross_edge(tally, window->phase, end_ns);
}

void tally_roll(struct tally *tally, int64_t now_ns)
{
    int64_t phase_end_ns = order_phase_end(tally->order, tally->now->phase);

    if (tally->now->end_ns > phase_end_ns) {
        tally->now->end_ns =
            phase_end_ns > tally->now->start_ns ? phase_end_ns : tally->now->start_ns;
    } else if (tally->order->open_first && tally->now->phase == PHASE_RAMP) {
        tally->now->end_ns = phase_end_ns;
    }
    while (now_ns >= tally->now->end_ns) {
        hand_over(tally, tally->now->end_ns, false);
    }
}

/* Something happens now: first all that was over before. */
static void advance(struct tally *tally, int64_t now_ns)
{
    if (now_ns >= tally->now->end_ns) {
        tally_roll(tally, now_ns);
    }
    integrate_busy(tally, now_ns);
}

void tally_end(struct tally *tally, int64_t now_ns)
{
    tally_roll(tally, now_ns);
    hand_over(tally, now_ns > tally->now->start_ns ? now_ns : tally->now->start_ns, true);
}

struct window *tally_take(struct tally *tally)
{
    uint32_t taken = atomic_load_explicit(&tally->taken, memory_order_relaxed);

    if (taken == atomic_load_explicit(&tally->handed, memory_order_acquire)) {
        return NULL;
    }
    return &tally->windows[taken % TALLY_WINDOWS];
}

void tally_release(struct tally *tally)
{
    uint32_t taken = atomic_load_explicit(&tally->taken, memory_order_relaxed);

    atomic_store_explicit(&tally->taken, taken + 1, memory_order_release);
}

void tally_started(struct tally *tally, struct exchange *exchange, int64_t now_ns)
{
    advance(tally, now_ns);
    tally->busy++;
    tally->busy_starts += (uint64_t)exchange->start_ns;
    exchange->measured = order_phase(tally->order, now_ns) == PHASE_MEASURED;
    tally->now->started++;
    tally->totals.started++;
    if (exchange->measured) {
        tally->counts.started++;
    }
}

static void count_bytes(struct tally *tally, const struct exchange *exchange,
                        const struct h1_parse *answer)
{
    tally->now->bytes_in += exchange->bytes_in;
    tally->now->body_in += answer != NULL ? answer->body_bytes : 0;
    tally->bytes_in += exchange->bytes_in;
}

static void end_exchange(struct tally *tally, const struct exchange *exchange,
                         const struct h1_parse *answer, int64_t now_ns)
{
    advance(tally, now_ns);
    tally->busy--;
    tally->busy_starts -= (uint64_t)exchange->start_ns;
    count_bytes(tally, exchange, answer);
    if (exchange->measured && now_ns > tally->last_done_ns) {
        tally->last_done_ns = now_ns;
    }
}

static void record_phases(struct tally *tally, const struct exchange *exchange)
{
    if (exchange->connected_ns != 0 && tally->order->plan->close) {
        hist_record(&tally->latency[LATENCY_CONNECT],
                    exchange->connected_ns - exchange->connect_start_ns);
    }
    if (exchange->secured_ns != 0 && tally->order->plan->close) {
        hist_record(&tally->latency[LATENCY_TLS], exchange->secured_ns - exchange->connected_ns);
    }
    hist_record(&tally->latency[LATENCY_SEND], exchange->sent_ns - exchange->send_start_ns);
    hist_record(&tally->latency[LATENCY_FIRST_BYTE], exchange->first_byte_ns - exchange->sent_ns);
    hist_record(&tally->latency[LATENCY_TRANSFER], exchange->done_ns - exchange->first_byte_ns);
    if (exchange->dwell_ns >= 0) {
        hist_record(&tally->latency[LATENCY_DWELL], exchange->dwell_ns);
    }
}

static void count_slow(struct tally *tally, int64_t response_ns)
{
    const struct plan *plan = tally->order->plan;

    for (size_t i = 0; i < plan->slo_count; i++) {
        if (response_ns > plan->slos[i].threshold_ns) {
            tally->now->slow[i]++;
        }
    }
}

static void count_body(struct tally *tally, uint64_t bytes)
{
    if (bytes < tally->body_min) {
        tally->body_min = bytes;
    }
    if (bytes > tally->body_max) {
        tally->body_max = bytes;
    }
}

void tally_ok(struct tally *tally, const struct exchange *exchange, const struct h1_parse *answer,
              int64_t now_ns)
{
    int64_t response_ns = exchange->done_ns - exchange->intended_ns;

    end_exchange(tally, exchange, answer, now_ns);
    tally->now->ok++;
    tally->now->body_decoded += exchange->body_decoded;
    tally->totals.ok++;
    tally->totals.by_status[answer->status % COUNTS_STATUS_MAX]++;
    if (tally->measured_now) {
        hist_record(&tally->checked_response, now_ns - exchange->intended_ns);
    }
    if (exchange->measured) {
        tally->counts.ok++;
        tally->counts.by_status[answer->status % COUNTS_STATUS_MAX]++;
        hist_record(&tally->latency[LATENCY_RESPONSE], response_ns);
        hist_record(&tally->now->response, response_ns);
        count_slow(tally, response_ns);
        record_phases(tally, exchange);
        count_body(tally, answer->body_bytes);
    } else if (tally->now->phase < PHASE_MEASURED) {
        hist_record(&tally->now->response, response_ns);
    }
}

static void count_failed(struct counts *counts, enum fail fail, const struct h1_parse *answer)
{
    counts->failed++;
    counts->by_failure[fail]++;
    if (answer != NULL) {
        counts->by_status[answer->status % COUNTS_STATUS_MAX]++;
    }
}

void tally_failed(struct tally *tally, const struct exchange *exchange, enum fail fail,
                  const struct h1_parse *answer, int64_t now_ns)
{
    int64_t end_ns = exchange->done_ns > 0 ? exchange->done_ns : now_ns;

    assert(fail < FAIL_COUNT);
    end_exchange(tally, exchange, answer, now_ns);
    tally->now->failed++;
    count_failed(&tally->totals, fail, answer);
    if (tally->measured_now) {
        hist_record(&tally->checked_response, now_ns - exchange->intended_ns);
    }
    if (exchange->measured) {
        count_failed(&tally->counts, fail, answer);
        hist_record(&tally->latency[LATENCY_FAILED_RESPONSE], end_ns - exchange->intended_ns);
        if (exchange->dwell_ns >= 0) {
            hist_record(&tally->latency[LATENCY_DWELL], exchange->dwell_ns);
        }
    }
}

void tally_unfinished(struct tally *tally, const struct exchange *exchange,
                      const struct h1_parse *answer, int64_t now_ns)
{
    int64_t age_ns = now_ns - exchange->intended_ns;

    advance(tally, now_ns);
    tally->busy--;
    tally->busy_starts -= (uint64_t)exchange->start_ns;
    tally->totals.unfinished++;
    tally->counts.unfinished += exchange->measured;
    tally->bytes_in += exchange->bytes_in;
    tally->now->bytes_in += exchange->bytes_in;
    if (answer != NULL) {
        tally->totals.by_status[answer->status % COUNTS_STATUS_MAX]++;
        tally->counts.by_status[answer->status % COUNTS_STATUS_MAX] += exchange->measured;
    }
    if (age_ns > tally->oldest_unfinished_ns) {
        tally->oldest_unfinished_ns = age_ns;
    }
}

void tally_sent(struct tally *tally, size_t n)
{
    tally->now->bytes_out += n;
    tally->bytes_out += n;
}

void tally_followed(struct tally *tally, const struct exchange *exchange,
                    const struct h1_parse *answer, int64_t now_ns)
{
    advance(tally, now_ns);
    count_bytes(tally, exchange, answer);
    tally->totals.followed++;
    tally->totals.by_status[answer->status % COUNTS_STATUS_MAX]++;
    if (exchange->measured) {
        tally->counts.followed++;
        tally->counts.by_status[answer->status % COUNTS_STATUS_MAX]++;
    }
}

void tally_retried(struct tally *tally, const struct exchange *exchange)
{
    tally->totals.retried++;
    tally->counts.retried += exchange->measured;
}

void tally_reconnected(struct tally *tally, const struct exchange *exchange)
{
    tally->totals.reconnects++;
    tally->counts.reconnects += exchange->measured;
}

static int64_t since_start(const struct exchange *exchange, int64_t at_ns)
{
    return at_ns != 0 ? at_ns - exchange->intended_ns : -1;
}

void tally_row(struct tally *tally, uint32_t user, const struct exchange *exchange, enum fail fail,
               const struct h1_parse *answer, int64_t now_ns)
{
    int64_t end_ns = exchange->done_ns > 0 ? exchange->done_ns : now_ns;
    struct row row = {
        .start_ns = exchange->intended_ns,
        .response_ns = end_ns - exchange->intended_ns,
        .connect_ns = -1,
        .send_ns = since_start(exchange, exchange->send_start_ns),
        .sent_ns = since_start(exchange, exchange->sent_ns),
        .first_byte_ns = since_start(exchange, exchange->first_byte_ns),
        .bytes_in = exchange->bytes_in,
        .user = user,
        .fail = (uint8_t)fail,
        .measured = exchange->measured,
    };

    if (tally->order->rows == 0) {
        return;
    }
    if (exchange->connected_ns != 0) {
        row.connect_ns = exchange->connected_ns - exchange->connect_start_ns;
    }
    if (answer != NULL) {
        row.status = answer->status;
        row.body_bytes = answer->body_bytes;
        row.kept_alive = answer->keep_alive;
    }
    rows_put(&tally->rows, &row);
}
