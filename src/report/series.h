/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The course of a run as a table: a row a point, one list of columns for JSON and CSV.
 */
#ifndef REPORT_SERIES_H
#define REPORT_SERIES_H

#include <stdint.h>

#include "result/result.h"

#define SERIES_LIST(X)                                                                             \
    X(T, "t_s")                                                                                    \
    X(T_UNIX, "t_unix_ms")                                                                         \
    X(WIDTH, "width_s")                                                                            \
    X(PHASE, "phase")                                                                              \
    X(TARGET, "target")                                                                            \
    X(STARTED, "started")                                                                          \
    X(OK, "ok")                                                                                    \
    X(FAILED, "failed")                                                                            \
    X(OK_RATE, "ok_per_s")                                                                         \
    X(BYTES_IN, "bytes_in")                                                                        \
    X(IN_FLIGHT, "in_flight")                                                                      \
    X(P50, "p50_ns")                                                                               \
    X(P95, "p95_ns")                                                                               \
    X(P99, "p99_ns")

enum series_column {
#define SERIES_ENUM(name, word) SERIES_##name,
    SERIES_LIST(SERIES_ENUM)
#undef SERIES_ENUM
        SERIES_COLUMN_COUNT
};

enum series_kind { SERIES_NONE, SERIES_WHOLE, SERIES_REAL, SERIES_TEXT };

struct series_value {
    enum series_kind kind;
    int64_t whole;
    double real;
    const char *text;
};

const char *series_word(enum series_column column);
struct series_value series_value(const struct result *result, size_t row,
                                 enum series_column column);

#endif
