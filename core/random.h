/* SPDX-License-Identifier: MIT */
/** Random numbers: the same in every run and on every machine. */
#pragma once

#include <math.h>
#include <stdint.h>

/**
 * A uniformly distributed number in [a, b). Linear congruential generator modulo 2^64 (Knuth's
 * MMIX), of which the upper 53 bits are used.
 */
static inline double ic_uniform(uint64_t *seed, double a, double b)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return a + (b - a) * (double)(*seed >> 11) / 9007199254740992.0;
}

/** A number in [a, b) whose logarithm is uniformly distributed; 0 < a. */
static inline double ic_log_uniform(uint64_t *seed, double a, double b)
{
    return a * pow(b / a, ic_uniform(seed, 0, 1));
}
