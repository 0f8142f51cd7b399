/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/slo.h"

#include <stdio.h>

#include "base/unit.h"

#define EXAMPLES "'p95<25ms' (or p95:25ms), mean<10ms, max<1s, errors<0.1%%, rate>1000/s"

struct metric_row {
    const char *word;
    enum slo_metric metric;
};

static const struct metric_row metric_rows[] = {
    { "mean", SLO_MEAN },     { "avg", SLO_MEAN },  { "max", SLO_MAX },
    { "errors", SLO_ERRORS }, { "rate", SLO_RATE },
};

/* "p95", "p99.9" */
static bool parse_quantile(struct str word, struct slo *slo, struct err *err)
{
    double percent;

    if (!unit_parse_number(str_from(word, 1), &percent, err)) {
        return err_set(err, ERR_USAGE, "'%.*s' is not a percentile: write p95 or p99.9",
                       STR_ARG(word));
    }
    if (percent <= 0 || percent >= 100) {
        return err_set(err, ERR_USAGE,
                       "'%.*s' is not a percentile between 0 and 100: the slowest is max",
                       STR_ARG(word));
    }
    slo->metric = SLO_QUANTILE;
    slo->quantile = percent / 100;
    return true;
}

static bool parse_metric(struct str word, struct slo *slo, struct err *err)
{
    for (size_t i = 0; i < COUNT_OF(metric_rows); i++) {
        if (str_eq(word, str_of(metric_rows[i].word))) {
            slo->metric = metric_rows[i].metric;
            return true;
        }
    }
    if (str_find(word, '(') < word.len && !str_starts(word, STR("p("))) {
        return err_set(err, ERR_USAGE, "'%.*s': an SLO of a label is not in this version yet",
                       STR_ARG(word));
    }
    if (word.len > 1 && word.p[0] == 'p' && word.p[1] >= '0' && word.p[1] <= '9') {
        return parse_quantile(word, slo, err);
    }
    return err_set(err, ERR_USAGE, "'%.*s' is nothing that an SLO speaks of: write " EXAMPLES,
                   STR_ARG(word));
}

static bool parse_time_limit(struct str value, int64_t *ret_ns, struct err *err)
{
    int64_t ns;
    double bare;

    /* Hands that come from other tools mean milliseconds, ours would mean seconds. */
    if (unit_parse_number(value, &bare, err)) {
        return err_set(err, ERR_USAGE, "the time '%.*s' has no unit: write %.*sms or %.*ss",
                       STR_ARG(value), STR_ARG(value), STR_ARG(value));
    }
    if (!unit_parse_duration(value, &ns, err)) {
        return false;
    }
    if (ns <= 0) {
        return err_set(err, ERR_USAGE, "the time '%.*s' is zero: no answer is that fast",
                       STR_ARG(value));
    }
    *ret_ns = ns;
    return true;
}

static bool parse_limit(struct str value, struct slo *slo, struct err *err)
{
    switch (slo->metric) {
    case SLO_QUANTILE:
    case SLO_MEAN:
    case SLO_MAX:
        return parse_time_limit(value, &slo->threshold_ns, err);
    case SLO_ERRORS:
        return unit_parse_share(value, &slo->limit, err);
    case SLO_RATE:
        return unit_parse_rate(value, &slo->limit, err);
    }
    return false;
}

/* Splits "p95<25ms" into its three parts; *ret_sign is '<', '>' or ':'. */
static bool split(struct str text, struct str *ret_metric, char *ret_sign, struct str *ret_value,
                  struct err *err)
{
    size_t at = 0;

    while (at < text.len && text.p[at] != '<' && text.p[at] != '>' && text.p[at] != ':') {
        at++;
    }
    if (at == text.len) {
        return err_set(err, ERR_USAGE,
                       "'%.*s' has no limit: unquoted, the shell takes < as a redirection; "
                       "write p95:25ms or 'p95<25ms'",
                       STR_ARG(text));
    }
    *ret_metric = str_trim((struct str){ text.p, at });
    *ret_sign = text.p[at];
    /* A limit is held when it is just reached, so <= is the same. */
    at += at + 1 < text.len && text.p[at + 1] == '=' ? 2 : 1;
    *ret_value = str_trim(str_from(text, at));
    if (str_find(*ret_value, ' ') < ret_value->len) {
        return err_set(err, ERR_USAGE,
                       "'%.*s': 'after' and 'else' are not in this version yet: write " EXAMPLES,
                       STR_ARG(text));
    }
    return true;
}

bool slo_parse(struct str text, struct slo *ret_slo, struct err *err)
{
    struct slo slo = { 0 };
    struct str metric = { 0 }, value = { 0 };
    char sign = 0, wanted;

    if (!split(text, &metric, &sign, &value, err) || !parse_metric(metric, &slo, err)) {
        return false;
    }
    slo.greater = slo.metric == SLO_RATE;
    wanted = slo.greater ? '>' : '<';
    if (sign != wanted && sign != ':') {
        return err_set(err, ERR_USAGE, "'%.*s' promises the wrong direction: write %.*s%c%.*s",
                       STR_ARG(text), STR_ARG(metric), wanted, STR_ARG(value));
    }
    if (!parse_limit(value, &slo, err)) {
        return err_prefix(err, "'%.*s'", STR_ARG(text));
    }
    if (metric.len + 1 + value.len >= sizeof(slo.text)) {
        return err_set(err, ERR_USAGE, "the SLO is longer than %d bytes: write " EXAMPLES,
                       SLO_TEXT_MAX - 1);
    }
    (void)snprintf(slo.text, sizeof(slo.text), "%.*s%c%.*s", STR_ARG(metric), wanted,
                   STR_ARG(value));
    *ret_slo = slo;
    return true;
}

void slo_metric_word(const struct slo *slo, char *text)
{
    const char *word = "";

    switch (slo->metric) {
    case SLO_QUANTILE:
        (void)snprintf(text, 16, "p%.8g", slo->quantile * 100);
        return;
    case SLO_MEAN:
        word = "mean";
        break;
    case SLO_MAX:
        word = "max";
        break;
    case SLO_ERRORS:
        word = "errors";
        break;
    case SLO_RATE:
        word = "rate";
        break;
    }
    str_copy(text, 16, str_of(word));
}
