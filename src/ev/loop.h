/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One event loop per thread: descriptors and timers.
 *
 * Descriptors are watched edge-triggered and registered once; whoever is told that a descriptor is
 * ready must read or write until the kernel says it would block (or register it level-triggered
 * with loop_watch_level()). Timers are precise to the kernel's high-resolution clock: waits are in
 * nanoseconds.
 *
 * A timer's deadline may move later for nothing: timer_set() to a later time only stores it, and
 * the heap finds out when the old time comes. So a timeout that is renewed with every request costs
 * one store.
 *
 * loop_turn() waits and dispatches once; the caller owns the loop around it and so decides about
 * pauses. All functions belong to the loop's own thread, but for loop_wake().
 */
#ifndef EV_LOOP_H
#define EV_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* What is ready; the values are epoll's. */
enum ready {
    READY_READ = 0x001,
    READY_WRITE = 0x004,
    READY_ERROR = 0x008,
    READY_HANGUP = 0x010,
    READY_PEER_CLOSED = 0x2000,
};

/* So many descriptors are told of in one turn; more wait for the next. */
enum { LOOP_EVENTS_MAX = 64 };

struct loop;
struct epoll_event;

/* Embedded in whoever owns the descriptor; must stay where it is while watched. */
struct watch {
    void (*ready)(struct watch *watch, struct loop *loop, uint32_t ready);
};

/* Embedded; zeroed = not set. */
struct timer {
    void (*due)(struct timer *timer, struct loop *loop);
    int64_t deadline_ns; /* when it is due; NEVER_NS: not set */
    int64_t heap_ns;     /* where it stands in the heap: <= deadline_ns */
    uint32_t place;      /* index in the heap + 1; 0 = not in it */
};

struct loop {
    int epoll_fd, wake_fd;
    int64_t now_ns; /* read once per turn, after the wait */
    struct timer **heap;
    uint32_t heap_count, heap_room;
    struct watch wake_watch;
    void (*woken)(struct loop *loop, void *self);
    void *woken_self;
    struct epoll_event *batch; /* of the turn under way */
    int batch_at, batch_count;
};

/* timers_max: how many timers may be set at once; the heap is allocated here and never grows. */
bool loop_init(struct loop *loop, uint32_t timers_max, struct err *err) MUST_CHECK;
void loop_fini(struct loop *loop);

/* Edge-triggered for reading, writing and the peer's close. */
bool loop_watch(struct loop *loop, int fd, struct watch *watch);
/* Edge-triggered for reading and the peer's close: no event for being writable at first. */
bool loop_watch_reader(struct loop *loop, int fd, struct watch *watch);
/* A watched descriptor is edge-triggered for reading, writing and the peer's close from now on. */
bool loop_rewatch(struct loop *loop, int fd, struct watch *watch);
/* The same descriptor from now on level-triggered, for reading and the peer's close only. */
bool loop_watch_level(struct loop *loop, int fd, struct watch *watch);
/* A new descriptor, level-triggered, reading only: listeners. */
bool loop_watch_listener(struct loop *loop, int fd, struct watch *watch);
/* Before a watched descriptor is closed (closing ends the watch): drops events of this turn that
 * were fetched for the watch and not yet delivered, so that its memory may serve another. */
void loop_forget(struct loop *loop, const struct watch *watch);

void timer_init(struct timer *timer, void (*due)(struct timer *timer, struct loop *loop));
/* Sets or moves it. */
void timer_set(struct timer *timer, struct loop *loop, int64_t deadline_ns);
void timer_clear(struct timer *timer);
/* Takes it out of the heap: before its memory goes. */
void timer_remove(struct timer *timer, struct loop *loop);

/* Waits for the next event, timer or wake-up, no longer than until_ns, and calls whoever is
 * concerned. Returns the number of descriptor events. */
int loop_turn(struct loop *loop, int64_t until_ns);

/* From any thread, and from a signal handler: the loop calls woken() soon. */
void loop_wake(struct loop *loop);

#endif
