/* SPDX-License-Identifier: Apache-2.0 */
#include "trial/trial.h"

#include <math.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/mem.h"
#include "ev/loop.h"
#include "load/worker.h"
#include "probe/cpu.h"
#include "probe/machine.h"
#include "probe/neighbours.h"
#include "probe/ports.h"
#include "trial/fold.h"
#include "trial/reach.h"
#include "trial/samples.h"
#include "trial/series.h"

enum {
    NEIGHBOURS_MS = 200, /* a shorter run says nothing of other processes */
    LOOK_EVERY_MS = 20,  /* the control thread takes windows and rows so often */
    WINDOW_MS = 250,
    USERS_PER_THREAD = 16,
    CEILING_WORTH_SAYING = 5000, /* connections a second */
    PORTS_SCANNED =
        4096, /* so many connections from an address, and looking for ports takes time */
};

/* Without a byte of an answer for so long the run is given up. */
#define SILENCE_NS (10 * SEC_NS)

struct trial {
    struct plan *plan;
    struct trial_env env;
    struct order order;
    struct buf request;
    struct trial_outlook outlook;
    struct machine machine;
    int64_t dns_ns;

    struct loop control;
    struct worker *workers;
    unsigned count;
    struct series *series;
    struct samples *samples;
    bool samples_failed;
    struct err samples_err;
    struct neighbours *neighbours;

    bool go_said, ended_early, silent;
    bool rows_refused; /* the sink of rows has had enough */
    int signal, signals_seen;
    struct cpu_times cpu_start, cpu_end;
    bool cpu_known;
    int64_t offset_ns; /* REALTIME - MONOTONIC at the start */
};

/* Written by the handler, which can reach nothing else. */
static struct loop *signal_loop;
static volatile sig_atomic_t signal_number, signal_count;

static void on_signal(int number)
{
    signal_number = number;
    signal_count = signal_count + 1;
    if (signal_loop != NULL) {
        loop_wake(signal_loop);
    }
}

struct saved_handlers {
    struct sigaction interrupt, terminate;
};

/* One that is ignored, as nohup has it, stays ignored. */
static void take_signal(int number, const struct sigaction *action, struct sigaction *saved)
{
    (void)sigaction(number, NULL, saved);
    if (saved->sa_handler != SIG_IGN) {
        (void)sigaction(number, action, NULL);
    }
}

static void take_signals(struct loop *loop, struct saved_handlers *saved)
{
    struct sigaction action = { .sa_handler = on_signal };

    signal_loop = loop;
    signal_number = 0;
    signal_count = 0;
    take_signal(SIGINT, &action, &saved->interrupt);
    take_signal(SIGTERM, &action, &saved->terminate);
}

static void restore_signals(const struct saved_handlers *saved)
{
    (void)sigaction(SIGINT, &saved->interrupt, NULL);
    (void)sigaction(SIGTERM, &saved->terminate, NULL);
    signal_loop = NULL;
}

static unsigned choose_threads(const struct plan *plan, const struct machine *machine)
{
    int64_t threads = plan->threads;
    int64_t useful = plan->connections / USERS_PER_THREAD;

    if (threads == 0) {
        threads = useful < 1 ? 1 : useful;
        threads = threads > machine->allowed_cpus ? machine->allowed_cpus : threads;
        /* The server needs its CPUs too. */
        threads = plan->target_local ? (threads + 1) / 2 : threads;
    }
    if (threads > plan->connections) {
        threads = plan->connections;
    }
    return threads < 1 ? 1
                       : (unsigned)(threads < RESULT_THREADS_MAX ? threads : RESULT_THREADS_MAX);
}

static void set_order(struct trial *trial)
{
    struct order *order = &trial->order;
    struct plan *plan = trial->plan;

    expect_init(&order->expect, plan);
    order->threads = trial->count;
    /* Stamps on every socket that can have them, however few: an idle CPU takes a tenth of a
     * millisecond to wake up, which is not the server's time. Pauses need many users besides. */
    order->stamped = plan->unix_path == NULL;
    if (plan->connections /
                (int64_t)(order->origins.from_count > 0 ? order->origins.from_count : 1) >=
            PORTS_SCANNED &&
        order->stamped && trial->machine.port_high >= trial->machine.port_low + PORTS_SCANNED) {
        order->port_low = trial->machine.port_low;
        order->port_high = trial->machine.port_high;
    }
    order->open_first = plan->requests > 0 && !plan->close && !trial->env.connect_counts;
    order->tap = trial->env.tap;
    if (trial->env.rows.take != NULL) {
        order->rows = plan->requests > 0 ? plan->requests : ROWS_MAX;
    } else if (trial->env.samples_path != NULL) {
        order->rows = ROWS_DEFAULT;
    }
    order->window_ns = WINDOW_MS * MSEC_NS;
}

static void set_outlook(struct trial *trial)
{
    struct trial_outlook *outlook = &trial->outlook;

    outlook->threads = trial->count;
    outlook->port_ceiling_per_s = trial->machine.port_ceiling_per_s;
    if (outlook->port_ceiling_per_s > 0 && outlook->port_ceiling_per_s < CEILING_WORTH_SAYING) {
        (void)snprintf(outlook->warning, sizeof(outlook->warning),
                       "local ports allow %.0f short connections a second if the server leaves "
                       "closing to this side: --bind ADDR,ADDR,... adds ports",
                       outlook->port_ceiling_per_s);
    }
}

/* One after the other in one buffer, which moves while it grows. */
static bool encode_requests(struct trial *trial, struct err *err)
{
    const struct plan *plan = trial->plan;
    size_t at = 0;

    for (size_t i = 0; i < plan->item_count; i++) {
        size_t begin = trial->request.len;

        if (!plan_encode_request(plan, i, &trial->request, err)) {
            return false;
        }
        trial->order.requests[i].head.len = trial->request.len - begin;
    }
    for (size_t i = 0; i < plan->item_count; i++) {
        struct order_request *request = &trial->order.requests[i];

        request->head.p = trial->request.data + at;
        at += request->head.len;
        request->closes = request_closes(request->head);
        if (plan->items[i].body_apart) {
            request->body = plan->items[i].body;
        }
    }
    return true;
}

static bool prepare(struct trial *trial, struct err *err)
{
    struct plan *plan = trial->plan;

    /* At most n connections for n requests. */
    if (plan->requests > 0 && plan->connections > plan->requests) {
        plan->connections = plan->requests;
    }
    machine_read(&trial->machine);
    if (!reach_order(&trial->order, err) || !reach_descriptors(&trial->order, err) ||
        !encode_requests(trial, err) || !reach_target(&trial->order, &trial->dns_ns, err) ||
        !reach_ports(&trial->order, &trial->machine, &trial->machine.port_ceiling_per_s, err)) {
        return false;
    }
    plan->target_local = address_is_local(&trial->order.origins.items[0].to.items[0]);
    trial->count = choose_threads(plan, &trial->machine);
    plan->threads = trial->count;
    set_order(trial);
    set_outlook(trial);
    return true;
}

static bool make_workers(struct trial *trial, struct err *err)
{
    trial->workers = mem_new(trial->count, sizeof(struct worker));
    for (unsigned i = 0; i < trial->count; i++) {
        if (!worker_init(&trial->workers[i], &trial->order, i, &trial->control, err)) {
            return false;
        }
    }
    return true;
}

struct trial *trial_new(struct plan *plan, const struct trial_env *env, struct err *err)
{
    struct trial *trial = mem_new(1, sizeof(*trial));

    trial->plan = plan;
    trial->env = *env;
    trial->order.plan = plan;
    trial->control.epoll_fd = trial->control.wake_fd = -1;
    buf_init(&trial->request, REQUEST_BYTES_MAX);
    if (!prepare(trial, err) || !loop_init(&trial->control, 1, err) || !make_workers(trial, err)) {
        goto fail;
    }
    if (env->samples_path != NULL) {
        trial->samples = samples_open(env->samples_path, err);
        if (trial->samples == NULL) {
            goto fail;
        }
    }
    return trial;
fail:
    trial_free(trial);
    return NULL;
}

const struct trial_outlook *trial_outlook(const struct trial *trial)
{
    return &trial->outlook;
}

int trial_signal(const struct trial *trial)
{
    return trial->signal;
}

bool trial_samples_written(const struct trial *trial, struct err *err)
{
    if (trial->samples_failed) {
        *err = trial->samples_err;
    }
    return !trial->samples_failed;
}

void trial_free(struct trial *trial)
{
    struct err ignored;

    if (trial == NULL) {
        return;
    }
    if (trial->samples != NULL && !samples_close(trial->samples, 0, &ignored)) {
        trial->samples_failed = true; /* the run did not start: nobody asks */
    }
    for (unsigned i = 0; trial->workers != NULL && i < trial->count; i++) {
        if (trial->workers[i].order != NULL) {
            worker_fini(&trial->workers[i]);
        }
    }
    order_fini(&trial->order);
    mem_free(trial->workers);
    series_free(trial->series);
    neighbours_free(trial->neighbours);
    loop_fini(&trial->control);
    buf_fini(&trial->request);
    mem_free(trial);
}

static void set_moment(_Atomic int64_t *moment, int64_t at_ns)
{
    atomic_store_explicit(moment, at_ns, memory_order_release);
}

static void wake_workers(struct trial *trial)
{
    for (unsigned i = 0; i < trial->count; i++) {
        loop_wake(&trial->workers[i].loop);
    }
}

static void set_grid(struct trial *trial)
{
    struct order *order = &trial->order;
    const struct plan *plan = trial->plan;

    order->t0_ns = clock_now_ns();
    if (order->open_first) {
        order->ramp_end_ns = NEVER_NS;
        set_moment(&order->measured_ns, NEVER_NS);
        set_moment(&order->end_ns, NEVER_NS);
        set_moment(&order->drain_end_ns, NEVER_NS);
        return;
    }
    order->ramp_end_ns = order->t0_ns + (plan->requests > 0 ? 0 : plan->ramp_ns);
    set_moment(&order->measured_ns, order->ramp_end_ns + plan->warmup_ns);
    set_moment(&order->end_ns, NEVER_NS);
    set_moment(&order->drain_end_ns, NEVER_NS);
    if (plan->duration_ns > 0) {
        int64_t end_ns = order_time(&order->measured_ns) + plan->duration_ns;

        set_moment(&order->end_ns, end_ns);
        set_moment(&order->drain_end_ns, end_ns + plan->drain_ns);
    }
}

/* All connections are open: the measured time begins. */
static void say_go(struct trial *trial, int64_t now_ns)
{
    struct order *order = &trial->order;

    if (trial->plan->duration_ns > 0) {
        set_moment(&order->end_ns, now_ns + trial->plan->duration_ns);
        set_moment(&order->drain_end_ns, now_ns + trial->plan->duration_ns + trial->plan->drain_ns);
    }
    set_moment(&order->measured_ns, now_ns);
    trial->go_said = true;
    wake_workers(trial);
}

static void stop_load(struct trial *trial, int64_t now_ns, int64_t drain_ns)
{
    struct order *order = &trial->order;

    if (now_ns < order_time(&order->end_ns)) {
        set_moment(&order->end_ns, now_ns);
        trial->ended_early = true;
    }
    if (now_ns + drain_ns < order_time(&order->drain_end_ns)) {
        set_moment(&order->drain_end_ns, now_ns + drain_ns);
    }
    wake_workers(trial);
}

static void follow_signals(struct trial *trial, int64_t now_ns)
{
    int count = signal_count;

    if (count == trial->signals_seen) {
        return;
    }
    trial->signals_seen = count;
    trial->signal = signal_number;
    stop_load(trial, now_ns, count == 1 ? trial->plan->drain_ns : 0);
}

static unsigned count_state(const struct trial *trial, enum worker_state state)
{
    unsigned n = 0;

    for (unsigned i = 0; i < trial->count; i++) {
        n += atomic_load_explicit(&trial->workers[i].state, memory_order_acquire) == (int)state;
    }
    return n;
}

static bool any_heard(const struct trial *trial)
{
    for (unsigned i = 0; i < trial->count; i++) {
        if (atomic_load_explicit(&trial->workers[i].heard, memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

static void follow_silence(struct trial *trial, int64_t now_ns)
{
    const struct order *order = &trial->order;
    int64_t since_ns = order->open_first ? order_time(&order->measured_ns) : order->t0_ns;

    int64_t silence_ns = trial->env.silence_ns > 0 ? trial->env.silence_ns : SILENCE_NS;

    if (!trial->silent && now_ns - since_ns >= silence_ns && !any_heard(trial)) {
        trial->silent = true;
        stop_load(trial, now_ns, 0);
    }
}

static void note_cpu(struct trial *trial, int64_t now_ns)
{
    const struct order *order = &trial->order;

    if (!trial->cpu_known && now_ns >= order_time(&order->measured_ns)) {
        trial->cpu_known = cpu_read(&trial->cpu_start);
        trial->cpu_end = trial->cpu_start;
    }
    if (trial->cpu_known && now_ns <= order_time(&order->end_ns)) {
        (void)cpu_read(&trial->cpu_end);
    }
}

/* To the file and to the sink, which may have had enough. */
static void collect_rows(struct trial *trial, int64_t now_ns)
{
    const struct row_sink *sink = &trial->env.rows;
    struct row row;

    for (unsigned i = 0; i < trial->count && trial->order.rows > 0; i++) {
        while (rows_take(&trial->workers[i].tally->rows, &row)) {
            if (trial->samples != NULL) {
                samples_add(trial->samples, &row, trial->order.t0_ns);
            }
            if (sink->take != NULL && !trial->rows_refused && !sink->take(sink->self, &row)) {
                trial->rows_refused = true;
                stop_load(trial, now_ns, 0);
            }
        }
    }
}

static void control_until_ended(struct trial *trial)
{
    int64_t next_cpu_ns = 0;

    while (count_state(trial, WORKER_ENDED) < trial->count) {
        int64_t now_ns;

        (void)loop_turn(&trial->control, clock_now_ns() + LOOK_EVERY_MS * MSEC_NS);
        now_ns = trial->control.now_ns;
        series_collect(trial->series, trial->workers, trial->count);
        collect_rows(trial, now_ns);
        if (trial->order.open_first && !trial->go_said && !trial->ended_early &&
            count_state(trial, WORKER_READY) == trial->count) {
            say_go(trial, clock_now_ns());
        }
        if (now_ns >= next_cpu_ns) {
            note_cpu(trial, now_ns);
            next_cpu_ns = now_ns + 10 * LOOK_EVERY_MS * MSEC_NS;
        }
        follow_signals(trial, now_ns);
        follow_silence(trial, now_ns);
    }
}

static void end_rows(struct trial *trial)
{
    uint64_t dropped = 0;

    collect_rows(trial, clock_now_ns());
    for (unsigned i = 0; i < trial->count; i++) {
        dropped += trial->workers[i].tally->rows.dropped;
    }
    if (trial->samples != NULL) {
        trial->samples_failed = !samples_close(trial->samples, dropped, &trial->samples_err);
        trial->samples = NULL;
    } else if (dropped > 0) {
        trial->samples_failed =
            !err_set(&trial->samples_err, ERR_SYSTEM,
                     "the list of requests lacks %llu: they came faster than they could be taken",
                     (unsigned long long)dropped);
    }
}

static uint16_t server_port(const struct trial *trial)
{
    const struct address *to = &trial->order.origins.items[0].to.items[0];

    if (!trial->plan->target_local || trial->plan->unix_path != NULL) {
        return 0;
    }
    /* sin_port and sin6_port stand at the same place. */
    return ntohs(((const struct sockaddr_in *)&to->u)->sin_port);
}

static void measure_neighbours(struct trial *trial, int64_t wall_ns, struct machine *machine)
{
    if (wall_ns < NEIGHBOURS_MS * MSEC_NS) {
        return; /* a process that used a tick of so short a time would be a busy one */
    }
    if (trial->plan->unix_path != NULL) {
        neighbours_measure_unix(trial->neighbours, wall_ns, trial->plan->unix_path,
                                &machine->neighbour_cores, machine->neighbour);
    } else {
        neighbours_measure(trial->neighbours, wall_ns, server_port(trial),
                           &machine->neighbour_cores, machine->neighbour);
    }
}

/* What the machine says at the end. */
static void finish_machine(struct trial *trial, struct result *result)
{
    struct machine *machine = &result->machine;
    unsigned ports = ports_usable(machine->port_low, machine->port_high);
    unsigned sources =
        trial->order.origins.from_count > 0 ? (unsigned)trial->order.origins.from_count : 1;

    machine->clock_step_ns = clock_real_offset_ns() - trial->offset_ns;
    measure_neighbours(trial, result->wall_ns, machine);
    if (trial->plan->close && trial->plan->unix_path == NULL && ports > 0) {
        const struct address *to = &trial->order.origins.items[0].to.items[0];
        int waiting = ports_time_wait(ntohs(((const struct sockaddr_in *)&to->u)->sin_port));

        machine->ports_used = waiting < 0 ? (double)NAN : (double)waiting / (double)ports / sources;
    }
}

static void set_times(struct trial *trial, struct result *result)
{
    const struct order *order = &trial->order;
    int64_t measured_ns = order_time(&order->measured_ns);
    int64_t end_ns = order_time(&order->end_ns);
    int64_t last_done_ns = fold_last_done_ns(trial->workers, trial->count);

    result->started_ns = order->t0_ns;
    result->wall_ns = clock_now_ns() - order->t0_ns;
    if (measured_ns == NEVER_NS) {
        return; /* stopped while connections were being opened */
    }
    result->ramp_ns = (order->open_first ? measured_ns : order->ramp_end_ns) - order->t0_ns;
    result->warmup_ns = measured_ns - order->t0_ns - result->ramp_ns;
    /* All n are done. When they are not, the run was cut short, and lasted until then. */
    if (trial->plan->requests > 0 && last_done_ns < end_ns &&
        fold_ended(trial->workers, trial->count) == (uint64_t)trial->plan->requests) {
        end_ns = last_done_ns;
    }
    result->duration_ns = end_ns > measured_ns ? end_ns - measured_ns : 0;
}

static void finish(struct trial *trial, struct result *result)
{
    for (unsigned i = 0; i < trial->count; i++) {
        worker_join(&trial->workers[i]);
    }
    end_rows(trial);
    result->plan = trial->plan;
    result->machine = trial->machine;
    result->state = RUN_FINISHED;
    if (trial->signal != 0) {
        result->state = RUN_INTERRUPTED;
    } else if (trial->silent) {
        result->state = RUN_ABORTED;
    }
    set_times(trial, result);
    fold_workers(trial->workers, trial->count, result);
    series_finish(trial->series, trial->workers, trial->count, result);
    if (trial->dns_ns >= 0) {
        hist_record(&result->latency[LATENCY_DNS], trial->dns_ns);
    }
    result->generator.steal = trial->cpu_known && trial->cpu_end.total > trial->cpu_start.total
                                  ? cpu_steal_share(&trial->cpu_start, &trial->cpu_end)
                                  : (double)NAN;
    finish_machine(trial, result);
}

bool trial_run(struct trial *trial, struct result *result, struct err *err)
{
    struct saved_handlers saved;

    trial->neighbours = neighbours_new();
    for (unsigned i = 0; i < trial->count; i++) {
        if (!worker_start(&trial->workers[i], err)) {
            /* Those that wait for the beginning would wait for ever. */
            for (unsigned j = 0; j < i; j++) {
                (void)pthread_cancel(trial->workers[j].thread);
                worker_join(&trial->workers[j]);
            }
            return false;
        }
    }
    take_signals(&trial->control, &saved);
    trial->offset_ns = clock_real_offset_ns();
    result->started_real_ns = clock_real_ns();
    set_grid(trial);
    trial->series = series_new(trial->env.sinks, trial->env.sink_count, trial->order.t0_ns);
    for (unsigned i = 0; i < trial->count; i++) {
        worker_begin(&trial->workers[i]);
    }
    control_until_ended(trial);
    finish(trial, result);
    restore_signals(&saved);
    return true;
}
