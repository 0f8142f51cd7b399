/* SPDX-License-Identifier: Apache-2.0 */
#include "healthy.h"

#include <math.h>

#include "base/clock.h"
#include "base/rng.h"

/* The same for every test; drawn once. */
static void draw_times(struct hist *response)
{
    static struct hist drawn;
    struct rng rng;

    if (drawn.count == 0) {
        rng_init(&rng, 17, 0);
        for (int i = 0; i < HEALTHY_ANSWERS; i++) {
            hist_record(&drawn, (int64_t)((double)MSEC_NS * (0.5 + 0.5 * rng_exp(&rng))));
        }
    }
    *response = drawn;
}

static void fill_counts(struct counts *counts, uint64_t answers)
{
    counts->started = counts->ok = counts->by_status[200] = answers;
}

static void fill_generator(struct generator *generator)
{
    generator->threads = 2;
    generator->busy[0] = 0.40;
    generator->busy[1] = generator->busy_max = 0.61;
    generator->run_wait = 0.003;
    generator->steal = 0.0;
    generator->cpu_s = 10.1;
}

static void fill_machine(struct machine *machine)
{
    machine->descriptors = 20000;
    machine->port_low = 32768;
    machine->port_high = 60999;
    machine->tw_reuse = 2;
    machine->ports_used = 0.002;
    machine->clock_step_ns = 900;
    machine->neighbour_cores = 0.02;
    memcpy(machine->neighbour, "sshd", 5);
    memcpy(machine->clocksource, "tsc", 4);
}

void healthy_make(struct result *result, struct plan *plan)
{
    struct hist *response = &result->latency[LATENCY_RESPONSE];

    memset(result, 0, sizeof(*result));
    memset(plan, 0, sizeof(*plan));
    plan->connections = HEALTHY_USERS;
    result->plan = plan;
    result->duration_ns = 10 * SEC_NS;
    result->wall_ns = 11 * SEC_NS;
    result->client_closes = HEALTHY_USERS;
    draw_times(response);
    result->checked_response = *response;
    for (int i = 0; i < HEALTHY_ANSWERS; i++) {
        hist_record(&result->latency[LATENCY_DWELL], 8 * USEC_NS);
    }
    fill_counts(&result->counts, HEALTHY_ANSWERS);
    fill_counts(&result->totals, HEALTHY_ANSWERS + 20000);
    result->window_ok = result->window_started = HEALTHY_ANSWERS;
    result->windows_started = result->windows_completed = result->totals.started;
    result->users_mean = HEALTHY_ANSWERS * hist_mean(response) / (10.0 * SEC_NS);
    fill_generator(&result->generator);
    fill_machine(&result->machine);
}

void healthy_fail(struct result *result, enum fail cause, uint64_t count)
{
    struct hist *response = &result->latency[LATENCY_RESPONSE];

    result->counts.ok -= count;
    result->counts.failed += count;
    result->counts.by_failure[cause] += count;
    result->totals.ok -= count;
    result->totals.failed += count;
    result->totals.by_failure[cause] += count;
    result->window_ok -= count;
    result->window_failed += count;
    /* the answers that failed took as long as the others */
    hist_reset(response);
    for (uint64_t i = 0; i < result->counts.ok; i++) {
        hist_record(response, MSEC_NS);
    }
    for (uint64_t i = 0; i < count; i++) {
        hist_record(&result->latency[LATENCY_FAILED_RESPONSE], MSEC_NS);
    }
}
