/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/unit.h"
#include "report/report.h"

static struct result *result;
static struct buf buf;

static int begin(UNUSED void **state)
{
    result = result_new();
    buf_init(&buf, 1 << 20);
    return 0;
}

static int end(UNUSED void **state)
{
    result_free(result);
    buf_fini(&buf);
    return 0;
}

#define HEAD "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"

static void no_answer_is_no_row(UNUSED void **state)
{
    report_hgrm(result, &buf);
    assert_string_equal(buf.data,
                        HEAD "#[Mean    =        0.000, StdDeviation   =        0.000]\n"
                             "#[Max     =        0.000, Total count    =            0]\n"
                             "#[Buckets =           33, SubBuckets     =          256]\n");
}

static void one_answer_is_one_exact_row(UNUSED void **state)
{
    hist_record(&result->latency[LATENCY_RESPONSE], 575 * MSEC_NS + 1000);
    report_hgrm(result, &buf);
    assert_string_equal(buf.data,
                        HEAD "     575.001 1.000000000000          1\n"
                             "#[Mean    =      575.001, StdDeviation   =        0.000]\n"
                             "#[Max     =      575.001, Total count    =            1]\n"
                             "#[Buckets =           33, SubBuckets     =          256]\n");
}

/* The next number of a row of columns. */
static double number(struct str *row)
{
    struct str field = { NULL, 0 };
    struct err err;
    double value = -1;

    while (field.len == 0) {
        assert_true(str_cut(row, ' ', &field));
    }
    assert_true(unit_parse_number(field, &value, &err));
    return value;
}

static void rows_rise_to_the_maximum_and_the_count(UNUSED void **state)
{
    double value_ms = 0, level = -1, total = 0;
    struct str rest, line;
    int rows = 0;

    for (int64_t i = 1; i <= 10000; i++) {
        hist_record(&result->latency[LATENCY_RESPONSE], i * i * 1000);
    }
    report_hgrm(result, &buf);
    rest = str_from(buf_str(&buf), sizeof(HEAD) - 1);
    while (str_cut(&rest, '\n', &line) && line.len > 0 && line.p[0] != '#') {
        double row_ms = number(&line), row_level = number(&line), row_total = number(&line);

        assert_true(row_ms >= value_ms && row_level > level && row_total >= total);
        /* what is up to the value is at least the level's share */
        assert_true(row_total >= row_level * 10000 - 1e-6);
        value_ms = row_ms;
        level = row_level;
        total = row_total;
        rows++;
    }
    assert_true(value_ms == 100000 && level == 1 && total == 10000);
    assert_in_range(rows, 40, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_answer_is_no_row, begin, end),
        cmocka_unit_test_setup_teardown(one_answer_is_one_exact_row, begin, end),
        cmocka_unit_test_setup_teardown(rows_rise_to_the_maximum_and_the_count, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
