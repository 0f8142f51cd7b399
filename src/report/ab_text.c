/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "report/ab.h"

static const char *const time_words[AB_TIME_COUNT] = { "Connect", "Processing", "Waiting",
                                                       "Total" };

static void add_line(struct buf *buf, const char *name, const char *value)
{
    buf_printf(buf, "%-23s %s\n", name, value);
}

static void add_count(struct buf *buf, const char *name, uint64_t count)
{
    buf_printf(buf, "%-23s %" PRIu64 "\n", name, count);
}

static void add_bytes(struct buf *buf, const char *name, uint64_t bytes)
{
    buf_printf(buf, "%-23s %" PRIu64 " bytes\n", name, bytes);
}

static void add_where(const struct ab *ab, struct buf *buf)
{
    buf_puts(buf, "\n\n");
    add_line(buf, "Server Software:", ab->server);
    add_line(buf, "Server Hostname:", ab->host);
    add_count(buf, "Server Port:", ab->port);
    if (ab->tls_protocol != NULL) {
        add_line(buf, "SSL/TLS Protocol:", ab->tls_protocol);
    }
    if (ab->tls_key != NULL) {
        add_line(buf, "Server Temp Key:", ab->tls_key);
    }
    if (ab->tls_name != NULL) {
        add_line(buf, "TLS Server Name:", ab->tls_name);
    }
    buf_putc(buf, '\n');
    add_line(buf, "Document Path:", ab->path);
    if (ab->variable) {
        add_line(buf, "Document Length:", "Variable");
    } else {
        add_bytes(buf, "Document Length:", ab->length);
    }
}

static void add_counts(const struct ab *ab, struct buf *buf)
{
    buf_putc(buf, '\n');
    add_count(buf, "Concurrency Level:", (uint64_t)ab->concurrency);
    buf_printf(buf, "%-23s %.3f seconds\n", "Time taken for tests:", ab->taken_s);
    add_count(buf, "Complete requests:", ab->done);
    add_count(buf, "Failed requests:", ab->failed);
    if (ab->failed > 0) {
        buf_printf(buf,
                   "   (Connect: %" PRIu64 ", Receive: %" PRIu64 ", Length: %" PRIu64
                   ", Exceptions: %" PRIu64 ")\n",
                   ab->by_connect, ab->by_receive, ab->by_length, ab->by_exception);
    }
    if (ab->write_errors > 0) {
        add_count(buf, "Write errors:", ab->write_errors);
    }
    if (ab->non_2xx > 0) {
        add_count(buf, "Non-2xx responses:", ab->non_2xx);
    }
    if (ab->keep_alive) {
        add_count(buf, "Keep-Alive requests:", ab->kept_alive);
    }
    add_bytes(buf, "Total transferred:", ab->bytes_in);
    if (ab->has_body) {
        add_count(buf, "Total body sent:", ab->bytes_out);
    }
    add_bytes(buf, "HTML transferred:", ab->body_in);
}

static void add_rates(const struct ab *ab, struct buf *buf)
{
    double taken_ms = ab->taken_s * 1000, done = (double)ab->done;
    double in = (double)ab->bytes_in / 1024, out = (double)ab->bytes_out / 1024;

    if (ab->taken_s <= 0 || ab->done == 0) {
        return;
    }
    buf_printf(buf, "%-23s %.2f [#/sec] (mean)\n", "Requests per second:", done / ab->taken_s);
    buf_printf(buf, "%-23s %.3f [ms] (mean)\n",
               "Time per request:", (double)ab->concurrency * taken_ms / done);
    buf_printf(buf, "%-23s %.3f [ms] (mean, across all concurrent requests)\n",
               "Time per request:", taken_ms / done);
    buf_printf(buf, "%-23s %.2f [Kbytes/sec] received\n", "Transfer rate:", in / ab->taken_s);
    if (ab->has_body) {
        buf_printf(buf, "%-23s %.2f kb/s sent\n", "", out / ab->taken_s);
        buf_printf(buf, "%-23s %.2f kb/s total\n", "", (in + out) / ab->taken_s);
    }
}

static void add_time(const struct ab *ab, enum ab_time time, const struct ab_spread *spread,
                     struct buf *buf)
{
    buf_printf(buf, "%s:%*s", time_words[time], (int)(11 - strlen(time_words[time])), "");
    if (ab->deviations) {
        buf_printf(buf, "%5" PRId64 " %4" PRId64 " %5.1f %6" PRId64 " %7" PRId64 "\n",
                   ab_ms(spread->min), ab_ms(spread->mean), spread->sd / 1000,
                   ab_ms(spread->median), ab_ms(spread->max));
    } else {
        buf_printf(buf, "%5" PRId64 " %5" PRId64 "%5" PRId64 "\n", ab_ms(spread->min),
                   ab_ms(spread->mean), ab_ms(spread->max));
    }
}

/* ab warns where mean and median are more than one deviation apart. They never are, in no sample at
 * all: what it warns of is its own rounding to milliseconds, and so there is nothing to say here.
 */
static void add_times(const struct ab *ab, struct buf *buf)
{
    buf_puts(buf, "\nConnection Times (ms)\n");
    buf_puts(buf, ab->deviations ? "              min  mean[+/-sd] median   max\n"
                                 : "              min   avg   max\n");
    for (enum ab_time time = 0; time < AB_TIME_COUNT; time++) {
        struct ab_spread spread;

        ab_spread(ab, time, &spread);
        add_time(ab, time, &spread, buf);
    }
}

/* At p percent stands the first time that more than p percent of the requests did not exceed. */
static void add_percentiles(const struct ab *ab, struct buf *buf)
{
    static const unsigned percents[] = { 50, 66, 75, 80, 90, 95, 98, 99 };

    buf_puts(buf, "\nPercentage of the requests served within a certain time (ms)\n");
    for (size_t i = 0; i < COUNT_OF(percents); i++) {
        buf_printf(buf, "  %u%%  %5" PRId64 "\n", percents[i],
                   ab_ms(ab->records[ab->done * percents[i] / 100].total_us));
    }
    buf_printf(buf, " 100%%  %5" PRId64 " (longest request)\n",
               ab_ms(ab->records[ab->done - 1].total_us));
}

void ab_text(const struct ab *ab, struct buf *buf)
{
    add_where(ab, buf);
    add_counts(ab, buf);
    add_rates(ab, buf);
    if (ab->done > 0) {
        add_times(ab, buf);
    }
    if (ab->percentiles && ab->done > 1) {
        add_percentiles(ab, buf);
    }
}
