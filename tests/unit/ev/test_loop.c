/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "ev/loop.h"

struct alarm {
    struct timer timer;
    int *order, rang;
};

static void ring(struct timer *timer, struct loop *loop)
{
    struct alarm *alarm = (struct alarm *)timer;

    (void)loop;
    alarm->rang = ++*alarm->order;
}

/* Deadlines in the past, so that nothing waits. */
static void timers_ring_in_the_order_of_their_deadlines(UNUSED void **state)
{
    enum { N = 500 };
    struct alarm *alarms = mem_new(N, sizeof(struct alarm));
    struct loop loop;
    struct err err;
    struct rng rng;
    int order = 0;

    rng_init(&rng, 7, 0);
    assert_true(loop_init(&loop, N, &err));
    for (int i = 0; i < N; i++) {
        timer_init(&alarms[i].timer, ring);
        alarms[i].order = &order;
        timer_set(&alarms[i].timer, &loop, (int64_t)(rng_u64(&rng) % 100000));
    }
    for (int i = 0; i < N; i += 3) { /* some move, both ways; some are taken out */
        timer_set(&alarms[i].timer, &loop, (int64_t)(rng_u64(&rng) % 200000));
    }
    for (int i = 1; i < N; i += 7) {
        timer_remove(&alarms[i].timer, &loop);
    }
    (void)loop_turn(&loop, 0);
    for (int i = 0; i < N; i++) {
        assert_int_equal(alarms[i].rang > 0, i % 7 != 1);
        for (int j = 0; j < N; j++) {
            if (alarms[i].rang > 0 && alarms[j].rang > alarms[i].rang) {
                assert_true(alarms[j].timer.heap_ns >= alarms[i].timer.heap_ns);
            }
        }
    }
    loop_fini(&loop);
    mem_free(alarms);
}

static void a_timer_moved_later_does_not_ring_early(UNUSED void **state)
{
    struct alarm alarm = { 0 };
    struct loop loop;
    struct err err;
    int order = 0;

    alarm.order = &order;
    assert_true(loop_init(&loop, 1, &err));
    timer_init(&alarm.timer, ring);
    timer_set(&alarm.timer, &loop, 5);
    timer_set(&alarm.timer, &loop, clock_now_ns() + 3600 * SEC_NS);
    (void)loop_turn(&loop, 0);
    assert_int_equal(alarm.rang, 0);
    timer_set(&alarm.timer, &loop, 9);
    (void)loop_turn(&loop, 0);
    assert_int_equal(alarm.rang, 1);
    timer_set(&alarm.timer, &loop, 9);
    timer_clear(&alarm.timer);
    (void)loop_turn(&loop, 0);
    assert_int_equal(alarm.rang, 1);
    loop_fini(&loop);
}

static void count_wake(struct loop *loop, void *self)
{
    (void)loop;
    ++*(int *)self;
}

static void a_wake_reaches_the_loop_once(UNUSED void **state)
{
    struct loop loop;
    struct err err;
    int woken = 0;

    assert_true(loop_init(&loop, 1, &err));

    loop.woken = count_wake;
    loop.woken_self = &woken;
    loop_wake(&loop);
    loop_wake(&loop);
    (void)loop_turn(&loop, 0);
    (void)loop_turn(&loop, 0);
    assert_int_equal(woken, 1);
    loop_fini(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timers_ring_in_the_order_of_their_deadlines),
        cmocka_unit_test(a_timer_moved_later_does_not_ring_early),
        cmocka_unit_test(a_wake_reaches_the_loop_once),
    };

    return cmocka_run_group_tests_name("ev/loop", tests, NULL, NULL);
}
