/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "stats/hist.h"

enum { SAMPLES = 1000000 };

static const double quantiles[] = { 0.0, 0.001, 0.01, 0.1,   0.25,   0.5,     0.75,
                                    0.9, 0.95,  0.99, 0.999, 0.9999, 0.99999, 1.0 };

static int order(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

static double draw_constant(UNUSED struct rng *rng)
{
    return 20.0 * MSEC_NS;
}

static double draw_exponential(struct rng *rng)
{
    return 5.0 * MSEC_NS * rng_exp(rng);
}

static double draw_lognormal(struct rng *rng)
{
    return 3.0 * MSEC_NS * exp(0.5 * rng_normal(rng));
}

static double draw_bimodal(struct rng *rng)
{
    double centre = rng_unit(rng) < 0.95 ? 1.0 : 50.0;

    return centre * MSEC_NS * (1.0 + 0.01 * rng_normal(rng));
}

static double draw_pareto(struct rng *rng)
{
    return 1.0 * MSEC_NS * pow(rng_unit(rng), -1.0 / 2.5);
}

static double draw_tiny(struct rng *rng)
{
    return 511.0 * rng_unit(rng);
}

static const struct law {
    const char *name;
    double (*draw)(struct rng *rng);
    double error; /* allowed, relative */
} laws[] = {
    { "constant", draw_constant, 0.0 },     { "exponential", draw_exponential, 0.002 },
    { "lognormal", draw_lognormal, 0.002 }, { "bimodal", draw_bimodal, 0.002 },
    { "Pareto(2.5)", draw_pareto, 0.002 },  { "below 512 ns", draw_tiny, 0.0 },
};

static int64_t sorted_quantile(const int64_t *sorted, size_t count, double quantile)
{
    /* In whole numbers, not by the way that is tested. */
    uint64_t millionths = (uint64_t)llround(quantile * 1e6);
    uint64_t rank = (count * millionths + 999999) / 1000000;

    return sorted[rank == 0 ? 0 : rank - 1];
}

static void check_against_sorted(const struct hist *hist, const int64_t *sorted, size_t count,
                                 const struct law *law)
{
    int64_t before = 0;

    for (size_t i = 0; i < COUNT_OF(quantiles); i++) {
        int64_t truth = sorted_quantile(sorted, count, quantiles[i]);
        int64_t found = hist_quantile(hist, quantiles[i]);

        if (fabs((double)(found - truth)) > law->error * (double)truth) {
            fail_msg("%s: quantile %g is %lld, want %lld", law->name, quantiles[i],
                     (long long)found, (long long)truth);
        }
        assert_true(found >= before);
        before = found;
    }
}

static void quantiles_are_within_two_thousandths_of_the_sorted_data(UNUSED void **state)
{
    int64_t *values = mem_new(SAMPLES, sizeof(*values));
    struct hist *hist = mem_new(1, sizeof(*hist));
    struct rng rng;

    for (size_t i = 0; i < COUNT_OF(laws); i++) {
        long double sum = 0, squares = 0;
        double mean, stddev;

        rng_init(&rng, 71, i);
        hist_reset(hist);
        for (size_t k = 0; k < SAMPLES; k++) {
            values[k] = (int64_t)laws[i].draw(&rng);
            hist_record(hist, values[k]);
            sum += values[k];
        }
        mean = (double)(sum / SAMPLES);
        for (size_t k = 0; k < SAMPLES; k++) {
            squares += ((long double)values[k] - mean) * ((long double)values[k] - mean);
        }
        stddev = (double)sqrtl(squares / SAMPLES);
        qsort(values, SAMPLES, sizeof(*values), order);
        check_against_sorted(hist, values, SAMPLES, &laws[i]);
        assert_int_equal(hist->count, SAMPLES);
        assert_int_equal(hist->min_ns, values[0]);
        assert_int_equal(hist->max_ns, values[SAMPLES - 1]);
        assert_true(fabs(hist_mean(hist) - mean) <= 1e-9 * mean);
        assert_true(fabs(hist_stddev(hist) - stddev) <= 1e-6 * stddev);
    }
    mem_free(hist);
    mem_free(values);
}

static void merging_equals_one_histogram_in_any_order(UNUSED void **state)
{
    enum { PARTS = 7 };
    struct hist *parts = mem_new(PARTS, sizeof(*parts));
    struct hist *one = mem_new(1, sizeof(*one)), *forth = mem_new(1, sizeof(*forth));
    struct hist *back = mem_new(1, sizeof(*back));
    struct rng rng;

    rng_init(&rng, 5, 0);
    for (size_t i = 0; i < 100000; i++) {
        int64_t value = (int64_t)draw_pareto(&rng);

        hist_record(one, value);
        /* the last part stays empty */
        hist_record(&parts[rng_u64(&rng) % (PARTS - 1)], value);
    }
    for (size_t i = 0; i < PARTS; i++) {
        hist_merge(forth, &parts[i]);
        hist_merge(back, &parts[PARTS - 1 - i]);
    }
    /* A sum of doubles depends on the order by its rounding; all else is exact. */
    assert_true(fabs(forth->sum_squares - one->sum_squares) <= 1e-12 * one->sum_squares);
    assert_true(fabs(back->sum_squares - one->sum_squares) <= 1e-12 * one->sum_squares);
    forth->sum_squares = back->sum_squares = one->sum_squares;
    assert_memory_equal(forth, one, sizeof(*one));
    assert_memory_equal(back, one, sizeof(*one));
    mem_free(parts);
    mem_free(one);
    mem_free(forth);
    mem_free(back);
}

/* open-cases.md 29: ten million samples, 500 of them from 1 s to 10 s. */
static void the_far_tail_is_as_precise_as_the_body(UNUSED void **state)
{
    enum { MANY = 10000000, FAR = 500 };
    struct hist *hist = mem_new(1, sizeof(*hist));
    int64_t far[FAR];
    struct rng rng;

    rng_init(&rng, 29, 0);
    for (int i = 0; i < MANY - FAR; i++) {
        hist_record(hist, (int64_t)(MSEC_NS * (1.0 + rng_unit(&rng))));
    }
    for (int i = 0; i < FAR; i++) {
        far[i] = SEC_NS + (int64_t)(9.0 * SEC_NS * rng_unit(&rng));
        hist_record(hist, far[i]);
    }
    qsort(far, FAR, sizeof(far[0]), order);
    for (int i = 0; i < FAR; i++) {
        int64_t found = hist_at_rank(hist, (uint64_t)MANY - FAR + 1 + (uint64_t)i);

        assert_true(fabs((double)(found - far[i])) <= 0.002 * (double)far[i]);
    }
    /* p99.995 is the last of the body, p99.999 the 100th from the end */
    assert_in_range(hist_quantile(hist, 0.99995), 1996000, 2004000);
    assert_int_equal(hist_quantile(hist, 0.99999), hist_at_rank(hist, MANY - 100));
    assert_int_equal(hist_quantile(hist, 1.0), far[FAR - 1]);
    mem_free(hist);
}

/* open-cases.md 26: a recorder that keeps the first million sees the fast ones only. */
static void nothing_is_left_out_beyond_a_million_samples(UNUSED void **state)
{
    enum { FAST = 1000000, SLOW = 500000 };
    struct hist *hist = mem_new(1, sizeof(*hist));

    for (int i = 0; i < FAST; i++) {
        hist_record(hist, 300);
    }
    for (int i = 0; i < SLOW; i++) {
        hist_record(hist, 400);
    }
    assert_int_equal(hist->count, FAST + SLOW);
    assert_int_equal(hist->sum_ns, INT64_C(300) * FAST + INT64_C(400) * SLOW);
    assert_int_equal(hist_at_rank(hist, FAST), 300);
    assert_int_equal(hist_at_rank(hist, FAST + 1), 400);
    assert_int_equal(hist_quantile(hist, 0.66), 300);
    assert_int_equal(hist_quantile(hist, 0.67), 400);
    mem_free(hist);
}

/* open-cases.md 28: 30 slow ones of 15,000 are 0.2 %: the mean may lie above p95, p99 is a fast one
 * and not the maximum. */
static void a_few_slow_ones_leave_p99_a_fast_one(UNUSED void **state)
{
    struct hist *hist = mem_new(1, sizeof(*hist));

    for (int i = 0; i < 14970; i++) {
        hist_record(hist, MSEC_NS + i);
    }
    for (int i = 0; i < 30; i++) {
        hist_record(hist, 3 * SEC_NS);
    }
    assert_true(hist_mean(hist) > (double)hist_quantile(hist, 0.95));
    assert_in_range(hist_quantile(hist, 0.99), MSEC_NS, 11 * MSEC_NS / 10);
    assert_in_range(hist_quantile(hist, 0.998), MSEC_NS, 11 * MSEC_NS / 10);
    assert_in_range(hist_quantile(hist, 0.9981), 2 * SEC_NS, 3 * SEC_NS);
    assert_int_equal(hist->min_ns, MSEC_NS);
    mem_free(hist);
}

static void every_value_lies_in_its_bucket_and_buckets_leave_no_gap(UNUSED void **state)
{
    struct rng rng;

    assert_int_equal(hist_bucket_low(0), 0);
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        int64_t low = hist_bucket_low(i), high = hist_bucket_high(i);

        assert_int_equal(hist_index(low), i);
        assert_int_equal(hist_index(high), i);
        if (i > 0) {
            assert_int_equal(low, hist_bucket_high(i - 1) + 1);
        }
        assert_true(low < 512 ? low == high : (high - low + 1) * 256 <= low);
    }
    assert_int_equal(hist_bucket_high(HIST_BUCKETS - 1), (INT64_C(1) << HIST_EXPONENT_MAX) - 1);
    rng_init(&rng, 3, 0);
    for (int i = 0; i < 1000000; i++) {
        int64_t value = (int64_t)(rng_u64(&rng) >> (24 + rng_u64(&rng) % 40));
        unsigned index = hist_index(value);

        assert_true(hist_bucket_low(index) <= value && value <= hist_bucket_high(index));
    }
}

static void what_is_longer_than_the_range_is_counted_and_not_lost(UNUSED void **state)
{
    const int64_t end = INT64_C(1) << HIST_EXPONENT_MAX;
    struct hist *hist = mem_new(1, sizeof(*hist));

    hist_record(hist, end - 1);
    assert_int_equal(hist->overflow, 0);
    hist_record(hist, end);
    hist_record(hist, 3 * end);
    hist_record(hist, 5 * end);
    hist_record(hist, MSEC_NS);
    assert_int_equal(hist->overflow, 3);
    assert_int_equal(hist->count, 5);
    assert_int_equal(hist_at_rank(hist, 1), MSEC_NS);
    assert_in_range(hist_at_rank(hist, 2), end - end / 256, end - 1);
    assert_int_equal(hist_at_rank(hist, 3), end); /* all that is known: not less */
    assert_int_equal(hist_at_rank(hist, 4), end);
    assert_int_equal(hist_at_rank(hist, 5), 5 * end);
    assert_int_equal(hist_above(hist, end - 1), 3);
    assert_int_equal(hist_above(hist, MSEC_NS), 4);
    mem_free(hist);
}

static void an_empty_histogram_answers_zero(UNUSED void **state)
{
    struct hist *hist = mem_new(1, sizeof(*hist));

    for (size_t i = 0; i < COUNT_OF(quantiles); i++) {
        assert_int_equal(hist_quantile(hist, quantiles[i]), 0);
    }
    assert_true(hist_mean(hist) == 0.0 && hist_stddev(hist) == 0.0);
    assert_int_equal(hist_above(hist, 0), 0);
    hist_record(hist, 7);
    hist_reset(hist);
    assert_int_equal(hist->count + hist->buckets[7], 0);
    mem_free(hist);
}

static void a_single_value_is_every_quantile(UNUSED void **state)
{
    static const int64_t values[] = { 0, 1, 511, 512, 1234567, 20 * MSEC_NS, INT64_C(1) << 45 };
    struct hist *hist = mem_new(1, sizeof(*hist));

    for (size_t i = 0; i < COUNT_OF(values); i++) {
        hist_reset(hist);
        hist_record(hist, values[i]);
        for (size_t k = 0; k < COUNT_OF(quantiles); k++) {
            assert_int_equal(hist_quantile(hist, quantiles[k]), values[i]);
        }
        assert_true(hist_stddev(hist) == 0.0);
    }
    hist_reset(hist);
    hist_record(hist, -5); /* a clock that runs backwards is the caller's to notice */
    assert_int_equal(hist->max_ns, 0);
    mem_free(hist);
}

/* 1..n ms exactly: the rank must not slip by one where count * quantile is whole. */
static void a_quantile_is_the_order_statistic_of_rank_ceil(UNUSED void **state)
{
    static const struct {
        uint64_t count;
        double quantile;
        uint64_t rank;
    } cases[] = {
        { 100, 0.07, 7 },  { 100, 0.5, 50 },     { 100, 0.95, 95 },       { 100, 0.951, 96 },
        { 20, 0.95, 19 },  { 1000, 0.999, 999 }, { 10000, 0.9999, 9999 }, { 3, 0.5, 2 },
        { 2, 0.5, 1 },     { 1, 0.99, 1 },       { 41, 0.9, 37 },         { 1000, 0.29, 290 },
        { 100, 0.001, 1 }, { 7, 0.999, 7 },
    };
    struct hist *hist = mem_new(1, sizeof(*hist));

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        hist_reset(hist);
        for (uint64_t k = 1; k <= cases[i].count; k++) {
            hist_record(hist, (int64_t)k * MSEC_NS);
        }
        assert_int_equal(hist_quantile(hist, cases[i].quantile), hist_at_rank(hist, cases[i].rank));
        if (cases[i].rank < cases[i].count) {
            assert_true(hist_quantile(hist, cases[i].quantile) <
                        hist_at_rank(hist, cases[i].rank + 1));
        }
    }
    mem_free(hist);
}

static void counts_above_a_threshold_take_whole_buckets(UNUSED void **state)
{
    struct hist *hist = mem_new(1, sizeof(*hist));

    for (int64_t value = 0; value < 600; value++) {
        hist_record(hist, value);
    }
    assert_int_equal(hist_above(hist, -1), 600);
    assert_int_equal(hist_above(hist, 0), 599);
    assert_int_equal(hist_above(hist, 511), 88);
    assert_int_equal(hist_above(hist, 512), 86); /* 513 shares the bucket of 512 */
    assert_int_equal(hist_above(hist, 513), 86);
    assert_int_equal(hist_above(hist, 599), 0);
    assert_int_equal(hist_above(hist, INT64_MAX), 0);
    mem_free(hist);
}

static void a_quantile_is_known_when_a_sample_lies_beyond_it(UNUSED void **state)
{
    static const struct {
        uint64_t count;
        double quantile;
        bool known;
    } cases[] = {
        { 1, 0.5, false },     { 2, 0.5, true },        { 9, 0.9, false },
        { 10, 0.9, true },     { 19, 0.95, false },     { 20, 0.95, true },
        { 99, 0.99, false },   { 100, 0.99, true },     { 999, 0.999, false },
        { 1000, 0.999, true }, { 9999, 0.9999, false }, { 10000, 0.9999, true },
        { 0, 0.5, false },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(hist_quantile_known(cases[i].count, cases[i].quantile), cases[i].known);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_within_two_thousandths_of_the_sorted_data),
        cmocka_unit_test(merging_equals_one_histogram_in_any_order),
        cmocka_unit_test(the_far_tail_is_as_precise_as_the_body),
        cmocka_unit_test(nothing_is_left_out_beyond_a_million_samples),
        cmocka_unit_test(a_few_slow_ones_leave_p99_a_fast_one),
        cmocka_unit_test(every_value_lies_in_its_bucket_and_buckets_leave_no_gap),
        cmocka_unit_test(what_is_longer_than_the_range_is_counted_and_not_lost),
        cmocka_unit_test(an_empty_histogram_answers_zero),
        cmocka_unit_test(a_single_value_is_every_quantile),
        cmocka_unit_test(a_quantile_is_the_order_statistic_of_rank_ceil),
        cmocka_unit_test(counts_above_a_threshold_take_whole_buckets),
        cmocka_unit_test(a_quantile_is_known_when_a_sample_lies_beyond_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
