/* SPDX-License-Identifier: Apache-2.0 */
#include "load/worker.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "load/follow.h"

enum {
    LINGER_MS = 100,
    OFFSET_EVERY_MS = 50, /* how old the conversion of stamps may be */
    RECENT_MS = 5,        /* over which the rate of answers is taken */
    OTHER_TIMERS = 8,
    FIRST_ANSWER_MS = 1000, /* the other users do not wait longer for the first */
};

/* A stamp is suspect when the answer would have waited so long, or come so long after it was read.
 */
#define DWELL_SUSPECT_NS (1 * MSEC_NS)
#define STAMP_AHEAD_NS   (20 * USEC_NS)
#define CLOCK_STEP_NS    (500 * USEC_NS)

static void set_state(struct worker *worker, enum worker_state state)
{
    atomic_store_explicit(&worker->state, (int)state, memory_order_release);
    loop_wake(worker->control);
}

static void lingerer_end(struct lingerer *lingerer)
{
    struct worker *worker = lingerer->worker;

    loop_forget(&worker->loop, &lingerer->watch);
    timer_clear(&lingerer->timer);
    stream_close(&lingerer->stream);
    lingerer->next = worker->free_lingerers;
    worker->free_lingerers = lingerer;
}

static void lingerer_ready(struct watch *watch, struct loop *loop, uint32_t ready)
{
    struct lingerer *lingerer = (struct lingerer *)watch;

    (void)loop;
    if (lingerer->stream.fd >= 0 &&
        (ready & (READY_PEER_CLOSED | READY_HANGUP | READY_ERROR)) != 0) {
        lingerer_end(lingerer);
    }
}

static void lingerer_due(struct timer *timer, struct loop *loop)
{
    struct lingerer *lingerer =
        (struct lingerer *)((char *)timer - offsetof(struct lingerer, timer));

    (void)loop;
    if (lingerer->stream.fd >= 0) {
        lingerer->worker->tally->client_closes++;
        lingerer_end(lingerer);
    }
}

void worker_linger(struct worker *worker, struct stream *stream)
{
    struct lingerer *lingerer = worker->free_lingerers;

    if (lingerer == NULL) {
        worker->tally->client_closes++;
        stream_close(stream);
        return;
    }
    worker->free_lingerers = lingerer->next;
    /* All has been said. What TLS would still say is worth less than the memory that it holds. */
    stream_bare(stream);
    lingerer->stream = *stream;
    stream->fd = -1;
    timer_set(&lingerer->timer, &worker->loop, clock_now_ns() + LINGER_MS * MSEC_NS);
    /* Edge-triggered anew: when the peer has closed meanwhile, that is told at once. */
    (void)loop_rewatch(&worker->loop, lingerer->stream.fd, &lingerer->watch);
}

static void init_lingerers(struct worker *worker)
{
    worker->lingerer_count = worker->order->plan->close ? LINGERERS_SHORT : LINGERERS_KEPT_ALIVE;
    worker->lingerers = mem_new(worker->lingerer_count, sizeof(struct lingerer));
    for (uint32_t i = 0; i < worker->lingerer_count; i++) {
        struct lingerer *lingerer = &worker->lingerers[i];

        lingerer->watch.ready = lingerer_ready;
        timer_init(&lingerer->timer, lingerer_due);
        lingerer->stream.fd = -1;
        lingerer->worker = worker;
        lingerer->next = worker->free_lingerers;
        worker->free_lingerers = lingerer;
    }
}

static void init_users(struct worker *worker)
{
    const struct order *order = worker->order;

    worker->user_count = (uint32_t)order_share(order, order->plan->connections, worker->index);
    worker->users = mem_new(worker->user_count, sizeof(struct vuser));
    worker->conns = mem_new(worker->user_count, order->conns * sizeof(struct conn));
    for (uint32_t i = 0; i < worker->user_count; i++) {
        vuser_init(&worker->users[i], worker, i * order->threads + worker->index,
                   &worker->conns[i * order->conns]);
    }
    if (follow_is_wanted(order->plan)) {
        worker->follows = mem_new(worker->user_count, sizeof(struct follow));
        for (uint32_t i = 0; i < worker->user_count; i++) {
            follow_init(&worker->follows[i], worker->order);
            worker->users[i].follow = &worker->follows[i];
        }
    }
    worker->users_left = worker->user_count;
    worker->users_opening = worker->user_count;
    worker->requests_left = order->plan->requests > 0
                                ? order_share(order, order->plan->requests, worker->index)
                                : INT64_MAX;
}

static bool init_origins(struct worker *worker, struct err *err)
{
    const struct order *order = worker->order;

    worker->origins = mem_new(ORIGINS_MAX, sizeof(struct origin_state));
    for (size_t i = 0; i < order->origins.count; i++) {
        origin_state_init(&worker->origins[i], &order->origins.items[i]);
    }
    if (order->tls_context == NULL) {
        return true;
    }
    worker->tls = tls_context_new(&order->tls, order->tls_context, err);
    return worker->tls != NULL;
}

bool worker_init(struct worker *worker, struct order *order, unsigned index, struct loop *control,
                 struct err *err)
{
    *worker = (struct worker){ .order = order, .control = control, .index = index };
    worker->timestamp_fd = -1;
    rng_init(&worker->rng, order->plan->seed, index);
    init_users(worker);
    if (!init_origins(worker, err) ||
        !loop_init(&worker->loop, worker->user_count + LINGERERS_SHORT + OTHER_TIMERS, err)) {
        return false;
    }
    init_lingerers(worker);
    worker->buffer = mem_new(WORKER_READ_BYTES, 1);
    worker->tally = mem_new(1, sizeof(struct tally));
    tally_init(worker->tally, order);
    (void)sem_init(&worker->begin, 0, 0);
    return true;
}

void worker_fini(struct worker *worker)
{
    if (worker->timestamp_fd >= 0) {
        (void)close(worker->timestamp_fd);
    }
    for (uint32_t i = 0; worker->lingerers != NULL && i < worker->lingerer_count; i++) {
        stream_close(&worker->lingerers[i].stream);
    }
    if (worker->tally != NULL) {
        tally_fini(worker->tally);
    }
    loop_fini(&worker->loop);
    for (size_t i = 0; worker->origins != NULL && i < ORIGINS_MAX; i++) {
        origin_state_fini(&worker->origins[i]);
    }
    mem_free(worker->origins);
    tls_context_free(worker->tls);
    for (uint32_t i = 0; i < worker->user_count && worker->follows != NULL; i++) {
        follow_fini(&worker->follows[i]);
    }
    for (uint32_t i = 0; i < worker->user_count && worker->users != NULL; i++) {
        expect_look_fini(&worker->users[i].look);
    }
    mem_free(worker->follows);
    mem_free(worker->conns);
    mem_free(worker->tally);
    mem_free(worker->buffer);
    mem_free(worker->lingerers);
    mem_free(worker->users);
    *worker = (struct worker){ .timestamp_fd = -1 };
}

bool worker_claim(struct worker *worker, int64_t now_ns)
{
    if (worker->requests_left == 0 || now_ns >= order_time(&worker->order->end_ns)) {
        return false;
    }
    if (worker->requests_left != INT64_MAX) {
        worker->requests_left--;
    }
    return true;
}

static void sample_offset(struct worker *worker, int64_t now_ns)
{
    worker->offset_ns = clock_real_offset_ns();
    worker->offset_at_ns = now_ns;
}

int64_t worker_stamp_ns(struct worker *worker, int64_t stamp_real_ns, int64_t now_ns)
{
    int64_t stamp_ns = stamp_real_ns - worker->offset_ns;
    int64_t dwell_ns = now_ns - stamp_ns;
    int64_t offset_ns = worker->offset_ns;

    if (dwell_ns >= -STAMP_AHEAD_NS &&
        (dwell_ns <= DWELL_SUSPECT_NS || now_ns - worker->offset_at_ns < DWELL_SUSPECT_NS)) {
        return stamp_ns;
    }
    /* Either the wall clock stepped, or the answer did wait so long: the offset knows. */
    sample_offset(worker, now_ns);
    if (llabs(worker->offset_ns - offset_ns) > CLOCK_STEP_NS || dwell_ns < -STAMP_AHEAD_NS) {
        worker->stamps_dropped++;
        return 0;
    }
    return stamp_ns;
}

int64_t worker_wall_s(const struct worker *worker, int64_t now_ns)
{
    return (now_ns + worker->offset_ns) / SEC_NS;
}

void worker_heard(struct worker *worker)
{
    worker->heard_self = true;
    atomic_store_explicit(&worker->heard, true, memory_order_relaxed);
}

void worker_user_opened(struct worker *worker)
{
    if (--worker->users_opening == 0) {
        set_state(worker, WORKER_READY);
    }
}

void worker_user_done(struct worker *worker)
{
    worker->users_left--;
}

/* The users after the first start over the time that an answer takes. */
static void release_users(struct worker *worker, int64_t now_ns, int64_t over_ns)
{
    if (worker->start_step_ns == NEVER_NS) {
        worker->start_base_ns = now_ns;
        worker->start_step_ns = over_ns / worker->user_count;
    }
}

void worker_answered(struct worker *worker, int64_t now_ns, int64_t response_ns)
{
    worker->done_count++;
    release_users(worker, now_ns,
                  response_ns < FIRST_ANSWER_MS * MSEC_NS ? response_ns
                                                          : FIRST_ANSWER_MS * MSEC_NS);
}

static int64_t user_start_ns(const struct worker *worker, uint32_t i)
{
    if (worker->start_step_ns == NEVER_NS) {
        /* Short connections with -n: until the first user has shown how long an answer takes. */
        return worker->start_base_ns + (i == 0 ? 0 : FIRST_ANSWER_MS * MSEC_NS);
    }
    return worker->start_base_ns + worker->start_step_ns * i;
}

/* The next user has to wait until a handshake is done, which the loop's events tell, or until
 * hold_until_ns: what is measured begins with all users started. */
static bool start_is_held(const struct worker *worker)
{
    return worker->shaking >= HANDSHAKES_MAX && worker->loop.now_ns < worker->hold_until_ns;
}

static void start_users(struct worker *worker, int64_t now_ns)
{
    for (int started = 0;
         started < STARTS_A_TURN && worker->next_user < worker->user_count &&
         !start_is_held(worker) && user_start_ns(worker, worker->next_user) <= now_ns;
         started++) {
        struct vuser *vuser = &worker->users[worker->next_user];

        if (worker->next_user++ > 0) {
            release_users(worker, now_ns, FIRST_ANSWER_MS * MSEC_NS);
        }
        /* Each reads the clock: starting those before it has taken time. */
        if (worker->order->open_first) {
            vuser_open(vuser, clock_now_ns());
        } else {
            vuser_start(vuser, clock_now_ns());
        }
    }
}

/* All connections are open and the control thread has said go. */
static void go(struct worker *worker)
{
    for (uint32_t i = 0; i < worker->user_count; i++) {
        vuser_start(&worker->users[i], clock_now_ns());
    }
}

/* The measured time is over: users that wait, for their turn or after a failure, have nothing to
 * wait for. */
static void end_waiting_users(struct worker *worker, int64_t now_ns)
{
    for (uint32_t i = 0; i < worker->user_count; i++) {
        struct vuser *vuser = &worker->users[i];

        if (!vuser_is_busy(vuser)) {
            vuser_stop(vuser, now_ns);
        }
    }
    worker->next_user = worker->user_count;
}

static void end_all_users(struct worker *worker, int64_t now_ns)
{
    for (uint32_t i = 0; i < worker->user_count; i++) {
        vuser_stop(&worker->users[i], now_ns);
    }
    worker->next_user = worker->user_count;
}

static void measure_recent(struct worker *worker, int64_t now_ns)
{
    int64_t over_ns = now_ns - worker->recent_at_ns;

    if (over_ns >= RECENT_MS * MSEC_NS) {
        worker->recent_per_ns =
            (double)(worker->done_count - worker->recent_at_turn_done) / (double)over_ns;
        worker->recent_at_turn_done = worker->done_count;
        worker->recent_at_ns = now_ns;
    }
}

/* As long as an eighth of the busy users takes to be answered: the others keep the server busy
 * meanwhile. */
static int64_t pause_length_ns(const struct worker *worker)
{
    double fill_ns = worker->tally->busy / 8.0 / worker->recent_per_ns;

    if (fill_ns < PAUSE_LEAST_NS) {
        return PAUSE_LEAST_NS;
    }
    return fill_ns < PAUSE_MOST_NS ? (int64_t)fill_ns : PAUSE_MOST_NS;
}

static void pause_if_worth(struct worker *worker, int events)
{
    struct timespec pause = { 0 };
    uint32_t busy = worker->tally->busy;

    if (!worker->order->stamped || worker->ends_unstamped || busy < PAUSE_USERS_MIN ||
        (uint32_t)events >= busy / 4 || events == LOOP_EVENTS_MAX ||
        worker->recent_per_ns * PAUSE_LEAST_NS < 2.0) {
        return;
    }
    worker->pauses++;
    pause.tv_nsec = (long)pause_length_ns(worker);
    (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}

static int64_t next_start_ns(const struct worker *worker)
{
    if (worker->next_user == worker->user_count) {
        return NEVER_NS;
    }
    return start_is_held(worker) ? worker->hold_until_ns : user_start_ns(worker, worker->next_user);
}

static int64_t next_moment_ns(const struct worker *worker)
{
    int64_t next_ns = tally_edge_ns(worker->tally);
    int64_t end_ns = order_time(&worker->order->end_ns);
    int64_t drain_end_ns = order_time(&worker->order->drain_end_ns);
    int64_t moments[] = {
        end_ns > worker->loop.now_ns ? end_ns : NEVER_NS,
        drain_end_ns,
        next_start_ns(worker),
    };

    for (size_t i = 0; i < COUNT_OF(moments); i++) {
        next_ns = moments[i] < next_ns ? moments[i] : next_ns;
    }
    return next_ns;
}

static void note_usage(struct worker_usage *usage, int64_t now_ns)
{
    usage->at_ns = now_ns;
    usage->cpu_ns = clock_thread_cpu_ns();
    if (!threads_read(gettid(), &usage->queue)) {
        usage->queue = (struct thread_usage){ 0 };
    }
}

/* What has come due by the clock: users' starts, the end, the window's edge. */
static void follow_grid(struct worker *worker, bool *gone, bool *ended)
{
    int64_t now_ns = worker->loop.now_ns;

    if (now_ns >= tally_edge_ns(worker->tally) ||
        order_time(&worker->order->end_ns) < tally_edge_ns(worker->tally) || !*gone) {
        tally_roll(worker->tally, now_ns);
    }
    if (worker->usage_start.at_ns == 0 && now_ns >= order_time(&worker->order->measured_ns)) {
        note_usage(&worker->usage_start, now_ns);
    }
    if (!*gone && order_time(&worker->order->measured_ns) <= now_ns) {
        *gone = true;
        go(worker);
    }
    if (now_ns >= order_time(&worker->order->end_ns) && !*ended) {
        *ended = true;
        note_usage(&worker->usage_end, now_ns);
        end_waiting_users(worker, now_ns);
    }
    if (now_ns >= order_time(&worker->order->drain_end_ns)) {
        end_all_users(worker, now_ns);
    }
    if (now_ns - worker->offset_at_ns >= OFFSET_EVERY_MS * MSEC_NS) {
        sample_offset(worker, now_ns);
    }
    start_users(worker, now_ns);
    measure_recent(worker, now_ns);
}

static void run_loop(struct worker *worker)
{
    bool gone = !worker->order->open_first, ended = false;

    worker->loop.now_ns = clock_now_ns();
    sample_offset(worker, worker->loop.now_ns);
    follow_grid(worker, &gone, &ended);
    while (worker->users_left > 0) {
        int events = loop_turn(&worker->loop, next_moment_ns(worker));

        follow_grid(worker, &gone, &ended);
        pause_if_worth(worker, events);
    }
    if (!ended) {
        note_usage(&worker->usage_end, worker->loop.now_ns);
    }
    tally_end(worker->tally, clock_now_ns());
}

/* To the middle of the warm-up; where connections open before the first request, for as long again
 * as their opening is spread over. */
static void set_hold(struct worker *worker)
{
    const struct order *order = worker->order;
    const struct plan *plan = order->plan;

    if (plan->close) {
        worker->hold_until_ns = 0; /* handshakes are the load */
    } else if (order->open_first) {
        worker->hold_until_ns = order->t0_ns + 2 * plan->ramp_ns;
    } else {
        worker->hold_until_ns = order->ramp_end_ns + plan->warmup_ns / 2;
    }
}

static void *worker_main(void *argument)
{
    struct worker *worker = argument;
    const struct plan *plan = worker->order->plan;
    char name[16];

    (void)snprintf(name, sizeof(name), "worker %u", worker->index);
    (void)prctl(PR_SET_NAME, name);
    (void)prctl(PR_SET_TIMERSLACK, 1UL);
    while (sem_wait(&worker->begin) != 0) {
    }
    tally_begin(worker->tally);
    worker->start_base_ns = worker->order->t0_ns;
    worker->start_step_ns = plan->ramp_ns / plan->connections * worker->order->threads;
    if (plan->requests > 0 && plan->close && plan->ramp_ns == 0) {
        worker->start_step_ns = NEVER_NS;
    }
    worker->recent_at_ns = worker->order->t0_ns;
    set_hold(worker);
    run_loop(worker);
    set_state(worker, WORKER_ENDED);
    return NULL;
}

bool worker_start(struct worker *worker, struct err *err)
{
    int one = 1;
    int code;

    worker->timestamp_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)setsockopt(worker->timestamp_fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof(one));
    code = pthread_create(&worker->thread, NULL, worker_main, worker);
    if (code != 0) {
        errno = code;
        return err_set(err, ERR_SYSTEM, "cannot start worker thread %u: %m", worker->index);
    }
    worker->started = true;
    return true;
}

void worker_begin(struct worker *worker)
{
    (void)sem_post(&worker->begin);
}

void worker_join(struct worker *worker)
{
    if (worker->started) {
        (void)pthread_join(worker->thread, NULL);
        worker->started = false;
    }
}
