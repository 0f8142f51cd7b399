/* SPDX-License-Identifier: Apache-2.0 */
#include "target/lane.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "target/guest.h"

/* Of the listener epoll tells once in a round of all that is ready, so that it must take as much of
 * a round as all guests do, or a crowd that asks without a pause keeps the others out, and the
 * kernel drops what its queue does not hold: 4096, or what net.core.somaxconn says. */
enum { ACCEPTS_TURN = 1024, TIMERS_OWN = 8 };

static const int64_t accept_pause_ns = 10 * MSEC_NS;
static const int64_t flush_every_ns = 250 * MSEC_NS;
static const int64_t sample_every_ns = 100 * MSEC_NS;
/* What slewing can do in 100 ms is 50 us. */
static const int64_t step_ns = MSEC_NS;

#define LANE_OF(member_pointer, member)                                                            \
    ((struct lane *)((char *)(member_pointer)-offsetof(struct lane, member)))

static bool set_stamps(int fd)
{
    int on = 1;

    return setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)) == 0;
}

/* False: no descriptor or memory was left for the next one, which stays in the kernel's queue. */
static bool accept_some(struct lane *lane)
{
    for (int i = 0; i < ACCEPTS_TURN; i++) {
        int fd = accept4(lane->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

        if (fd >= 0) {
            /* Not inherited by who connected before the listener had it. */
            if (lane_logs(lane)) {
                (void)set_stamps(fd);
            }
            (void)guest_welcome(lane, fd);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            return false;
        } else if (errno == EAGAIN) {
            break;
        }
    }
    return true;
}

static void accept_ready(struct watch *watch, struct loop *loop, uint32_t ready)
{
    struct lane *lane = LANE_OF(watch, listener);

    (void)ready;
    if (lane->accept_rests || accept_some(lane)) {
        return;
    }
    /* Level-triggered it would call again at once: it rests until somebody may have left. */
    lane->accept_rests = true;
    (void)loop_rewatch(loop, lane->listen_fd, watch);
    timer_set(&lane->accept_again, loop, loop->now_ns + accept_pause_ns);
}

static void accept_again(struct timer *timer, struct loop *loop)
{
    struct lane *lane = LANE_OF(timer, accept_again);

    lane->accept_rests =
        !accept_some(lane) || !loop_watch_level(loop, lane->listen_fd, &lane->listener);
    if (lane->accept_rests) {
        timer_set(timer, loop, loop->now_ns + accept_pause_ns);
    }
}

static void flush_log(struct timer *timer, struct loop *loop)
{
    hold_log_flush(&LANE_OF(timer, flush_log)->log);
    timer_set(timer, loop, loop->now_ns + flush_every_ns);
}

/* Freezes begin at start + period, start + 2 periods, ... on all lanes alike. */
static void set_freeze(struct lane *lane)
{
    int64_t start_ns = lane->setup->start_ns, period_ns = lane->setup->config->freeze_period_ns;
    int64_t passed = (clock_now_ns() - start_ns) / period_ns;

    timer_set(&lane->freeze, &lane->loop, start_ns + (passed + 1) * period_ns);
}

static void freeze(struct timer *timer, struct loop *loop)
{
    struct lane *lane = LANE_OF(timer, freeze);
    const struct target_config *config = lane->setup->config;
    int64_t since_ns = (clock_now_ns() - lane->setup->start_ns) % config->freeze_period_ns;
    int64_t end_ns = clock_now_ns() - since_ns + config->freeze_ns;
    struct timespec end = { (time_t)(end_ns / SEC_NS), (long)(end_ns % SEC_NS) };

    (void)loop;
    while (!atomic_load(lane->setup->stop) &&
           clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) {
    }
    set_freeze(lane);
}

/* The one that this thread runs. */
static _Thread_local const struct lane *lane_here;

/* Called by whoever left the gate, on any thread. */
static void lane_wake(void *self)
{
    struct lane *lane = self;

    /* A lane looks into its inbox before it waits again. */
    if (lane != lane_here) {
        loop_wake(&lane->loop);
    }
}

int64_t lane_convert_stamp(struct lane *lane, int64_t real_ns, int64_t now_ns)
{
    struct lane_offset *offset = &lane->offset;
    int64_t stamp_ns;

    if (now_ns - offset->sampled_ns >= sample_every_ns) {
        int64_t fresh_ns = clock_real_offset_ns(), change_ns = fresh_ns - offset->offset_ns;

        offset->steady = change_ns < step_ns && change_ns > -step_ns;
        offset->offset_ns = fresh_ns;
        offset->sampled_ns = now_ns;
    }
    stamp_ns = real_ns - offset->offset_ns;
    return offset->steady && stamp_ns < now_ns ? stamp_ns : now_ns;
}

bool lane_open(struct lane *lane, const struct lane_setup *setup, int listen_fd, uint64_t index,
               struct err *err)
{
    *lane = (struct lane){ .setup = setup, .listen_fd = listen_fd };
    lane->tls = setup->tls != NULL ? setup->tls[index] : NULL;
    lane->listener.ready = accept_ready;
    timer_init(&lane->accept_again, accept_again);
    timer_init(&lane->flush_log, flush_log);
    timer_init(&lane->freeze, freeze);
    lane->inbox = (struct gate_inbox){ .wake = lane_wake, .self = lane };
    rng_init(&lane->rng, setup->config->seed, index);
    hold_log_init(&lane->log, setup->log_fd);
    answer_pages_init(&lane->pages);
    buf_init(&lane->head, GUEST_ECHO_BYTES_MAX + ANSWER_HEAD_MAX);
    lane->input = mem_new(LANE_INPUT_BYTES, 1);
    lane->offset = (struct lane_offset){ clock_real_offset_ns(), clock_now_ns(), .steady = true };
    /* On the listener: from now on the kernel stamps what it takes in. */
    if (lane_logs(lane) && !set_stamps(listen_fd)) {
        err_set(err, ERR_SYSTEM, "the log needs receive stamps, which are refused: %m");
        lane_close(lane);
        return false;
    }
    if (!loop_init(&lane->loop, setup->guests_max + TIMERS_OWN, err)) {
        lane_close(lane);
        return false;
    }
    if (!loop_watch_listener(&lane->loop, listen_fd, &lane->listener)) {
        err_set(err, ERR_SYSTEM, "cannot watch the listening socket: %m");
        lane_close(lane);
        return false;
    }
    return true;
}

static void admit_called(struct lane *lane)
{
    struct gate_ticket *ticket;

    while ((ticket = gate_take(lane->setup->gate, &lane->inbox)) != NULL) {
        guest_admit((struct guest *)((char *)ticket - offsetof(struct guest, ticket)));
    }
}

/* Each of those who were eager before this turn gets one. */
static void resume_eager(struct lane *lane)
{
    struct guest *guest, *last = NULL, *waiting = lane->eager;

    lane->eager = NULL;
    for (guest = waiting; guest != NULL; guest = last) {
        last = guest->next_eager;
        guest->is_eager = false;
        guest_resume(guest);
    }
}

void lane_run(struct lane *lane)
{
    const struct target_config *config = lane->setup->config;

    lane_here = lane;
    /* Timers to the microsecond: the default lets the kernel be 50 us late. */
    (void)prctl(PR_SET_TIMERSLACK, 1UL);
    if (lane_logs(lane)) {
        timer_set(&lane->flush_log, &lane->loop, clock_now_ns() + flush_every_ns);
    }
    if (config->freeze_ns > 0) {
        set_freeze(lane);
    }
    while (!atomic_load_explicit(lane->setup->stop, memory_order_relaxed)) {
        if (lane->eager != NULL) {
            resume_eager(lane);
        }
        admit_called(lane);
        (void)loop_turn(&lane->loop, lane->eager != NULL ? 0 : NEVER_NS);
    }
    if (lane_logs(lane)) {
        hold_log_flush(&lane->log);
    }
}

void lane_close(struct lane *lane)
{
    while (lane->all != NULL) {
        guest_leave(lane->all);
    }
    while (lane->idle != NULL) {
        struct guest *guest = lane->idle;

        lane->idle = guest->next;
        guest_free(guest);
    }
    loop_fini(&lane->loop);
    hold_log_fini(&lane->log);
    answer_pages_fini(&lane->pages);
    buf_fini(&lane->head);
    mem_free(lane->input);
    lane->input = NULL;
}
