/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "report/report.h"
#include "report/series.h"

static void add_cell(struct buf *buf, struct series_value value)
{
    switch (value.kind) {
    case SERIES_NONE:
        return;
    case SERIES_WHOLE:
        buf_printf(buf, "%" PRId64, value.whole);
        return;
    case SERIES_REAL:
        buf_printf(buf, "%.6f", value.real);
        return;
    case SERIES_TEXT:
        buf_puts(buf, value.text);
        return;
    }
}

void report_csv(const struct result *result, struct buf *buf)
{
    for (enum series_column column = 0; column < SERIES_COLUMN_COUNT; column++) {
        buf_printf(buf, "%s%s", column == 0 ? "" : ",", series_word(column));
    }
    buf_putc(buf, '\n');
    for (size_t row = 0; row < result->series_count; row++) {
        for (enum series_column column = 0; column < SERIES_COLUMN_COUNT; column++) {
            if (column > 0) {
                buf_putc(buf, ',');
            }
            add_cell(buf, series_value(result, row, column));
        }
        buf_putc(buf, '\n');
    }
}
