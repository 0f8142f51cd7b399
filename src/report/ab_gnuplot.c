/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <time.h>

#include "base/clock.h"
#include "report/ab.h"

/* "Mon Nov 30 18:33:26 2026" in the zone of this machine; English, whatever the locale. */
static void add_time(struct buf *buf, time_t seconds)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    struct tm tm = { 0 };

    (void)localtime_r(&seconds, &tm);
    buf_add(buf, days + (size_t)tm.tm_wday * 3, 3);
    buf_putc(buf, ' ');
    buf_add(buf, months + (size_t)tm.tm_mon * 3, 3);
    buf_printf(buf, " %02d %02d:%02d:%02d %d", tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
               tm.tm_year + 1900);
}

void ab_gnuplot(const struct ab *ab, struct buf *buf)
{
    buf_puts(buf, "starttime\tseconds\tctime\tdtime\tttime\twait\n");
    for (size_t i = 0; i < ab->done; i++) {
        const struct ab_record *record = &ab->records[i];
        int64_t seconds = record->start_real_us / (SEC_NS / USEC_NS);

        add_time(buf, (time_t)seconds);
        buf_printf(buf, "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n",
                   seconds, ab_ms(record->connect_us), ab_ms(record->total_us - record->connect_us),
                   ab_ms(record->total_us), ab_ms(record->wait_us));
    }
}
