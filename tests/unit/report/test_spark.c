/* SPDX-License-Identifier: Apache-2.0 */
#include "report/spark.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"

static struct hist hist;

static void heights_follow_the_values(UNUSED void **state)
{
    static const double values[] = { 0, 0.001, 1, 2, 4, 8 };
    struct buf buf;

    buf_init(&buf, 256);
    spark_add(&buf, values, COUNT_OF(values), false);
    assert_string_equal(buf.data, " ▁▁▂▄█");
    buf_reset(&buf);
    spark_add(&buf, values, COUNT_OF(values), true);
    assert_string_equal(buf.data, " __.~#");
    buf_reset(&buf);
    spark_add(&buf, (const double[]){ 0, 0 }, 2, false);
    assert_string_equal(buf.data, "  ");
    buf_fini(&buf);
}

struct range {
    int64_t low_ns, high_ns;
    size_t wanted, cells; /* 0 cells: some, fewer than wanted */
};

static const struct range ranges[] = {
    { 11 * MSEC_NS, 197 * MSEC_NS, 40, 40 }, /* oha drew 3..38 ms of these */
    { 11 * MSEC_NS, 12 * MSEC_NS, 40, 0 },   /* cells may not be finer than buckets */
    { 11 * MSEC_NS, 11 * MSEC_NS, 40, 1 },
    { 50 * MSEC_NS, 60 * MSEC_NS, 10, 10 }, /* the rest goes into the outer cells */
    { 0, 197 * MSEC_NS, 64, 64 },
};

static void cells_add_up_to_the_count(UNUSED void **state)
{
    double counts[SPARK_WIDTH_MAX];

    hist_reset(&hist);
    for (int i = 0; i < 10000; i++) {
        hist_record(&hist, 11 * MSEC_NS + i * 18600);
    }
    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        size_t cells =
            spark_cells(&hist, ranges[i].low_ns, ranges[i].high_ns, ranges[i].wanted, counts);
        double sum = 0;

        if (ranges[i].cells > 0) {
            assert_int_equal(cells, ranges[i].cells);
        } else {
            assert_in_range(cells, 2, ranges[i].wanted - 1);
        }
        for (size_t k = 0; k < cells; k++) {
            sum += counts[k];
        }
        assert_true(sum == 10000);
    }
}

static void the_outer_cells_of_the_whole_range_are_not_empty(UNUSED void **state)
{
    double counts[40];

    hist_reset(&hist);
    for (int i = 0; i < 10000; i++) {
        hist_record(&hist, 11 * MSEC_NS + i * 18600);
    }
    assert_int_equal(spark_cells(&hist, hist.min_ns, hist.max_ns, 40, counts), 40);
    assert_true(counts[0] > 0 && counts[39] > counts[0]);
}

static void nothing_has_no_cells(UNUSED void **state)
{
    double counts[4];

    hist_reset(&hist);
    assert_int_equal(spark_cells(&hist, 0, 0, 4, counts), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_follow_the_values),
        cmocka_unit_test(cells_add_up_to_the_count),
        cmocka_unit_test(the_outer_cells_of_the_whole_range_are_not_empty),
        cmocka_unit_test(nothing_has_no_cells),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
