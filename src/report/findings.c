/* SPDX-License-Identifier: Apache-2.0 */
#include "report/findings.h"

#include <string.h>

#include "base/unit.h"
#include "result/redact.h"

enum { LINES_MAX = 5, URL_TEXT_MAX = 4096 };

/* A share above which answers that are not what one came for are worth a word. */
static const double NOTABLE_SHARE = 0.05;

static double share_of(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : (double)part / (double)whole;
}

/* Cause of the next smaller count after `count`, or the next of the same count after `last`. */
static enum fail next_cause(const struct counts *counts, enum fail last)
{
    enum fail best = FAIL_NONE;

    for (enum fail fail = 0; fail < FAIL_COUNT; fail++) {
        uint64_t n = counts->by_failure[fail];
        bool behind = last == FAIL_NONE || n < counts->by_failure[last] ||
                      (n == counts->by_failure[last] && fail > last);

        if (n > 0 && behind && (best == FAIL_NONE || n > counts->by_failure[best])) {
            best = fail;
        }
    }
    return best;
}

static int longest_cause(const struct counts *counts)
{
    size_t longest = 0;

    for (enum fail fail = 0; fail < FAIL_COUNT; fail++) {
        size_t length = strlen(fail_word(fail));

        if (counts->by_failure[fail] > 0 && length > longest) {
            longest = length;
        }
    }
    return (int)longest;
}

static void failed_latency(struct page *page, const struct result *result)
{
    const struct hist *hist = &result->latency[LATENCY_FAILED_RESPONSE];
    char text[UNIT_TEXT_MAX];

    page_begin(page, "");
    page_item(page, INK_PLAIN, "%s failed",
              result->duration_ns > 0 ? unit_format_rate(result_failed_per_s(result), text)
                                      : "n/a");
    if (hist->count > 0) {
        page_item(page, INK_PLAIN, "latency of failed: mean %s",
                  unit_format_duration((int64_t)hist_mean(hist), text));
        page_item(page, INK_PLAIN, "p50 %s", unit_format_duration(hist_quantile(hist, 0.5), text));
        page_item(page, INK_PLAIN, "max %s", unit_format_duration(hist->max_ns, text));
    }
    page_end(page);
}

void findings_failures(struct page *page, const struct result *result)
{
    const struct counts *counts = &result->counts;
    char count[UNIT_TEXT_MAX], share[UNIT_TEXT_MAX];
    bool first = true;
    int width = 0, word = longest_cause(counts);

    for (enum fail fail = next_cause(counts, FAIL_NONE); fail != FAIL_NONE;
         fail = next_cause(counts, fail)) {
        unit_format_count((int64_t)counts->by_failure[fail], count);
        width = first ? (int)strlen(count) : width;
        page_begin(page, first ? "failures" : "");
        page_item(page, INK_BAD, "%-*s  %*s %7s", word, fail_word(fail), width, count,
                  unit_format_share(share_of(counts->by_failure[fail], counts->started), share));
        page_prose(page, INK_PLAIN, "%s",
                   result->sample[fail][0] != '\0' ? result->sample[fail] : fail_text(fail));
        page_end(page);
        page_explain(page, fail_word(fail), fail_text(fail));
        first = false;
    }
    if (counts->failed > 0) {
        failed_latency(page, result);
    }
}

static const char *slo_actual(const struct slo *slo, const struct slo_outcome *outcome, char *text)
{
    switch (slo->metric) {
    case SLO_QUANTILE:
        return unit_format_share(share_of(outcome->violations, outcome->of), text);
    case SLO_MEAN:
    case SLO_MAX:
        return unit_format_duration((int64_t)outcome->actual, text);
    case SLO_ERRORS:
        return unit_format_share(outcome->actual, text);
    case SLO_RATE:
        return unit_format_rate(outcome->actual, text);
    }
    return "";
}

static void slo_item(struct page *page, const struct slo *slo, const struct slo_outcome *outcome)
{
    enum ink ink = outcome->state == SLO_HELD     ? INK_GOOD
                   : outcome->state == SLO_MISSED ? INK_BAD
                                                  : INK_WARN;
    char actual[UNIT_TEXT_MAX], allowed[UNIT_TEXT_MAX];

    if (outcome->state == SLO_NO_DATA) {
        page_item(page, ink, "%s no data", slo->text);
    } else if (slo->metric == SLO_QUANTILE) {
        page_item(page, ink, "%s %s: %s slow or failed, %s allowed", slo->text,
                  slo_state_word(outcome->state), slo_actual(slo, outcome, actual),
                  unit_format_share(1 - slo->quantile, allowed));
    } else {
        page_item(page, ink, "%s %s: %s", slo->text, slo_state_word(outcome->state),
                  slo_actual(slo, outcome, actual));
    }
}

void findings_slos(struct page *page, const struct result *result)
{
    const struct plan *plan = result->plan;

    if (plan->slo_count == 0) {
        return;
    }
    page_begin(page, "slo");
    for (size_t i = 0; i < plan->slo_count; i++) {
        slo_item(page, &plan->slos[i], &result->slo[i]);
    }
    page_end(page);
    page_explain(page, "slo",
                 "p95<25ms: of all requests due, at most 5 % may be slow, failed or "
                 "unfinished");
}

static bool is_redirect(unsigned status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static const char *share_or_all(uint64_t part, uint64_t whole, char *text)
{
    if (part == whole) {
        return "all";
    }
    return unit_format_share(share_of(part, whole), text);
}

static void note_statuses(struct page *page, const struct result *result)
{
    const struct counts *counts = &result->counts;
    const struct first_answer *first = &result->first;
    uint64_t answers = 0, redirects = 0, odd = 0;
    char share[UNIT_TEXT_MAX];

    for (unsigned i = 0; i < COUNTS_STATUS_MAX; i++) {
        answers += counts->by_status[i];
        redirects += is_redirect(i) ? counts->by_status[i] : 0;
        odd += i < 200 || i >= 400 ? counts->by_status[i] : 0;
    }
    if (counts->followed == 0 && share_of(redirects, answers) > NOTABLE_SHARE) {
        struct buf to;

        buf_init(&to, URL_TEXT_MAX);
        redact_url(str_of(first->location), &to);
        page_begin(page, "note");
        if (is_redirect(first->status) && to.len > 0) {
            page_prose(page, INK_WARN,
                       "%s of the answers were redirects (%u to %s), which are not followed: this "
                       "is the speed of the redirect; --location follows",
                       share_or_all(redirects, answers, share), first->status, buf_str(&to).p);
        } else {
            page_prose(page, INK_WARN,
                       "%s of the answers were redirects, which are not followed: give the URL "
                       "that they lead to",
                       share_or_all(redirects, answers, share));
        }
        page_end(page);
        buf_fini(&to);
    }
    if (share_of(odd, answers) > NOTABLE_SHARE) {
        page_begin(page, "note");
        if (odd == answers) {
            page_prose(page, INK_WARN, "none of the answers was 2xx or 3xx");
        } else {
            page_prose(page, INK_WARN, "%s of the answers were not 2xx or 3xx",
                       unit_format_share(share_of(odd, answers), share));
        }
        page_end(page);
    }
}

/* A connection that a failure cost says nothing of how the server keeps the others. */
static void note_short(struct page *page, const struct result *result)
{
    uint64_t answers = 0, closed = counts_closed_between(&result->counts);

    for (unsigned i = 0; i < COUNTS_STATUS_MAX; i++) {
        answers += result->counts.by_status[i];
    }
    /* Behind a user's last answer nothing is opened anew. */
    if (!result->plan->close && answers > 0 && closed > answers / 2) {
        page_begin(page, "note");
        page_prose(page, INK_WARN,
                   "the server closes connections after %s: this is a load of short connections",
                   closed + (uint64_t)result->plan->connections >= answers ? "every answer"
                                                                           : "few answers");
        page_end(page);
    }
}

/* Where the connections went, when that was not one address. */
static void note_addresses(struct page *page, const struct result *result)
{
    char count[UNIT_TEXT_MAX];

    if (result->address_count < 2) {
        return;
    }
    page_begin(page, "addresses");
    for (size_t i = 0; i < result->address_count; i++) {
        const struct address_use *use = &result->addresses[i];

        page_item(page, INK_PLAIN, "%s %s connection%s", use->address,
                  unit_format_count((int64_t)use->connections, count),
                  use->connections == 1 ? "" : "s");
    }
    page_end(page);
}

void findings_notes(struct page *page, const struct result *result)
{
    const struct counts *counts = &result->counts;
    uint64_t local = 0;
    char text[UNIT_TEXT_MAX];

    note_statuses(page, result);
    for (enum fail fail = 0; fail < FAIL_COUNT; fail++) {
        local += fail_is_local(fail) ? counts->by_failure[fail] : 0;
    }
    if (local > 0) {
        page_begin(page, "note");
        page_prose(page, INK_WARN, "%s of the failures are this machine's doing, not the server's",
                   share_or_all(local, counts->failed, text));
        page_end(page);
    }
    if (counts->started > 0 && counts->ok == 0) {
        page_begin(page, "note");
        page_prose(page, INK_BAD, "no request succeeded");
        page_end(page);
    }
    note_short(page, result);
    note_addresses(page, result);
    if (result->cookies_dropped > 0) {
        page_begin(page, "note");
        page_prose(page, INK_PLAIN, "%s cookies were dropped, one since %s",
                   unit_format_count((int64_t)result->cookies_dropped, text),
                   result->cookie_sample);
        page_end(page);
    }
    if (result->tls.unclean_ends > 0) {
        page_begin(page, "note");
        page_prose(page, INK_WARN,
                   "unclean TLS close: %s bodies without a length ended with their connection and "
                   "without close_notify, so nobody can tell whether they were whole",
                   unit_format_count((int64_t)result->tls.unclean_ends, text));
        page_end(page);
    }
    if (result->refused_backoffs > 0) {
        page_begin(page, "note");
        page_prose(
            page, INK_WARN,
            "connections could not be made and users waited before the next attempt, %s times: "
            "the load was lower than %lld users make",
            unit_format_count((int64_t)result->refused_backoffs, text),
            (long long)result->plan->connections);
        page_end(page);
    }
}

/* The check of that name when it ran and found nothing wrong, else NULL. */
static const struct check *passed_check(const struct result *result, const char *id)
{
    for (size_t i = 0; i < result->check_count; i++) {
        const struct check *check = &result->checks[i];

        if (strcmp(check->id, id) == 0) {
            return check->level == LEVEL_OK ? check : NULL;
        }
    }
    return NULL;
}

/* What has a line of its own further up. */
static bool said_above(const struct page *page, const struct check *check)
{
    return !page->style->verbose && !page->style->quiet && strcmp(check->id, "V-UNFIN") == 0;
}

static size_t count_level(const struct page *page, const struct result *result, enum level level)
{
    size_t count = 0;

    for (size_t i = 0; i < result->check_count; i++) {
        count += result->checks[i].level == level && !said_above(page, &result->checks[i]);
    }
    return count;
}

/* Checks of one level, a line each; returns how many lines are left of the room. */
static size_t list_level(struct page *page, const struct result *result, enum level level,
                         size_t room)
{
    enum ink ink = level == LEVEL_FAIL ? INK_BAD : level == LEVEL_WARN ? INK_WARN : INK_PLAIN;

    for (size_t i = 0; i < result->check_count && room > 0; i++) {
        const struct check *check = &result->checks[i];

        if (check->level != level || said_above(page, check)) {
            continue;
        }
        page_begin(page, "");
        if (page->style->verbose) {
            page_prose(page, ink, "%-4s %-12s %s", level_word(level), check->id, check->text);
        } else {
            page_prose(page, ink, "%s: %s", level_word(level), check->text);
        }
        page_end(page);
        room--;
    }
    return room;
}

static void valid_reasons(struct page *page, const struct result *result)
{
    const struct check *little = passed_check(result, "V-LITTLE");
    const char *counts = passed_check(result, "V-COUNT") != NULL ? ", counts add up" : "";
    char busy[UNIT_TEXT_MAX], within[UNIT_TEXT_MAX];

    unit_format_share(result->generator.busy_max, busy);
    if (little != NULL) {
        page_item(page, INK_GOOD, "yes: generator %s busy%s, N = X\u00b7R within %s", busy, counts,
                  unit_format_share(little->value, within));
    } else {
        page_item(page, INK_GOOD, "yes: generator %s busy%s", busy, counts);
    }
}

void findings_validity(struct page *page, const struct result *result)
{
    size_t fails = count_level(page, result, LEVEL_FAIL),
           warns = count_level(page, result, LEVEL_WARN);
    size_t room = page->style->verbose ? RESULT_CHECKS_MAX : LINES_MAX;

    if (page->style->quiet && result->valid) {
        return;
    }
    page_begin(page, "valid");
    if (result->valid && result->counts.ok == 0) {
        page_item(page, INK_WARN, "nothing was measured");
    } else if (result->valid) {
        valid_reasons(page, result);
    } else {
        page_item(page, INK_BAD, "no: these numbers are not to be relied on");
    }
    page_end(page);
    room = list_level(page, result, LEVEL_FAIL, room);
    room = list_level(page, result, LEVEL_WARN, room);
    if (page->style->verbose) {
        room = list_level(page, result, LEVEL_INFO, room);
        (void)list_level(page, result, LEVEL_OK, room);
    } else if (fails + warns > LINES_MAX) {
        page_begin(page, "");
        page_item(page, INK_DIM, "%zu more with -v", fails + warns - LINES_MAX);
        page_end(page);
    }
    page_explain(page, "valid", "no when the load generator itself was the limit or lost count");
    page_explain(page, "N = X\u00b7R",
                 "users under way = requests a second x time of each: a check on "
                 "all three");
}
