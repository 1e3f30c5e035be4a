/* SPDX-License-Identifier: MIT */
/**
 * Sign changes of a polynomial p(s) on [0, 1], in order and with none left out, at the cost of a few evaluations.
 *
 * A part of half-width r about c is judged by the parabola there and a bound on what it leaves out:
 *
 *     |p(c + u) - p - p' u - p'' u^2/2| <= B r^3/6,    B = sum_j j (j-1) (j-2) |p_j| (c + r)^(j-3).
 *
 * Where the parabola keeps its distance from zero, p has no zero; where its slope keeps its sign, p has at most one, which the
 * sign at the part's end tells. A part that this does not decide is cut in four. What a few cuts do not decide (a touch, a zero at the
 * very start or end of a part) is left to a search that decides everything (solvers/linear/exponential_polynomial.h).
 */
#ifndef IC_SOLVERS_LINEAR_POLYNOMIAL_CROSSINGS_H
#define IC_SOLVERS_LINEAR_POLYNOMIAL_CROSSINGS_H

enum {
    IC_POLYNOMIAL_DEGREE = 47,
    IC_POLYNOMIAL_LANES = 4, /* parts evaluated together */
    IC_POLYNOMIAL_CUTS = 5,  /* how often the whole is cut in four */
};

typedef struct ic_polynomial {
    int degree;
    double c[IC_POLYNOMIAL_DEGREE + 1];
    double third[IC_POLYNOMIAL_DEGREE + 1]; /* j (j-1) (j-2) |c_j| at [j - 3] */
    double size;                            /* sum |c_j| */
    double noise;                           /* rounding error of a value on [0, 1] */
} ic_polynomial;

/** Take bounds, given degree and coefficients. size_of_terms: what was added up for the coefficients, at least sum |c_j|. */
void ic_polynomial_bound(ic_polynomial *p, double size_of_terms);

double ic_polynomial_at(const ic_polynomial *p, double s);

/** A part, with the parabola at its centre in units of its half-width. */
typedef struct ic_polynomial_part {
    double centre, half;
    double value, slope, bend; /* p, p' r, p'' r^2/2 */
    double rest;               /* B r^3/6 */
    int cuts;
} ic_polynomial_part;

typedef enum ic_polynomial_outcome {
    IC_POLYNOMIAL_NONE,    /* no further sign change up to the end */
    IC_POLYNOMIAL_CHANGES, /* within `part`, where p is monotonic; `side` is the one behind it */
    IC_POLYNOMIAL_DOUBT,
} ic_polynomial_outcome;

/** A search for sign changes, one after the other. */
typedef struct ic_polynomial_search {
    const ic_polynomial *p;
    int side; /* -1 or +1: where p is, first just behind 0, then behind the last sign change that was found */
    ic_polynomial_part part;
    double evaluations; /* added to */
    int waiting;
    ic_polynomial_part stack[3 * IC_POLYNOMIAL_CUTS + 1]; /* parts still to be judged, the next one last */
} ic_polynomial_search;

/** Begin a search of (0, end], end <= 1. p must not be zero at 0, or leave it to the given side. */
void ic_polynomial_search_begin(ic_polynomial_search *q, const ic_polynomial *p, int side, double end);

ic_polynomial_outcome ic_polynomial_search_next(ic_polynomial_search *q);

/** The zero in the part that was found last; each evaluation adds 1 to *iterations. */
double ic_polynomial_locate(const ic_polynomial_search *q, double *iterations);

#endif
