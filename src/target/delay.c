/* SPDX-License-Identifier: Apache-2.0 */
#include "target/delay.h"

#include <math.h>

#include "base/unit.h"

static const char *const law_names[] = {
    [DELAY_CONSTANT] = "constant",
    [DELAY_EXP] = "exp",
    [DELAY_LOGNORMAL] = "lognormal",
    [DELAY_LIST] = "list",
};

enum delay_law delay_law_find(struct str name)
{
    for (enum delay_law law = DELAY_CONSTANT; law < COUNT_OF(law_names); law++) {
        if (str_eq(name, str_of(law_names[law]))) {
            return law;
        }
    }
    return DELAY_NONE;
}

static bool parse_time(struct str text, int64_t *ret_ns, struct err *err)
{
    int64_t time_ns;

    if (!unit_parse_duration(text, &time_ns, err)) {
        return false;
    }
    if (time_ns > DELAY_MAX_NS) {
        return err_set(err, ERR_USAGE, "'%.*s' is longer than an hour", STR_ARG(text));
    }
    *ret_ns = time_ns;
    return true;
}

static bool parse_lognormal(struct str text, struct delay *delay, struct err *err)
{
    struct str median;

    (void)str_cut(&text, ',', &median);
    if (text.p == NULL) {
        return err_set(err, ERR_USAGE,
                       "'%.*s' is not a median and a sigma, as in lognormal=5ms,0.5",
                       STR_ARG(median));
    }
    return parse_time(median, &delay->scale_ns, err) && unit_parse_number(text, &delay->sigma, err);
}

static bool parse_list(struct str text, struct delay *delay, struct err *err)
{
    double sum = 0, weight;
    struct str step, time;

    while (str_cut(&text, ',', &step)) {
        struct delay_step *to = &delay->steps[delay->step_count];

        if (delay->step_count == DELAY_LIST_MAX) {
            return err_set(err, ERR_USAGE, "a list of delays has at most %d", DELAY_LIST_MAX);
        }
        (void)str_cut(&step, ':', &time);
        if (step.p == NULL) {
            return err_set(err, ERR_USAGE, "'%.*s' has no weight, as in list=1ms:90,50ms:10",
                           STR_ARG(time));
        }
        if (!parse_time(time, &to->delay_ns, err) || !unit_parse_number(step, &weight, err)) {
            return false;
        }
        sum += weight;
        to->weight_sum = sum;
        delay->step_count++;
    }
    if (!(sum > 0)) {
        return err_set(err, ERR_USAGE, "the weights of a list of delays are all 0");
    }
    return true;
}

bool delay_parse(enum delay_law law, struct str text, struct delay *ret_delay, struct err *err)
{
    struct delay delay = { .law = law };
    bool ok = false;

    switch (law) {
    case DELAY_NONE:
        ok = true;
        break;
    case DELAY_CONSTANT:
    case DELAY_EXP:
        ok = parse_time(text, &delay.scale_ns, err);
        break;
    case DELAY_LOGNORMAL:
        ok = parse_lognormal(text, &delay, err);
        break;
    case DELAY_LIST:
        ok = parse_list(text, &delay, err);
        break;
    }
    if (ok) {
        *ret_delay = delay;
    }
    return ok;
}

static double draw_step_ns(const struct delay *delay, struct rng *rng)
{
    /* In (0, sum]: a step of weight 0 is never met. */
    double at = rng_unit(rng) * delay->steps[delay->step_count - 1].weight_sum;
    int i = 0;

    while (i < delay->step_count - 1 && at > delay->steps[i].weight_sum) {
        i++;
    }
    return (double)delay->steps[i].delay_ns;
}

int64_t delay_draw_ns(const struct delay *delay, struct rng *rng)
{
    double drawn_ns = 0;

    switch (delay->law) {
    case DELAY_NONE:
        return 0;
    case DELAY_CONSTANT:
        return delay->scale_ns;
    case DELAY_EXP:
        drawn_ns = (double)delay->scale_ns * rng_exp(rng);
        break;
    case DELAY_LOGNORMAL:
        drawn_ns = (double)delay->scale_ns * exp(delay->sigma * rng_normal(rng));
        break;
    case DELAY_LIST:
        drawn_ns = draw_step_ns(delay, rng);
        break;
    }
    return drawn_ns < (double)DELAY_MAX_NS ? (int64_t)drawn_ns : DELAY_MAX_NS;
}
