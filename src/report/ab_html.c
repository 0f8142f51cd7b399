/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>

#include "report/ab.h"

enum { NUMBER_MAX = 48 };

/* What the server or the user wrote is text and no markup. */
static void add_escaped(struct buf *buf, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            buf_puts(buf, "&amp;");
            break;
        case '<':
            buf_puts(buf, "&lt;");
            break;
        case '>':
            buf_puts(buf, "&gt;");
            break;
        default:
            buf_putc(buf, *text);
        }
    }
}

static void add_row(const struct ab *ab, struct buf *buf, const char *name, const char *value)
{
    buf_printf(buf, "<tr %s><th colspan=2 %s>%s</th><td colspan=2 %s>", ab->tr, ab->td, name,
               ab->td);
    add_escaped(buf, value);
    buf_puts(buf, "</td></tr>\n");
}

static void add_count(const struct ab *ab, struct buf *buf, const char *name, uint64_t count,
                      const char *unit)
{
    char text[NUMBER_MAX];

    (void)snprintf(text, sizeof(text), "%" PRIu64 "%s", count, unit);
    add_row(ab, buf, name, text);
}

/* A row without a name belongs to the one above. */
static void add_rate(const struct ab *ab, struct buf *buf, const char *name, double value,
                     const char *unit)
{
    char text[NUMBER_MAX];

    (void)snprintf(text, sizeof(text), "%.2f%s", value, unit);
    if (name != NULL) {
        add_row(ab, buf, name, text);
    } else {
        buf_printf(buf, "<tr %s><td colspan=2 %s>&nbsp;</td><td colspan=2 %s>%s</td></tr>\n",
                   ab->tr, ab->td, ab->td, text);
    }
}

static void add_counts(const struct ab *ab, struct buf *buf)
{
    add_count(ab, buf, "Complete requests:", ab->done, "");
    add_count(ab, buf, "Failed requests:", ab->failed, "");
    if (ab->failed > 0) {
        buf_printf(buf,
                   "<tr %s><td colspan=4 %s >   (Connect: %" PRIu64 ", Length: %" PRIu64
                   ", Exceptions: %" PRIu64 ")</td></tr>\n",
                   ab->tr, ab->td, ab->by_connect, ab->by_length,
                   ab->by_receive + ab->by_exception);
    }
    if (ab->non_2xx > 0) {
        add_count(ab, buf, "Non-2xx responses:", ab->non_2xx, "");
    }
    if (ab->keep_alive) {
        add_count(ab, buf, "Keep-Alive requests:", ab->kept_alive, "");
    }
    add_count(ab, buf, "Total transferred:", ab->bytes_in, " bytes");
    if (ab->has_body) {
        add_count(ab, buf, "Total body sent:", ab->bytes_out, "");
    }
    add_count(ab, buf, "HTML transferred:", ab->body_in, " bytes");
}

static void add_rates(const struct ab *ab, struct buf *buf)
{
    double in = (double)ab->bytes_in / 1024, out = (double)ab->bytes_out / 1024;

    if (ab->taken_s <= 0) {
        return;
    }
    add_rate(ab, buf, "Requests per second:", (double)ab->done / ab->taken_s, "");
    add_rate(ab, buf, "Transfer rate:", in / ab->taken_s, " kb/s received");
    if (ab->has_body) {
        add_rate(ab, buf, NULL, out / ab->taken_s, " kb/s sent");
        add_rate(ab, buf, NULL, (in + out) / ab->taken_s, " kb/s total");
    }
}

static void add_time(const struct ab *ab, struct buf *buf, const char *name, enum ab_time time)
{
    struct ab_spread spread;

    ab_spread(ab, time, &spread);
    buf_printf(buf,
               "<tr %s><th %s>%s</th><td %s>%5" PRId64 "</td><td %s>%5" PRId64
               "</td><td %s>%5" PRId64 "</td></tr>\n",
               ab->tr, ab->td, name, ab->td, ab_ms(spread.min), ab->td, ab_ms(spread.mean), ab->td,
               ab_ms(spread.max));
}

static void add_times(const struct ab *ab, struct buf *buf)
{
    buf_printf(buf, "<tr %s><th %s colspan=4>Connection Times (ms)</th></tr>\n", ab->tr, ab->td);
    buf_printf(buf,
               "<tr %s><th %s>&nbsp;</th> <th %s>min</th>   <th %s>avg</th>   <th "
               "%s>max</th></tr>\n",
               ab->tr, ab->td, ab->td, ab->td, ab->td);
    add_time(ab, buf, "Connect:", AB_CONNECT);
    add_time(ab, buf, "Processing:", AB_PROCESSING);
    add_time(ab, buf, "Total:", AB_TOTAL);
}

void ab_html(const struct ab *ab, struct buf *buf)
{
    char seconds[NUMBER_MAX];

    buf_printf(buf, "\n\n<table %s>\n", ab->table);
    add_row(ab, buf, "Server Software:", ab->server);
    add_row(ab, buf, "Server Hostname:", ab->host);
    add_count(ab, buf, "Server Port:", ab->port, "");
    add_row(ab, buf, "Document Path:", ab->path);
    if (ab->variable) {
        add_row(ab, buf, "Document Length:", "Variable");
    } else {
        add_count(ab, buf, "Document Length:", ab->length, " bytes");
    }
    add_count(ab, buf, "Concurrency Level:", (uint64_t)ab->concurrency, "");
    (void)snprintf(seconds, sizeof(seconds), "%.3f seconds", ab->taken_s);
    add_row(ab, buf, "Time taken for tests:", seconds);
    add_counts(ab, buf);
    add_rates(ab, buf);
    if (ab->done > 0) {
        add_times(ab, buf);
    }
    buf_puts(buf, "</table>\n");
}
