/* SPDX-License-Identifier: Apache-2.0 */
#include "base/rng.h"

#include <math.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void rng_init(struct rng *rng, uint64_t seed, uint64_t stream)
{
    uint64_t state = seed;
    uint64_t mixed = splitmix(&state) + stream * UINT64_C(0xd1342543de82ef95);

    for (int i = 0; i < 4; i++) {
        rng->s[i] = splitmix(&mixed);
    }
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t rng_u64(struct rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double rng_unit(struct rng *rng)
{
    return (double)((rng_u64(rng) >> 11) + 1) * 0x1.0p-53;
}

double rng_exp(struct rng *rng)
{
    return -log(rng_unit(rng));
}

double rng_normal(struct rng *rng)
{
    double radius = sqrt(2.0 * rng_exp(rng));

    return radius * cos(2.0 * M_PI * rng_unit(rng));
}
