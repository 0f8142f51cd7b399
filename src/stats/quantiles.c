/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/quantiles.h"

#include <math.h>

const struct quantile quantiles_list[QUANTILES_COUNT] = {
    { 0.50, "p50" }, { 0.75, "p75" },    { 0.90, "p90" },      { 0.95, "p95" },
    { 0.99, "p99" }, { 0.999, "p99_9" }, { 0.9999, "p99_99" },
};

size_t quantiles_find(double share)
{
    size_t at = 0;

    /* 99.9 / 100 is not the 0.999 of the list. */
    while (at < QUANTILES_COUNT && fabs(quantiles_list[at].share - share) > 1e-9) {
        at++;
    }
    return at;
}
