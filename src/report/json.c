/* SPDX-License-Identifier: Apache-2.0 */
/*
 * brunt.result/1. Every field of the contract is there in every document; what is not known, or
 * belongs to a kind of run that this is not, is null. doc/schema holds the schema.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "report/report.h"
#include "report/series.h"
#include "result/redact.h"
#include "stats/quantiles.h"
#include "json/json_write.h"

enum { TEXT_BYTES_MAX = 64 << 10 };

/* Written as null. */
static const double unknown = (double)NAN;

static double seconds(int64_t ns)
{
    return (double)ns / (double)SEC_NS;
}

static void field_or_null(struct json_write *json, const char *key, const char *text)
{
    json_write_text(json, key, text[0] == '\0' ? NULL : text);
}

/* A text that may hold a URL. */
static void redacted(struct json_write *json, const char *key, const char *text,
                     const struct report_style *style)
{
    struct buf buf;

    if (text == NULL || text[0] == '\0' || style->keep_secrets) {
        field_or_null(json, key, text == NULL ? "" : text);
        return;
    }
    buf_init(&buf, TEXT_BYTES_MAX);
    redact_url(str_of(text), &buf);
    json_write_string(json, key, buf_str(&buf));
    buf_fini(&buf);
}

static void write_tags(struct json_write *json, const struct plan *plan)
{
    json_write_object(json, "tags");
    for (size_t i = 0; i < plan->tags.count; i++) {
        struct str rest = str_of(plan->tags.items[i]);
        struct str key = { "", 0 };
        char name[256];

        (void)str_cut(&rest, '=', &key);
        str_copy(name, sizeof(name), key);
        json_write_string(json, name, rest.p == NULL ? STR("") : rest);
    }
    json_write_end(json);
}

static void write_run(struct json_write *json, const struct result *result)
{
    char started[32];

    clock_format_rfc3339(result->started_real_ns, started);
    json_write_object(json, "run");
    field_or_null(json, "id", result->id);
    json_write_text(json, "name", result->plan->name);
    write_tags(json, result->plan);
    json_write_text(json, "note", result->plan->note);
    json_write_text(json, "subcommand", "run");
    json_write_array(json, "argv");
    for (int i = 0; i < result->argc; i++) {
        json_write_text(json, NULL, result->argv[i]);
    }
    json_write_end(json);
    json_write_text(json, "version", BRUNT_VERSION);
    json_write_text(json, "started", started);
    json_write_double(json, "duration_s", seconds(result->duration_ns));
    json_write_double(json, "ramp_s", seconds(result->ramp_ns));
    json_write_double(json, "warmup_s", seconds(result->warmup_ns));
    json_write_double(json, "wall_s", seconds(result->wall_ns));
    json_write_uint(json, "seed", result->plan->seed);
    json_write_text(json, "state", run_state_word(result->state));
    json_write_int(json, "exit_code", result->exit_code);
    json_write_end(json);
}

static void write_environment(struct json_write *json, const struct machine *machine)
{
    json_write_object(json, "environment");
    json_write_uint(json, "cpus", machine->cpus);
    json_write_uint(json, "allowed_cpus", machine->allowed_cpus);
    field_or_null(json, "kernel", machine->kernel);
    if (machine->descriptors >= 0) {
        json_write_int(json, "descriptors", machine->descriptors);
    } else {
        json_write_null(json, "descriptors");
    }
    if (machine->port_high > 0) {
        json_write_row(json, "port_range");
        json_write_uint(json, NULL, machine->port_low);
        json_write_uint(json, NULL, machine->port_high);
        json_write_end(json);
    } else {
        json_write_null(json, "port_range");
    }
    field_or_null(json, "congestion", machine->congestion);
    if (machine->tw_reuse >= 0) {
        json_write_int(json, "tw_reuse", machine->tw_reuse);
    } else {
        json_write_null(json, "tw_reuse");
    }
    field_or_null(json, "clocksource", machine->clocksource);
    json_write_double(json, "ports_used", machine->ports_used);
    json_write_int(json, "clock_step_ns", machine->clock_step_ns);
    json_write_double(json, "neighbour_cores", machine->neighbour_cores);
    field_or_null(json, "neighbour", machine->neighbour);
    json_write_end(json);
}

static const char *version_word(enum http_version version)
{
    switch (version) {
    case HTTP_1_1:
        return "1.1";
    case HTTP_1_0:
        return "1.0";
    }
    return "?";
}

/* What requests of several kinds do not have in common is null. */
static void write_items(struct json_write *json, const struct plan *plan)
{
    const struct plan_item *first = &plan->items[0];
    bool same_method = true, same_length = true;

    for (size_t i = 1; i < plan->item_count; i++) {
        same_method = same_method && strcmp(plan->items[i].method, first->method) == 0;
        same_length = same_length && plan->items[i].body.len == first->body.len;
    }
    json_write_uint(json, "items", plan->item_count);
    json_write_text(json, "method", same_method ? first->method : NULL);
    if (same_length) {
        json_write_uint(json, "body_bytes", first->body.len);
    } else {
        json_write_null(json, "body_bytes");
    }
}

static void write_plan(struct json_write *json, const struct result *result,
                       const struct report_style *style)
{
    const struct plan *plan = result->plan;

    json_write_object(json, "plan");
    redacted(json, "target", plan->target, style);
    redacted(json, "proxy", plan->proxy, style);
    write_items(json, plan);
    json_write_text(json, "model", "closed");
    json_write_int(json, "connections", plan->connections);
    json_write_null(json, "rate");
    json_write_null(json, "arrivals");
    json_write_bool(json, "keepalive", !plan->close);
    json_write_text(json, "http", version_word(plan->http));
    json_write_uint(json, "threads", result->generator.threads);
    json_write_int(json, "users", plan->connections);
    json_write_null(json, "iterations");
    json_write_row(json, "stages");
    json_write_end(json);
    if (plan->requests > 0) {
        json_write_int(json, "requests", plan->requests);
    } else {
        json_write_null(json, "requests");
    }
    if (plan->duration_ns > 0) {
        json_write_double(json, "duration_s", seconds(plan->duration_ns));
    } else {
        json_write_null(json, "duration_s");
    }
    json_write_double(json, "timeout_s", seconds(plan->timeout_ns));
    json_write_double(json, "connect_timeout_s", seconds(plan->connect_timeout_ns));
    json_write_double(json, "drain_s", seconds(plan->drain_ns));
    json_write_null(json, "sha256");
    json_write_end(json);
}

static void write_first_answer(struct json_write *json, const struct first_answer *first,
                               const struct report_style *style)
{
    char version[16];

    if (!first->known) {
        json_write_null(json, "first_answer");
        return;
    }
    (void)snprintf(version, sizeof(version), "1.%u", first->version_minor);
    json_write_object(json, "first_answer");
    json_write_uint(json, "status", first->status);
    json_write_uint(json, "bytes", first->bytes);
    field_or_null(json, "content_type", first->content_type);
    field_or_null(json, "server", first->server);
    field_or_null(json, "address", first->address);
    json_write_text(json, "http", version);
    redacted(json, "location", first->location, style);
    json_write_end(json);
}

static void write_tls(struct json_write *json, const struct result_tls *tls)
{
    if (!tls->made) {
        json_write_null(json, "tls");
        return;
    }
    json_write_object(json, "tls");
    field_or_null(json, "version", tls->facts.version);
    field_or_null(json, "cipher", tls->facts.cipher);
    field_or_null(json, "group", tls->facts.group);
    json_write_uint(json, "handshakes", tls->counts.handshakes);
    json_write_uint(json, "resumed", tls->counts.resumed);
    json_write_uint(json, "unclean_ends", tls->unclean_ends);
    json_write_end(json);
}

static void write_counts(struct json_write *json, const char *key, const struct counts *counts)
{
    char status[16];

    json_write_object(json, key);
    json_write_uint(json, "started", counts->started);
    json_write_uint(json, "ok", counts->ok);
    json_write_uint(json, "failed", counts->failed);
    json_write_uint(json, "unfinished", counts->unfinished);
    json_write_uint(json, "reconnects", counts->reconnects);
    json_write_uint(json, "retried", counts->retried);
    json_write_uint(json, "followed", counts->followed);
    json_write_object(json, "by_status");
    for (unsigned i = 0; i < COUNTS_STATUS_MAX; i++) {
        if (counts->by_status[i] > 0) {
            (void)snprintf(status, sizeof(status), "%u", i);
            json_write_uint(json, status, counts->by_status[i]);
        }
    }
    json_write_end(json);
    json_write_object(json, "by_failure");
    for (enum fail fail = 0; fail < FAIL_COUNT; fail++) {
        if (counts->by_failure[fail] > 0) {
            json_write_uint(json, fail_word(fail), counts->by_failure[fail]);
        }
    }
    json_write_end(json);
    json_write_end(json);
}

static void write_rate(struct json_write *json, const struct result *result)
{
    double measured_s = seconds(result->duration_ns);
    bool known = result->duration_ns > 0;

    json_write_object(json, "rate");
    json_write_null(json, "asked_per_s");
    json_write_double(json, "sent_per_s", known ? result_started_per_s(result) : unknown);
    json_write_double(json, "ok_per_s", known ? result_ok_per_s(result) : unknown);
    json_write_double(json, "failed_per_s", known ? result_failed_per_s(result) : unknown);
    json_write_double(json, "bytes_in_per_s",
                      known ? (double)result->bytes_in / measured_s : unknown);
    json_write_double(json, "bytes_out_per_s",
                      known ? (double)result->bytes_out / measured_s : unknown);
    json_write_end(json);
}

static void write_bytes(struct json_write *json, const struct result *result)
{
    json_write_object(json, "bytes");
    json_write_uint(json, "in", result->bytes_in);
    json_write_uint(json, "out", result->bytes_out);
    json_write_uint(json, "body_in", result->body_in);
    if (result->plan->expect_body != NULL) {
        json_write_uint(json, "body_in_decoded", result->body_decoded);
    } else {
        json_write_null(json, "body_in_decoded");
    }
    json_write_uint(json, "total_in", result->totals_bytes_in);
    json_write_uint(json, "total_out", result->totals_bytes_out);
    json_write_end(json);
}

/* confidence: NULL when it was not worked out, as is of all but the response. */
static void write_confidence(struct json_write *json, const struct confidence *confidence)
{
    if (confidence == NULL) {
        json_write_null(json, "ci95");
        json_write_row(json, "weak");
        json_write_end(json);
        return;
    }
    json_write_object(json, "ci95");
    for (size_t i = 0; i < QUANTILES_COUNT; i++) {
        if (confidence[i].known) {
            json_write_row(json, quantiles_list[i].key);
            json_write_int(json, NULL, confidence[i].low_ns);
            json_write_int(json, NULL, confidence[i].high_ns);
            json_write_end(json);
        } else {
            json_write_null(json, quantiles_list[i].key);
        }
    }
    json_write_end(json);
    json_write_row(json, "weak");
    for (size_t i = 0; i < QUANTILES_COUNT; i++) {
        if (confidence[i].weak) {
            json_write_text(json, NULL, quantiles_list[i].key);
        }
    }
    json_write_end(json);
}

static void write_latency(struct json_write *json, const char *key, const struct hist *hist,
                          const struct confidence *confidence)
{
    bool any = hist->count > 0;

    json_write_object(json, key);
    json_write_uint(json, "count", hist->count);
    json_write_double(json, "mean", any ? hist_mean(hist) : unknown);
    json_write_double(json, "stddev", any ? hist_stddev(hist) : unknown);
    if (any) {
        json_write_int(json, "min", hist->min_ns);
        json_write_int(json, "max", hist->max_ns);
    } else {
        json_write_null(json, "min");
        json_write_null(json, "max");
    }
    for (size_t i = 0; i < QUANTILES_COUNT; i++) {
        const struct quantile *quantile = &quantiles_list[i];

        if (hist_quantile_known(hist->count, quantile->share)) {
            json_write_int(json, quantile->key, hist_quantile(hist, quantile->share));
        } else {
            json_write_null(json, quantile->key);
        }
    }
    write_confidence(json, confidence);
    json_write_end(json);
}

static void write_latencies(struct json_write *json, const struct result *result)
{
    json_write_object(json, "latency_ns");
    for (enum latency latency = 0; latency < LATENCY_COUNT; latency++) {
        /* In a closed load response and service are one time under two names. */
        bool judged = latency == LATENCY_RESPONSE || latency == LATENCY_SERVICE;

        write_latency(json, latency_word(latency), &result->latency[latency],
                      judged ? result->confidence : NULL);
    }
    json_write_end(json);
}

static void write_slo_limit(struct json_write *json, const struct slo *slo)
{
    switch (slo->metric) {
    case SLO_QUANTILE:
    case SLO_MEAN:
    case SLO_MAX:
        json_write_int(json, "limit", slo->threshold_ns);
        json_write_text(json, "unit", "ns");
        return;
    case SLO_ERRORS:
        json_write_double(json, "limit", slo->limit);
        json_write_text(json, "unit", "share");
        return;
    case SLO_RATE:
        json_write_double(json, "limit", slo->limit);
        json_write_text(json, "unit", "per_s");
        return;
    }
}

static void write_slos(struct json_write *json, const struct result *result)
{
    json_write_array(json, "slo");
    for (size_t i = 0; i < result->plan->slo_count; i++) {
        const struct slo *slo = &result->plan->slos[i];
        const struct slo_outcome *outcome = &result->slo[i];
        bool counted = outcome->of > 0;
        char metric[16];

        slo_metric_word(slo, metric);
        json_write_object(json, NULL);
        json_write_text(json, "expr", slo->text);
        json_write_text(json, "metric", metric);
        json_write_text(json, "op", slo->greater ? ">" : "<");
        write_slo_limit(json, slo);
        json_write_double(json, "actual",
                          outcome->state == SLO_NO_DATA ? unknown : outcome->actual);
        if (counted) {
            json_write_uint(json, "violations", outcome->violations);
            json_write_uint(json, "of", outcome->of);
        } else {
            json_write_null(json, "violations");
            json_write_null(json, "of");
        }
        json_write_text(json, "state", slo_state_word(outcome->state));
        json_write_bool(json, "implied", slo->implied);
        json_write_end(json);
    }
    json_write_end(json);
}

static void write_validity(struct json_write *json, const struct result *result)
{
    json_write_object(json, "validity");
    json_write_bool(json, "valid", result->valid);
    json_write_array(json, "checks");
    for (size_t i = 0; i < result->check_count; i++) {
        const struct check *check = &result->checks[i];

        json_write_object(json, NULL);
        json_write_text(json, "id", check->id);
        json_write_text(json, "about", about_word(check->about));
        json_write_text(json, "level", level_word(check->level));
        json_write_double(json, "value", check->value);
        json_write_double(json, "limit", check->limit);
        json_write_text(json, "text", check->text);
        json_write_end(json);
    }
    json_write_end(json);
    json_write_end(json);
}

static void write_generator(struct json_write *json, const struct generator *generator)
{
    json_write_object(json, "generator");
    json_write_double(json, "cpu_s", generator->cpu_s);
    json_write_double(json, "busy_max", generator->busy_max);
    json_write_row(json, "busy");
    for (unsigned i = 0; i < generator->threads && i < RESULT_THREADS_MAX; i++) {
        json_write_double(json, NULL, generator->busy[i]);
    }
    json_write_end(json);
    json_write_double(json, "run_wait", generator->run_wait);
    json_write_double(json, "steal", generator->steal);
    json_write_int(json, "rss_bytes", generator->rss_bytes);
    json_write_uint(json, "threads", generator->threads);
    json_write_text(json, "done_at", generator->stamped ? "kernel-stamp" : "read");
    json_write_uint(json, "pauses", generator->pauses);
    json_write_uint(json, "dwell_dropped", generator->dwell_dropped);
    json_write_end(json);
}

/* What the checks and the summary speak of besides. */
static void write_observed(struct json_write *json, const struct result *result,
                           const struct report_style *style)
{
    json_write_object(json, "observed");
    json_write_double(json, "users_mean", result->users_mean);
    json_write_uint(json, "refused_backoffs", result->refused_backoffs);
    json_write_uint(json, "client_closes", result->client_closes);
    json_write_int(json, "oldest_unfinished_ns", result->oldest_unfinished_ns);
    if (result->counts.ok > 0) {
        json_write_uint(json, "body_bytes_min", result->body_length_min);
        json_write_uint(json, "body_bytes_max", result->body_length_max);
    } else {
        json_write_null(json, "body_bytes_min");
        json_write_null(json, "body_bytes_max");
    }
    json_write_uint(json, "cookies_dropped", result->cookies_dropped);
    json_write_row(json, "addresses");
    for (size_t i = 0; i < result->address_count; i++) {
        json_write_object(json, NULL);
        json_write_text(json, "address", result->addresses[i].address);
        json_write_uint(json, "connections", result->addresses[i].connections);
        json_write_end(json);
    }
    json_write_end(json);
    json_write_object(json, "failure_samples");
    for (enum fail fail = 0; fail < FAIL_COUNT; fail++) {
        if (result->sample[fail][0] != '\0') {
            redacted(json, fail_word(fail), result->sample[fail], style);
        }
    }
    json_write_end(json);
    json_write_end(json);
}

static void write_series(struct json_write *json, const struct result *result)
{
    json_write_object(json, "series");
    for (enum series_column column = 0; column < SERIES_COLUMN_COUNT; column++) {
        json_write_row(json, series_word(column));
        for (size_t i = 0; i < result->series_count; i++) {
            struct series_value value = series_value(result, i, column);

            switch (value.kind) {
            case SERIES_NONE:
                json_write_null(json, NULL);
                break;
            case SERIES_WHOLE:
                json_write_int(json, NULL, value.whole);
                break;
            case SERIES_REAL:
                json_write_double(json, NULL, value.real);
                break;
            case SERIES_TEXT:
                json_write_text(json, NULL, value.text);
                break;
            }
        }
        json_write_end(json);
    }
    json_write_end(json);
}

/* brunt.hist/1: the counters themselves, so that documents can be merged without loss. */
static void write_histogram(struct json_write *json, const char *key, const struct hist *hist)
{
    bool any = hist->count > 0;

    json_write_object(json, key);
    json_write_text(json, "encoding", "brunt.hist/1");
    json_write_uint(json, "bits", HIST_BITS);
    json_write_uint(json, "exponent_max", HIST_EXPONENT_MAX);
    json_write_uint(json, "count", hist->count);
    json_write_uint(json, "sum_ns", hist->sum_ns);
    json_write_double(json, "sum_squares_ns2", hist->sum_squares);
    if (any) {
        json_write_int(json, "min_ns", hist->min_ns);
        json_write_int(json, "max_ns", hist->max_ns);
    } else {
        json_write_null(json, "min_ns");
        json_write_null(json, "max_ns");
    }
    json_write_uint(json, "overflow", hist->overflow);
    json_write_row(json, "buckets");
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        if (hist->buckets[i] > 0) {
            json_write_row(json, NULL);
            json_write_uint(json, NULL, i);
            json_write_uint(json, NULL, hist->buckets[i]);
            json_write_end(json);
        }
    }
    json_write_end(json);
    json_write_end(json);
}

void report_json(const struct result *result, const struct report_style *style, struct buf *buf)
{
    struct json_write json;

    json_write_init(&json, buf);
    json_write_object(&json, NULL);
    json_write_text(&json, "schema", "brunt.result/1");
    write_run(&json, result);
    write_environment(&json, &result->machine);
    write_plan(&json, result, style);
    write_first_answer(&json, &result->first, style);
    write_tls(&json, &result->tls);
    write_counts(&json, "counts", &result->counts);
    write_counts(&json, "totals", &result->totals);
    write_rate(&json, result);
    write_bytes(&json, result);
    write_latencies(&json, result);
    json_write_row(&json, "stages");
    json_write_end(&json);
    json_write_row(&json, "transactions");
    json_write_end(&json);
    write_slos(&json, result);
    write_validity(&json, result);
    json_write_null(&json, "verdict");
    write_generator(&json, &result->generator);
    json_write_row(&json, "servers");
    json_write_end(&json);
    write_observed(&json, result, style);
    write_series(&json, result);
    json_write_object(&json, "histograms");
    write_histogram(&json, "response", &result->latency[LATENCY_RESPONSE]);
    json_write_end(&json);
    json_write_null(&json, "sweep");
    json_write_null(&json, "find");
    json_write_null(&json, "compare");
    json_write_null(&json, "host");
    json_write_end(&json);
}
