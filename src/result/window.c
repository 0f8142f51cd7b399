/* SPDX-License-Identifier: Apache-2.0 */
#include "result/window.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const char *const phase_words[PHASE_COUNT] = {
#define PHASE_WORD(name, word) [PHASE_##name] = word,
    PHASE_LIST(PHASE_WORD)
#undef PHASE_WORD
};

const char *phase_word(enum phase phase)
{
    return phase_words[phase];
}

void window_merge(struct window *into, const struct window *from)
{
    if (into->start_ns == 0 && into->end_ns == 0) {
        into->index = from->index;
        into->phase = from->phase;
        into->start_ns = from->start_ns;
    }
    assert(into->index == from->index && into->phase == from->phase);
    if (from->start_ns < into->start_ns) {
        into->start_ns = from->start_ns;
    }
    if (from->end_ns > into->end_ns) {
        into->end_ns = from->end_ns;
    }
    into->started += from->started;
    into->ok += from->ok;
    into->failed += from->failed;
    into->bytes_in += from->bytes_in;
    into->bytes_out += from->bytes_out;
    into->body_in += from->body_in;
    into->body_decoded += from->body_decoded;
    into->busy_ns += from->busy_ns;
    into->in_flight += from->in_flight;
    into->open_connections += from->open_connections;
    for (int i = 0; i < SLO_MAX_COUNT; i++) {
        into->slow[i] += from->slow[i];
    }
    hist_merge(&into->response, &from->response);
}

void window_reset(struct window *window)
{
    memset(window, 0, offsetof(struct window, response));
    hist_reset(&window->response);
}
