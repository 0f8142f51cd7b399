/* SPDX-License-Identifier: Apache-2.0 */
/* The paths of the built-in server: whatever is asked for, what comes of it is within limits, or is
 * refused with a reason. */
#include "fuzz.h"
#include "target/resource.h"

static void check_draws(const struct delay *delay, uint8_t seed)
{
    struct rng rng;

    rng_init(&rng, seed, 0);
    for (int i = 0; i < 4; i++) {
        int64_t drawn_ns = delay_draw_ns(delay, &rng);

        FUZZ_CHECK(drawn_ns >= 0 && drawn_ns <= DELAY_MAX_NS);
        FUZZ_CHECK(delay->law != DELAY_NONE || drawn_ns == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t seed = fuzz_take_byte(&data, &size);
    struct resource resource;
    struct err err = { .text = "" };
    int status = 0;

    if (!resource_parse(fuzz_text(data, size), &resource, &status, &err)) {
        FUZZ_CHECK(status == 400 || status == 404);
        FUZZ_CHECK(err.text[0] != '\0');
        return 0;
    }
    FUZZ_CHECK(resource.status >= 200 && resource.status <= 999);
    FUZZ_CHECK(resource.bytes >= 0 && resource.bytes <= RESOURCE_BYTES_MAX);
    FUZZ_CHECK(resource.delay.step_count <= DELAY_LIST_MAX);
    check_draws(&resource.delay, seed);
    return 0;
}
