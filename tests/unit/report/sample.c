/* SPDX-License-Identifier: Apache-2.0 */
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"

static char target[] = "http://anna:secret@127.0.0.1:8080/";
static char tag[] = "build=17";
static char *tags[] = { tag };
static char note[] = "a \"quoted\" note";
static char arg0[] = "brunt", arg1[] = "-c", arg2[] = "50", arg3[] = "--slo", arg4[] = "p95<25ms";
static char arg5[] = "http://anna:secret@127.0.0.1:8080/";
static char proxy[] = "http://anna:secret@proxy.test:3128", proxy_host[] = "proxy.test";
static char *argv_sample[] = { arg0, arg1, arg2, arg3, arg4, arg5 };

static void fill_plan(struct plan *plan)
{
    static char method[] = "GET";
    static struct plan_item item = { .method = method };

    *plan = (struct plan){
        .items = &item,
        .item_count = 1,
        .target = target,
        .connections = 50,
        .duration_ns = 10 * SEC_NS,
        .warmup_ns = SEC_NS,
        .timeout_ns = 30 * SEC_NS,
        .connect_timeout_ns = 10 * SEC_NS,
        .drain_ns = 5 * SEC_NS,
        .seed = UINT64_C(18446744073709551557),
        .note = note,
        .tags = { tags, 1 },
        .slo_count = 2,
        .slos = { { .metric = SLO_QUANTILE,
                    .quantile = 0.95,
                    .threshold_ns = 25 * MSEC_NS,
                    .text = "p95<25ms" },
                  { .metric = SLO_ERRORS, .implied = true, .limit = 0.01, .text = "errors<1%" } },
    };
}

static void fill_machine(struct machine *machine)
{
    machine->cpus = 2;
    machine->allowed_cpus = 2;
    machine->descriptors = 1048576;
    machine->port_low = 32768;
    machine->port_high = 60999;
    machine->tw_reuse = 2;
    (void)snprintf(machine->kernel, sizeof(machine->kernel), "6.1.0-28-amd64");
    (void)snprintf(machine->congestion, sizeof(machine->congestion), "cubic");
    (void)snprintf(machine->clocksource, sizeof(machine->clocksource), "tsc");
}

static void fill_first(struct first_answer *first)
{
    first->known = true;
    first->status = 200;
    first->version_minor = 1;
    first->bytes = 555;
    (void)snprintf(first->content_type, sizeof(first->content_type), "text/html");
    (void)snprintf(first->server, sizeof(first->server), "nginx/1.22.1");
    (void)snprintf(first->address, sizeof(first->address), "127.0.0.1:8080");
}

/* Squares of numbers that are spread evenly: many short, few long. */
static void fill_latency(struct result *result, int count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t k = i * 7919 % 10007;
        int64_t first_byte_ns = 900000 + k * k / 20 + (i % 1500 == 7 ? 15 * MSEC_NS : 0);
        int64_t transfer_ns = 8000 + k;

        hist_record(&result->latency[LATENCY_RESPONSE], first_byte_ns + transfer_ns + 9000);
        hist_record(&result->latency[LATENCY_SERVICE], first_byte_ns + transfer_ns + 9000);
        hist_record(&result->checked_response, first_byte_ns + transfer_ns + 9000);
        hist_record(&result->latency[LATENCY_SEND], 9000);
        hist_record(&result->latency[LATENCY_FIRST_BYTE], first_byte_ns);
        hist_record(&result->latency[LATENCY_TRANSFER], transfer_ns);
        hist_record(&result->latency[LATENCY_DWELL], 20000 + k);
        if (i < 50) {
            hist_record(&result->latency[LATENCY_CONNECT], 80000 + i * 300);
        }
    }
}

/* Intervals of a hundredth to either side; from the given place in the list on there are none. */
static void fill_confidence(struct result *result, size_t known, unsigned batches)
{
    const struct hist *hist = &result->latency[LATENCY_RESPONSE];

    for (size_t i = 0; i < QUANTILES_COUNT; i++) {
        struct confidence *confidence = &result->confidence[i];
        int64_t point_ns = hist_quantile(hist, quantiles_list[i].share);

        confidence->batches = batches;
        confidence->known = i < known;
        if (confidence->known) {
            confidence->vif = 1.5;
            confidence->low_ns = point_ns - point_ns / 100;
            confidence->high_ns = point_ns + point_ns / 100;
        }
        confidence->weak =
            !confidence->known && hist_quantile_known(hist->count, quantiles_list[i].share);
    }
}

static void add_point(struct result *result, enum phase phase, int64_t t_ns, uint64_t ok)
{
    result->series[result->series_count++] = (struct point){
        .t_ns = t_ns,
        .width_ns = SEC_NS,
        .phase = phase,
        .started = ok,
        .ok = ok,
        .bytes_in = ok * 800,
        .in_flight = phase == PHASE_DRAIN ? 0 : 50,
        .p50_ns = ok > 0 ? 2 * MSEC_NS : -1,
        .p95_ns = ok > 0 ? 5 * MSEC_NS : -1,
        .p99_ns = ok > 0 ? 6 * MSEC_NS : -1,
    };
}

static void add_check(struct result *result, const char *id, enum about about, enum level level,
                      double value, double limit, const char *text)
{
    struct check *check = &result->checks[result->check_count++];

    check->id = id;
    check->about = about;
    check->level = level;
    check->value = value;
    check->limit = limit;
    (void)snprintf(check->text, sizeof(check->text), "%s", text);
}

static void fill_run(struct result *result, struct plan *plan)
{
    fill_plan(plan);
    result->plan = plan;
    result_set_argv(result, COUNT_OF(argv_sample), argv_sample, false);
    result->started_real_ns = INT64_C(1796050000123000000);
    result->duration_ns = 10 * SEC_NS;
    result->warmup_ns = SEC_NS;
    result->wall_ns = 11 * SEC_NS + 50 * MSEC_NS;
    fill_machine(&result->machine);
    result->generator.threads = 1;
    result->generator.cpu_s = 6.125;
    result->generator.busy_max = result->generator.busy[0] = 0.61;
    result->generator.run_wait = 0.0025;
    result->generator.rss_bytes = 12 << 20;
}

struct result *sample_good(struct plan *plan)
{
    enum { N = 200000 };
    struct result *result = result_new();

    fill_run(result, plan);
    fill_first(&result->first);
    fill_latency(result, N);
    result_add_paced(result);
    fill_confidence(result, 6, 20);
    result->confidence[5].weak = true; /* p99.9 */
    result->confidence[5].episodes = 3;
    result->counts.started = result->counts.ok = N;
    result->counts.by_status[200] = N;
    result->totals.started = result->totals.ok = N + 20000;
    result->totals.by_status[200] = N + 20000;
    result->window_ok = result->window_started = N;
    result->bytes_in = N * 800;
    result->bytes_out = N * 60;
    result->body_in = N * 555;
    result->totals_bytes_in = (N + 20000) * 800;
    result->totals_bytes_out = (N + 20000) * 60;
    result->body_length_min = result->body_length_max = 555;
    result->users_mean = 52.5;
    result->generator.stamped = true;
    result->generator.pauses = 12345;
    add_point(result, PHASE_WARMUP, 0, 20000);
    for (int i = 0; i < 10; i++) {
        add_point(result, PHASE_MEASURED, (i + 1) * SEC_NS, N / 10);
    }
    add_point(result, PHASE_DRAIN, 11 * SEC_NS, 0);
    result->slo[0] = (struct slo_outcome){ SLO_HELD, 4.9e6, 12, N };
    result->slo[1] = (struct slo_outcome){ SLO_HELD, 0, 0, N };
    add_check(result, "V-GEN-CPU", ABOUT_GENERATOR, LEVEL_OK, 0.61, 0.95,
              "the busiest worker used 61 % of a CPU");
    add_check(result, "V-LITTLE", ABOUT_GENERATOR, LEVEL_OK, 0.004, 0.02,
              "N = X\u00b7R within 0.4 %");
    add_check(result, "V-COUNT", ABOUT_GENERATOR, LEVEL_OK, 0, 0, "counts add up");
    add_check(result, "V-LOAD", ABOUT_GENERATOR, LEVEL_INFO, (double)NAN, 0.5,
              "other processes could not be read");
    result->valid = true;
    return result;
}

static void fail_requests(struct result *result, enum fail fail, uint64_t count)
{
    result->counts.failed += count;
    result->counts.by_failure[fail] += count;
    for (uint64_t i = 0; i < count; i++) {
        hist_record(&result->latency[LATENCY_FAILED_RESPONSE], 100000 + (int64_t)i * 500);
    }
}

struct result *sample_bad(struct plan *plan)
{
    enum { OK = 3000 };
    struct result *result = result_new();

    fill_run(result, plan);
    fill_first(&result->first);
    fill_latency(result, OK);
    fill_confidence(result, 5, 20);
    result->first.status = 301;
    (void)snprintf(result->first.location, sizeof(result->first.location),
                   "https://u:p@example.test/");
    (void)snprintf(result->first.server, sizeof(result->first.server), "evil\x1b[31m\xc2\x9b\xff");
    plan->close = true;
    plan->requests = 10000;
    result->state = RUN_INTERRUPTED;
    result->exit_code = 130;
    fail_requests(result, FAIL_CONNECT_REFUSED, 1200);
    fail_requests(result, FAIL_RESET, 5);
    fail_requests(result, FAIL_NO_PORT, 5);
    fail_requests(result, FAIL_STATUS, 790);
    (void)snprintf(result->sample[FAIL_CONNECT_REFUSED], RESULT_SAMPLE_MAX,
                   "connect to 127.0.0.1:8080: connection refused");
    (void)snprintf(result->sample[FAIL_STATUS], RESULT_SAMPLE_MAX, "503 Service Unavailable");
    result->counts.ok = OK;
    result->counts.unfinished = 10;
    result->counts.started = OK + 2000 + 10;
    result->counts.reconnects = 4;
    result->counts.retried = 3;
    result->counts.by_status[301] = OK;
    result->counts.by_status[503] = 790;
    result->totals = result->counts;
    result->window_ok = OK;
    result->window_failed = 2000;
    result->window_started = OK + 2010;
    result->bytes_in = 1000000;
    result->oldest_unfinished_ns = 8 * SEC_NS;
    result->refused_backoffs = 40;
    result->body_length_min = 812;
    result->body_length_max = 1044;
    result->generator.busy_max = result->generator.busy[0] = 0.985;
    result->slo[0] = (struct slo_outcome){ SLO_MISSED, 30e6, 2010, 5010 };
    result->slo[1] = (struct slo_outcome){ SLO_MISSED, 0.4012, 2010, 5010 };
    add_check(result, "V-UNFIN", ABOUT_SERVER, LEVEL_WARN, 0.002, 0.001,
              "10 requests never finished; counted as failed");
    add_check(result, "V-GEN-CPU", ABOUT_GENERATOR, LEVEL_FAIL, 0.985, 0.95,
              "generator: thread 0 was 98 % busy; results are the generator's, not the server's; "
              "use more threads or a larger machine");
    for (int i = 0; i < 5; i++) {
        add_check(result, "V-X", ABOUT_SAMPLE, LEVEL_WARN, 1, 2, "something else is not as it was");
    }
    return result;
}

struct result *sample_few(struct plan *plan)
{
    struct result *result = result_new();

    fill_run(result, plan);
    fill_first(&result->first);
    plan->requests = 8;
    plan->duration_ns = 0;
    plan->connections = 1;
    result->counts.reconnects = 7;
    plan->slo_count = 0;
    plan->proxy = proxy;
    plan->proxy_url = (struct url){ .host = proxy_host, .port = 3128 };
    fill_latency(result, 8);
    fill_confidence(result, 0, 1);
    result->duration_ns = 20 * MSEC_NS;
    result->warmup_ns = 0;
    result->counts.started = result->counts.ok = 8;
    result->counts.by_status[200] = 8;
    result->totals = result->counts;
    result->window_ok = result->window_started = 8;
    result->bytes_in = 8 * 800;
    result->body_length_min = result->body_length_max = 555;
    result->valid = true;
    return result;
}

struct result *sample_none(struct plan *plan)
{
    struct result *result = result_new();

    fill_run(result, plan);
    plan->connections = 2;
    result->duration_ns = 0;
    result->exit_code = 3;
    fail_requests(result, FAIL_TIMEOUT_FIRST_BYTE, 2);
    result->counts.started = 2;
    result->totals = result->counts;
    result->generator.rss_bytes = 0;
    result->machine.descriptors = -1;
    result->machine.port_high = 0;
    result->machine.kernel[0] = '\0';
    result->slo[0] = (struct slo_outcome){ SLO_NO_DATA, 0, 0, 0 };
    result->slo[1] = (struct slo_outcome){ SLO_MISSED, 1, 2, 2 };
    result->valid = true;
    return result;
}

struct result *sample_early(struct plan *plan)
{
    struct result *result = sample_none(plan);

    memset(&result->counts, 0, sizeof(result->counts));
    memset(&result->totals, 0, sizeof(result->totals));
    hist_reset(&result->latency[LATENCY_FAILED_RESPONSE]);
    result->totals.started = result->totals.ok = 31162;
    result->totals.by_status[200] = 31162;
    result->state = RUN_INTERRUPTED;
    result->exit_code = 130;
    result->slo[1] = (struct slo_outcome){ SLO_NO_DATA, 0, 0, 0 };
    return result;
}

struct result *sample_stalled(struct plan *plan)
{
    enum { N = 5000 };
    struct result *result = result_new();

    fill_run(result, plan);
    fill_first(&result->first);
    plan->connections = 1;
    for (int i = 0; i < N; i++) {
        hist_record(&result->latency[LATENCY_RESPONSE], MSEC_NS + (int64_t)i * 10);
    }
    hist_record(&result->latency[LATENCY_RESPONSE], 5 * SEC_NS);
    result_add_paced(result);
    result->counts.started = result->counts.ok = N + 1;
    result->counts.by_status[200] = N + 1;
    result->totals = result->counts;
    result->window_ok = result->window_started = N + 1;
    result->bytes_in = result->totals_bytes_in = (N + 1) * 800;
    result->slo[0] = (struct slo_outcome){ SLO_HELD, MSEC_NS, 1, N + 1 };
    result->slo[1] = (struct slo_outcome){ SLO_HELD, 0, 0, N + 1 };
    result->valid = true;
    return result;
}

struct result *sample_large(struct plan *plan)
{
    static const uint64_t number = 500000000, bytes = UINT64_C(5497558138880);
    struct result *result = sample_good(plan);

    plan->requests = (int64_t)number;
    result->counts.started = result->counts.ok = number * 11;
    result->counts.by_status[200] = number * 11;
    result->totals = result->counts;
    result->window_ok = result->window_started = number * 11;
    result->bytes_in = result->totals_bytes_in = bytes;
    result->bytes_out = result->totals_bytes_out = number * 60 * 11;
    result->body_in = bytes - number;
    result->body_length_min = 0;
    result->body_length_max = UINT64_C(3) << 30;
    result->first.bytes = UINT64_C(3) << 30;
    return result;
}
