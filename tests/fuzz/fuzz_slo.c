/* SPDX-License-Identifier: Apache-2.0 */
/* The parser of SLOs: what it takes has limits that a decision can be made by. */
#include <math.h>

#include "fuzz.h"
#include "plan/slo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slo slo, again;
    struct err err;
    char word[16];

    if (!slo_parse(fuzz_text(data, size), &slo, &err)) {
        FUZZ_CHECK(err.kind == ERR_USAGE && err.text[0] != '\0');
        return 0;
    }
    FUZZ_CHECK(memchr(slo.text, '\0', sizeof(slo.text)) != NULL);
    FUZZ_CHECK(slo.threshold_ns >= 0 && isfinite(slo.limit) && slo.limit >= 0);
    FUZZ_CHECK(slo.metric != SLO_QUANTILE || (slo.quantile > 0 && slo.quantile < 1));
    slo_metric_word(&slo, word);
    FUZZ_CHECK(memchr(word, '\0', sizeof(word)) != NULL && word[0] != '\0');
    FUZZ_CHECK(slo_parse(str_of(slo.text), &again, &err));
    FUZZ_CHECK(again.metric == slo.metric && again.threshold_ns == slo.threshold_ns);
    FUZZ_CHECK(again.quantile == slo.quantile && again.limit == slo.limit);
    return 0;
}
