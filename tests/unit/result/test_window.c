/* SPDX-License-Identifier: Apache-2.0 */
#include "result/window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"

static struct window whole, first, second;

static int two_workers(UNUSED void **state)
{
    window_reset(&whole);
    window_reset(&first);
    window_reset(&second);
    first.index = second.index = 7;
    first.phase = second.phase = PHASE_MEASURED;
    first.start_ns = 1000;
    first.end_ns = 2100;
    second.start_ns = 990;
    second.end_ns = 2000;
    first.started = 5;
    second.started = 6;
    first.ok = 3;
    second.ok = 4;
    first.failed = second.failed = 1;
    first.busy_ns = 100;
    second.busy_ns = 11;
    first.in_flight = 2;
    second.in_flight = 1;
    first.open_connections = second.open_connections = 10;
    first.bytes_in = 900;
    second.bytes_in = 100;
    first.bytes_out = first.body_in = 3;
    second.bytes_out = second.body_in = 4;
    first.slow[0] = 1;
    second.slow[0] = 2;
    second.slow[SLO_MAX_COUNT - 1] = 9;
    hist_record(&first.response, 100);
    hist_record(&second.response, 400);
    return 0;
}

static void a_reset_window_takes_the_place_of_what_is_merged_first(UNUSED void **state)
{
    window_merge(&whole, &first);
    assert_int_equal(whole.index, 7);
    assert_int_equal(whole.phase, PHASE_MEASURED);
    assert_int_equal(whole.start_ns, 1000);
    assert_int_equal(whole.end_ns, 2100);
    assert_int_equal(whole.started, 5);
    assert_int_equal(whole.response.count, 1);
    assert_int_equal(whole.response.min_ns, 100);
}

static void two_workers_add_up(UNUSED void **state)
{
    window_merge(&whole, &first);
    window_merge(&whole, &second);
    assert_int_equal(whole.start_ns, 990);
    assert_int_equal(whole.end_ns, 2100);
    assert_int_equal(whole.started, 11);
    assert_int_equal(whole.ok, 7);
    assert_int_equal(whole.failed, 2);
    assert_int_equal(whole.busy_ns, 111);
    assert_int_equal(whole.in_flight, 3);
    assert_int_equal(whole.open_connections, 20);
    assert_int_equal(whole.bytes_in, 1000);
    assert_int_equal(whole.bytes_out, 7);
    assert_int_equal(whole.body_in, 7);
    assert_int_equal(whole.slow[0], 3);
    assert_int_equal(whole.slow[SLO_MAX_COUNT - 1], 9);
    assert_int_equal(whole.response.count, 2);
    assert_int_equal(whole.response.sum_ns, 500);
    assert_int_equal(whole.response.min_ns, 100);
    assert_int_equal(whole.response.max_ns, 400);
}

static void a_reset_window_holds_nothing(UNUSED void **state)
{
    window_reset(&first);
    window_merge(&first, &second);
    assert_int_equal(first.started, 6);
    assert_int_equal(first.slow[0], 2);
    assert_int_equal(first.response.count, 1);
}

static void phases_have_the_words_of_the_document(UNUSED void **state)
{
    assert_string_equal(phase_word(PHASE_RAMP), "ramp");
    assert_string_equal(phase_word(PHASE_WARMUP), "warmup");
    assert_string_equal(phase_word(PHASE_MEASURED), "measured");
    assert_string_equal(phase_word(PHASE_DRAIN), "drain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_reset_window_takes_the_place_of_what_is_merged_first, two_workers),
        cmocka_unit_test_setup(two_workers_add_up, two_workers),
        cmocka_unit_test_setup(a_reset_window_holds_nothing, two_workers),
        cmocka_unit_test(phases_have_the_words_of_the_document),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
