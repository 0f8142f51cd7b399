/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One worker = one thread = one loop = its own users, tally, TLS and random numbers: the thread
 * that makes load.
 *
 * Life cycle: worker_init() on the control thread allocates everything; worker_start() begins the
 * thread, which waits until worker_begin(); from then on the two meet only in the order's atomic
 * moments, the tally's rings, `state` and loop_wake(). worker_join() waits for its end, then its
 * tally may be read. worker_fini() frees.
 *
 * Handshakes: users on kept-alive connections start no faster than HANDSHAKES_MAX of them shake
 * hands at once. A server makes some hundred handshakes a second; more at once would wait in its
 * line and cost memory, 40 KB each, that no connection needs afterwards.
 *
 * Pauses: when many users are busy but few answers come per wake-up, waiting for each of them costs
 * more than handling it. The loop then sleeps PAUSE_LEAST_NS to PAUSE_MOST_NS before the next look.
 * It does so only when the trial allows it (times then end at the kernel's receive stamps, so what
 * is measured does not change), with PAUSE_USERS_MIN users busy, and when at least two answers are
 * expected meanwhile.
 */
#ifndef LOAD_WORKER_H
#define LOAD_WORKER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/rng.h"
#include "ev/loop.h"
#include "load/order.h"
#include "load/tally.h"
#include "load/vuser.h"
#include "probe/threads.h"

enum {
    WORKER_READ_BYTES = 64 << 10,
    LINGERERS_SHORT = 1024,
    LINGERERS_KEPT_ALIVE = 64, /* few close: a keepalive limit, say */
    HANDSHAKES_MAX = 64,
    STARTS_A_TURN = 8, /* of users: answers must be read meanwhile */
    PAUSE_USERS_MIN = 16,
    PAUSE_LEAST_NS = 50000,
    PAUSE_MOST_NS = 100000,
};

enum worker_state {
    WORKER_RUNNING,
    WORKER_READY, /* all connections are open (or failed to): waiting for the go */
    WORKER_ENDED,
};

/* What the worker's thread had used when the measured time began, or ended. */
struct worker_usage {
    int64_t at_ns; /* 0: that moment has not come */
    int64_t cpu_ns;
    struct thread_usage queue; /* zeroed when unknown */
};

/* A connection that has answered and that the server is to close. */
struct lingerer {
    struct watch watch;
    struct timer timer;
    struct stream stream;
    struct worker *worker;
    struct lingerer *next; /* in the free list */
};

struct worker {
    struct loop loop;
    struct order *order;
    struct loop *control; /* woken when the state changes */
    unsigned index;
    struct vuser *users;
    struct conn *conns;           /* of all users */
    struct follow *follows;       /* one for each user, or NULL */
    struct origin_state *origins; /* for each of the order's */
    struct tls_context *tls;      /* NULL: no origin has TLS */
    struct rng rng;
    uint32_t user_count, next_user; /* users from next_user on have not started */
    uint32_t users_opening, users_left;
    int64_t start_base_ns, start_step_ns; /* when user i starts */
    int64_t requests_left;                /* of this worker's share; INT64_MAX: no limit */
    uint64_t iterations;
    uint32_t shaking;      /* connections in their handshake */
    int64_t hold_until_ns; /* how long starts may be held for them */
    bool heard_self;       /* this worker's copy of `heard` */
    uint32_t from_next;    /* round robin over source addresses */
    uint32_t port_next;    /* and over windows of local ports */
    bool large_bodies;     /* the last answer had one: read the head alone first */
    char *buffer;

    /* conversion of kernel stamps */
    int64_t offset_ns, offset_at_ns;
    uint64_t stamps_dropped;
    int timestamp_fd; /* keeps the kernel's stamping switched on */

    /* answers a second, to judge pauses */
    uint64_t recent_at_turn_done, done_count;
    int64_t recent_at_ns;
    double recent_per_ns;
    uint64_t pauses;
    bool ends_unstamped; /* an answer ended with its stream, which has no stamp: no pauses */

    /* read when the worker has ended */
    struct worker_usage usage_start, usage_end;

    struct lingerer *lingerers, *free_lingerers;
    uint32_t lingerer_count;

    struct tally *tally;
    pthread_t thread;
    sem_t begin;
    _Atomic int state;
    atomic_bool heard; /* some byte of some answer has come */
    bool started;
};

bool worker_init(struct worker *worker, struct order *order, unsigned index, struct loop *control,
                 struct err *err) MUST_CHECK;
void worker_fini(struct worker *worker);
bool worker_start(struct worker *worker, struct err *err) MUST_CHECK;
/* The order's moments are set. */
void worker_begin(struct worker *worker);
void worker_join(struct worker *worker);

/* For its users. */

/* Whether there is another exchange to do at this moment; takes it. */
bool worker_claim(struct worker *worker, int64_t now_ns);
/* Kernel stamp to monotonic; 0 when it cannot be trusted: the wall clock stepped. */
int64_t worker_stamp_ns(struct worker *worker, int64_t stamp_real_ns, int64_t now_ns);
/* Seconds since 1970. */
int64_t worker_wall_s(const struct worker *worker, int64_t now_ns);
/* Leaves the closing to the server, for a while. Takes the stream over. */
void worker_linger(struct worker *worker, struct stream *stream);
/* The first byte of the first answer. */
void worker_heard(struct worker *worker);
void worker_user_opened(struct worker *worker);
void worker_user_done(struct worker *worker);
/* A user's exchange ended: the worker learns how fast answers come. */
void worker_answered(struct worker *worker, int64_t now_ns, int64_t response_ns);

#endif
