/* SPDX-License-Identifier: MIT */
/**
 * Exact factors of units: a rational number times a power of pi, stored as powers of primes, so
 * that factors multiply without rounding. UDUNITS-2 gives factors as doubles only; this file finds
 * the exact factors from them.
 */
#pragma once

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
 * Find the factor that a double represents: the simplest of p/q, a decimal number, p/q times pi and
 * p/q divided by pi that equals the double within rounding. false: no candidate is so simple that a
 * coincidence can be excluded.
 */
bool ic_factor_find(ic_factor *factor, double value);

/** The factor p/q, of positive whole numbers below 10^15. */
bool ic_factor_of(ic_factor *factor, double p, double q);

/** Multiply a by b^sign. false: there are too many primes. */
bool ic_factor_multiply(ic_factor *a, const ic_factor *b, double sign);

/** Raise to a power. */
void ic_factor_raise(ic_factor *a, double power);

/** Value of a factor, rounded. It is exactly 1 if all powers are 0. */
double ic_factor_value(const ic_factor *a);

/**
 * A formula times a factor, as exact text: "20" times 1/1000 is "0.02", "r + 6" times 5/18 is "(r +
 * 6)*5/18". NULL: memory ran out, or the factor has no exact text, such as 10^(1/5).
 */
const char *ic_factor_apply(ic_arena *arena, const char *formula, const ic_factor *a);
