/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/unit.h"
#include "report/next.h"

enum { COMMAND_COLUMNS = 86, COMMAND_BYTES_MAX = 64 << 10 };

/* A worker this busy may be what limits the load. */
static const double BUSY = 0.85;

static bool is_plain(struct str word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "-_./:=,@%+";

    for (size_t i = 0; i < word.len; i++) {
        if (strchr(safe, word.p[i]) == NULL) {
            return false;
        }
    }
    return word.len > 0;
}

/* As a shell reads it. */
static void add_quoted(struct buf *buf, struct str word)
{
    if (is_plain(word)) {
        buf_add_str(buf, word);
        return;
    }
    buf_putc(buf, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.p[i] == '\'') {
            buf_puts(buf, "'\\''");
        } else {
            buf_putc(buf, word.p[i]);
        }
    }
    buf_putc(buf, '\'');
}

static bool was_given(const struct result *result, const char *option)
{
    for (int i = 1; i < result->argc; i++) {
        if (strncmp(result->argv[i], option, strlen(option)) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the short option of "-d 60s" stands in the command already. */
static bool replaces(const struct result *result, const char *option)
{
    char name[3] = { option[0], option[1], '\0' };

    return option[1] != '-' && was_given(result, name);
}

/* The command that was run with one option more; or only the option, when that is too long or the
 * command has the option with another value. */
static void suggest(struct page *page, const struct result *result, const char *option,
                    const char *why)
{
    struct buf command;

    buf_init(&command, COMMAND_BYTES_MAX);
    buf_puts(&command, "brunt");
    for (int i = 1; i < result->argc; i++) {
        buf_putc(&command, ' ');
        add_quoted(&command, str_of(result->argv[i]));
    }
    buf_putc(&command, ' ');
    buf_puts(&command, option);
    page_begin(page, "next");
    if (result->argc > 1 && command.len <= COMMAND_COLUMNS && !command.overflow &&
        !replaces(result, option)) {
        page_item(page, INK_PLAIN, "%s", command.data);
    } else {
        page_item(page, INK_PLAIN, "the same with %s", option);
    }
    page_item(page, INK_DIM, "%s", why);
    page_end(page);
    buf_fini(&command);
}

/* The next larger of 1, 2, 5 times a power of ten. */
static int64_t round_up_125(int64_t ns)
{
    int64_t step = USEC_NS;

    for (;;) {
        static const int factors[] = { 1, 2, 5 };

        for (size_t i = 0; i < COUNT_OF(factors); i++) {
            if (step * factors[i] >= ns) {
                return step * factors[i];
            }
        }
        step *= 10;
    }
}

static bool has_own_slo(const struct plan *plan)
{
    for (size_t i = 0; i < plan->slo_count; i++) {
        if (!plan->slos[i].implied) {
            return true;
        }
    }
    return false;
}

void next_suggest(struct page *page, const struct result *result)
{
    const struct hist *response = &result->latency[LATENCY_RESPONSE];
    const struct plan *plan = result->plan;
    char option[96], limit[UNIT_TEXT_MAX];

    if (result->counts.ok == 0) {
        if (result->state != RUN_INTERRUPTED) {
            suggest(page, result, "--once", "one request, shown with its answer");
        }
    } else if (!result->valid && result->generator.busy_max > BUSY &&
               result->generator.threads < result->machine.allowed_cpus) {
        (void)snprintf(option, sizeof(option), "-t %u", result->machine.allowed_cpus);
        suggest(page, result, option, "more threads, as the generator was the limit");
    } else if (!result->valid && !page->style->verbose) {
        suggest(page, result, "-v", "all checks, and what they saw");
    } else if (plan->requests == 0 && plan->duration_ns > 0 &&
               !hist_quantile_known(response->count, 0.999) && result->state == RUN_FINISHED) {
        (void)snprintf(option, sizeof(option), "-d %s",
                       unit_format_duration_option(plan->duration_ns * 6, limit));
        suggest(page, result, option, "enough answers for the far percentiles");
    } else if (!has_own_slo(plan) && hist_quantile_known(response->count, 0.95)) {
        int64_t p95_ns = hist_quantile(response, 0.95);

        (void)snprintf(option, sizeof(option), "--slo p95:%s",
                       unit_format_duration_option(round_up_125(p95_ns + p95_ns / 2), limit));
        suggest(page, result, option, "a promise to hold: exit 1 when it is missed");
    } else if (!was_given(result, "--json")) {
        suggest(page, result, "--json run.json", "the whole result as a document");
    }
}
