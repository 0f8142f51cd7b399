/* SPDX-License-Identifier: Apache-2.0 */
/*
 * At most so many requests in work at once, over all threads of a server; the others wait in one
 * line, first come, first served.
 *
 * A ticket is a request's place. It is admitted by gate_enter() at once, or later: then it comes
 * out of the inbox of the thread it belongs to (gate_take), which is woken when another thread made
 * room. Whoever entered leaves, whatever became of the ticket in between. One lock guards all; a
 * gate without a limit takes none.
 */
#ifndef TARGET_GATE_H
#define TARGET_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum gate_place { GATE_OUTSIDE, GATE_WAITING, GATE_CALLED, GATE_INSIDE };

struct gate_inbox;

/* Embedded in the request's owner. */
struct gate_ticket {
    struct gate_ticket *next, *previous;
    struct gate_inbox *inbox; /* of the thread it belongs to */
    enum gate_place place;
};

struct gate_line {
    struct gate_ticket *first, *last;
};

/* One a thread. */
struct gate_inbox {
    struct gate_line called;
    void (*wake)(void *self); /* called on any thread, with the gate's lock held */
    void *self;
};

struct gate {
    pthread_mutex_t lock;
    bool limited;
    int64_t room;
    struct gate_line waiting;
};

/* workers 0: no limit. */
void gate_init(struct gate *gate, int64_t workers);
void gate_fini(struct gate *gate);

/* True: in work from now on. False: it waits in line. */
bool gate_enter(struct gate *gate, struct gate_ticket *ticket);

/* The next of this thread's that was called, now in work; NULL: none. */
struct gate_ticket *gate_take(struct gate *gate, struct gate_inbox *inbox);

/* Done, or gone while waiting; nothing when it is outside already. */
void gate_leave(struct gate *gate, struct gate_ticket *ticket);

#endif
