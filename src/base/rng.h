/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random numbers, one generator a thread or a user, never shared: xoshiro256** (Blackman and Vigna
 * 2018) seeded by splitmix64. The same seed and stream give the same numbers on every machine.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

void rng_init(struct rng *rng, uint64_t seed, uint64_t stream);
uint64_t rng_u64(struct rng *rng);
/* In (0, 1], 53 bits: safe to take the logarithm of. */
double rng_unit(struct rng *rng);
/* Exponential with mean 1. */
double rng_exp(struct rng *rng);
/* Standard normal (Box and Muller, one of the pair). */
double rng_normal(struct rng *rng);

#endif
