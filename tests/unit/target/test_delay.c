/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "target/delay.h"

enum { DRAWS = 200000 };

static struct delay parsed(enum delay_law law, const char *text)
{
    struct delay delay;
    struct err err;

    assert_true(delay_parse(law, str_of(text), &delay, &err));
    return delay;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static int64_t draws[DRAWS];

/* Sorted. */
static void draw_all(const struct delay *delay)
{
    struct rng rng;

    rng_init(&rng, 7, 1);
    for (int i = 0; i < DRAWS; i++) {
        draws[i] = delay_draw_ns(delay, &rng);
    }
    qsort(draws, DRAWS, sizeof(draws[0]), by_value);
}

static double mean_of_draws(void)
{
    double sum = 0;

    for (int i = 0; i < DRAWS; i++) {
        sum += (double)draws[i];
    }
    return sum / DRAWS;
}

static double quantile_of_draws(double p)
{
    return (double)draws[(int)(p * DRAWS)];
}

static void assert_near(double got, double want, double share)
{
    assert_true(fabs(got - want) <= share * want);
}

static void a_constant_is_always_so_long(UNUSED void **state)
{
    struct delay delay = parsed(DELAY_CONSTANT, "20ms");

    draw_all(&delay);
    assert_int_equal(draws[0], 20 * MSEC_NS);
    assert_int_equal(draws[DRAWS - 1], 20 * MSEC_NS);
}

/* Tolerances: some five standard errors. */
static void exp_has_its_mean_and_its_tail(UNUSED void **state)
{
    struct delay delay = parsed(DELAY_EXP, "5ms");

    draw_all(&delay);
    assert_near(mean_of_draws(), 5e6, 0.012);
    assert_near(quantile_of_draws(0.5), 5e6 * log(2), 0.016);
    assert_near(quantile_of_draws(0.99), 5e6 * log(100), 0.025);
    assert_true(draws[0] >= 0);
}

static void lognormal_has_its_median_and_its_sigma(UNUSED void **state)
{
    struct delay delay = parsed(DELAY_LOGNORMAL, "5ms,0.5");

    draw_all(&delay);
    assert_near(quantile_of_draws(0.5), 5e6, 0.008);
    assert_near(quantile_of_draws(0.8413447), 5e6 * exp(0.5), 0.012);
    assert_near(mean_of_draws(), 5e6 * exp(0.125), 0.008);
}

static int64_t count_of(int64_t value_ns)
{
    int64_t count = 0;

    for (int i = 0; i < DRAWS; i++) {
        count += draws[i] == value_ns;
    }
    return count;
}

static void a_list_is_drawn_by_its_weights(UNUSED void **state)
{
    struct delay delay = parsed(DELAY_LIST, "1ms:90,7ms:0,5ms:9,50ms:1");

    draw_all(&delay);
    assert_near((double)count_of(1 * MSEC_NS), 0.90 * DRAWS, 0.005);
    assert_near((double)count_of(5 * MSEC_NS), 0.09 * DRAWS, 0.04);
    assert_near((double)count_of(50 * MSEC_NS), 0.01 * DRAWS, 0.12);
    assert_int_equal(count_of(7 * MSEC_NS), 0);
    assert_int_equal(count_of(1 * MSEC_NS) + count_of(5 * MSEC_NS) + count_of(50 * MSEC_NS), DRAWS);
}

static void no_draw_is_longer_than_an_hour(UNUSED void **state)
{
    struct delay delay = parsed(DELAY_LOGNORMAL, "1h,1000");

    draw_all(&delay);
    assert_true(draws[0] >= 0);
    assert_int_equal(draws[DRAWS - 1], DELAY_MAX_NS);
}

static void the_same_seed_draws_the_same(UNUSED void **state)
{
    struct delay delay = parsed(DELAY_EXP, "5ms");
    struct rng first, second;

    rng_init(&first, 3, 0);
    rng_init(&second, 3, 0);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(delay_draw_ns(&delay, &first), delay_draw_ns(&delay, &second));
    }
}

static void laws_are_found_by_name(UNUSED void **state)
{
    assert_int_equal(delay_law_find(STR("constant")), DELAY_CONSTANT);
    assert_int_equal(delay_law_find(STR("exp")), DELAY_EXP);
    assert_int_equal(delay_law_find(STR("lognormal")), DELAY_LOGNORMAL);
    assert_int_equal(delay_law_find(STR("list")), DELAY_LIST);
    assert_int_equal(delay_law_find(STR("expo")), DELAY_NONE);
    assert_int_equal(delay_law_find(STR("")), DELAY_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_is_always_so_long),
        cmocka_unit_test(exp_has_its_mean_and_its_tail),
        cmocka_unit_test(lognormal_has_its_median_and_its_sigma),
        cmocka_unit_test(a_list_is_drawn_by_its_weights),
        cmocka_unit_test(no_draw_is_longer_than_an_hour),
        cmocka_unit_test(the_same_seed_draws_the_same),
        cmocka_unit_test(laws_are_found_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
