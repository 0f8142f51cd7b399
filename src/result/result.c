/* SPDX-License-Identifier: Apache-2.0 */
#include "result/result.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "result/redact.h"
#include "stats/paced.h"

enum { ARGUMENT_BYTES_MAX = 1 << 20 };

static const char *const latency_words[LATENCY_COUNT] = {
#define LATENCY_WORD(name, word, text) [LATENCY_##name] = word,
    LATENCY_LIST(LATENCY_WORD)
#undef LATENCY_WORD
};

static const char *const latency_texts[LATENCY_COUNT] = {
#define LATENCY_TEXT(name, word, text) [LATENCY_##name] = text,
    LATENCY_LIST(LATENCY_TEXT)
#undef LATENCY_TEXT
};

const char *latency_word(enum latency latency)
{
    return latency_words[latency];
}

const char *latency_text(enum latency latency)
{
    return latency_texts[latency];
}

const char *run_state_word(enum run_state state)
{
    switch (state) {
    case RUN_FINISHED:
        return "finished";
    case RUN_INTERRUPTED:
        return "interrupted";
    case RUN_ABORTED:
        return "aborted";
    }
    return "?";
}

const char *about_word(enum about about)
{
    switch (about) {
    case ABOUT_GENERATOR:
        return "generator";
    case ABOUT_SERVER:
        return "server";
    case ABOUT_SAMPLE:
        return "sample";
    }
    return "?";
}

const char *level_word(enum level level)
{
    switch (level) {
    case LEVEL_OK:
        return "ok";
    case LEVEL_INFO:
        return "info";
    case LEVEL_WARN:
        return "warn";
    case LEVEL_FAIL:
        return "fail";
    }
    return "?";
}

const char *slo_state_word(enum slo_state state)
{
    switch (state) {
    case SLO_HELD:
        return "held";
    case SLO_MISSED:
        return "missed";
    case SLO_NO_DATA:
        return "no-data";
    }
    return "?";
}

struct result *result_new(void)
{
    struct result *result = mem_new(1, sizeof(*result));

    result->machine.tw_reuse = -1;
    result->machine.descriptors = -1;
    result->machine.ports_used = NAN;
    result->machine.neighbour_cores = NAN;
    result->generator.run_wait = NAN;
    result->generator.steal = NAN;
    return result;
}

static void free_argv(struct result *result)
{
    for (int i = 0; i < result->argc; i++) {
        mem_free(result->argv[i]);
    }
    mem_free(result->argv);
    result->argv = NULL;
    result->argc = 0;
}

void result_free(struct result *result)
{
    if (result == NULL) {
        return;
    }
    free_argv(result);
    mem_free(result);
}

static double per_second(const struct result *result, uint64_t count)
{
    if (result->duration_ns <= 0) {
        return 0;
    }
    return (double)count * (double)SEC_NS / (double)result->duration_ns;
}

double result_ok_per_s(const struct result *result)
{
    return per_second(result, result->window_ok);
}

double result_failed_per_s(const struct result *result)
{
    return per_second(result, result->window_failed);
}

double result_started_per_s(const struct result *result)
{
    return per_second(result, result->window_started);
}

int64_t result_pace_ns(const struct result *result)
{
    return hist_quantile(&result->latency[LATENCY_RESPONSE], 0.5);
}

void result_add_paced(struct result *result)
{
    int64_t pace_ns = result_pace_ns(result);

    paced_from(&result->latency[LATENCY_RESPONSE], pace_ns > 0 ? pace_ns : 1,
               &result->latency[LATENCY_PACED]);
}

void result_set_argv(struct result *result, int argc, char *const *argv, bool keep_secrets)
{
    enum redact_next next = REDACT_NEXT_FREE;
    bool operands = false, curl = false;
    struct buf buf;

    free_argv(result);
    buf_init(&buf, ARGUMENT_BYTES_MAX);
    result->argv = mem_new((size_t)argc + 1, sizeof(*result->argv));
    for (int i = 0; i < argc; i++) {
        struct str argument = str_of(argv[i]);

        buf_reset(&buf);
        if (keep_secrets) {
            buf_add_str(&buf, argument);
        } else if (operands) {
            redact_url(argument, &buf);
        } else {
            operands = next == REDACT_NEXT_FREE && str_eq(argument, STR("--"));
            next = curl ? redact_curl_argument(argument, next, &buf)
                        : redact_argument(argument, next, &buf);
            /* Where it is not the command, more is cut than needed. */
            curl = curl || str_eq(argument, STR("curl"));
        }
        result->argv[i] = mem_strndup(buf_str(&buf).p, buf.len);
    }
    result->argc = argc;
    buf_fini(&buf);
}
