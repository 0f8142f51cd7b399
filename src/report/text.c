/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/unit.h"
#include "report/confidence.h"
#include "report/findings.h"
#include "report/next.h"
#include "report/page.h"
#include "report/percentile.h"
#include "report/report.h"
#include "report/spark.h"
#include "result/redact.h"

enum { SHAPE_CELLS = 40, TARGET_BYTES_MAX = 64 << 10, LOAD_BYTES_MAX = 512 };

static const double percentiles_default[] = { 0.5, 0.9, 0.95, 0.99, 0.999 };

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* An interrupt in the ramp or in the warm-up: nothing is measured, though much may have been sent.
 */
static bool stopped_before(const struct result *result)
{
    return result->state != RUN_FINISHED && result->duration_ns == 0;
}

/* "closed, 50 connections kept alive, 10.0 s after 1.00 s warm-up, 1 thread, seed 71" */
static void text_load(struct page *page, const struct result *result)
{
    const struct plan *plan = result->plan;
    char users[UNIT_TEXT_MAX], count[UNIT_TEXT_MAX], text[UNIT_TEXT_MAX];
    struct buf load;

    buf_init(&load, LOAD_BYTES_MAX);
    buf_printf(&load, "closed, %s %s%s%s, ", unit_format_count(plan->connections, users),
               plan->close ? "user" : "connection", plural((uint64_t)plan->connections),
               plan->close ? ", a new connection for every request" : " kept alive");
    if (plan->requests > 0) {
        buf_printf(&load, "%s request%s in ", unit_format_count(plan->requests, count),
                   plural((uint64_t)plan->requests));
    }
    if (stopped_before(result)) {
        buf_puts(&load, "stopped before the measured time");
    } else {
        buf_puts(&load, unit_format_duration(result->duration_ns, text));
    }
    if (result->warmup_ns > 0 && !stopped_before(result)) {
        buf_printf(&load, " after %s warm-up", unit_format_duration(result->warmup_ns, text));
    }
    buf_printf(&load, ", %u thread%s, seed %" PRIu64, result->generator.threads,
               plural(result->generator.threads), plan->seed);
    page_prose(page, INK_PLAIN, "%s", buf_str(&load).p);
    buf_fini(&load);
}

static void text_run(struct page *page, const struct result *result)
{
    struct buf target;

    buf_init(&target, TARGET_BYTES_MAX);
    if (page->style->keep_secrets) {
        buf_puts(&target, result->plan->target);
    } else {
        redact_url(str_of(result->plan->target), &target);
    }
    page_begin(page, "brunt run");
    page_item(page, INK_BOLD, "%s", buf_str(&target).p);
    buf_reset(&target);
    if (result->plan->proxy != NULL) {
        buf_puts(&target, "through the proxy ");
        url_format_host(&result->plan->proxy_url, &target);
        page_item(page, INK_PLAIN, "%s", buf_str(&target).p);
    }
    buf_fini(&target);
    text_load(page, result);
    page_end(page);
    switch (result->state) {
    case RUN_FINISHED:
        return;
    case RUN_INTERRUPTED:
        page_begin(page, "");
        page_item(page, INK_WARN, "%s",
                  stopped_before(result) ? "interrupted: nothing was measured yet"
                                         : "interrupted: these are the results so far");
        page_end(page);
        return;
    case RUN_ABORTED:
        page_begin(page, "");
        page_item(page, INK_WARN, "given up: no answer came, not a byte of one, for 10 s");
        page_end(page);
        return;
    }
}

static void text_answer(struct page *page, const struct result *result)
{
    const struct first_answer *first = &result->first;
    char bytes[UNIT_TEXT_MAX], low[UNIT_TEXT_MAX], high[UNIT_TEXT_MAX];

    page_begin(page, "answer");
    if (!first->known) {
        page_item(page, INK_WARN, "none came");
        page_end(page);
        return;
    }
    unit_format_bytes((double)first->bytes, bytes);
    page_item(page, INK_PLAIN, "%u, %s%s%s%s%s, HTTP/1.%u%s%s", first->status, bytes,
              first->content_type[0] == '\0' ? "" : " ", first->content_type,
              first->server[0] == '\0' ? "" : ", ", first->server, first->version_minor,
              first->address[0] == '\0' ? "" : ", ", first->address);
    if (result->counts.ok > 0 && result->body_length_min < result->body_length_max) {
        page_item(page, INK_PLAIN, "body length varied, %s..%s",
                  unit_format_bytes((double)result->body_length_min, low),
                  unit_format_bytes((double)result->body_length_max, high));
    }
    page_end(page);
    page_explain(page, "answer", "the first answer: status, length, kind, server, address");
}

static void text_tls(struct page *page, const struct result_tls *tls)
{
    char made[UNIT_TEXT_MAX], resumed[UNIT_TEXT_MAX];

    if (!tls->made) {
        return;
    }
    page_begin(page, "tls");
    if (tls->facts.version[0] != '\0') {
        page_item(page, INK_PLAIN, "%s %s %s", tls->facts.version, tls->facts.cipher,
                  tls->facts.group);
    }
    page_item(page, INK_PLAIN, "%s handshake%s, %s resumed",
              unit_format_count((int64_t)tls->counts.handshakes, made),
              tls->counts.handshakes == 1 ? "" : "s",
              unit_format_count((int64_t)tls->counts.resumed, resumed));
    page_end(page);
    page_explain(page, "handshakes", "of the whole run; a resumed one costs the server a fraction");
}

static void explain_requests(struct page *page, const struct counts *counts)
{
    page_explain(page, "ok", "requests of the measured time that got a good answer");
    page_explain(page, "failed", "those that got none, or one that does not count as good");
    page_explain(page, "unfinished", "those that were still open when the run ended");
    page_explain(page, "a second", "good answers in the measured time; failures are not in it");
    page_explain(page, "in", "bytes received a second, heads included");
    if (counts->reconnects > 0) {
        page_explain(page, "reconnects", "connections opened because the server closed one");
    }
    if (counts->followed > 0) {
        page_explain(page, "followed", "redirects and challenges on the way to the last answer");
    }
    if (counts->retried > 0) {
        page_explain(page, "retried", "sent again because a kept-alive connection was just closed");
    }
}

static void text_totals(struct page *page, const struct counts *totals)
{
    char text[UNIT_TEXT_MAX];

    page_begin(page, "whole run");
    page_item(page, INK_PLAIN, "%s started", unit_format_count((int64_t)totals->started, text));
    page_item(page, INK_PLAIN, "%s ok", unit_format_count((int64_t)totals->ok, text));
    page_item(page, INK_PLAIN, "%s failed", unit_format_count((int64_t)totals->failed, text));
    page_item(page, INK_PLAIN, "%s unfinished",
              unit_format_count((int64_t)totals->unfinished, text));
    page_end(page);
    page_explain(page, "whole run", "warm-up and drain included: what the server's log shows");
}

static void text_requests(struct page *page, const struct result *result)
{
    const struct counts *counts = &result->counts;
    double measured_s = (double)result->duration_ns / (double)SEC_NS;
    bool known = result->duration_ns > 0;
    char text[UNIT_TEXT_MAX];

    page_begin(page, "requests");
    page_item(page, INK_PLAIN, "%s ok", unit_format_count((int64_t)counts->ok, text));
    page_item(page, counts->failed > 0 ? INK_BAD : INK_PLAIN, "%s failed",
              unit_format_count((int64_t)counts->failed, text));
    page_item(page, counts->unfinished > 0 ? INK_WARN : INK_PLAIN, "%s unfinished",
              unit_format_count((int64_t)counts->unfinished, text));
    page_item(page, INK_BOLD, "%s",
              known ? unit_format_rate(result_ok_per_s(result), text) : "n/a");
    if (known) {
        page_item(page, INK_PLAIN, "%s/s in",
                  unit_format_bytes((double)result->bytes_in / measured_s, text));
    }
    if (counts->reconnects > 0) {
        page_item(page, INK_PLAIN, "%s reconnects",
                  unit_format_count((int64_t)counts->reconnects, text));
    }
    if (counts->followed > 0) {
        page_item(page, INK_PLAIN, "%s followed",
                  unit_format_count((int64_t)counts->followed, text));
    }
    if (counts->retried > 0) {
        page_item(page, INK_PLAIN, "%s retried", unit_format_count((int64_t)counts->retried, text));
    }
    page_end(page);
    explain_requests(page, counts);
    if (page->style->verbose || stopped_before(result)) {
        text_totals(page, &result->totals);
    }
}

/* A request that began before the measured time and never ended is in no count of it, but its user
 * was missing all the time. */
static void text_unfinished(struct page *page, const struct result *result)
{
    uint64_t measured = result->counts.unfinished;
    uint64_t before = result->totals.unfinished - measured;
    char count[UNIT_TEXT_MAX], age[UNIT_TEXT_MAX];

    if (stopped_before(result)) {
        measured = before;
        before = 0;
    }
    if (measured + before == 0) {
        return;
    }
    (void)unit_format_duration(result->oldest_unfinished_ns, age);
    page_begin(page, "unfinished");
    if (measured > 0) {
        page_item(page, INK_WARN, "%s without an answer at the end, the oldest after %s",
                  unit_format_count((int64_t)measured, count), age);
    }
    if (before > 0) {
        page_item(page, INK_WARN, "%s that began before the measured time never ended%s%s",
                  unit_format_count((int64_t)before, count),
                  measured > 0 ? "" : ", the oldest after ", measured > 0 ? "" : age);
    }
    page_end(page);
}

static void text_status(struct page *page, const struct result *result)
{
    const struct counts *counts = &result->counts;
    char count[UNIT_TEXT_MAX];
    bool any = false;

    for (unsigned i = 0; i < COUNTS_STATUS_MAX; i++) {
        if (counts->by_status[i] == 0) {
            continue;
        }
        if (!any) {
            page_begin(page, "status");
            any = true;
        }
        page_item(page, i >= 400 ? INK_BAD : INK_PLAIN, "%u %s", i,
                  unit_format_count((int64_t)counts->by_status[i], count));
    }
    if (any) {
        page_end(page);
        page_explain(page, "status", "how many answers came with each status");
    }
}

/* why: say why it is not known. */
static void add_percentile(struct page *page, const struct hist *hist, double quantile, bool why)
{
    char word[PERCENTILE_WORD_MAX], value[UNIT_TEXT_MAX], count[UNIT_TEXT_MAX];

    percentile_word(quantile, word);
    if (!hist_quantile_known(hist->count, quantile)) {
        if (!why) {
            page_item(page, INK_DIM, "%s n/a", word);
            return;
        }
        page_item(page, INK_DIM, "%s n/a (%s sample%s)", word,
                  unit_format_count((int64_t)hist->count, count), plural(hist->count));
        return;
    }
    page_item(page, INK_PLAIN, "%s %s", word,
              unit_format_duration(hist_quantile(hist, quantile), value));
}

static void add_response_percentile(struct page *page, const struct result *result, double quantile,
                                    bool why)
{
    const struct hist *hist = &result->latency[LATENCY_RESPONSE];

    if (hist_quantile_known(hist->count, quantile)) {
        confidence_add(page, result, quantile);
    } else {
        add_percentile(page, hist, quantile, why);
    }
}

static void explain_latency(struct page *page, const struct result *result)
{
    page_explain(page, "latency",
                 "from the send to the last byte of good answers, connect included");
    page_explain(page, "mean", "the sum of all divided by their number");
    page_explain(page, "p95", "95 % of the good answers took this long or less; so for each p");
    confidence_explain(page, result);
    page_explain(page, "max", "the slowest good answer");
    page_explain(page, "n/a", "fewer samples than it takes for one to lie beyond the percentile");
    page_explain(page, "times end",
                 result->generator.stamped ? "when the kernel received the last byte"
                                           : "when the last byte was read");
}

static void text_latency(struct page *page, const struct result *result)
{
    const struct hist *hist = &result->latency[LATENCY_RESPONSE];
    const struct report_style *style = page->style;
    const double *list = style->percentiles != NULL ? style->percentiles : percentiles_default;
    size_t count =
        style->percentiles != NULL ? style->percentile_count : COUNT_OF(percentiles_default);
    char value[UNIT_TEXT_MAX];

    page_begin(page, "latency");
    if (hist->count == 0) {
        page_item(page, INK_PLAIN, "n/a (no good answer)");
        page_end(page);
        return;
    }
    page->gap = 2; /* the usual percentiles fit into one line then */
    page_item(page, INK_PLAIN, "mean %s", unit_format_duration((int64_t)hist_mean(hist), value));
    for (size_t i = 0; i < count; i++) {
        if (list[i] < 1) {
            add_response_percentile(page, result, list[i], i + 1 == count || list[i + 1] >= 1);
        }
    }
    page_item(page, INK_PLAIN, "max %s", unit_format_duration(hist->max_ns, value));
    page_end(page);
    explain_latency(page, result);
    confidence_weak(page, result);
}

/* The other view of a closed load. Where the server never stood still it says the same again. */
static bool paced_differs(const struct result *result)
{
    static const double share = 0.95, much = 2;
    const struct hist *paced = &result->latency[LATENCY_PACED];

    return hist_quantile_known(paced->count, share) &&
           (double)hist_quantile(paced, share) >
               much * (double)hist_quantile(&result->latency[LATENCY_RESPONSE], share);
}

static void text_paced(struct page *page, const struct result *result)
{
    const struct hist *hist = &result->latency[LATENCY_PACED];
    char value[UNIT_TEXT_MAX];

    if (hist->count == 0 || !(page->style->verbose || paced_differs(result))) {
        return;
    }
    page_begin(page, "paced");
    page->gap = 2;
    page_item(page, INK_PLAIN, "mean %s", unit_format_duration((int64_t)hist_mean(hist), value));
    for (size_t i = 0; i < COUNT_OF(percentiles_default); i++) {
        add_percentile(page, hist, percentiles_default[i], false);
    }
    page_item(page, INK_PLAIN, "max %s", unit_format_duration(hist->max_ns, value));
    page_end(page);
    page_begin(page, "");
    page_prose(page, INK_DIM,
               "latency counts each answer once; paced is what users see who ask every %s (the "
               "median) and do not wait while the server stands still",
               unit_format_duration(result_pace_ns(result), value));
    page_end(page);
    page_explain(page, "paced", latency_text(LATENCY_PACED));
}

struct phase_row {
    enum latency latency;
    const char *label;
    bool always; /* else with -v only */
};

static const struct phase_row phase_rows[] = {
    { LATENCY_DNS, "dns", true },
    { LATENCY_CONNECT, "connect", true },
    { LATENCY_TLS, "tls", true },
    { LATENCY_SEND, "send", false },
    { LATENCY_FIRST_BYTE, "first byte", true },
    { LATENCY_TRANSFER, "transfer", true },
    { LATENCY_DWELL, "dwell", false },
    { LATENCY_SLIP, "slip", false },
};

static void text_phase_detail(struct page *page, const struct phase_row *row,
                              const struct hist *hist, bool first)
{
    char count[UNIT_TEXT_MAX], mean[UNIT_TEXT_MAX], high[UNIT_TEXT_MAX];

    page_begin(page, first ? "phases" : "");
    page_item(page, INK_PLAIN, "%-10s mean %-9s", row->label,
              unit_format_duration((int64_t)hist_mean(hist), mean));
    add_percentile(page, hist, 0.5, true);
    add_percentile(page, hist, 0.99, true);
    page_item(page, INK_PLAIN, "max %s   of %s", unit_format_duration(hist->max_ns, high),
              unit_format_count((int64_t)hist->count, count));
    page_end(page);
    page_explain(page, row->label, latency_text(row->latency));
}

static void text_phases(struct page *page, const struct result *result)
{
    char mean[UNIT_TEXT_MAX];
    bool any = false;

    for (size_t i = 0; i < COUNT_OF(phase_rows); i++) {
        const struct phase_row *row = &phase_rows[i];
        const struct hist *hist = &result->latency[row->latency];

        if (hist->count == 0 || !(row->always || page->style->verbose)) {
            continue;
        }
        if (page->style->verbose) {
            text_phase_detail(page, row, hist, !any);
            any = true;
            continue;
        }
        if (!any) {
            page_begin(page, "phases");
            any = true;
        }
        page_item(page, INK_PLAIN, "%s %s", row->label,
                  unit_format_duration((int64_t)hist_mean(hist), mean));
    }
    if (!any || page->style->verbose) {
        return;
    }
    page_end(page);
    for (size_t i = 0; i < COUNT_OF(phase_rows); i++) {
        if (phase_rows[i].always && result->latency[phase_rows[i].latency].count > 0) {
            page_explain(page, phase_rows[i].label, latency_text(phase_rows[i].latency));
        }
    }
    page_explain(page, "phases", "means; connect is of those that connected");
}

/* The distribution between the fastest and p99.9, on a logarithmic axis. */
static void text_shape(struct page *page, const struct result *result)
{
    const struct hist *hist = &result->latency[LATENCY_RESPONSE];
    bool tail = hist_quantile_known(hist->count, 0.999);
    int64_t high_ns = tail ? hist_quantile(hist, 0.999) : hist->max_ns;
    double counts[SHAPE_CELLS];
    char low[UNIT_TEXT_MAX], high[UNIT_TEXT_MAX], max[UNIT_TEXT_MAX];
    struct buf bars;
    size_t cells;

    cells = spark_cells(hist, hist->min_ns, high_ns, SHAPE_CELLS, counts);
    if (cells < 2) {
        return;
    }
    buf_init(&bars, 4096);
    spark_add(&bars, counts, cells, page->style->ascii);
    unit_format_duration(hist->min_ns, low);
    unit_format_duration(high_ns, high);
    unit_format_duration(hist->max_ns, max);
    page_begin(page, "");
    if (tail) {
        page_item(page, INK_PLAIN, "%s %s %s, 0.1 %% up to %s", low, buf_str(&bars).p, high, max);
    } else {
        page_item(page, INK_PLAIN, "%s %s %s", low, buf_str(&bars).p, high);
    }
    page_end(page);
    buf_fini(&bars);
    page_explain(page, "shape", "how many answers took how long, on a logarithmic axis");
}

static void text_generator(struct page *page, const struct result *result)
{
    const struct generator *generator = &result->generator;
    char busy[UNIT_TEXT_MAX], bytes[UNIT_TEXT_MAX], pauses[UNIT_TEXT_MAX];

    if (!page->style->verbose) {
        return;
    }
    page_begin(page, "generator");
    page_item(page, INK_PLAIN, "cpu %.3g s", generator->cpu_s);
    page_item(page, INK_PLAIN, "busiest thread %s", unit_format_share(generator->busy_max, busy));
    page_item(page, INK_PLAIN, "memory %s", unit_format_bytes((double)generator->rss_bytes, bytes));
    if (generator->stamped) {
        page_item(page, INK_PLAIN, "%s pauses: times end when the kernel received the last byte",
                  unit_format_count((int64_t)generator->pauses, pauses));
    } else {
        page_item(page, INK_PLAIN, "no pauses: times end when the last byte was read");
    }
    page_end(page);
}

void report_text(const struct result *result, const struct report_style *style, struct buf *buf)
{
    struct page page;

    page_init(&page, style, buf);
    if (!style->quiet) {
        text_run(&page, result);
        text_answer(&page, result);
        text_tls(&page, &result->tls);
        buf_putc(buf, '\n');
    }
    text_requests(&page, result);
    if (!style->quiet) {
        text_unfinished(&page, result);
        text_status(&page, result);
    }
    findings_failures(&page, result);
    text_latency(&page, result);
    if (!style->quiet) {
        text_paced(&page, result);
        text_phases(&page, result);
        text_shape(&page, result);
        text_generator(&page, result);
    }
    findings_slos(&page, result);
    if (!style->quiet) {
        findings_notes(&page, result);
    }
    findings_validity(&page, result);
    if (!style->quiet) {
        next_suggest(&page, result);
    }
}
