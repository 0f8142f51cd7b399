/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/clock.h"
#include "base/unit.h"

static void times_are_exact_nanoseconds(UNUSED void **state)
{
    static const struct {
        const char *text;
        int64_t ns;
    } rows[] = {
        { "250us", 250 * USEC_NS },
        { "25ms", 25 * MSEC_NS },
        { "10s", 10 * SEC_NS },
        { "10", 10 * SEC_NS },
        { "2m", 120 * SEC_NS },
        { "1h", 3600 * SEC_NS },
        { "1.5s", 1500 * MSEC_NS },
        { ".5s", 500 * MSEC_NS },
        { "0.1s", 100 * MSEC_NS },
        { "0.000000001", 1 },
        { "0", 0 },
        { "0ms", 0 },
        { "007s", 7 * SEC_NS },
        { "999999999.999999999s", INT64_C(999999999999999999) },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct err err;
        int64_t ns = -1;

        assert_true(unit_parse_duration(str_of(rows[i].text), &ns, &err));
        assert_int_equal(ns, rows[i].ns);
    }
}

static void what_is_no_time_is_refused_by_name(UNUSED void **state)
{
    static const char *const rows[] = {
        "",           "-1s",         "+1s",
        "1 s",        " 1s",         "1s ",
        "s",          "nan",         "inf",
        "0x10",       "1e3",         "1.2.3",
        "5.",         ".",           "10S",
        "1ss",        "1m30s",       "10sec",
        "{}",         "1,5s",        "http://127.0.0.1/",
        "999999999h", "1000000000s", "99999999999999999999s",
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct err err = { 0 };
        int64_t ns = 42;

        assert_false(unit_parse_duration(str_of(rows[i]), &ns, &err));
        assert_int_equal(ns, 42);
        assert_int_equal(err.kind, ERR_USAGE);
        assert_non_null(strstr(err.text, rows[i]));
        assert_non_null(strstr(err.text, "10s"));
    }
}

static void counts_are_whole_after_their_suffix(UNUSED void **state)
{
    static const struct {
        const char *text;
        int64_t count; /* -1: refused */
    } rows[] = {
        { "100", 100 },
        { "10k", 10000 },
        { "10K", 10000 },
        { "2M", 2000000 },
        { "1.5k", 1500 },
        { "1G", 1000000000 },
        { "0", 0 },
        { "9223372036854775807", -1 },
        { "1.5", -1 },
        { "1.0001k", -1 },
        { "2m", -1 },
        { "-1", -1 },
        { "", -1 },
        { "5x", -1 },
        { "1e3", -1 },
        { "999999999999999999", 999999999999999999 },
        { "999999999999G", -1 },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct err err;
        int64_t count = -1;

        assert_int_equal(unit_parse_count(str_of(rows[i].text), &count, &err), rows[i].count >= 0);
        assert_int_equal(count, rows[i].count);
    }
}

static void sizes_are_powers_of_1024(UNUSED void **state)
{
    static const struct {
        const char *text;
        int64_t bytes; /* -1: refused */
    } rows[] = {
        { "4096", 4096 }, { "4k", 4096 },    { "4K", 4096 },       { "4kb", 4096 },
        { "4KiB", 4096 }, { "1m", 1048576 }, { "2g", 2147483648 }, { "0.5k", 512 },
        { "10b", 10 },    { "4t", -1 },      { "k", -1 },          { "4 k", -1 },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct err err;
        int64_t bytes = -1;

        assert_int_equal(unit_parse_bytes(str_of(rows[i].text), &bytes, &err), rows[i].bytes >= 0);
        assert_int_equal(bytes, rows[i].bytes);
    }
}

static void rates_are_events_a_second(UNUSED void **state)
{
    static const struct {
        const char *text;
        double hz; /* -1: refused */
    } rows[] = {
        { "500", 500 },   { "10k/s", 10000 }, { "120/m", 2 }, { "3600/h", 1 }, { "0.5", 0.5 },
        { "500/s", 500 }, { "1M", 1e6 },      { "5/", -1 },   { "/s", -1 },    { "5/d", -1 },
        { "5x/s", -1 },   { "", -1 },         { "-5", -1 },   { "5/s/s", -1 },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct err err;
        double hz = -1;

        assert_int_equal(unit_parse_rate(str_of(rows[i].text), &hz, &err), rows[i].hz >= 0);
        assert_true(fabs(hz - rows[i].hz) < 1e-9);
    }
}

static void shares_need_a_percent_sign_or_lie_below_one(UNUSED void **state)
{
    static const struct {
        const char *text;
        double share; /* -1: refused */
    } rows[] = {
        { "0.1%", 0.001 }, { "0.001", 0.001 }, { "100%", 1 }, { "0", 0 },
        { "0%", 0 },       { "1", -1 },        { "5", -1 },   { "101%", -1 },
        { "%", -1 },       { "1 %", -1 },      { "-1%", -1 }, { "1%%", -1 },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct err err;
        double share = -1;

        assert_int_equal(unit_parse_share(str_of(rows[i].text), &share, &err), rows[i].share >= 0);
        assert_true(fabs(share - rows[i].share) < 1e-12);
    }
}

static void numbers_are_plain_decimals(UNUSED void **state)
{
    struct err err;
    double value = 0;

    assert_true(unit_parse_number(STR("99.9"), &value, &err));
    assert_true(fabs(value - 99.9) < 1e-12);
    assert_false(unit_parse_number(STR("1e3"), &value, &err));
    assert_false(unit_parse_number(STR("nan"), &value, &err));
    assert_false(unit_parse_number(STR(""), &value, &err));
    assert_true(fabs(value - 99.9) < 1e-12);
}

static void times_are_written_with_three_digits(UNUSED void **state)
{
    static const struct {
        int64_t ns;
        const char *text;
    } rows[] = {
        { -1, "n/a" },
        { 0, "0 ms" },
        { 1, "<0.001 ms" },
        { 499, "<0.001 ms" },
        { 500, "0.001 ms" },
        { 80000, "0.08 ms" },
        { 83400, "0.083 ms" },
        { 999499, "0.999 ms" },
        { 999500, "1.00 ms" },
        { 1210000, "1.21 ms" },
        { 9996000, "10.0 ms" },
        { 21700000, "21.7 ms" },
        { 99960000, "100 ms" },
        { 999400000, "999 ms" },
        { 999600000, "1.00 s" },
        { 1250000000, "1.25 s" },
        { 59949000000, "59.9 s" },
        { 59960000000, "1 min" },
        { 125 * SEC_NS, "2 min 5 s" },
        { 3600 * SEC_NS, "1 h" },
        { 3660 * SEC_NS, "1 h 1 min" },
    };
    char text[UNIT_TEXT_MAX];

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_string_equal(unit_format_duration(rows[i].ns, text), rows[i].text);
    }
}

static void a_time_written_as_an_option_reads_back_the_same(UNUSED void **state)
{
    static const struct {
        int64_t ns;
        const char *text;
    } rows[] = {
        { 0, "0" },
        { 10 * SEC_NS, "10s" },
        { 90 * SEC_NS, "90s" },
        { 120 * SEC_NS, "2m" },
        { 3600 * SEC_NS, "1h" },
        { 250 * USEC_NS, "250us" },
        { 1500 * MSEC_NS, "1500ms" },
        { 1001, "1.001us" },
        { 1, "0.001us" },
    };
    char text[UNIT_TEXT_MAX];

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct err err;
        int64_t ns = -1;

        assert_string_equal(unit_format_duration_option(rows[i].ns, text), rows[i].text);
        assert_true(unit_parse_duration(str_of(text), &ns, &err));
        assert_int_equal(ns, rows[i].ns);
    }
}

static void counts_are_written_in_groups_of_three(UNUSED void **state)
{
    char text[UNIT_TEXT_MAX];

    assert_string_equal(unit_format_count(0, text), "0");
    assert_string_equal(unit_format_count(999, text), "999");
    assert_string_equal(unit_format_count(1000, text), "1,000");
    assert_string_equal(unit_format_count(412310, text), "412,310");
    assert_string_equal(unit_format_count(-1234567, text), "-1,234,567");
    assert_string_equal(unit_format_count(INT64_MIN, text), "-9,223,372,036,854,775,808");
}

static void rates_are_written_for_people(UNUSED void **state)
{
    static const struct {
        double hz;
        const char *text;
    } rows[] = {
        { 41231.4, "41,231/s" }, { 9.52, "9.52/s" },     { 99.96, "100/s" },   { 0, "0/s" },
        { 0.052, "0.052/s" },    { 0.0001, "<0.001/s" }, { 0.9996, "1.00/s" }, { 12.34, "12.3/s" },
        { -1, "n/a" },           { NAN, "n/a" },         { INFINITY, "n/a" },
    };
    char text[UNIT_TEXT_MAX];

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_string_equal(unit_format_rate(rows[i].hz, text), rows[i].text);
    }
}

static void sizes_are_written_in_powers_of_1000(UNUSED void **state)
{
    static const struct {
        double bytes;
        const char *text;
    } rows[] = {
        { 555, "555 B" },      { 0, "0 B" },        { 999.6, "1.00 kB" },
        { 22.9e6, "22.9 MB" }, { 1234, "1.23 kB" }, { 999.7e3, "1.00 MB" },
        { 5e12, "5.00 TB" },   { -1, "n/a" },       { NAN, "n/a" },
    };
    char text[UNIT_TEXT_MAX];

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_string_equal(unit_format_bytes(rows[i].bytes, text), rows[i].text);
    }
}

static void shares_never_round_to_all_or_nothing(UNUSED void **state)
{
    static const struct {
        double share;
        const char *text;
    } rows[] = {
        { 0, "0 %" },          { 0.0041, "0.41 %" }, { 0.61, "61 %" }, { 0.00001, "<0.01 %" },
        { 0.05, "5 %" },       { 0.005, "0.5 %" },   { 1, "100 %" },   { 0.99996, ">99.99 %" },
        { 0.9995, "99.95 %" }, { NAN, "n/a" },       { -0.1, "n/a" },  { 0.099961, "10 %" },
    };
    char text[UNIT_TEXT_MAX];

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_string_equal(unit_format_share(rows[i].share, text), rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_exact_nanoseconds),
        cmocka_unit_test(what_is_no_time_is_refused_by_name),
        cmocka_unit_test(counts_are_whole_after_their_suffix),
        cmocka_unit_test(sizes_are_powers_of_1024),
        cmocka_unit_test(rates_are_events_a_second),
        cmocka_unit_test(shares_need_a_percent_sign_or_lie_below_one),
        cmocka_unit_test(numbers_are_plain_decimals),
        cmocka_unit_test(times_are_written_with_three_digits),
        cmocka_unit_test(a_time_written_as_an_option_reads_back_the_same),
        cmocka_unit_test(counts_are_written_in_groups_of_three),
        cmocka_unit_test(rates_are_written_for_people),
        cmocka_unit_test(sizes_are_written_in_powers_of_1000),
        cmocka_unit_test(shares_never_round_to_all_or_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
