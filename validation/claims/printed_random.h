/* SPDX-License-Identifier: MIT */
/** Random systems with which equations of a paper are compared, and the forms of an equation. */
#ifndef IC_VALIDATION_CLAIMS_PRINTED_RANDOM_H
#define IC_VALIDATION_CLAIMS_PRINTED_RANDOM_H

/** Planted: as printed, compared with wrong mechanics. */
typedef enum ic_printed_form { IC_PRINTED, IC_CORRECTED, IC_PLANTED } ic_printed_form;

/** Lehmer's generator modulo the prime 2^31 - 1: the same numbers on every machine. */
static inline double ic_printed_random(unsigned long long *seed, double low, double high)
{
    *seed = *seed * 48271u % 2147483647u;
    return low + (high - low) * (double)*seed / 2147483647.0;
}

#endif
