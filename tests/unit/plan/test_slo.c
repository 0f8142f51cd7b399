/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/clock.h"
#include "plan/slo.h"

static void a_promise_is_metric_direction_and_limit(UNUSED void **state)
{
    static const struct {
        const char *text;
        struct slo slo;
        const char *word;
    } cases[] = {
        { "p95<25ms",
          { .metric = SLO_QUANTILE,
            .quantile = 0.95,
            .threshold_ns = 25 * MSEC_NS,
            .text = "p95<25ms" },
          "p95" },
        { "p95:25ms",
          { .metric = SLO_QUANTILE,
            .quantile = 0.95,
            .threshold_ns = 25 * MSEC_NS,
            .text = "p95<25ms" },
          "p95" },
        { " p99.9 <= 1s ",
          { .metric = SLO_QUANTILE, .quantile = 0.999, .threshold_ns = SEC_NS, .text = "p99.9<1s" },
          "p99.9" },
        { "mean<10ms",
          { .metric = SLO_MEAN, .threshold_ns = 10 * MSEC_NS, .text = "mean<10ms" },
          "mean" },
        { "avg:10ms",
          { .metric = SLO_MEAN, .threshold_ns = 10 * MSEC_NS, .text = "avg<10ms" },
          "mean" },
        { "max<2m", { .metric = SLO_MAX, .threshold_ns = 120 * SEC_NS, .text = "max<2m" }, "max" },
        { "errors<0.1%",
          { .metric = SLO_ERRORS, .limit = 0.001, .text = "errors<0.1%" },
          "errors" },
        { "errors:0%", { .metric = SLO_ERRORS, .limit = 0, .text = "errors<0%" }, "errors" },
        { "rate>1000/s",
          { .metric = SLO_RATE, .greater = true, .limit = 1000, .text = "rate>1000/s" },
          "rate" },
        { "rate:60k/m",
          { .metric = SLO_RATE, .greater = true, .limit = 1000, .text = "rate>60k/m" },
          "rate" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct slo slo;
        struct err err;
        char word[16];

        assert_true(slo_parse(str_of(cases[i].text), &slo, &err));
        assert_int_equal(slo.metric, cases[i].slo.metric);
        assert_int_equal(slo.greater, cases[i].slo.greater);
        assert_false(slo.implied);
        assert_true(fabs(slo.quantile - cases[i].slo.quantile) < 1e-12);
        assert_int_equal(slo.threshold_ns, cases[i].slo.threshold_ns);
        assert_true(fabs(slo.limit - cases[i].slo.limit) < 1e-9);
        assert_string_equal(slo.text, cases[i].slo.text);
        slo_metric_word(&slo, word);
        assert_string_equal(word, cases[i].word);
    }
}

static void what_is_no_promise_is_told_the_right_form(UNUSED void **state)
{
    static const struct {
        const char *text, *hint;
    } cases[] = {
        { "p95", "p95:25ms" },
        { "", "p95:25ms" },
        { "p95<25", "25ms" },
        { "p95<", "a time" },
        { "p95<0", "no unit" },
        { "p95<0ms", "zero" },
        { "p95<-1ms", "a time" },
        { "p95>25ms", "p95<25ms" },
        { "p0<25ms", "between 0 and 100" },
        { "p100<25ms", "max" },
        { "p9x<25ms", "percentile" },
        { "latency<25ms", "p95<25ms" },
        { "p(95)<25ms", "p95<25ms" },
        { "<25ms", "p95<25ms" },
        { "errors<1", "1%" },
        { "errors>1%", "errors<1%" },
        { "errors<150%", "1%" },
        { "rate<1000/s", "rate>1000/s" },
        { "rate>x", "10k/s" },
        { "p95(login)<2s", "not in this version yet" },
        { "p95<2s after 2m", "not in this version yet" },
        { "p95<25ms else abort", "not in this version yet" },
        { "p95<0.000000000000000001ms", "zero" },
        { "rate>000000000000000000000000000000000000000000000000000000000000000000001/s",
          "longer" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct slo slo = { .limit = 42 };
        struct err err = { 0 };

        assert_false(slo_parse(str_of(cases[i].text), &slo, &err));
        assert_true(slo.limit > 41);
        assert_int_equal(err.kind, ERR_USAGE);
        if (strstr(err.text, cases[i].hint) == NULL) {
            fail_msg("'%s': '%s' does not name '%s'", cases[i].text, err.text, cases[i].hint);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_promise_is_metric_direction_and_limit),
        cmocka_unit_test(what_is_no_promise_is_told_the_right_form),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
