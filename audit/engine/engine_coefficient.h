/* SPDX-License-Identifier: MIT */
/**
 * Which coefficient an engine uses for the one that a scene gives: a function found from pairs of
 * both.
 */
#ifndef IC_AUDIT_ENGINE_COEFFICIENT_H
#define IC_AUDIT_ENGINE_COEFFICIENT_H

#include <stddef.h>

typedef enum ic_coefficient_use {
    IC_COEFFICIENT_RIGHT,
    IC_COEFFICIENT_REVERSED,
    IC_COEFFICIENT_NONE,
    IC_COEFFICIENT_SQUARED,
    IC_COEFFICIENT_ROOT,
    IC_COEFFICIENT_CONSTANT,
    IC_COEFFICIENT_FACTOR,
    IC_COEFFICIENT_AT_MOST,
    IC_COEFFICIENT_AT_LEAST,
    IC_COEFFICIENT_GEOMETRIC,
    IC_COEFFICIENT_MEAN,

    /* No function of these explains the pairs. */
    IC_COEFFICIENT_UNKNOWN
} ic_coefficient_use;

/** A pair: the given coefficient and the one in effect, with its uncertainty. */
typedef struct ic_coefficient_pair {
    double given, effective, tolerance;
} ic_coefficient_pair;

typedef struct ic_coefficient {
    ic_coefficient_use use;

    /* the factor, the bound, or the other coefficient with which it is combined; 1 */
    double c;

    /* greatest difference of an effective coefficient from the given one, in tolerances, and the pair */
    double off;
    size_t worst;
} ic_coefficient;

/** The coefficient in effect for the given one x. An unknown function: the given one. */
double ic_coefficient_of(const ic_coefficient *k, double x);

/** Finds the function; of several that fit, the first of the list. */
ic_coefficient ic_coefficient_find(const ic_coefficient_pair *pairs, size_t n);

/** "mu^2", "mu, at most 0.5": with the symbol x. */
void ic_coefficient_describe(char *text, size_t size, const ic_coefficient *k, const char *x);

#endif
