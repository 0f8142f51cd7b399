/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/little.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/rng.h"
#include "healthy.h"

static struct plan plan;
static struct result result;

enum { SEEDS = 20 };

/*
 * A closed load in virtual time: users that send again as soon as they are answered, from a warm-up
 * of `before_ns` on; what completes in the measured time counts. What loop() leaves out on purpose
 * is what the law must find.
 */
struct world {
    unsigned users;
    double mean_ns;
    enum { CONSTANT, EXPONENTIAL, HEAVY } law;
    bool in_step; /* all start at the same moment */
    int64_t before_ns, wall_ns;
    double lost;      /* share of completions that nobody counts */
    int64_t hang_ns;  /* from then on nothing is answered; 0 never */
    double not_timed; /* share of each time that is left out */
};

static double draw(const struct world *world, struct rng *rng)
{
    switch (world->law) {
    case CONSTANT:
        return world->mean_ns;
    case EXPONENTIAL:
        return world->mean_ns * rng_exp(rng);
    case HEAVY:
        /* lognormal with a coefficient of variation of 5 */
        return world->mean_ns * exp(1.805 * rng_normal(rng) - 1.629);
    }
    return 0.0;
}

static double overlap(double from, double to, const struct world *world)
{
    double low = fmax(from, (double)world->before_ns);
    double high = fmin(to, (double)(world->before_ns + world->wall_ns));

    return high > low ? high - low : 0.0;
}

static void complete(const struct world *world, double start, double response, struct rng *rng)
{
    double first = (double)world->before_ns, last = first + (double)world->wall_ns;
    double end = start + response;
    int64_t timed = (int64_t)(response * (1.0 - world->not_timed));

    if (rng_unit(rng) <= world->lost) {
        return;
    }
    if (end >= first && end < last) {
        result.window_ok++;
        hist_record(&result.checked_response, timed);
    }
}

/* The ages of what is under way when the measured time begins and ends. */
static void cross_edges(const struct world *world, double start, double end)
{
    double first = (double)world->before_ns, last = first + (double)world->wall_ns;

    if (start < first && end >= first) {
        result.edge_ages_ns -= (int64_t)(first - start);
    }
    if (start < last && end >= last) {
        result.edge_ages_ns += (int64_t)(last - start);
    }
}

static void run_user(const struct world *world, double at, struct rng *rng, double *ret_busy_ns)
{
    double last = (double)(world->before_ns + world->wall_ns);

    while (at < last) {
        double response = draw(world, rng);
        double end = at + response;

        if (world->hang_ns > 0 && end >= (double)world->hang_ns) {
            *ret_busy_ns += overlap(at, last, world);
            cross_edges(world, at, HUGE_VAL);
            return;
        }
        *ret_busy_ns += overlap(at, end, world);
        cross_edges(world, at, end);
        complete(world, at, response, rng);
        at = end;
    }
}

static bool law_holds(const struct world *world, uint64_t seed, double allowed)
{
    struct little little;
    double busy_ns = 0.0;
    struct rng rng;

    memset(&result, 0, sizeof(result));
    result.plan = &plan;
    result.duration_ns = world->wall_ns;
    rng_init(&rng, seed, 0);
    for (unsigned i = 0; i < world->users; i++) {
        run_user(world, world->in_step ? 0.0 : world->mean_ns * rng_unit(&rng), &rng, &busy_ns);
    }
    result.users_mean = busy_ns / (double)world->wall_ns;
    assert_true(little_measure(&result, &little));
    return little.error <= allowed;
}

static const struct world in_step = {
    .users = 50,
    .mean_ns = 1e9,
    .law = CONSTANT,
    .in_step = true,
    .before_ns = 1700 * MSEC_NS,
    .wall_ns = 5500 * MSEC_NS,
};

static const struct {
    const char *what;
    struct world world;
} healthy_worlds[] = {
    { "many fast answers",
      { .users = 20,
        .mean_ns = 1e6,
        .law = EXPONENTIAL,
        .before_ns = SEC_NS,
        .wall_ns = 2 * SEC_NS } },
    { "a user alone", { .users = 1, .mean_ns = 5e6, .law = EXPONENTIAL, .wall_ns = 10 * SEC_NS } },
    { "a user with some twenty answers",
      { .users = 1,
        .mean_ns = 5e8,
        .law = EXPONENTIAL,
        .before_ns = SEC_NS,
        .wall_ns = 10 * SEC_NS } },
    { "in step with the clock",
      { .users = 50,
        .mean_ns = 1e9,
        .law = CONSTANT,
        .in_step = true,
        .before_ns = 999999999,
        .wall_ns = 4 * SEC_NS } },
    { "a heavy tail",
      { .users = 50, .mean_ns = 2e7, .law = HEAVY, .before_ns = SEC_NS, .wall_ns = 10 * SEC_NS } },
    { "a heavy tail in a short run",
      { .users = 5, .mean_ns = 1e8, .law = HEAVY, .before_ns = SEC_NS, .wall_ns = 3 * SEC_NS } },
    { "answers longer than the run",
      { .users = 50,
        .mean_ns = 4e9,
        .law = EXPONENTIAL,
        .before_ns = SEC_NS,
        .wall_ns = 3 * SEC_NS } },
    { "a server that hangs half way",
      { .users = 20,
        .mean_ns = 1e7,
        .law = EXPONENTIAL,
        .before_ns = SEC_NS,
        .wall_ns = 10 * SEC_NS,
        .hang_ns = 6 * SEC_NS } },
};

static unsigned seeds_that_obey(const struct world *world, double allowed)
{
    unsigned obey = 0;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        obey += law_holds(world, seed, allowed);
    }
    return obey;
}

/* Nothing but the rounding of times to nanoseconds is left. */
static void a_load_that_loses_nothing_obeys_the_law_exactly(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(healthy_worlds); i++) {
        if (seeds_that_obey(&healthy_worlds[i].world, 1e-5) < SEEDS) {
            fail_msg("%s", healthy_worlds[i].what);
        }
    }
}

static const struct {
    const char *what;
    struct world world;
} broken_worlds[] = {
    { "completions lost",
      { .users = 50,
        .mean_ns = 1e6,
        .law = EXPONENTIAL,
        .before_ns = SEC_NS,
        .wall_ns = 2 * SEC_NS,
        .lost = 0.04 } },
    { "completions lost of slow answers",
      { .users = 50,
        .mean_ns = 2e7,
        .law = EXPONENTIAL,
        .before_ns = SEC_NS,
        .wall_ns = 10 * SEC_NS,
        .lost = 0.05 } },
    { "a phase left out of the times",
      { .users = 50,
        .mean_ns = 5e6,
        .law = EXPONENTIAL,
        .before_ns = SEC_NS,
        .wall_ns = 4 * SEC_NS,
        .not_timed = 0.04 } },
};

static void what_is_unaccounted_for_is_found(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(broken_worlds); i++) {
        unsigned missed = seeds_that_obey(&broken_worlds[i].world, 0.02);

        if (missed > 1) {
            fail_msg("%s: missed %u times of %d", broken_worlds[i].what, missed, SEEDS);
        }
    }
}

static void without_the_ages_at_the_edges_short_runs_would_seem_to_lose(UNUSED void **state)
{
    struct little little;

    assert_true(law_holds(&in_step, 1, 1e-5));
    result.edge_ages_ns = 0;
    assert_true(little_measure(&result, &little));
    assert_true(little.error > 0.02);
}

static void without_anything_to_compare_it_says_nothing(UNUSED void **state)
{
    struct little little;

    healthy_make(&result, &plan);
    assert_true(little_measure(&result, &little));
    result.users_mean = 0.0;
    assert_false(little_measure(&result, &little));
    result.users_mean = NAN;
    assert_false(little_measure(&result, &little));
    healthy_make(&result, &plan);
    result.duration_ns = 0;
    assert_false(little_measure(&result, &little));
    healthy_make(&result, &plan);
    hist_reset(&result.checked_response);
    assert_false(little_measure(&result, &little));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_that_loses_nothing_obeys_the_law_exactly),
        cmocka_unit_test(what_is_unaccounted_for_is_found),
        cmocka_unit_test(without_the_ages_at_the_edges_short_runs_would_seem_to_lose),
        cmocka_unit_test(without_anything_to_compare_it_says_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
