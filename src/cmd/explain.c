/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/explain.h"

#include "base/fail.h"
#include "result/result.h"

struct sentence {
    const char *word, *text;
};

static const struct sentence counts[] = {
    { "ok", "answers that were complete and had a status that counts as good" },
    { "failed", "requests that ended in one of the causes below" },
    { "unfinished", "requests still under way when the drain time was over" },
    { "reconnects", "kept-alive connections that had to be opened again" },
    { "rate", "good answers that came in the measured time, divided by that time" },
    { "N = X*R", "users under way = rate times response time: it must hold in any load" },
};

static void write_sentence(const char *word, const char *text, struct buf *buf)
{
    buf_printf(buf, "  %-19s %s\n", word, text);
}

void explain_text(struct buf *buf)
{
    buf_puts(buf, "Counts: of requests that started in the measured time\n");
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        write_sentence(counts[i].word, counts[i].text, buf);
    }
    buf_puts(buf, "\nTimes: of good answers\n");
    for (enum latency latency = 0; latency < LATENCY_COUNT; latency++) {
        write_sentence(latency_word(latency), latency_text(latency), buf);
    }
    buf_puts(
        buf,
        "  p95 is the time within which 95 of 100 answers came; in brackets the interval "
        "that\n  it lies in with 95 % confidence, by this run alone; ~ marks what little of the "
        "run\n  carries.\n");
    buf_puts(buf, "\nCauses of failure: each failed request has one\n");
    for (enum fail fail = 0; fail < FAIL_COUNT; fail++) {
        write_sentence(fail_word(fail), fail_text(fail), buf);
    }
}
