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
    double dwell_ns;  /* after the kernel's stamp, before the user goes on */
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
    double end = start + response + world->dwell_ns;
    int64_t timed = (int64_t)(response * (1.0 - world->not_timed));

    if (rng_unit(rng) <= world->lost) {
        return;
    }
    if (end >= first && end < last) {
        result.window_ok++;
        hist_record(&result.checked_response, timed);
        hist_record(&result.latency[LATENCY_DWELL], (int64_t)world->dwell_ns);
    }
    if (start >= first && start < last) {
        result.counts.ok++;
        hist_record(&result.latency[LATENCY_RESPONSE], timed);
    }
}

static void run_user(const struct world *world, double at, struct rng *rng, double *ret_busy_ns)
{
    double last = (double)(world->before_ns + world->wall_ns);

    while (at < last) {
        double response = draw(world, rng);
        double end = at + response + world->dwell_ns;

        if (world->hang_ns > 0 && end >= (double)world->hang_ns) {
            *ret_busy_ns += overlap(at, last, world);
            result.totals.unfinished++;
            result.oldest_unfinished_ns =
                (int64_t)fmax((double)result.oldest_unfinished_ns, last - at);
            return;
        }
        *ret_busy_ns += overlap(at, end, world);
        complete(world, at, response, rng);
        at = end;
    }
}

static bool law_holds(const struct world *world, uint64_t seed)
{
    struct little little;
    double busy_ns = 0.0;
    struct rng rng;

    memset(&result, 0, sizeof(result));
    result.plan = &plan;
    result.duration_ns = world->wall_ns;
    result.generator.may_pause = world->dwell_ns > 0;
    rng_init(&rng, seed, 0);
    for (unsigned i = 0; i < world->users; i++) {
        run_user(world, world->in_step ? 0.0 : world->mean_ns * rng_unit(&rng), &rng, &busy_ns);
    }
    result.users_mean = busy_ns / (double)world->wall_ns;
    return !little_measure(&result, &little) || little.error <= little.tolerance;
}

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
    { "in step, one second each",
      { .users = 50,
        .mean_ns = 1e9,
        .law = CONSTANT,
        .in_step = true,
        .before_ns = 1700 * MSEC_NS,
        .wall_ns = 5500 * MSEC_NS } },
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
    { "times that end at the kernel's stamp",
      { .users = 20,
        .mean_ns = 1e6,
        .law = EXPONENTIAL,
        .before_ns = SEC_NS,
        .wall_ns = 2 * SEC_NS,
        .dwell_ns = 2e5 } },
};

static void a_healthy_load_is_silent_95_times_of_100(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(healthy_worlds); i++) {
        int silent = 0;

        for (uint64_t seed = 0; seed < 100; seed++) {
            silent += law_holds(&healthy_worlds[i].world, seed);
        }
        if (silent < 95) {
            fail_msg("%s: silent %d times of 100", healthy_worlds[i].what, silent);
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
        int found = 0;

        for (uint64_t seed = 0; seed < 20; seed++) {
            found += !law_holds(&broken_worlds[i].world, seed);
        }
        if (found < 19) {
            fail_msg("%s: found %d times of 20", broken_worlds[i].what, found);
        }
    }
}

static void a_dwell_that_is_forgotten_is_found(UNUSED void **state)
{
    struct world world = healthy_worlds[COUNT_OF(healthy_worlds) - 1].world;
    struct little little;

    assert_true(law_holds(&world, 1));
    result.generator.may_pause = false;
    assert_true(little_measure(&result, &little));
    assert_true(little.error > little.tolerance);
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
    healthy_make(&result, &plan);
    hist_reset(&result.latency[LATENCY_DWELL]);
    assert_true(little_measure(&result, &little));
    result.generator.may_pause = true;
    assert_false(little_measure(&result, &little));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_healthy_load_is_silent_95_times_of_100),
        cmocka_unit_test(what_is_unaccounted_for_is_found),
        cmocka_unit_test(a_dwell_that_is_forgotten_is_found),
        cmocka_unit_test(without_anything_to_compare_it_says_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
