/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers with units: what is taken is finite, not negative, and can be printed. */
#include <math.h>

#include "base/clock.h"
#include "base/unit.h"
#include "fuzz.h"

static void check_duration(struct str text)
{
    char shown[UNIT_TEXT_MAX];
    struct err err;
    int64_t ns, again;

    if (unit_parse_duration(text, &ns, &err)) {
        FUZZ_CHECK(ns >= 0);
        FUZZ_CHECK(strlen(unit_format_duration(ns, shown)) < UNIT_TEXT_MAX);
        FUZZ_CHECK(strlen(unit_format_duration_option(ns, shown)) < UNIT_TEXT_MAX);
        /* What is written with more than 18 digits, 31 years to the nanosecond, is not read. */
        if (ns % USEC_NS == 0 || ns < 1000000000 * SEC_NS) {
            FUZZ_CHECK(unit_parse_duration(str_of(shown), &again, &err) && again == ns);
        }
    }
}

static void check_whole_numbers(struct str text)
{
    char shown[UNIT_TEXT_MAX];
    struct err err;
    int64_t value;

    if (unit_parse_count(text, &value, &err)) {
        FUZZ_CHECK(value >= 0);
        FUZZ_CHECK(strlen(unit_format_count(value, shown)) < UNIT_TEXT_MAX);
    }
    if (unit_parse_bytes(text, &value, &err)) {
        FUZZ_CHECK(value >= 0);
        FUZZ_CHECK(strlen(unit_format_bytes((double)value, shown)) < UNIT_TEXT_MAX);
    }
}

static void check_fractions(struct str text)
{
    char shown[UNIT_TEXT_MAX];
    struct err err;
    double value;

    if (unit_parse_rate(text, &value, &err)) {
        FUZZ_CHECK(isfinite(value) && value >= 0);
        FUZZ_CHECK(strlen(unit_format_rate(value, shown)) < UNIT_TEXT_MAX);
    }
    if (unit_parse_share(text, &value, &err)) {
        FUZZ_CHECK(isfinite(value) && value >= 0);
        FUZZ_CHECK(strlen(unit_format_share(value, shown)) < UNIT_TEXT_MAX);
    }
    if (unit_parse_number(text, &value, &err)) {
        FUZZ_CHECK(isfinite(value));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = fuzz_text(data, size);

    check_duration(text);
    check_whole_numbers(text);
    check_fractions(text);
    return 0;
}
