/* SPDX-License-Identifier: Apache-2.0 */
#include "target/gate.h"

#include <stddef.h>

static void line_add(struct gate_line *line, struct gate_ticket *ticket)
{
    ticket->next = NULL;
    ticket->previous = line->last;
    if (line->last != NULL) {
        line->last->next = ticket;
    } else {
        line->first = ticket;
    }
    line->last = ticket;
}

static void line_remove(struct gate_line *line, struct gate_ticket *ticket)
{
    if (ticket->previous != NULL) {
        ticket->previous->next = ticket->next;
    } else {
        line->first = ticket->next;
    }
    if (ticket->next != NULL) {
        ticket->next->previous = ticket->previous;
    } else {
        line->last = ticket->previous;
    }
    ticket->next = ticket->previous = NULL;
}

void gate_init(struct gate *gate, int64_t workers)
{
    *gate = (struct gate){ .limited = workers > 0, .room = workers };
    (void)pthread_mutex_init(&gate->lock, NULL);
}

void gate_fini(struct gate *gate)
{
    (void)pthread_mutex_destroy(&gate->lock);
}

bool gate_enter(struct gate *gate, struct gate_ticket *ticket)
{
    bool inside;

    if (!gate->limited) {
        return true;
    }
    (void)pthread_mutex_lock(&gate->lock);
    inside = gate->room > 0;
    if (inside) {
        gate->room--;
        ticket->place = GATE_INSIDE;
    } else {
        ticket->place = GATE_WAITING;
        line_add(&gate->waiting, ticket);
    }
    (void)pthread_mutex_unlock(&gate->lock);
    return inside;
}

struct gate_ticket *gate_take(struct gate *gate, struct gate_inbox *inbox)
{
    struct gate_ticket *ticket;

    if (!gate->limited) {
        return NULL;
    }
    (void)pthread_mutex_lock(&gate->lock);
    ticket = inbox->called.first;
    if (ticket != NULL) {
        line_remove(&inbox->called, ticket);
        ticket->place = GATE_INSIDE;
    }
    (void)pthread_mutex_unlock(&gate->lock);
    return ticket;
}

/* A place is free: the first in line gets it. */
static void call_next(struct gate *gate)
{
    struct gate_ticket *next = gate->waiting.first;

    if (next == NULL) {
        gate->room++;
        return;
    }
    line_remove(&gate->waiting, next);
    next->place = GATE_CALLED;
    line_add(&next->inbox->called, next);
    next->inbox->wake(next->inbox->self);
}

void gate_leave(struct gate *gate, struct gate_ticket *ticket)
{
    if (!gate->limited) {
        return;
    }
    (void)pthread_mutex_lock(&gate->lock);
    switch (ticket->place) {
    case GATE_OUTSIDE:
        break;
    case GATE_WAITING:
        line_remove(&gate->waiting, ticket);
        break;
    case GATE_CALLED:
        line_remove(&ticket->inbox->called, ticket);
        call_next(gate);
        break;
    case GATE_INSIDE:
        call_next(gate);
        break;
    }
    ticket->place = GATE_OUTSIDE;
    (void)pthread_mutex_unlock(&gate->lock);
}
