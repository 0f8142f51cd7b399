/* SPDX-License-Identifier: Apache-2.0 */
#include "report/series.h"

#include <assert.h>

#include "base/clock.h"

static const char *const series_words[SERIES_COLUMN_COUNT] = {
#define SERIES_WORD(name, word) [SERIES_##name] = word,
    SERIES_LIST(SERIES_WORD)
#undef SERIES_WORD
};

const char *series_word(enum series_column column)
{
    return series_words[column];
}

static struct series_value whole(uint64_t count)
{
    return (struct series_value){ .kind = SERIES_WHOLE, .whole = (int64_t)count };
}

static struct series_value seconds(int64_t ns)
{
    return (struct series_value){ .kind = SERIES_REAL, .real = (double)ns / (double)SEC_NS };
}

static struct series_value time_or_none(int64_t ns)
{
    if (ns < 0) {
        return (struct series_value){ .kind = SERIES_NONE };
    }
    return (struct series_value){ .kind = SERIES_WHOLE, .whole = ns };
}

/* While connections are still being opened, or requests only awaited, the load is none that was
 * asked for. */
static struct series_value target(const struct plan *plan, enum phase phase)
{
    switch (phase) {
    case PHASE_WARMUP:
    case PHASE_MEASURED:
        return whole((uint64_t)plan->connections);
    case PHASE_RAMP:
    case PHASE_DRAIN:
    case PHASE_COUNT:
        break;
    }
    return (struct series_value){ .kind = SERIES_NONE };
}

struct series_value series_value(const struct result *result, size_t row, enum series_column column)
{
    const struct point *point = &result->series[row];

    assert(row < result->series_count);
    switch (column) {
    case SERIES_T:
        return seconds(point->t_ns);
    case SERIES_T_UNIX:
        return whole((uint64_t)((result->started_real_ns + point->t_ns) / MSEC_NS));
    case SERIES_WIDTH:
        return seconds(point->width_ns);
    case SERIES_PHASE:
        return (struct series_value){ .kind = SERIES_TEXT, .text = phase_word(point->phase) };
    case SERIES_TARGET:
        return target(result->plan, point->phase);
    case SERIES_STARTED:
        return whole(point->started);
    case SERIES_OK:
        return whole(point->ok);
    case SERIES_FAILED:
        return whole(point->failed);
    case SERIES_OK_RATE:
        if (point->width_ns <= 0) {
            break;
        }
        return (struct series_value){ .kind = SERIES_REAL,
                                      .real = (double)point->ok * (double)SEC_NS /
                                              (double)point->width_ns };
    case SERIES_BYTES_IN:
        return whole(point->bytes_in);
    case SERIES_IN_FLIGHT:
        return whole(point->in_flight);
    case SERIES_P50:
        return time_or_none(point->p50_ns);
    case SERIES_P95:
        return time_or_none(point->p95_ns);
    case SERIES_P99:
        return time_or_none(point->p99_ns);
    case SERIES_COLUMN_COUNT:
        break;
    }
    return (struct series_value){ .kind = SERIES_NONE };
}
