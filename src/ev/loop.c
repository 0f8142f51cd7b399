/* SPDX-License-Identifier: Apache-2.0 */
#include "ev/loop.h"

#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

enum { HEAP_WAYS = 4 };

static void heap_put(struct loop *loop, uint32_t at, struct timer *timer)
{
    loop->heap[at] = timer;
    timer->place = at + 1;
}

static void heap_up(struct loop *loop, uint32_t at, struct timer *timer)
{
    while (at > 0) {
        uint32_t parent = (at - 1) / HEAP_WAYS;

        if (loop->heap[parent]->heap_ns <= timer->heap_ns) {
            break;
        }
        heap_put(loop, at, loop->heap[parent]);
        at = parent;
    }
    heap_put(loop, at, timer);
}

static uint32_t heap_least_child(const struct loop *loop, uint32_t at)
{
    uint32_t first = at * HEAP_WAYS + 1, least = first;

    for (uint32_t i = first + 1; i < first + HEAP_WAYS && i < loop->heap_count; i++) {
        if (loop->heap[i]->heap_ns < loop->heap[least]->heap_ns) {
            least = i;
        }
    }
    return least;
}

static void heap_down(struct loop *loop, uint32_t at, struct timer *timer)
{
    while (at * HEAP_WAYS + 1 < loop->heap_count) {
        uint32_t child = heap_least_child(loop, at);

        if (loop->heap[child]->heap_ns >= timer->heap_ns) {
            break;
        }
        heap_put(loop, at, loop->heap[child]);
        at = child;
    }
    heap_put(loop, at, timer);
}

void timer_init(struct timer *timer, void (*due)(struct timer *timer, struct loop *loop))
{
    *timer = (struct timer){ .due = due, .deadline_ns = NEVER_NS };
}

void timer_set(struct timer *timer, struct loop *loop, int64_t deadline_ns)
{
    timer->deadline_ns = deadline_ns;
    if (timer->place == 0) {
        assert(loop->heap_count < loop->heap_room);
        timer->heap_ns = deadline_ns;
        heap_up(loop, loop->heap_count++, timer);
    } else if (deadline_ns < timer->heap_ns) {
        timer->heap_ns = deadline_ns;
        heap_up(loop, timer->place - 1, timer);
    }
}

void timer_clear(struct timer *timer)
{
    timer->deadline_ns = NEVER_NS;
}

void timer_remove(struct timer *timer, struct loop *loop)
{
    uint32_t at;
    struct timer *last;

    timer->deadline_ns = NEVER_NS;
    if (timer->place == 0) {
        return;
    }
    at = timer->place - 1;
    timer->place = 0;
    last = loop->heap[--loop->heap_count];
    if (last == timer) {
        return;
    }
    if (at > 0 && loop->heap[(at - 1) / HEAP_WAYS]->heap_ns > last->heap_ns) {
        heap_up(loop, at, last);
    } else {
        heap_down(loop, at, last);
    }
}

/* No timer is due before this; the one at the top may have been moved later meanwhile, which costs
 * one wake-up for nothing when its old time comes. */
static int64_t heap_next_ns(const struct loop *loop)
{
    return loop->heap_count > 0 ? loop->heap[0]->heap_ns : NEVER_NS;
}

/* The timer at the top that is due, or NULL. Lazily moved ones go to where they belong by now. */
static struct timer *heap_take_due(struct loop *loop)
{
    while (loop->heap_count > 0 && loop->heap[0]->heap_ns <= loop->now_ns) {
        struct timer *top = loop->heap[0];

        if (top->deadline_ns == NEVER_NS) {
            timer_remove(top, loop);
        } else if (top->deadline_ns > top->heap_ns) {
            top->heap_ns = top->deadline_ns;
            heap_down(loop, 0, top);
        } else {
            timer_remove(top, loop);
            return top;
        }
    }
    return NULL;
}

static void run_timers(struct loop *loop)
{
    struct timer *timer;

    /* One that is set again while it runs waits for the next turn: no timer can starve the rest. */
    for (uint32_t i = loop->heap_count; i > 0 && (timer = heap_take_due(loop)) != NULL; i--) {
        timer->due(timer, loop);
    }
}

static void wake_ready(struct watch *watch, struct loop *loop, uint32_t ready)
{
    uint64_t count;

    (void)watch;
    (void)ready;
    (void)!read(loop->wake_fd, &count, sizeof(count));
    if (loop->woken != NULL) {
        loop->woken(loop, loop->woken_self);
    }
}

bool loop_init(struct loop *loop, uint32_t timers_max, struct err *err)
{
    *loop = (struct loop){ .epoll_fd = -1, .wake_fd = -1, .heap_room = timers_max };
    loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll_fd < 0) {
        return err_set(err, ERR_SYSTEM, "cannot create an epoll descriptor: %m");
    }
    loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    loop->wake_watch.ready = wake_ready;
    if (loop->wake_fd < 0 || !loop_watch_listener(loop, loop->wake_fd, &loop->wake_watch)) {
        err_set(err, ERR_SYSTEM, "cannot create an event descriptor: %m");
        loop_fini(loop);
        return false;
    }
    loop->heap = mem_new(timers_max, sizeof(struct timer *));
    loop->now_ns = clock_now_ns();
    return true;
}

void loop_fini(struct loop *loop)
{
    if (loop->heap_room > 0 || loop->heap != NULL) {
        if (loop->wake_fd >= 0) {
            (void)close(loop->wake_fd);
        }
        if (loop->epoll_fd >= 0) {
            (void)close(loop->epoll_fd);
        }
        mem_free(loop->heap);
    }
    *loop = (struct loop){ .epoll_fd = -1, .wake_fd = -1 };
}

static bool watch_with(struct loop *loop, int operation, int fd, struct watch *watch,
                       uint32_t events)
{
    struct epoll_event event = { .events = events, .data.ptr = watch };

    return epoll_ctl(loop->epoll_fd, operation, fd, &event) == 0;
}

bool loop_watch(struct loop *loop, int fd, struct watch *watch)
{
    return watch_with(loop, EPOLL_CTL_ADD, fd, watch, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
}

bool loop_watch_reader(struct loop *loop, int fd, struct watch *watch)
{
    return watch_with(loop, EPOLL_CTL_ADD, fd, watch, EPOLLIN | EPOLLRDHUP | EPOLLET);
}

bool loop_rewatch(struct loop *loop, int fd, struct watch *watch)
{
    return watch_with(loop, EPOLL_CTL_MOD, fd, watch, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
}

bool loop_watch_level(struct loop *loop, int fd, struct watch *watch)
{
    return watch_with(loop, EPOLL_CTL_MOD, fd, watch, EPOLLIN | EPOLLRDHUP);
}

bool loop_watch_listener(struct loop *loop, int fd, struct watch *watch)
{
    return watch_with(loop, EPOLL_CTL_ADD, fd, watch, EPOLLIN);
}

void loop_forget(struct loop *loop, const struct watch *watch)
{
    for (int i = loop->batch_at; i < loop->batch_count; i++) {
        if (loop->batch[i].data.ptr == watch) {
            loop->batch[i].data.ptr = NULL;
        }
    }
}

static int wait_no_longer(struct loop *loop, struct epoll_event *events, int64_t left_ns)
{
    struct timespec left = { .tv_sec = (time_t)(left_ns / SEC_NS),
                             .tv_nsec = (long)(left_ns % SEC_NS) };
    int count = epoll_pwait2(loop->epoll_fd, events, LOOP_EVENTS_MAX, &left, NULL);

    if (count < 0 && errno == ENOSYS) {
        /* Kernels before 5.11, and valgrind: late by up to a millisecond, never early. */
        int64_t left_ms = (left_ns + MSEC_NS - 1) / MSEC_NS;

        count = epoll_wait(loop->epoll_fd, events, LOOP_EVENTS_MAX,
                           left_ms < INT32_MAX ? (int)left_ms : INT32_MAX);
    }
    return count;
}

static int wait_for_events(struct loop *loop, struct epoll_event *events, int64_t until_ns)
{
    int64_t next_ns = heap_next_ns(loop);
    int64_t left_ns = (until_ns < next_ns ? until_ns : next_ns) - clock_now_ns();
    int count = wait_no_longer(loop, events, left_ns > 0 ? left_ns : 0);

    assert(count >= 0 || errno == EINTR);
    return count < 0 ? 0 : count;
}

int loop_turn(struct loop *loop, int64_t until_ns)
{
    struct epoll_event events[LOOP_EVENTS_MAX];

    loop->batch = events;
    loop->batch_at = 0;
    loop->batch_count = wait_for_events(loop, events, until_ns);
    loop->now_ns = clock_now_ns();
    run_timers(loop);
    for (int i = 0; i < loop->batch_count; i++) {
        struct watch *watch = events[i].data.ptr;

        loop->batch_at = i + 1;
        if (watch != NULL) {
            watch->ready(watch, loop, events[i].events);
        }
    }
    loop->batch = NULL;
    return loop->batch_count;
}

void loop_wake(struct loop *loop)
{
    uint64_t one = 1;

    (void)!write(loop->wake_fd, &one, sizeof(one));
}
