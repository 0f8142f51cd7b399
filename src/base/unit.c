/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unit.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"

enum { DIGITS_MAX = 18 };

/* 31 years: in nanoseconds as many digits as are read, so that what is written can be read back. */
#define DURATION_MAX_NS INT64_C(999999999999999999)

/* mantissa / 10^places: exact, so that 0.1s is 100000000 ns and not one less. */
struct decimal {
    uint64_t mantissa;
    unsigned places;
};

struct suffix {
    const char *word;
    int64_t factor;
};

static const int64_t powers_of_ten[DIGITS_MAX + 1] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    INT64_C(10000000000),
    INT64_C(100000000000),
    INT64_C(1000000000000),
    INT64_C(10000000000000),
    INT64_C(100000000000000),
    INT64_C(1000000000000000),
    INT64_C(10000000000000000),
    INT64_C(100000000000000000),
    INT64_C(1000000000000000000),
};

static const struct suffix durations[] = {
    { "", SEC_NS },  { "us", USEC_NS },    { "ms", MSEC_NS },
    { "s", SEC_NS }, { "m", 60 * SEC_NS }, { "h", 3600 * SEC_NS },
};

/* No lower case m: to some it would mean minutes, to others a thousandth. */
static const struct suffix counts[] = {
    { "", 1 }, { "k", 1000 }, { "K", 1000 }, { "M", 1000000 }, { "G", 1000000000 },
};

static const struct suffix sizes[] = {
    { "", 1 },          { "b", 1 },        { "k", 1 << 10 },   { "kb", 1 << 10 },
    { "kib", 1 << 10 }, { "m", 1 << 20 },  { "mb", 1 << 20 },  { "mib", 1 << 20 },
    { "g", 1 << 30 },   { "gb", 1 << 30 }, { "gib", 1 << 30 },
};

/* Takes digits, and a point with digits, from the front of *text. */
static bool decimal_take(struct str *text, struct decimal *ret)
{
    struct decimal number = { 0 };
    size_t digits = 0, i = 0;
    bool point = false;

    for (; i < text->len; i++) {
        char c = text->p[i];

        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9') {
            break;
        }
        if (number.mantissa > 0 || c != '0' || point) {
            digits++;
        }
        if (digits > DIGITS_MAX) {
            return false;
        }
        number.mantissa = number.mantissa * 10 + (uint64_t)(c - '0');
        number.places += point;
    }
    /* "." alone, "5." and "" are no numbers. */
    if (i == 0 || text->p[i - 1] == '.') {
        return false;
    }
    *text = str_from(*text, i);
    *ret = number;
    return true;
}

static double decimal_value(struct decimal number)
{
    return (double)number.mantissa / (double)powers_of_ten[number.places];
}

/* Rounded to the nearest; *ret_exact says whether that was needed. */
static bool decimal_times(struct decimal number, int64_t factor, int64_t *ret_value,
                          bool *ret_exact)
{
    __int128 product = (__int128)number.mantissa * factor;
    __int128 divisor = powers_of_ten[number.places];
    __int128 value = (product + divisor / 2) / divisor;

    if (value > INT64_MAX) {
        return false;
    }
    *ret_value = (int64_t)value;
    *ret_exact = product % divisor == 0;
    return true;
}

static const struct suffix *suffix_find(const struct suffix *rows, size_t count, struct str word,
                                        bool any_case)
{
    for (size_t i = 0; i < count; i++) {
        struct str row = str_of(rows[i].word);

        if (any_case ? str_eq_nocase(row, word) : str_eq(row, word)) {
            return &rows[i];
        }
    }
    return NULL;
}

static bool refuse(struct str text, const char *what, const char *example, struct err *err)
{
    if (text.len == 0) {
        return err_set(err, ERR_USAGE, "the value is empty where %s is needed: write %s", what,
                       example);
    }
    return err_set(err, ERR_USAGE, "'%.*s' is not %s: write %s", STR_ARG(text), what, example);
}

bool unit_parse_duration(struct str text, int64_t *ret_ns, struct err *err)
{
    struct str rest = text;
    struct decimal number;
    const struct suffix *unit;
    int64_t ns;
    bool exact;

    if (!decimal_take(&rest, &number)) {
        return refuse(text, "a time", "250us, 25ms, 10s, 2m or 1h", err);
    }
    unit = suffix_find(durations, COUNT_OF(durations), rest, false);
    if (unit == NULL) {
        return refuse(text, "a time", "250us, 25ms, 10s, 2m or 1h", err);
    }
    if (!decimal_times(number, unit->factor, &ns, &exact) || ns > DURATION_MAX_NS) {
        return err_set(err, ERR_USAGE, "'%.*s' is too long a time: write 10s, 2m or 1h",
                       STR_ARG(text));
    }
    *ret_ns = ns;
    return true;
}

/* Whole numbers with a suffix: counts and sizes. */
static bool parse_whole(struct str text, const struct suffix *rows, size_t count, bool any_case,
                        int64_t *ret_value)
{
    struct str rest = text;
    struct decimal number;
    const struct suffix *unit;
    int64_t value;
    bool exact;

    if (!decimal_take(&rest, &number)) {
        return false;
    }
    unit = suffix_find(rows, count, rest, any_case);
    if (unit == NULL || !decimal_times(number, unit->factor, &value, &exact) || !exact) {
        return false;
    }
    *ret_value = value;
    return true;
}

bool unit_parse_count(struct str text, int64_t *ret_count, struct err *err)
{
    if (!parse_whole(text, counts, COUNT_OF(counts), false, ret_count)) {
        return refuse(text, "a whole number", "100, 10k or 2M", err);
    }
    return true;
}

bool unit_parse_bytes(struct str text, int64_t *ret_bytes, struct err *err)
{
    if (!parse_whole(text, sizes, COUNT_OF(sizes), true, ret_bytes)) {
        return refuse(text, "a size", "4096, 4k, 1m or 2g", err);
    }
    return true;
}

bool unit_parse_rate(struct str text, double *ret_hz, struct err *err)
{
    static const struct suffix periods[] = { { "", 1 }, { "s", 1 }, { "m", 60 }, { "h", 3600 } };
    struct str rest = text, multiple = { 0 };
    struct decimal number;
    const struct suffix *scale, *period;

    if (!decimal_take(&rest, &number) || !str_cut(&rest, '/', &multiple)) {
        return refuse(text, "a rate", "500, 10k/s, 120/m or 3600/h", err);
    }
    scale = suffix_find(counts, COUNT_OF(counts), multiple, false);
    /* A slash without a period after it ("5/") leaves an empty rest that is not NULL. */
    period = rest.p != NULL && rest.len == 0 ? NULL
                                             : suffix_find(periods, COUNT_OF(periods), rest, false);
    if (scale == NULL || period == NULL) {
        return refuse(text, "a rate", "500, 10k/s, 120/m or 3600/h", err);
    }
    *ret_hz = decimal_value(number) * (double)scale->factor / (double)period->factor;
    return true;
}

bool unit_parse_share(struct str text, double *ret_share, struct err *err)
{
    struct str rest = text;
    struct decimal number;
    bool percent;
    double value;

    if (!decimal_take(&rest, &number)) {
        return refuse(text, "a share", "0.1% or 0.001", err);
    }
    percent = str_eq(rest, STR("%"));
    if (!percent && rest.len > 0) {
        return refuse(text, "a share", "0.1% or 0.001", err);
    }
    value = decimal_value(number);
    /* A bare 1 is either one percent or all: nobody can know. */
    if (percent ? value > 100 : value >= 1) {
        return err_set(err, ERR_USAGE, "'%.*s' is not a share below one: write 1%% or 0.01",
                       STR_ARG(text));
    }
    *ret_share = percent ? value / 100 : value;
    return true;
}

bool unit_parse_number(struct str text, double *ret_value, struct err *err)
{
    struct str rest = text;
    struct decimal number;

    if (!decimal_take(&rest, &number) || rest.len > 0) {
        return refuse(text, "a number", "12 or 0.5", err);
    }
    *ret_value = decimal_value(number);
    return true;
}

/* Three significant digits of a value from 1 to 999.4. */
static void format_three(double value, const char *unit, char *text)
{
    int places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

    (void)snprintf(text, UNIT_TEXT_MAX, "%.*f%s", places, value, unit);
}

static void format_minutes(int64_t seconds, char *text)
{
    long long s = seconds;

    if (s < 3600) {
        (void)snprintf(text, UNIT_TEXT_MAX, s % 60 == 0 ? "%lld min" : "%lld min %lld s", s / 60,
                       s % 60);
    } else {
        (void)snprintf(text, UNIT_TEXT_MAX, s / 60 % 60 == 0 ? "%lld h" : "%lld h %lld min",
                       s / 3600, s / 60 % 60);
    }
}

const char *unit_format_duration(int64_t ns, char *text)
{
    double ms = (double)ns / (double)MSEC_NS;

    if (ns < 0) {
        (void)snprintf(text, UNIT_TEXT_MAX, "n/a");
    } else if (ns == 0) {
        (void)snprintf(text, UNIT_TEXT_MAX, "0 ms");
    } else if (ns < USEC_NS / 2) {
        (void)snprintf(text, UNIT_TEXT_MAX, "<0.001 ms");
    } else if (ns < MSEC_NS - USEC_NS / 2) {
        int us = (int)((ns + USEC_NS / 2) / USEC_NS);

        (void)snprintf(text, UNIT_TEXT_MAX, us % 10 == 0 ? "%.2f ms" : "%.3f ms",
                       (double)us / 1000);
    } else if (ms < 999.5) {
        format_three(ms, " ms", text);
    } else if (ms < 59950) {
        format_three(ms / 1000, " s", text);
    } else {
        format_minutes(ns / SEC_NS + (ns % SEC_NS >= SEC_NS / 2), text);
    }
    return text;
}

const char *unit_format_duration_option(int64_t ns, char *text)
{
    static const struct suffix units[] = {
        { "h", 3600 * SEC_NS }, { "m", 60 * SEC_NS }, { "s", SEC_NS },
        { "ms", MSEC_NS },      { "us", USEC_NS },
    };

    if (ns == 0) {
        (void)snprintf(text, UNIT_TEXT_MAX, "0");
        return text;
    }
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        int64_t factor = units[i].factor;

        /* 90s and not 1.5m; a whole minute is 1m. */
        if (ns % factor == 0) {
            (void)snprintf(text, UNIT_TEXT_MAX, "%lld%s", (long long)(ns / factor), units[i].word);
            return text;
        }
    }
    (void)snprintf(text, UNIT_TEXT_MAX, "%lld.%03dus", (long long)(ns / USEC_NS),
                   (int)(ns % USEC_NS));
    return text;
}

const char *unit_format_count(int64_t count, char *text)
{
    char digits[UNIT_TEXT_MAX];
    size_t length, to = 0;
    uint64_t magnitude = count < 0 ? -(uint64_t)count : (uint64_t)count;

    length = (size_t)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)magnitude);
    if (count < 0) {
        text[to++] = '-';
    }
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            text[to++] = ',';
        }
        text[to++] = digits[i];
    }
    text[to] = '\0';
    return text;
}

const char *unit_format_rate(double hz, char *text)
{
    if (!isfinite(hz) || hz < 0 || hz > 1e18) {
        (void)snprintf(text, UNIT_TEXT_MAX, "n/a");
    } else if (hz == 0) {
        (void)snprintf(text, UNIT_TEXT_MAX, "0/s");
    } else if (hz < 0.0005) {
        (void)snprintf(text, UNIT_TEXT_MAX, "<0.001/s");
    } else if (hz < 0.9995) {
        (void)snprintf(text, UNIT_TEXT_MAX, "%.3f/s", hz);
    } else if (hz < 99.95) {
        format_three(hz, "/s", text);
    } else {
        char whole[UNIT_TEXT_MAX];

        (void)unit_format_count((int64_t)(hz + 0.5), whole);
        (void)snprintf(text, UNIT_TEXT_MAX, "%.29s/s", whole);
    }
    return text;
}

const char *unit_format_bytes(double bytes, char *text)
{
    static const char *const units[] = { " kB", " MB", " GB", " TB", " PB", " EB" };
    double value = bytes;
    size_t unit = 0;

    if (!isfinite(bytes) || bytes < 0) {
        (void)snprintf(text, UNIT_TEXT_MAX, "n/a");
        return text;
    }
    if (bytes < 999.5) {
        (void)snprintf(text, UNIT_TEXT_MAX, "%.0f B", bytes);
        return text;
    }
    for (value /= 1000; value >= 999.5 && unit + 1 < COUNT_OF(units); value /= 1000) {
        unit++;
    }
    format_three(value, units[unit], text);
    return text;
}

const char *unit_format_share(double share, char *text)
{
    double percent = share * 100;

    if (!isfinite(share) || share < 0) {
        (void)snprintf(text, UNIT_TEXT_MAX, "n/a");
    } else if (percent == 0) {
        (void)snprintf(text, UNIT_TEXT_MAX, "0 %%");
    } else if (percent < 0.01) {
        (void)snprintf(text, UNIT_TEXT_MAX, "<0.01 %%");
    } else if (percent > 99.99 && percent < 100) {
        /* Not quite all is not all. */
        (void)snprintf(text, UNIT_TEXT_MAX, ">99.99 %%");
    } else if (percent < 9.995 || (percent > 99 && percent < 100)) {
        int hundredths = (int)lround(percent * 100);

        (void)snprintf(text, UNIT_TEXT_MAX, "%.*f %%",
                       hundredths % 100 == 0  ? 0
                       : hundredths % 10 == 0 ? 1
                                              : 2,
                       (double)hundredths / 100);
    } else {
        (void)snprintf(text, UNIT_TEXT_MAX, "%.0f %%", percent);
    }
    return text;
}
