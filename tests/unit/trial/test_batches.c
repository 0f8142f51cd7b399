/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "trial/batches.h"

enum { POINTS_MAX = 200, TIMES_MAX = 100 };

/* A trial as the series keeps it. */
static struct point points[POINTS_MAX];
static struct sparse at_rest[POINTS_MAX];
static size_t point_count;
static struct hist *scratch, *response;
static struct confidence confidence[QUANTILES_COUNT];

static int set_up(UNUSED void **state)
{
    point_count = 0;
    scratch = mem_new(1, sizeof(*scratch));
    response = mem_new(1, sizeof(*response));
    return 0;
}

static int tear_down(UNUSED void **state)
{
    for (size_t i = 0; i < point_count; i++) {
        sparse_fini(&at_rest[i]);
    }
    mem_free(scratch);
    mem_free(response);
    return 0;
}

/* A window whose answers took 1, 2, ... `fast` ms, and `slow` more that took a second. */
static void add_window(enum phase phase, int64_t width_ns, int fast, int slow)
{
    const struct point *last = point_count == 0 ? NULL : &points[point_count - 1];

    hist_reset(scratch);
    for (int i = 0; i < fast + slow; i++) {
        hist_record(scratch, i < fast ? (i + 1) * MSEC_NS : SEC_NS);
    }
    if (phase == PHASE_MEASURED || phase == PHASE_DRAIN) {
        hist_merge(response, scratch);
    }
    points[point_count] = (struct point){
        .t_ns = last == NULL ? 0 : last->t_ns + last->width_ns,
        .width_ns = width_ns,
        .phase = phase,
    };
    sparse_init(&at_rest[point_count++], scratch);
}

static void make_batches(struct batches *batches)
{
    batches_init(batches, points, point_count);
    for (size_t i = 0; i < point_count; i++) {
        batches_add(batches, &points[i], &at_rest[i]);
    }
}

static void judge(void)
{
    struct batches batches;

    make_batches(&batches);
    batches_judge(&batches, response, confidence);
    batches_fini(&batches);
}

static const struct confidence *of(double share)
{
    return &confidence[quantiles_find(share)];
}

static void many_windows_make_20_batches_of_equal_time(UNUSED void **state)
{
    struct batches batches;

    add_window(PHASE_RAMP, SEC_NS, 9, 0);
    add_window(PHASE_WARMUP, SEC_NS, 9, 0);
    /* Merged windows first, as the series leaves them: 40 of 200 ms, 20 of 100 ms. */
    for (int i = 0; i < 60; i++) {
        add_window(PHASE_MEASURED, (i < 40 ? 200 : 100) * MSEC_NS, i < 40 ? 20 : 10, 0);
    }
    add_window(PHASE_DRAIN, SEC_NS, 7, 0);
    make_batches(&batches);
    assert_int_equal(batches.count, 20);
    for (size_t i = 0; i < 20; i++) {
        /* 500 ms each hold 2 or 3 windows of the merged ones, and 5 of the others. */
        uint64_t drained = i == 19 ? 7 : 0;

        assert_in_range(batches.items[i].count, 40 + drained, 60 + drained);
    }
    batches_fini(&batches);
}

static void few_windows_are_a_batch_each(UNUSED void **state)
{
    struct batches batches;

    for (int i = 0; i < 7; i++) {
        add_window(PHASE_MEASURED, i == 6 ? MSEC_NS : 100 * MSEC_NS, 10 + i, 0);
    }
    make_batches(&batches);
    assert_int_equal(batches.count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(batches.items[i].count, 10 + i);
    }
    batches_fini(&batches);
}

static void a_trial_that_measured_nothing_knows_nothing(UNUSED void **state)
{
    add_window(PHASE_WARMUP, SEC_NS, 50, 0);
    judge();
    for (size_t i = 0; i < QUANTILES_COUNT; i++) {
        assert_false(confidence[i].known);
        assert_false(confidence[i].weak);
    }
}

static void a_steady_trial_knows_its_percentiles(UNUSED void **state)
{
    for (int i = 0; i < 100; i++) {
        add_window(PHASE_MEASURED, 100 * MSEC_NS, TIMES_MAX, 0);
    }
    judge();
    assert_true(of(0.95)->known);
    assert_false(of(0.95)->weak);
    assert_true(of(0.95)->vif == 1.0);
    assert_int_equal(of(0.95)->batches, 20);
    /* Ranks 9,454 and 9,546 of 10,000, a hundred to each whole millisecond. */
    assert_in_range(of(0.95)->low_ns, 95 * MSEC_NS * 255 / 256, 95 * MSEC_NS);
    assert_in_range(of(0.95)->high_ns, 96 * MSEC_NS, 96 * MSEC_NS * 257 / 256);
    for (size_t i = 0; i < QUANTILES_COUNT; i++) {
        int64_t point_ns = hist_quantile(response, quantiles_list[i].share);

        if (confidence[i].known) {
            assert_in_range(point_ns, confidence[i].low_ns, confidence[i].high_ns);
        }
    }
    /* One value is expected beyond p99.99: it is given, and weak. */
    assert_false(of(0.9999)->known);
    assert_true(of(0.9999)->weak);
}

static void what_is_not_given_is_not_weak(UNUSED void **state)
{
    for (int i = 0; i < 10; i++) {
        add_window(PHASE_MEASURED, 100 * MSEC_NS, 50, 0);
    }
    judge();
    assert_true(of(0.99)->known);
    assert_false(hist_quantile_known(response->count, 0.999));
    assert_false(of(0.999)->weak);
}

static void a_short_trial_has_no_interval_and_says_so(UNUSED void **state)
{
    for (int i = 0; i < 4; i++) {
        add_window(PHASE_MEASURED, 100 * MSEC_NS, TIMES_MAX, 0);
    }
    judge();
    assert_false(of(0.5)->known);
    assert_true(of(0.5)->weak);
    assert_int_equal(of(0.5)->batches, 4);
}

static void a_tail_of_one_moment_is_weak(UNUSED void **state)
{
    for (int i = 0; i < 100; i++) {
        add_window(PHASE_MEASURED, 100 * MSEC_NS, TIMES_MAX, i == 42 || i == 43 ? 300 : 0);
    }
    judge();
    assert_true(of(0.99)->weak);
    assert_int_equal(of(0.99)->episodes, 1);
    assert_true(of(0.99)->vif > 50);
    assert_false(of(0.5)->weak);
}

static void an_interval_ends_at_the_extremes(UNUSED void **state)
{
    for (int i = 0; i < 20; i++) {
        add_window(PHASE_MEASURED, 100 * MSEC_NS, 1, 0);
    }
    judge();
    assert_true(of(0.5)->known);
    assert_int_equal(of(0.5)->low_ns, MSEC_NS);
    assert_int_equal(of(0.5)->high_ns, MSEC_NS);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(many_windows_make_20_batches_of_equal_time),
        CASE(few_windows_are_a_batch_each),
        CASE(a_trial_that_measured_nothing_knows_nothing),
        CASE(a_steady_trial_knows_its_percentiles),
        CASE(what_is_not_given_is_not_weak),
        CASE(a_short_trial_has_no_interval_and_says_so),
        CASE(a_tail_of_one_moment_is_weak),
        CASE(an_interval_ends_at_the_extremes),
    };

    return cmocka_run_group_tests_name("trial/batches", tests, NULL, NULL);
}
