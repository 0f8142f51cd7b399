/* SPDX-License-Identifier: Apache-2.0 */
#include "report/confidence.h"

#include <stdio.h>
#include <string.h>

#include "base/unit.h"
#include "report/percentile.h"
#include "stats/interval.h"

/* NULL when the quantile is none of the list. */
static const struct confidence *confidence_of(const struct result *result, double quantile)
{
    size_t at = quantiles_find(quantile);

    return at < QUANTILES_COUNT ? &result->confidence[at] : NULL;
}

/* Intervals of all would not fit into a line: that of p95, and of those that are promised. */
static bool is_shown(const struct plan *plan, double quantile)
{
    if (quantiles_find(quantile) == quantiles_find(0.95)) {
        return true;
    }
    for (size_t i = 0; i < plan->slo_count; i++) {
        const struct slo *slo = &plan->slos[i];

        if (slo->metric == SLO_QUANTILE &&
            quantiles_find(slo->quantile) == quantiles_find(quantile)) {
            return true;
        }
    }
    return false;
}

/* "1.95..2.02" beside a value in ms; each end with its unit when they are not all the same. */
static const char *format_interval(const struct confidence *confidence, const char *value,
                                   char *text, size_t size)
{
    char low[UNIT_TEXT_MAX], high[UNIT_TEXT_MAX];
    const char *unit = strchr(value, ' ');
    const char *low_unit = strchr(unit_format_duration(confidence->low_ns, low), ' ');
    const char *high_unit = strchr(unit_format_duration(confidence->high_ns, high), ' ');

    if (unit != NULL && low_unit != NULL && high_unit != NULL && strcmp(unit, low_unit) == 0 &&
        strcmp(unit, high_unit) == 0) {
        (void)snprintf(text, size, "%.*s..%.*s", (int)(low_unit - low), low,
                       (int)(high_unit - high), high);
    } else {
        (void)snprintf(text, size, "%s..%s", low, high);
    }
    return text;
}

void confidence_add(struct page *page, const struct result *result, double quantile)
{
    const struct confidence *confidence = confidence_of(result, quantile);
    char word[PERCENTILE_WORD_MAX], value[UNIT_TEXT_MAX], interval[2 * UNIT_TEXT_MAX + 2];

    percentile_word(quantile, word);
    unit_format_duration(hist_quantile(&result->latency[LATENCY_RESPONSE], quantile), value);
    if (confidence != NULL && confidence->weak) {
        page_item(page, INK_PLAIN, "%s ~%s", word, value);
    } else if (confidence != NULL && confidence->known && is_shown(result->plan, quantile)) {
        page_item(page, INK_PLAIN, "%s %s (%s)", word, value,
                  format_interval(confidence, value, interval, sizeof(interval)));
    } else {
        page_item(page, INK_PLAIN, "%s %s", word, value);
    }
}

static bool any_weak(const struct result *result)
{
    for (size_t i = 0; i < QUANTILES_COUNT; i++) {
        if (result->confidence[i].weak) {
            return true;
        }
    }
    return false;
}

void confidence_weak(struct page *page, const struct result *result)
{
    if (!page->style->verbose || !any_weak(result)) {
        return;
    }
    page_begin(page, "weak");
    if (result->confidence[0].batches < INTERVAL_BATCHES_MIN) {
        page_item(page, INK_PLAIN, "all: the run is too short for intervals");
        page_end(page);
        return;
    }
    for (size_t i = 0; i < QUANTILES_COUNT; i++) {
        const struct confidence *confidence = &result->confidence[i];
        char word[PERCENTILE_WORD_MAX];

        if (!confidence->weak) {
            continue;
        }
        percentile_word(quantiles_list[i].share, word);
        if (confidence->episodes > 0) {
            page_item(page, INK_PLAIN, "%s: %u of %u stretches of the run made it", word,
                      confidence->episodes, confidence->batches);
        } else {
            page_item(page, INK_PLAIN, "%s: too few answers for an interval", word);
        }
    }
    page_end(page);
}

void confidence_explain(struct page *page, const struct result *result)
{
    page_explain(page, "(from..to)",
                 "95 % interval, by this run alone: runs may differ from each other by more");
    if (any_weak(result)) {
        page_explain(page, "~", "weak: too few answers, or a few moments of the run, made it");
    }
}
