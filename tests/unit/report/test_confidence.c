/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "report/confidence.h"

static struct plan plan;
static struct result *result;

static int set_up(UNUSED void **state)
{
    result = result_new();
    plan = (struct plan){ 0 };
    result->plan = &plan;
    for (int i = 1; i <= 1000; i++) {
        hist_record(&result->latency[LATENCY_RESPONSE], i * MSEC_NS);
    }
    return 0;
}

static int tear_down(UNUSED void **state)
{
    result_free(result);
    return 0;
}

static struct confidence *of(double share)
{
    return &result->confidence[quantiles_find(share)];
}

static void know(double share, int64_t low_ns, int64_t high_ns)
{
    *of(share) = (struct confidence){
        .known = true, .low_ns = low_ns, .high_ns = high_ns, .vif = 1, .batches = 20
    };
}

static void shows(double quantile, const char *text)
{
    const struct report_style style = { .quiet = true };
    struct page page;
    struct buf buf;

    buf_init(&buf, 4096);
    page_init(&page, &style, &buf);
    page_begin(&page, "");
    confidence_add(&page, result, quantile);
    assert_string_equal(buf_str(&buf).p + PAGE_INDENT, text);
    buf_fini(&buf);
}

static void an_interval_takes_the_unit_of_its_point(UNUSED void **state)
{
    know(0.95, 930 * MSEC_NS, 970 * MSEC_NS);
    shows(0.95, "p95 949 ms (930..970)");
}

static void an_interval_across_units_names_them(UNUSED void **state)
{
    know(0.95, 930 * MSEC_NS, 1200 * MSEC_NS);
    shows(0.95, "p95 949 ms (930 ms..1.20 s)");
}

static void only_p95_and_what_is_promised_show_their_interval(UNUSED void **state)
{
    know(0.5, 490 * MSEC_NS, 510 * MSEC_NS);
    know(0.99, 980 * MSEC_NS, 990 * MSEC_NS);
    shows(0.5, "p50 500 ms");
    plan.slo_count = 2;
    plan.slos[0] = (struct slo){ .metric = SLO_MEAN, .quantile = 0.99 };
    plan.slos[1] = (struct slo){ .metric = SLO_QUANTILE, .quantile = 0.5 };
    shows(0.5, "p50 500 ms (490..510)");
    shows(0.99, "p99 991 ms");
}

static void what_is_weak_has_a_tilde_and_no_interval(UNUSED void **state)
{
    know(0.95, 930 * MSEC_NS, 970 * MSEC_NS);
    of(0.95)->weak = true;
    shows(0.95, "p95 ~949 ms");
}

static void other_percentiles_are_shown_as_they_are(UNUSED void **state)
{
    shows(0.8, "p80 800 ms");
    shows(0.95, "p95 949 ms");
}

static void weak_lines_are(bool verbose, const char *text)
{
    const struct report_style style = { .verbose = verbose };
    struct page page;
    struct buf buf;

    buf_init(&buf, 4096);
    page_init(&page, &style, &buf);
    confidence_weak(&page, result);
    assert_string_equal(buf_str(&buf).p, text);
    buf_fini(&buf);
}

static void the_reason_of_a_weakness_is_told_with_v_only(UNUSED void **state)
{
    know(0.5, 490 * MSEC_NS, 510 * MSEC_NS);
    *of(0.99) = (struct confidence){ .weak = true, .known = true, .batches = 20, .episodes = 3 };
    *of(0.999) = (struct confidence){ .weak = true, .batches = 20 };
    weak_lines_are(false, "");
    weak_lines_are(true, "weak       p99: 3 of 20 stretches of the run made it   "
                         "p99.9: too few answers for an interval\n");
}

static void a_run_too_short_for_any_interval_says_so_once(UNUSED void **state)
{
    for (size_t i = 0; i < QUANTILES_COUNT; i++) {
        result->confidence[i] = (struct confidence){ .weak = i < 5, .batches = 4 };
    }
    weak_lines_are(true, "weak       all: the run is too short for intervals\n");
}

static void nothing_weak_takes_no_line(UNUSED void **state)
{
    weak_lines_are(true, "");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(an_interval_takes_the_unit_of_its_point),
        CASE(an_interval_across_units_names_them),
        CASE(only_p95_and_what_is_promised_show_their_interval),
        CASE(what_is_weak_has_a_tilde_and_no_interval),
        CASE(other_percentiles_are_shown_as_they_are),
        CASE(the_reason_of_a_weakness_is_told_with_v_only),
        CASE(a_run_too_short_for_any_interval_says_so_once),
        CASE(nothing_weak_takes_no_line),
    };

    return cmocka_run_group_tests_name("report/confidence", tests, NULL, NULL);
}
