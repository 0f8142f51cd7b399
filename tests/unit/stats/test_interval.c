/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic on cases that can be done by hand, and the promise itself: how often the interval
 * holds the true quantile of queues whose law is known, in virtual time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "stats/interval.h"

enum { BATCHES = 20, REPETITIONS = 300 };

static void too_few_batches_make_no_interval(UNUSED void **state)
{
    struct interval_batch batches[BATCHES] = { 0 };
    struct interval interval;

    for (int i = 0; i < 4; i++) {
        batches[i] = (struct interval_batch){ 1000, 50 };
    }
    interval = interval_of(batches, BATCHES, 0.95);
    assert_false(interval.known);
    assert_int_equal(interval.batches, 4);
    assert_true(interval.vif == 0);
    /* An empty batch is none; a fifth that holds something is one. */
    batches[12] = (struct interval_batch){ 1000, 50 };
    interval = interval_of(batches, BATCHES, 0.95);
    assert_true(interval.known);
    assert_int_equal(interval.batches, 5);
}

static void equal_batches_give_the_ranks_of_independent_times(UNUSED void **state)
{
    struct interval_batch batches[BATCHES];
    struct interval interval;

    for (int i = 0; i < BATCHES; i++) {
        batches[i] = (struct interval_batch){ 500, 25 };
    }
    interval = interval_of(batches, BATCHES, 0.95);
    assert_true(interval.known);
    assert_true(interval.vif == 1.0);
    assert_int_equal(interval.episodes, 0);
    /* 9,500 -+ 2.093 * sqrt(10,000 * 0.95 * 0.05) = 9,500 -+ 45.6 */
    assert_int_equal(interval.low_rank, 9454);
    assert_int_equal(interval.high_rank, 9546);
}

static void unequal_batches_set_the_ranks_apart(UNUSED void **state)
{
    struct interval_batch batches[BATCHES];
    struct interval interval;

    for (int i = 0; i < BATCHES; i++) {
        batches[i] = (struct interval_batch){ 500, i % 2 == 0 ? 5 : 45 };
    }
    interval = interval_of(batches, BATCHES, 0.95);
    /* 20/19 * 20 * 20^2 / 475 */
    assert_true(fabs(interval.vif - 17.7285) < 1e-3);
    assert_int_equal(interval.episodes, 0);
    /* 9,500 -+ 2.093 * sqrt(475 * 17.7285) = 9,500 -+ 192.07 */
    assert_int_equal(interval.low_rank, 9307);
    assert_int_equal(interval.high_rank, 9693);
}

static void fewer_batches_widen_it_by_t(UNUSED void **state)
{
    struct interval_batch batches[5];
    struct interval interval;

    for (int i = 0; i < 5; i++) {
        batches[i] = (struct interval_batch){ 2000, 100 };
    }
    interval = interval_of(batches, 5, 0.95);
    /* 9,500 -+ 2.776 * 21.79 = 9,500 -+ 60.5 */
    assert_int_equal(interval.low_rank, 9439);
    assert_int_equal(interval.high_rank, 9561);
}

static void an_interval_needs_enough_effective_samples(UNUSED void **state)
{
    static const struct {
        double quantile;
        uint64_t least; /* p^n <= 0.025 */
    } cases[] = { { 0.5, 6 },    { 0.75, 13 },    { 0.9, 36 },       { 0.95, 72 },
                  { 0.99, 368 }, { 0.999, 3688 }, { 0.9999, 36887 }, { 0.1, 36 } };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (uint64_t n = cases[i].least - 1; n <= cases[i].least; n++) {
            struct interval_batch batches[BATCHES] = { 0 };
            double share = 1 - cases[i].quantile;
            struct interval interval;

            for (uint64_t k = 0; k < n; k++) {
                batches[k % 6].count++;
            }
            for (int k = 0; k < 6; k++) {
                batches[k].above = (double)batches[k].count * share;
            }
            interval = interval_of(batches, BATCHES, cases[i].quantile);
            if (interval.batches < INTERVAL_BATCHES_MIN) {
                continue;
            }
            assert_int_equal(interval.known, n == cases[i].least);
            if (interval.known) {
                assert_in_range(interval.low_rank, 1, n);
                assert_in_range(interval.high_rank, interval.low_rank + 1, n);
            }
        }
    }
}

static void inflation_takes_samples_away(UNUSED void **state)
{
    struct interval_batch batches[BATCHES];
    struct interval interval;

    /* 1,000 of VIF 42 are 24: enough for p75, not for p95. */
    for (int i = 0; i < BATCHES; i++) {
        batches[i] = (struct interval_batch){ 50, i % 2 == 0 ? 5 : 0 };
    }
    assert_true(interval_of(batches, BATCHES, 0.95).known);
    for (int i = 0; i < BATCHES; i++) {
        batches[i].above = i % 8 == 0 ? 50.0 / 3 : 0;
    }
    interval = interval_of(batches, BATCHES, 0.95);
    assert_false(interval.known);
    assert_true(interval.vif > 14);
}

static void a_tail_of_few_moments_is_told(UNUSED void **state)
{
    static const struct {
        double first[6]; /* the rest have what is left of 500, evenly */
        unsigned episodes;
    } cases[] = {
        { { 25, 25, 25, 25, 25, 25 }, 0 },
        { { 500, 0, 0, 0, 0, 0 }, 1 },
        { { 0, 300, 0, 0, 200, 0 }, 2 },
        { { 100, 100, 100, 100, 0, 0 }, 4 }, /* 4 hold 400 of 500 */
        { { 99, 99, 99, 99, 52, 52 }, 0 },   /* 4 hold 396: it takes a fifth */
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct interval_batch batches[BATCHES];
        double left = 500;

        for (int k = 0; k < 6; k++) {
            left -= cases[i].first[k];
        }
        for (int k = 0; k < BATCHES; k++) {
            batches[k] = (struct interval_batch){ 500, k < 6 ? cases[i].first[k] : left / 14 };
        }
        assert_int_equal(interval_of(batches, BATCHES, 0.95).episodes, cases[i].episodes);
    }
}

static void a_quarter_is_of_the_batches_there_are(UNUSED void **state)
{
    struct interval_batch batches[5] = {
        { 100, 25 }, { 100, 0 }, { 100, 0 }, { 100, 0 }, { 100, 0 }
    };

    assert_int_equal(interval_of(batches, 5, 0.95).episodes, 1);
    batches[0].above = batches[1].above = 12.5;
    assert_int_equal(interval_of(batches, 5, 0.95).episodes, 0);
}

static void values_equal_to_the_quantile_are_shared_out(UNUSED void **state)
{
    struct hist *whole = mem_new(1, sizeof(*whole));
    struct hist *part = mem_new(1, sizeof(*part));

    /* 90 of 1, 8 of 100, 2 of 200: p95 is 100; 5 of 100 values are above, 3 of them among the 8. */
    for (int i = 0; i < 100; i++) {
        hist_record(whole, i < 90 ? 1 : i < 98 ? 100 : 200);
    }
    for (int i = 0; i < 8; i++) {
        hist_record(part, i < 3 ? 1 : i < 7 ? 100 : 200);
    }
    assert_true(fabs(interval_above(whole, whole, 0.95) - 5) < 1e-9);
    assert_true(fabs(interval_above(part, whole, 0.95) - (1 + 4 * 3.0 / 8)) < 1e-9);
    /* Also beyond the range of the histogram, where all is one bucket. */
    hist_reset(whole);
    for (int i = 0; i < 100; i++) {
        hist_record(whole, i < 90 ? 1 : (INT64_C(2) << HIST_EXPONENT_MAX) + i);
    }
    assert_true(fabs(interval_above(whole, whole, 0.95) - 5) < 1e-9);
    mem_free(whole);
    mem_free(part);
}

static void no_times_no_tail(UNUSED void **state)
{
    struct hist *none = mem_new(1, sizeof(*none));
    struct interval_batch batches[BATCHES] = { 0 };

    assert_true(interval_above(none, none, 0.5) == 0);
    assert_false(interval_of(batches, BATCHES, 0.5).known);
    mem_free(none);
}

/* A queue with one server that takes exponential times of mean 1; users arrive at random, load
 * times as often as it could serve. Without load: independent exponential times. */
struct queue {
    const char *name;
    double load, quantile;
    int requests;
};

/* One run, by the hand of Lindley; the batches are of equal time. */
static void run_queue(const struct queue *queue, struct rng *rng, struct hist *whole,
                      struct hist *parts)
{
    double arrivals = queue->load > 0 ? queue->load : 1;
    double end = queue->requests / arrivals, now = 0, wait = 0;

    hist_reset(whole);
    for (int i = 0; i < BATCHES; i++) {
        hist_reset(&parts[i]);
    }
    if (rng_unit(rng) < queue->load) {
        wait = rng_exp(rng) / (1 - queue->load); /* as it is after a long time */
    }
    for (;;) {
        double gap = rng_exp(rng) / arrivals;
        int64_t response_ns;

        now += gap;
        if (now >= end) {
            return;
        }
        wait = queue->load > 0 ? fmax(wait - gap, 0) : 0;
        wait += rng_exp(rng);
        response_ns = (int64_t)(wait * 1e6);
        hist_record(whole, response_ns);
        hist_record(&parts[(int)(now / end * BATCHES)], response_ns);
    }
}

static bool covers(const struct queue *queue, const struct hist *whole, const struct hist *parts)
{
    double truth = -log(1 - queue->quantile) / (1 - queue->load) * 1e6;
    struct interval_batch batches[BATCHES];
    struct interval interval;

    for (int i = 0; i < BATCHES; i++) {
        batches[i].count = parts[i].count;
        batches[i].above = interval_above(&parts[i], whole, queue->quantile);
    }
    interval = interval_of(batches, BATCHES, queue->quantile);
    assert_true(interval.known);
    return (double)hist_at_rank(whole, interval.low_rank) <= truth &&
           truth <= (double)hist_at_rank(whole, interval.high_rank);
}

static void the_true_quantile_lies_in_95_of_100_intervals(UNUSED void **state)
{
    static const struct queue queues[] = {
        { "independent, p50", 0, 0.50, 10000 }, { "independent, p95", 0, 0.95, 10000 },
        { "independent, p99", 0, 0.99, 10000 }, { "M/M/1 0.5, p50", 0.5, 0.50, 20000 },
        { "M/M/1 0.5, p95", 0.5, 0.95, 20000 }, { "M/M/1 0.8, p50", 0.8, 0.50, 20000 },
        { "M/M/1 0.8, p95", 0.8, 0.95, 20000 },
    };
    struct hist *whole = mem_new(1, sizeof(*whole));
    struct hist *parts = mem_new(BATCHES, sizeof(*parts));

    for (size_t i = 0; i < COUNT_OF(queues); i++) {
        int held = 0;

        for (int k = 0; k < REPETITIONS; k++) {
            struct rng rng;

            rng_init(&rng, 71, (uint64_t)(i * REPETITIONS + (size_t)k));
            run_queue(&queues[i], &rng, whole, parts);
            held += covers(&queues[i], whole, parts);
        }
        print_message("# %s: %.1f %%\n", queues[i].name, 100.0 * held / REPETITIONS);
        assert_in_range(held, REPETITIONS * 90 / 100, REPETITIONS * 99 / 100);
    }
    mem_free(whole);
    mem_free(parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_few_batches_make_no_interval),
        cmocka_unit_test(equal_batches_give_the_ranks_of_independent_times),
        cmocka_unit_test(unequal_batches_set_the_ranks_apart),
        cmocka_unit_test(fewer_batches_widen_it_by_t),
        cmocka_unit_test(an_interval_needs_enough_effective_samples),
        cmocka_unit_test(inflation_takes_samples_away),
        cmocka_unit_test(a_tail_of_few_moments_is_told),
        cmocka_unit_test(a_quarter_is_of_the_batches_there_are),
        cmocka_unit_test(values_equal_to_the_quantile_are_shared_out),
        cmocka_unit_test(no_times_no_tail),
        cmocka_unit_test(the_true_quantile_lies_in_95_of_100_intervals),
    };

    return cmocka_run_group_tests_name("stats/interval", tests, NULL, NULL);
}
