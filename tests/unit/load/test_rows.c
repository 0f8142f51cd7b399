/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "load/rows.h"

static void rows_come_out_as_they_went_in(UNUSED void **state)
{
    struct rows rows;
    struct row row;

    rows_init(&rows, 5000);
    for (uint32_t round = 0; round < 3 * ROWS_DEFAULT; round += 1000) {
        for (uint32_t i = 0; i < 1000; i++) {
            rows_put(&rows, &(struct row){ .user = round + i });
        }
        for (uint32_t i = 0; i < 1000; i++) {
            assert_true(rows_take(&rows, &row));
            assert_int_equal(row.user, round + i);
        }
        assert_false(rows_take(&rows, &row));
    }
    assert_int_equal(rows.dropped, 0);
    rows_fini(&rows);
}

static void a_full_ring_drops_and_counts(UNUSED void **state)
{
    struct rows rows;
    struct row row;

    rows_init(&rows, 1 << 10);
    for (uint32_t i = 0; i < (1 << 10) + 10; i++) {
        rows_put(&rows, &(struct row){ .user = i });
    }
    assert_int_equal(rows.dropped, 10);
    assert_true(rows_take(&rows, &row));
    assert_int_equal(row.user, 0);
    rows_fini(&rows);
}

static void a_ring_with_room_for_all_drops_none(UNUSED void **state)
{
    struct rows rows;
    struct row row;

    rows_init(&rows, 777);
    for (uint32_t i = 0; i < 777; i++) {
        rows_put(&rows, &(struct row){ .user = i });
    }
    for (uint32_t i = 0; i < 777; i++) {
        assert_true(rows_take(&rows, &row));
        assert_int_equal(row.user, i);
    }
    assert_int_equal(rows.dropped, 0);
    rows_fini(&rows);
}

static void rows_that_nobody_wants_cost_nothing(UNUSED void **state)
{
    struct rows rows;
    struct row row;

    rows_init(&rows, 0);
    rows_put(&rows, &(struct row){ .user = 1 });
    assert_false(rows_take(&rows, &row));
    assert_int_equal(rows.dropped, 0);
    rows_fini(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_out_as_they_went_in),
        cmocka_unit_test(a_full_ring_drops_and_counts),
        cmocka_unit_test(a_ring_with_room_for_all_drops_none),
        cmocka_unit_test(rows_that_nobody_wants_cost_nothing),
    };

    return cmocka_run_group_tests_name("load/rows", tests, NULL, NULL);
}
