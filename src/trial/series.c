/* SPDX-License-Identifier: Apache-2.0 */
#include "trial/series.h"

#include <assert.h>

#include "base/mem.h"
#include "stats/sparse.h"
#include "trial/batches.h"

enum { PENDING_MAX = 8 }; /* windows that some worker has and another has not */

struct kept {
    struct point point;
    struct sparse response;
};

struct series {
    const struct window_sink *sinks;
    size_t sink_count;
    int64_t t0_ns;
    struct window *pending[PENDING_MAX];  /* by index % PENDING_MAX; NULL: nobody had it yet */
    int64_t until_ns;                     /* the end of the last window that is out */
    uint32_t emitted;                     /* all below this index are out */
    uint32_t reached[RESULT_THREADS_MAX]; /* one past the last index a worker handed over */
    struct kept kept[RESULT_SERIES_MAX];
    size_t kept_count;
    struct hist *scratch;
    /* folds over the windows of all workers */
    uint64_t ok, failed, started, bytes_in, bytes_out, body_in, body_decoded;
    uint64_t all_started, all_completed;
    uint64_t slow[SLO_MAX_COUNT];
};

struct series *series_new(const struct window_sink *sinks, size_t sink_count, int64_t t0_ns)
{
    struct series *series = mem_new(1, sizeof(*series));

    series->sinks = sinks;
    series->sink_count = sink_count;
    series->t0_ns = t0_ns;
    series->scratch = mem_new(1, sizeof(struct hist));
    return series;
}

void series_free(struct series *series)
{
    if (series == NULL) {
        return;
    }
    for (size_t i = 0; i < series->kept_count; i++) {
        sparse_fini(&series->kept[i].response);
    }
    for (size_t i = 0; i < PENDING_MAX; i++) {
        mem_free(series->pending[i]);
    }
    mem_free(series->scratch);
    mem_free(series);
}

static void fold(struct series *series, const struct window *window)
{
    series->all_started += window->started;
    series->all_completed += window->ok + window->failed;
    for (size_t i = 0; i < SLO_MAX_COUNT; i++) {
        series->slow[i] += window->slow[i];
    }
    if (window->phase == PHASE_MEASURED) {
        series->started += window->started;
        series->ok += window->ok;
        series->failed += window->failed;
        series->bytes_in += window->bytes_in;
        series->bytes_out += window->bytes_out;
        series->body_in += window->body_in;
        series->body_decoded += window->body_decoded;
    }
}

static void set_quantiles(struct point *point, const struct hist *response)
{
    bool any = response->count > 0;

    point->p50_ns = any ? hist_quantile(response, 0.50) : -1;
    point->p95_ns = any ? hist_quantile(response, 0.95) : -1;
    point->p99_ns = any ? hist_quantile(response, 0.99) : -1;
}

static void merge_pair(struct series *series, struct kept *into, struct kept *from)
{
    struct point *point = &into->point;

    hist_reset(series->scratch);
    sparse_add_to(&into->response, series->scratch);
    sparse_add_to(&from->response, series->scratch);
    sparse_fini(&into->response);
    sparse_fini(&from->response);
    sparse_init(&into->response, series->scratch);
    point->width_ns += from->point.width_ns;
    point->started += from->point.started;
    point->ok += from->point.ok;
    point->failed += from->point.failed;
    point->bytes_in += from->point.bytes_in;
    point->in_flight = from->point.in_flight;
    set_quantiles(point, series->scratch);
}

/* Halves the number of points; neighbours of different phases stay apart. */
static void thin_out(struct series *series)
{
    size_t out = 0;

    for (size_t i = 0; i < series->kept_count; out++) {
        struct kept first = series->kept[i++];

        if (i < series->kept_count && series->kept[i].point.phase == first.point.phase) {
            merge_pair(series, &first, &series->kept[i++]);
        }
        series->kept[out] = first;
    }
    series->kept_count = out;
}

static void keep(struct series *series, const struct window *window)
{
    struct kept *kept;

    if (series->kept_count == RESULT_SERIES_MAX) {
        thin_out(series);
    }
    kept = &series->kept[series->kept_count++];
    *kept = (struct kept){
        .point = {
            .t_ns = window->start_ns - series->t0_ns,
            .width_ns = window->end_ns - window->start_ns,
            .phase = window->phase,
            .started = window->started,
            .ok = window->ok,
            .failed = window->failed,
            .bytes_in = window->bytes_in,
            .in_flight = window->in_flight,
        },
    };
    set_quantiles(&kept->point, &window->response);
    sparse_init(&kept->response, &window->response);
}

/* Some time, or at least some requests. */
static bool window_holds(const struct window *window)
{
    return window->end_ns > window->start_ns || window->started + window->ok + window->failed > 0;
}

/* Windows follow each other, also where workers did not agree on the edge. */
static void clip(struct window *window, int64_t from_ns)
{
    if (window->start_ns < from_ns) {
        window->start_ns = from_ns;
    }
    if (window->end_ns < window->start_ns) {
        window->end_ns = window->start_ns;
    }
}

static void emit(struct series *series)
{
    struct window **slot = &series->pending[series->emitted % PENDING_MAX];

    if (*slot != NULL && window_holds(*slot)) {
        clip(*slot, series->until_ns);
        series->until_ns = (*slot)->end_ns;
        keep(series, *slot);
        for (size_t i = 0; i < series->sink_count; i++) {
            series->sinks[i].window(series->sinks[i].self, *slot);
        }
    }
    if (*slot != NULL) {
        window_reset(*slot);
    }
    series->emitted++;
}

/*
 * Windows of one index are the same stretch for all workers, but for two: a worker that was stalled
 * so long that its window is out joins the oldest that is not; and when the end moved forward (a
 * signal), one worker may have begun another window before it heard of it. The window goes under
 * the name of what is there already: it was folded under its own.
 */
static void join(struct window *slot, struct window *window)
{
    bool same = window->index == slot->index && window->phase == slot->phase;

    if (slot->end_ns != 0 && !same) {
        window->index = slot->index;
        window->phase = slot->phase;
        window->start_ns = slot->start_ns;
        window->end_ns = slot->end_ns;
    }
    window_merge(slot, window);
}

static void take_in(struct series *series, struct window *window)
{
    struct window **slot;

    /* A worker that is far ahead of a stalled one: the oldest goes out as it is. */
    while (window->index >= series->emitted + PENDING_MAX) {
        emit(series);
    }
    fold(series, window);
    slot = &series->pending[(window->index < series->emitted ? series->emitted : window->index) %
                            PENDING_MAX];
    if (*slot == NULL) {
        *slot = mem_new(1, sizeof(struct window));
        window_reset(*slot);
    }
    join(*slot, window);
}

static uint32_t complete_below(const struct series *series, struct worker *workers, unsigned count)
{
    uint32_t least = UINT32_MAX;

    for (unsigned i = 0; i < count; i++) {
        bool ended = atomic_load_explicit(&workers[i].state, memory_order_acquire) == WORKER_ENDED;

        if ((!ended || tally_take(workers[i].tally) != NULL) && series->reached[i] < least) {
            least = series->reached[i];
        }
    }
    return least;
}

void series_collect(struct series *series, struct worker *workers, unsigned count)
{
    uint32_t complete;

    assert(count <= RESULT_THREADS_MAX);
    for (unsigned i = 0; i < count; i++) {
        struct window *window;

        while ((window = tally_take(workers[i].tally)) != NULL) {
            series->reached[i] = window->index + 1;
            take_in(series, window);
            tally_release(workers[i].tally);
        }
    }
    complete = complete_below(series, workers, count);
    while (complete != UINT32_MAX && series->emitted < complete) {
        emit(series);
    }
}

static void judge_confidence(const struct series *series, struct result *result)
{
    struct batches batches;

    batches_init(&batches, result->series, result->series_count);
    for (size_t i = 0; i < series->kept_count; i++) {
        batches_add(&batches, &series->kept[i].point, &series->kept[i].response);
    }
    batches_judge(&batches, &result->latency[LATENCY_RESPONSE], result->confidence);
    batches_fini(&batches);
}

void series_finish(struct series *series, struct worker *workers, unsigned count,
                   struct result *result)
{
    series_collect(series, workers, count);
    for (size_t i = 0; i < PENDING_MAX; i++) {
        emit(series);
    }
    result->window_ok = series->ok;
    result->window_failed = series->failed;
    result->window_started = series->started;
    result->bytes_in = series->bytes_in;
    result->bytes_out = series->bytes_out;
    result->body_in = series->body_in;
    result->body_decoded = series->body_decoded;
    result->windows_started = series->all_started;
    result->windows_completed = series->all_completed;
    for (size_t i = 0; i < SLO_MAX_COUNT; i++) {
        result->slow[i] = series->slow[i];
    }
    result->series_count = series->kept_count;
    for (size_t i = 0; i < series->kept_count; i++) {
        result->series[i] = series->kept[i].point;
    }
    judge_confidence(series, result);
}
