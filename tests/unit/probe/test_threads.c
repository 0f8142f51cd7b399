/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <sched.h>
#include <unistd.h>

#include "base/err.h"

static void a_thread_that_works_is_seen_to_work(UNUSED void **state)
{
    struct thread_usage before, after;
    volatile uint64_t sum = 0;

    assert_true(threads_read(gettid(), &before));
    assert_true(before.run_ns > 0);
    assert_true(before.wait_ns >= 0);
    for (int i = 0; i < 3000000; i++) {
        sum = sum + (uint64_t)i;
    }
    (void)sched_yield(); /* the kernel accounts when it switches */
    assert_true(threads_read(gettid(), &after));
    assert_true(after.run_ns > before.run_ns);
    assert_true(after.wait_ns >= before.wait_ns);
}

static void a_thread_that_is_not_is_not_read(UNUSED void **state)
{
    struct thread_usage usage = { 7, 8 };

    assert_false(threads_read(0x7fffffff, &usage));
    assert_int_equal(usage.run_ns, 7);
    assert_int_equal(usage.wait_ns, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_that_works_is_seen_to_work),
        cmocka_unit_test(a_thread_that_is_not_is_not_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
