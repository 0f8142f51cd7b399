/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/err.h"
#include "base/rng.h"

enum { DRAWS = 200000 };

static void the_same_seed_and_stream_repeat(UNUSED void **state)
{
    struct rng a, b;

    rng_init(&a, 71, 3);
    rng_init(&b, 71, 3);
    for (int i = 0; i < 1000; i++) {
        assert_true(rng_u64(&a) == rng_u64(&b));
    }
}

static void another_seed_or_stream_gives_other_numbers(UNUSED void **state)
{
    static const uint64_t seeds[][2] = { { 71, 4 }, { 72, 3 }, { 0, 0 }, { 0, 1 }, { 1, 0 } };

    for (size_t i = 0; i < COUNT_OF(seeds); i++) {
        struct rng a, b;
        int equal = 0;

        rng_init(&a, 71, 3);
        rng_init(&b, seeds[i][0], seeds[i][1]);
        for (int n = 0; n < 1000; n++) {
            equal += rng_u64(&a) == rng_u64(&b);
        }
        assert_int_equal(equal, 0);
    }
}

static void the_unit_interval_leaves_out_zero(UNUSED void **state)
{
    struct rng rng;
    double sum = 0;

    rng_init(&rng, 1, 1);
    for (int i = 0; i < DRAWS; i++) {
        double u = rng_unit(&rng);

        assert_true(u > 0 && u <= 1);
        sum += u;
    }
    /* The standard error is 0.00065. */
    assert_true(fabs(sum / DRAWS - 0.5) < 0.004);
}

static void the_distributions_have_their_moments(UNUSED void **state)
{
    struct rng rng;
    double exp_sum = 0, normal_sum = 0, normal_squares = 0;

    rng_init(&rng, 2, 9);
    for (int i = 0; i < DRAWS; i++) {
        double n = rng_normal(&rng);

        exp_sum += rng_exp(&rng);
        normal_sum += n;
        normal_squares += n * n;
    }
    assert_true(fabs(exp_sum / DRAWS - 1) < 0.014);
    assert_true(fabs(normal_sum / DRAWS) < 0.014);
    assert_true(fabs(normal_squares / DRAWS - 1) < 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_and_stream_repeat),
        cmocka_unit_test(another_seed_or_stream_gives_other_numbers),
        cmocka_unit_test(the_unit_interval_leaves_out_zero),
        cmocka_unit_test(the_distributions_have_their_moments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
