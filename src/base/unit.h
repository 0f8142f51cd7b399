/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers with units, the only parser and the only printer of them.
 *
 * Parsers take the whole slice and refuse signs, blanks, NaN, hexadecimal and what does not fit. A
 * fraction is decimal ("1.5s", ".5s"). Errors name the text and an example of what is right
 * (ERR_USAGE).
 */
#ifndef BASE_UNIT_H
#define BASE_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

/* "250us" "25ms" "10s" "2m" "1h", bare numbers are seconds; 0 is allowed. */
bool unit_parse_duration(struct str text, int64_t *ret_ns, struct err *err) MUST_CHECK;
/* "100" "10k" "2M" (powers of 1000); whole after the multiplication. */
bool unit_parse_count(struct str text, int64_t *ret_count, struct err *err) MUST_CHECK;
/* "4096" "4k" "1m" "2g": powers of 1024, an optional "b" or "ib" after it. */
bool unit_parse_bytes(struct str text, int64_t *ret_bytes, struct err *err) MUST_CHECK;
/* "500" "10k/s" "120/m" "3600/h": events a second. */
bool unit_parse_rate(struct str text, double *ret_hz, struct err *err) MUST_CHECK;
/* "0.1%" -> 0.001; "0.001" -> 0.001. */
bool unit_parse_share(struct str text, double *ret_share, struct err *err) MUST_CHECK;
/* A plain decimal number. */
bool unit_parse_number(struct str text, double *ret_value, struct err *err) MUST_CHECK;

enum { UNIT_TEXT_MAX = 32 };

/* Each writes into text (UNIT_TEXT_MAX bytes) and returns it. Three significant digits, never more
 * than 1 us of resolution: "0.08 ms" "1.21 ms" "21.7 ms" "1.25 s" "2 min 5 s"; "n/a" for a negative
 * value. */
const char *unit_format_duration(int64_t ns, char *text);
/* As an option's value, exact: "10s" "1m30s" is written "90s"; "250us". */
const char *unit_format_duration_option(int64_t ns, char *text);
/* "412,310" */
const char *unit_format_count(int64_t count, char *text);
/* "41,231/s" "9.52/s" */
const char *unit_format_rate(double hz, char *text);
/* "555 B" "22.9 MB" (powers of 1000) */
const char *unit_format_bytes(double bytes, char *text);
/* "0.41 %" "61 %" "<0.01 %" "0 %" */
const char *unit_format_share(double share, char *text);

#endif
