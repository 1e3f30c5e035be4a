/* SPDX-License-Identifier: MIT */
/** Random systems that the equations of a paper are compared on. */
#ifndef IC_VALIDATION_CLAIMS_PRINTED_RANDOM_H
#define IC_VALIDATION_CLAIMS_PRINTED_RANDOM_H

/** Lehmer's generator modulo the prime 2^31 - 1: the same numbers on every machine. */
static inline double ic_printed_random(unsigned long long *seed, double low, double high)
{
    *seed = *seed * 48271u % 2147483647u;
    return low + (high - low) * (double)*seed / 2147483647.0;
}

#endif
