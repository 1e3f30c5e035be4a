/* SPDX-License-Identifier: MIT */
/**
 * Functions g(s) = Re sum_k q_k(s) e^{lambda_k s} with polynomials q_k, and their crossings of zero.
 *
 * Every guard of a piecewise linear system is such a function of the time s since the phase began, and all its
 * derivatives can be bounded from its coefficients. Crossings are found by a march that cannot skip one: with
 * G > 0, rate r and second derivative a at s, and |g''| <= B, |g'''| <= C on [s, s + L], on that stretch
 *
 *     g(s + d) >= G + r d + K d^2/2,    K = max(a - C L, -B).
 *
 * The march goes to the root of the right-hand side, or by L if it has none. It slows down only before a zero.
 * There the same bounds from above prove that g falls through zero monotonically, and Newton's iteration takes
 * over; or g stays within rounding of zero without being proved to cross: a touch.
 */
#ifndef IC_SOLVERS_LINEAR_EXPONENTIAL_POLYNOMIAL_H
#define IC_SOLVERS_LINEAR_EXPONENTIAL_POLYNOMIAL_H

#include "solvers/linear/spectrum.h"

/** The value and four derivatives. */
#define IC_DERIVATIVES 5

/** An exponent, shared by several functions. */
typedef struct ic_exponent {
    ic_complex lambda; /* 1/s */
    double modulus;    /* 1/s; |lambda| */
    size_t capacity;   /* greatest degree of its polynomials */
    size_t degree;     /* present degree, the same for all functions */
    size_t offset;     /* sum of capacity + 1 over the exponents before */
} ic_exponent;

/** A function g. Coefficients of powers of s stand at [IC_DERIVATIVES * offset + derivative * (capacity + 1) + power]. */
typedef struct ic_exponential_polynomial {
    size_t n_terms;
    const ic_exponent *exponents;
    ic_complex *coefficients;
    double *moduli;       /* of the coefficients */
    double *magnitudes;   /* at [offset + power]: size of what was added up for the coefficient of g itself */
    double *decay;        /* scratch, one for each term: e^{Re lambda s} at the last evaluation */
    bool *absent;         /* whether a term is zero */
    bool constant_bounds; /* derivatives' bounds do not depend on the length of the stretch */
    double fastest;       /* 1/s; greatest |lambda| of the terms that are not zero */
    double start[IC_DERIVATIVES]; /* value and derivatives at s = 0, where they may be known better than as */
    double start_noise[IC_DERIVATIVES]; /* sums of terms, and their rounding errors */
} ic_exponential_polynomial;

/** Number of elements of coefficients and moduli for given exponents. */
size_t ic_exponents_room(const ic_exponent *exponents, size_t n);

/**
 * Given all coefficients of g and their magnitudes, compute those of the derivatives, the bounds, and the start.
 */
void ic_exponential_polynomial_derive(ic_exponential_polynomial *g);

/**
 * Value and derivatives at s, and the rounding error of the value.
 *
 * Near the start (|lambda| s < 1/2) only the increments beyond start[0] + start[1] s are summed: their rounding error
 * is of the order of s^2. So a guard that starts at zero, and even one that starts at zero with a rate of nearly zero,
 * as in the last of infinitely many impacts, is known there to full relative precision.
 */
typedef struct ic_jet {
    double s;
    double value[IC_DERIVATIVES]; /* the first `count` */
    double noise;                 /* rounding error of value[0] */
} ic_jet;

ic_jet ic_exponential_polynomial_at(const ic_exponential_polynomial *g, double s, int count);

/** The search for crossings of one function, one after the other. */
typedef struct ic_crossing_search {
    const ic_exponential_polynomial *g;
    double from, end; /* looks for crossings in (from, end] */
    double origin;    /* s; time at s = 0, which limits the resolution of s */
    int side;         /* side that g is on just after `from`; 0 with order > 0: not known yet */
    int order;        /* > 0: g has a zero of this order at `from`, which is not found again */
    double stride;    /* length of the last step, a first guess at the next; 0: none */
    double leading;   /* modulus of the derivative by which g left the zero at `from` */
    bool grazes;      /* a touch was passed */
    double grazes_at;
    double evaluations, iterations; /* added to */
} ic_crossing_search;

typedef enum ic_crossing { IC_CROSSING_NONE, IC_CROSSING_FOUND, IC_CROSSING_NOT_FINITE } ic_crossing;

/**
 * Decide to which side g leaves the zero on which it stands at `from`: that of its first derivative, from the
 * `order`-th on, that is not zero by rounding. Sets side and order; side 0: all vanish.
 */
void ic_crossing_depart(ic_crossing_search *q);

/** The next crossing: found, it is at `from`, and the search stands just behind it on the other side. */
ic_crossing ic_crossing_next(ic_crossing_search *q);

#endif
