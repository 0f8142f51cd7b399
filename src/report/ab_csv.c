/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ab.h"

void ab_csv(const struct ab *ab, struct buf *buf)
{
    buf_puts(buf, "Percentage served,Time in ms\n");
    for (unsigned percent = 0; percent <= 100 && ab->done > 0; percent++) {
        size_t rank = (size_t)(0.5 + (double)ab->done * percent / 100.0);

        if (percent == 0) {
            rank = 0;
        } else if (rank >= ab->done) {
            rank = ab->done - 1;
        }
        buf_printf(buf, "%u,%.3f\n", percent, (double)ab->records[rank].total_us / 1000);
    }
}
