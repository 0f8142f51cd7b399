/* SPDX-License-Identifier: Apache-2.0 */
#include "load/order.h"

#include <string.h>

#include "base/mem.h"

enum h1_request order_kind(const char *method)
{
    return strcmp(method, "HEAD") == 0 ? H1_REQUEST_HEAD : H1_REQUEST_PLAIN;
}

bool order_idempotent(const char *method)
{
    /* RFC 9110 section 9.2.2 */
    static const char *const idempotent[] = { "GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE" };

    for (size_t i = 0; i < COUNT_OF(idempotent); i++) {
        if (strcmp(method, idempotent[i]) == 0) {
            return true;
        }
    }
    return false;
}

void order_fini(struct order *order)
{
    origins_fini(&order->origins);
    tls_peer_fini(&order->peer);
    tls_context_free(order->tls_context);
    expect_fini(&order->expect);
    mem_free(order->requests);
}

enum phase order_phase(const struct order *order, int64_t at_ns)
{
    if (at_ns >= order_time(&order->end_ns)) {
        return PHASE_DRAIN;
    }
    if (at_ns >= order_time(&order->measured_ns)) {
        return PHASE_MEASURED;
    }
    return at_ns >= order->ramp_end_ns ? PHASE_WARMUP : PHASE_RAMP;
}

int64_t order_phase_end(const struct order *order, enum phase phase)
{
    int64_t end_ns = order_time(&order->end_ns);
    int64_t measured_ns = order_time(&order->measured_ns);
    int64_t phase_end_ns = NEVER_NS;

    switch (phase) {
    case PHASE_RAMP:
        phase_end_ns = order->ramp_end_ns < measured_ns ? order->ramp_end_ns : measured_ns;
        break;
    case PHASE_WARMUP:
        phase_end_ns = measured_ns;
        break;
    case PHASE_MEASURED:
        break;
    case PHASE_DRAIN:
    case PHASE_COUNT:
        return NEVER_NS;
    }
    return phase_end_ns < end_ns ? phase_end_ns : end_ns;
}

int64_t order_share(const struct order *order, int64_t number, unsigned worker)
{
    int64_t threads = order->threads;

    /* Whole parts first, so that nothing overflows. */
    return number / threads + (worker < number % threads ? 1 : 0);
}
