/* SPDX-License-Identifier: Apache-2.0 */
#include "trial/fold.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "load/follow.h"
#include "probe/memory.h"

static void fold_sample(struct result *result, const struct tally *tally)
{
    for (int i = 0; i < FAIL_COUNT; i++) {
        if (result->sample[i][0] == '\0') {
            memcpy(result->sample[i], tally->sample[i], RESULT_SAMPLE_MAX);
        }
    }
}

static void fold_tally(struct result *result, const struct tally *tally)
{
    counts_add(&result->counts, &tally->counts);
    counts_add(&result->totals, &tally->totals);
    for (int i = 0; i < LATENCY_COUNT; i++) {
        hist_merge(&result->latency[i], &tally->latency[i]);
    }
    hist_merge(&result->checked_response, &tally->checked_response);
    result->edge_ages_ns += tally->edge_ages_ns;
    result->totals_bytes_in += tally->bytes_in;
    result->totals_bytes_out += tally->bytes_out;
    result->refused_backoffs += tally->refused_backoffs;
    result->client_closes += tally->client_closes;
    if (tally->oldest_unfinished_ns > result->oldest_unfinished_ns) {
        result->oldest_unfinished_ns = tally->oldest_unfinished_ns;
    }
    fold_sample(result, tally);
}

static void fold_first_answer(struct result *result, const struct tally *tally)
{
    struct first_answer *first = &result->first;
    struct str head = { tally->head, tally->head_len };
    struct h1_parse parse;
    size_t used;
    char address[ADDRESS_TEXT_MAX];

    h1_parse_begin(&parse, H1_REQUEST_HEAD);
    if (h1_parse(&parse, head, &used) == PARSE_ERROR) {
        return;
    }
    first->known = parse.status != 0;
    first->status = parse.status;
    first->version_minor = parse.version_minor;
    first->bytes = tally->head_body_bytes == UINT64_MAX ? 0 : tally->head_body_bytes;
    str_copy(first->content_type, sizeof(first->content_type),
             h1_head_find(head, STR("content-type")));
    str_copy(first->server, sizeof(first->server), h1_head_find(head, STR("server")));
    str_copy(first->location, sizeof(first->location), h1_head_find(head, STR("location")));
    str_copy(first->address, sizeof(first->address),
             str_of(address_format(&tally->head_from, address)));
}

static void fold_usage(struct result *result, const struct worker *worker)
{
    struct generator *generator = &result->generator;
    int64_t wall_ns = worker->usage_end.at_ns - worker->usage_start.at_ns;
    int64_t cpu_ns = worker->usage_end.cpu_ns - worker->usage_start.cpu_ns;
    int64_t wait_ns = worker->usage_end.queue.wait_ns - worker->usage_start.queue.wait_ns;
    double busy, wait;

    generator->pauses += worker->pauses;
    generator->dwell_dropped += worker->stamps_dropped;
    if (worker->usage_start.at_ns == 0 || wall_ns <= 0) {
        return;
    }
    /* The clocks of CPU and of time are not read at one instant. */
    busy = fmin((double)cpu_ns / (double)wall_ns, 1.0);
    generator->cpu_s += (double)cpu_ns / (double)SEC_NS;
    generator->busy[worker->index] = busy;
    generator->busy_max = fmax(generator->busy_max, busy);
    if (worker->usage_end.queue.run_ns > 0) {
        wait = fmin((double)wait_ns / (double)wall_ns, 1.0);
        generator->run_wait = isnan(generator->run_wait) ? wait : fmax(generator->run_wait, wait);
    }
}

static void fold_body_lengths(const struct worker *workers, unsigned count, struct result *result)
{
    uint64_t least = UINT64_MAX, most = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct tally *tally = workers[i].tally;

        least = tally->body_min < least ? tally->body_min : least;
        most = tally->body_max > most ? tally->body_max : most;
    }
    result->body_length_min = least <= most ? least : 0;
    result->body_length_max = most;
}

static void fold_tls(struct result_tls *tls, const struct worker *worker)
{
    tls->unclean_ends += worker->tally->unclean_ends;
    if (worker->tls != NULL) {
        const struct tls_counts *counts = tls_context_counts(worker->tls);

        /* A redirect may lead to TLS, or not. */
        tls->made = tls->made || counts->handshakes > 0 || worker->order->facts.version[0] != '\0';
        tls->facts = worker->order->facts;
        tls->counts.handshakes += counts->handshakes;
        tls->counts.resumed += counts->resumed;
    }
}

static void fold_addresses(const struct worker *workers, unsigned count, struct result *result)
{
    const struct origins *origins = &workers[0].order->origins;

    for (size_t o = 0; o < origins->count; o++) {
        const struct address_list *to = &origins->items[o].to;

        for (size_t a = 0; a < to->count && result->address_count < RESULT_ADDRESSES_MAX; a++) {
            struct address_use *use = &result->addresses[result->address_count];
            char text[ADDRESS_TEXT_MAX];

            use->connections = 0;
            for (unsigned i = 0; i < count; i++) {
                use->connections += workers[i].origins[o].connections[a];
            }
            str_copy(use->address, sizeof(use->address),
                     str_of(address_format(&to->items[a], text)));
            result->address_count += use->connections > 0;
        }
    }
}

static void fold_cookies(struct result *result, const struct worker *worker)
{
    for (uint32_t i = 0; worker->follows != NULL && i < worker->user_count; i++) {
        const struct follow_counts *counts = &worker->follows[i].counts;

        result->cookies_dropped += counts->cookies_dropped;
        if (result->cookie_sample[0] == '\0') {
            str_copy(result->cookie_sample, sizeof(result->cookie_sample),
                     str_of(counts->cookie_sample));
        }
    }
}

uint64_t fold_ended(const struct worker *workers, unsigned count)
{
    uint64_t ended = 0;

    for (unsigned i = 0; i < count; i++) {
        ended += workers[i].tally->totals.ok + workers[i].tally->totals.failed;
    }
    return ended;
}

int64_t fold_last_done_ns(const struct worker *workers, unsigned count)
{
    int64_t last_ns = 0;

    for (unsigned i = 0; i < count; i++) {
        if (workers[i].tally->last_done_ns > last_ns) {
            last_ns = workers[i].tally->last_done_ns;
        }
    }
    return last_ns;
}

void fold_workers(struct worker *workers, unsigned count, struct result *result)
{
    const struct tally *first = NULL;
    uint64_t busy_ns = 0;

    result->generator.threads = count;
    result->generator.run_wait = NAN;
    result->generator.stamped = workers[0].order->stamped;
    for (unsigned i = 0; i < count; i++) {
        const struct tally *tally = workers[i].tally;

        fold_tally(result, tally);
        fold_usage(result, &workers[i]);
        fold_tls(&result->tls, &workers[i]);
        fold_cookies(result, &workers[i]);
        busy_ns += tally->measured_busy_ns;
        if (tally->head_at_ns != 0 && (first == NULL || tally->head_at_ns < first->head_at_ns)) {
            first = tally;
        }
    }
    fold_body_lengths(workers, count, result);
    fold_addresses(workers, count, result);
    if (first != NULL) {
        fold_first_answer(result, first);
    }
    /* In a closed load a request is due when it is sent: there is one time under two names. */
    hist_merge(&result->latency[LATENCY_SERVICE], &result->latency[LATENCY_RESPONSE]);
    if (result->duration_ns > 0) {
        result->users_mean = (double)busy_ns / (double)result->duration_ns;
    }
    result->generator.rss_bytes = memory_peak_bytes();
}
