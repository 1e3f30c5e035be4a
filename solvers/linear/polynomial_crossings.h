/* SPDX-License-Identifier: MIT */
/**
 * Finds the sign changes of a polynomial p(s) on [0, 1], in order and without omission.
 *
 * In a part of half-width r about c, p is compared with its parabola there; the remainder is
 * bounded:
 *
 *     |p(c + u) - p - p' u - p'' u^2/2| <= B r^3/6,
 *     B = sum_j j (j-1) (j-2) |p_j| (c + r)^(j-3).
 *
 * If the parabola is farther from zero than this bound, p has no zero. If its slope keeps its sign,
 * p has at most one zero, and the sign at the end of the part decides. An undecided part is divided
 * into four, until it is decided or p is within rounding of zero throughout: the part is then
 * blurred. If p is on the same side before and after a blurred stretch, a touch and a pair of
 * crossings cannot be distinguished, and the search reports this.
 */
#pragma once

#include <stdbool.h>

enum {
    IC_POLYNOMIAL_DEGREE = 47,

    /* Number of parts that are evaluated together. */
    IC_POLYNOMIAL_LANES = 4,

    /* Greatest number of divisions of a part: down to 2^-80 of the whole. */
    IC_POLYNOMIAL_CUTS = 40,
};

typedef struct ic_polynomial {
    int degree;
    double c[IC_POLYNOMIAL_DEGREE + 1];

    /* rounding error of each coefficient; if p is rough, only of the first one */
    double error[IC_POLYNOMIAL_DEGREE + 1];

    /*
     * True if the noise is an estimate for clear cases, and a zero at 0 is already divided out; the search
     * then reports a doubt before it divides parts very often.
     */
    bool rough;

    /*
     * Fraction of the greatest coefficient below which a curvature at a departure counts as zero, if it
     * is more than that of rounding.
     */
    double slight;

    /* sum |c_j|; set by ic_polynomial_divide unless p is rough */
    double size;

    /* sum c_j, likewise */
    double sum;

    /* rounding error of a value on [0, 1], likewise */
    double noise;
} ic_polynomial;

/**
 * Divide p by s^order, whose lower coefficients are zero, and compute `size`, `sum` and `noise` from
 * the coefficients and their errors.
 */
void ic_polynomial_divide(ic_polynomial *p, int order);

/**
 * The side to which p leaves s = 0, where it has a zero of at least the given order: the sign of
 * the first coefficient from that order on that exceeds its error. The zero is divided out of p. 0:
 * p is zero to rounding, and nothing is divided out.
 */
int ic_polynomial_depart(ic_polynomial *p, int order);

/** A part, with the parabola at its centre in units of its half-width. */
typedef struct ic_polynomial_part {
    double centre, half;

    /* p, p' r, p'' r^2/2 */
    double value, slope, bend;

    /* B r^3/6 */
    double rest;

    int cuts;
} ic_polynomial_part;

typedef enum ic_polynomial_outcome {
    /* no further sign change up to the end */
    IC_POLYNOMIAL_NONE,

    /* p changes sign once, between `low` and `high`; `side` is the side after the change */
    IC_POLYNOMIAL_CHANGES,

    /* Only if p is rough: the search must be repeated with exact errors of the coefficients. */
    IC_POLYNOMIAL_DOUBT,

    IC_POLYNOMIAL_NOT_FINITE,
} ic_polynomial_outcome;

/** A search for sign changes, one after the other. */
typedef struct ic_polynomial_search {
    const ic_polynomial *p;

    /* Side of p just after 0, later after the last sign change: -1 or +1; 0: not known yet. */
    int side;

    /* the sign change that was found last, and a point in between with the step to the zero */
    double low, high, near, step;

    /*
     * True if the part before is blurred. If p has changed its sign in that part, the zero is
     * placed at `low`.
     */
    bool late;

    /* rounding hides the sign of p from `low` on */
    bool blurred;

    /* True if a touch was passed, at `grazes_at`. */
    bool grazes;

    double grazes_at;

    /* added to */
    double evaluations;

    /* coefficients above it count as noise */
    int degree;

    /* rounding error and those coefficients */
    double noise;

    /* j (j-1) (j-2) |c_j| at [j - 3] */
    double third[IC_POLYNOMIAL_DEGREE + 1];

    int waiting;

    /* Parts that still have to be judged; the next one is the last in the array. */
    ic_polynomial_part stack[3 * IC_POLYNOMIAL_CUTS + 4];
} ic_polynomial_search;

/** Begin a search of (0, end], end <= 1; side 0: unknown, p is zero to rounding at 0. */
void ic_polynomial_search_begin(ic_polynomial_search *q, const ic_polynomial *p, int side, double end);

ic_polynomial_outcome ic_polynomial_search_next(ic_polynomial_search *q);

/** The zero that was found last; each evaluation adds 1 to *iterations. */
double ic_polynomial_locate(const ic_polynomial_search *q, double *iterations);
