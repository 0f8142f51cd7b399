/* SPDX-License-Identifier: Apache-2.0 */
#include "report/percentile.h"

#include <stdio.h>

const struct percentile percentile_document[PERCENTILE_COUNT] = {
    { 0.50, "p50" }, { 0.75, "p75" },    { 0.90, "p90" },      { 0.95, "p95" },
    { 0.99, "p99" }, { 0.999, "p99_9" }, { 0.9999, "p99_99" },
};

const char *percentile_word(double quantile, char *text)
{
    if (quantile >= 1) {
        (void)snprintf(text, PERCENTILE_WORD_MAX, "max");
    } else if (quantile <= 0) {
        (void)snprintf(text, PERCENTILE_WORD_MAX, "min");
    } else {
        (void)snprintf(text, PERCENTILE_WORD_MAX, "p%.8g", quantile * 100);
    }
    return text;
}
