/* SPDX-License-Identifier: Apache-2.0 */
#include "result/counts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

static struct counts sum, part;

static int empty(UNUSED void **state)
{
    memset(&sum, 0, sizeof(sum));
    memset(&part, 0, sizeof(part));
    return 0;
}

static void nothing_at_all_holds(UNUSED void **state)
{
    assert_true(counts_hold(&sum));
}

static void a_request_that_is_lost_does_not_hold(UNUSED void **state)
{
    part = (struct counts){ .started = 10, .ok = 7, .failed = 2, .unfinished = 1 };
    part.by_failure[FAIL_RESET] = 2;
    assert_true(counts_hold(&part));
    part.started++;
    assert_false(counts_hold(&part));
}

static void a_failure_without_a_cause_does_not_hold(UNUSED void **state)
{
    part = (struct counts){ .started = 2, .failed = 2 };
    part.by_failure[FAIL_DNS] = 1;
    assert_false(counts_hold(&part));
    part.by_failure[FAIL_CANCELLED] = 1;
    assert_true(counts_hold(&part));
}

static void adding_is_exact_beyond_32_bits(UNUSED void **state)
{
    part = (struct counts){ .started = UINT64_C(5000000003),
                            .ok = UINT64_C(5000000000),
                            .failed = 2,
                            .unfinished = 1,
                            .reconnects = 4,
                            .retried = 5 };
    part.by_failure[FAIL_STATUS] = 2;
    part.by_status[200] = UINT64_C(5000000000);
    part.by_status[999] = 2;
    counts_add(&sum, &part);
    counts_add(&sum, &part);
    assert_true(counts_hold(&sum));
    assert_true(sum.started == UINT64_C(10000000006));
    assert_true(sum.ok == UINT64_C(10000000000));
    assert_int_equal(sum.unfinished, 2);
    assert_int_equal(sum.reconnects, 8);
    assert_int_equal(sum.retried, 10);
    assert_int_equal(sum.by_failure[FAIL_STATUS], 4);
    assert_true(sum.by_status[200] == UINT64_C(10000000000));
    assert_int_equal(sum.by_status[999], 4);
}

static void a_connection_lost_by_a_failure_was_not_closed_by_the_server_between(UNUSED void **state)
{
    part.reconnects = 12;
    assert_int_equal(counts_closed_between(&part), 12);
    part.by_failure[FAIL_STATUS] = 5;
    part.by_failure[FAIL_STALE_CONNECTION] = 5;
    part.by_failure[FAIL_CONNECT_REFUSED] = 5;
    assert_int_equal(counts_closed_between(&part), 12);
    part.by_failure[FAIL_RESET] = 3;
    part.by_failure[FAIL_TIMEOUT_BODY] = 4;
    part.by_failure[FAIL_TRUNCATED] = 4;
    assert_int_equal(counts_closed_between(&part), 1);
    part.by_failure[FAIL_CLOSED_EARLY] = 4;
    assert_int_equal(counts_closed_between(&part), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_at_all_holds, empty),
        cmocka_unit_test_setup(a_request_that_is_lost_does_not_hold, empty),
        cmocka_unit_test_setup(a_failure_without_a_cause_does_not_hold, empty),
        cmocka_unit_test_setup(adding_is_exact_beyond_32_bits, empty),
        cmocka_unit_test_setup(a_connection_lost_by_a_failure_was_not_closed_by_the_server_between,
                               empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
