/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "target/gate.h"

enum { TICKETS = 6 };

struct fixture {
    struct gate gate;
    struct gate_inbox here, there;
    int wakes_here, wakes_there;
    struct gate_ticket tickets[TICKETS];
};

static void count_wake(void *self)
{
    ++*(int *)self;
}

/* Even tickets belong here, odd ones there. */
static void open_gate(struct fixture *fixture, int64_t workers)
{
    *fixture = (struct fixture){ 0 };
    gate_init(&fixture->gate, workers);
    fixture->here = (struct gate_inbox){ .wake = count_wake, .self = &fixture->wakes_here };
    fixture->there = (struct gate_inbox){ .wake = count_wake, .self = &fixture->wakes_there };
    for (int i = 0; i < TICKETS; i++) {
        fixture->tickets[i].inbox = i % 2 == 0 ? &fixture->here : &fixture->there;
    }
}

static void so_many_enter_and_the_others_come_in_their_order(UNUSED void **state)
{
    struct fixture f;

    open_gate(&f, 2);
    for (int i = 0; i < TICKETS; i++) {
        assert_int_equal(gate_enter(&f.gate, &f.tickets[i]), i < 2);
    }
    assert_null(gate_take(&f.gate, &f.here));
    gate_leave(&f.gate, &f.tickets[1]);
    assert_int_equal(f.wakes_here, 1);
    assert_ptr_equal(gate_take(&f.gate, &f.here), &f.tickets[2]);
    assert_null(gate_take(&f.gate, &f.here));
    gate_leave(&f.gate, &f.tickets[0]);
    gate_leave(&f.gate, &f.tickets[2]);
    assert_ptr_equal(gate_take(&f.gate, &f.there), &f.tickets[3]);
    assert_ptr_equal(gate_take(&f.gate, &f.here), &f.tickets[4]);
    assert_int_equal(f.wakes_there, 1);
    gate_fini(&f.gate);
}

static void who_goes_while_waiting_is_not_called(UNUSED void **state)
{
    struct fixture f;

    open_gate(&f, 1);
    for (int i = 0; i < 5; i++) {
        (void)gate_enter(&f.gate, &f.tickets[i]);
    }
    gate_leave(&f.gate, &f.tickets[2]);
    gate_leave(&f.gate, &f.tickets[4]);
    gate_leave(&f.gate, &f.tickets[0]);
    assert_ptr_equal(gate_take(&f.gate, &f.there), &f.tickets[1]);
    gate_leave(&f.gate, &f.tickets[1]);
    assert_ptr_equal(gate_take(&f.gate, &f.there), &f.tickets[3]);
    assert_null(gate_take(&f.gate, &f.here));
    gate_fini(&f.gate);
}

static void who_goes_when_called_hands_the_place_on(UNUSED void **state)
{
    struct fixture f;

    open_gate(&f, 1);
    for (int i = 0; i < 3; i++) {
        (void)gate_enter(&f.gate, &f.tickets[i]);
    }
    gate_leave(&f.gate, &f.tickets[0]);
    gate_leave(&f.gate, &f.tickets[1]); /* called, not taken */
    assert_null(gate_take(&f.gate, &f.there));
    assert_ptr_equal(gate_take(&f.gate, &f.here), &f.tickets[2]);
    gate_fini(&f.gate);
}

static void leaving_twice_makes_room_once(UNUSED void **state)
{
    struct fixture f;

    open_gate(&f, 1);
    assert_true(gate_enter(&f.gate, &f.tickets[0]));
    gate_leave(&f.gate, &f.tickets[0]);
    gate_leave(&f.gate, &f.tickets[0]);
    assert_true(gate_enter(&f.gate, &f.tickets[1]));
    assert_false(gate_enter(&f.gate, &f.tickets[2]));
    gate_fini(&f.gate);
}

static void without_a_limit_all_enter(UNUSED void **state)
{
    struct fixture f;

    open_gate(&f, 0);
    for (int i = 0; i < TICKETS; i++) {
        assert_true(gate_enter(&f.gate, &f.tickets[i]));
    }
    gate_leave(&f.gate, &f.tickets[0]);
    assert_null(gate_take(&f.gate, &f.here));
    gate_fini(&f.gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(so_many_enter_and_the_others_come_in_their_order),
        cmocka_unit_test(who_goes_while_waiting_is_not_called),
        cmocka_unit_test(who_goes_when_called_hands_the_place_on),
        cmocka_unit_test(leaving_twice_makes_room_once),
        cmocka_unit_test(without_a_limit_all_enter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
