/* SPDX-License-Identifier: Apache-2.0 */
#include "report/percentile.h"

#include <stdio.h>

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
