/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The origins that a trial's requests go to, and the source addresses that they are reached from.
 *
 * Those of the plan are added and found before the workers run. A redirect may lead to another
 * while they do: origins_want() adds it from a worker, a thread of its own finds its addresses, and
 * the worker asks origins_state() again until it is there. An origin that was added stays where it
 * is; it is read only once it is ORIGIN_FOUND.
 */
#ifndef LOAD_ORIGINS_H
#define LOAD_ORIGINS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "load/origin.h"

enum { ORIGINS_MAX = 64 };

enum origin_found { ORIGIN_SOUGHT, ORIGIN_FOUND, ORIGIN_LOST };

struct origins {
    const struct plan *plan;
    struct address from[PLAN_BIND_MAX];
    size_t from_count;
    struct origin items[ORIGINS_MAX];
    _Atomic uint32_t count;
    struct seeker {
        struct origins *origins;
        pthread_t thread;
        bool started;
        _Atomic int found; /* enum origin_found */
        char why[128];     /* of ORIGIN_LOST */
    } seekers[ORIGINS_MAX];
    pthread_mutex_t lock; /* held while one is added */
    atomic_bool over;     /* nobody waits for what is still sought */
};

/* On zeroed memory: takes the plan's --bind addresses. ERR_USAGE when one is none of this machine.
 */
bool origins_init(struct origins *origins, const struct plan *plan, struct err *err) MUST_CHECK;
/* Gives up what is still sought. Accepts a zeroed one. */
void origins_fini(struct origins *origins);

/* Before the workers run: the URL's origin, added when it is new. ERR_USAGE when there are too
 * many.
 */
bool origins_add(struct origins *origins, const struct url *url, uint16_t *ret_index,
                 struct err *err) MUST_CHECK;
/* Its addresses, those that a source address reaches, by the plan's route (plan/route.h).
 * *ret_dns_ns: how long the name took, -1 for a literal. */
bool origins_find(struct origins *origins, size_t index, int64_t *ret_dns_ns,
                  struct err *err) MUST_CHECK;

/* While they run, from any worker: its index, at once; false when there are too many. Allocates
 * when it is new. */
bool origins_want(struct origins *origins, const struct url *url, uint16_t *ret_index);

static inline enum origin_found origins_state(const struct origins *origins, size_t index)
{
    return (enum origin_found)atomic_load_explicit(&origins->seekers[index].found,
                                                   memory_order_acquire);
}

/* Why it is lost, for people. */
const char *origins_why(const struct origins *origins, size_t index);

/* The first source address that can reach an address, or NULL. */
const struct address *origins_source(const struct origins *origins, const struct address *to);
/* Forgets source addresses from which no origin is reached: they are no ports to count on. */
void origins_keep_sources(struct origins *origins);

#endif
