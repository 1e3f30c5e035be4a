/* SPDX-License-Identifier: MIT */
/**
 * Exact factors of units: a rational times a power of pi, held as powers of primes, so that factors
 * multiply without rounding. UDUNITS-2 has them as doubles only, from which they are found.
 */
#ifndef IC_CASEFILE_FACTOR_H
#define IC_CASEFILE_FACTOR_H

#include "casefile/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum { IC_FACTOR_PRIMES = 16 };

typedef struct ic_factor {
    size_t n;

    struct {
        double prime, power;
    } of[IC_FACTOR_PRIMES];

    double pi;
} ic_factor;

/**
 * The factor that a double stands for: the simplest p/q, decimal number, or p/q times or by pi, that equals
 * it but for rounding. false: none is simple enough to be no accident.
 */
bool ic_factor_find(ic_factor *factor, double value);

/** p/q, of positive whole numbers below 10^15. */
bool ic_factor_of(ic_factor *factor, double p, double q);

/** a b^sign. false: too many primes. */
bool ic_factor_multiply(ic_factor *a, const ic_factor *b, double sign);

/** Raise to a power. */
void ic_factor_raise(ic_factor *a, double power);

/** Its value, rounded; exactly 1 where all powers are 0. */
double ic_factor_value(const ic_factor *a);

/**
 * A formula times the factor, as an exact text: "20" and 1/1000 are "0.02", "r + 6" and 5/18 "(r + 6)*5/18". NULL:
 * memory ran out, or the factor has no exact text, such as 10^(1/5).
 */
const char *ic_factor_apply(ic_arena *arena, const char *formula, const ic_factor *a);

#endif
