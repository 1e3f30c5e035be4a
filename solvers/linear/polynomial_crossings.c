/* SPDX-License-Identifier: MIT */
#include "solvers/linear/polynomial_crossings.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Rounding errors of Horner's rule: two for each power, of which at most some eight count fully where terms fall off; as much again
 * for the coefficients. */
#define ROUNDINGS 16.0
/* Halley's iteration leaves some (p''/2p' step)^2 of a step, and p'''/6p' step^3: nothing beyond rounding behind a step as short as this, where
 * the first factor is as small as that. */
#define LAST_STEP 1e-6
#define LAST_TURN 1e-5
enum { ITERATIONS = 100 };

typedef double pair __attribute__((vector_size(2 * sizeof(double))));

void ic_polynomial_bound(ic_polynomial *p, double size_of_terms)
{
    double size = 0, factor = 0; /* j (j-1) (j-2) */
    for (int j = 0; j <= p->degree; j++) size += fabs(p->c[j]);
    for (int j = 3; j <= p->degree; j++) {
        factor += 3 * (j - 1) * (j - 2);
        p->third[j - 3] = factor * fabs(p->c[j]);
    }
    p->size = size;
    p->noise = ROUNDINGS * DBL_EPSILON * size_of_terms;
}

double ic_polynomial_at(const ic_polynomial *p, double s)
{
    double sum = p->c[p->degree];
    for (int j = p->degree - 1; j >= 0; j--) sum = sum * s + p->c[j];
    return sum;
}

/* ---- parts */

/* A polynomial at two points: value, slope and half the second derivative, and the bound of the third. */
typedef struct jet {
    pair at, end, value, slope, bend, third;
} jet;

static inline void horner(jet *g, double c)
{
    g->bend = g->bend * g->at + g->slope;
    g->slope = g->slope * g->at + g->value;
    g->value = g->value * g->at + c;
}

/* Four equal parts of [low, high], their chains of operations side by side. */
static void evaluate(ic_polynomial_part *parts, const ic_polynomial *p, double low, double high, int cuts)
{
    const double half = 0.5 * (high - low) / IC_POLYNOMIAL_LANES;
    jet left = {.at = {low + half, low + 3 * half}}, right = {.at = {low + 5 * half, low + 7 * half}};
    left.end = left.at + half;
    right.end = right.at + half;
    for (int j = p->degree; j >= 0; j--) {
        horner(&left, p->c[j]);
        horner(&right, p->c[j]);
    }
    for (int j = p->degree - 3; j >= 0; j--) {
        left.third = left.third * left.end + p->third[j];
        right.third = right.third * right.end + p->third[j];
    }
    for (int k = 0; k < IC_POLYNOMIAL_LANES; k++) {
        const jet *g = k < 2 ? &left : &right;
        parts[k] = (ic_polynomial_part){.centre = g->at[k % 2],
                                        .half = half,
                                        .value = g->value[k % 2],
                                        .slope = g->slope[k % 2] * half,
                                        .bend = g->bend[k % 2] * half * half,
                                        .rest = g->third[k % 2] * half * half * half / 6,
                                        .cuts = cuts};
    }
}

/* The four parts go onto the stack, the first on top. */
static void cut(ic_polynomial_search *q, double low, double high, int cuts)
{
    ic_polynomial_part parts[IC_POLYNOMIAL_LANES];
    evaluate(parts, q->p, low, high, cuts);
    q->evaluations += IC_POLYNOMIAL_LANES;
    for (int k = IC_POLYNOMIAL_LANES - 1; k >= 0; k--) q->stack[q->waiting++] = parts[k];
}

/* Least value of a + b u + d u^2 for |u| <= 1 */
static double least_of_parabola(double a, double b, double d)
{
    return 2 * d > fabs(b) ? a - b * b / (4 * d) : a - fabs(b) + d;
}

typedef enum verdict { STAYS, CROSSES, UNCLEAR, UNDECIDED } verdict;

/* Where p is on q->side at the part's low end. */
static verdict judge(const ic_polynomial_search *q, const ic_polynomial_part *part)
{
    const double noise = q->p->noise, rest = part->rest;
    const double a = q->side * part->value, b = q->side * part->slope, d = q->side * part->bend;
    if (least_of_parabola(a, b, d) > rest + noise) return STAYS;
    const double strays = 2 * fabs(d) + 3 * rest + 4 * noise;
    if (b > strays) return STAYS;
    if (!(b < -strays)) return UNDECIDED;
    double end = a + b + d;
    if (fabs(end) <= rest + noise) end = q->side * ic_polynomial_at(q->p, part->centre + part->half);
    if (fabs(end) <= noise) return UNCLEAR;
    return end > 0 ? STAYS : CROSSES;
}

void ic_polynomial_search_begin(ic_polynomial_search *q, const ic_polynomial *p, int side, double end)
{
    q->p = p;
    q->side = side;
    q->waiting = 0;
    if (2 * fabs(p->c[0]) > p->size + p->noise) return; /* the first coefficient outweighs the others */
    cut(q, 0, end, 1);
}

ic_polynomial_outcome ic_polynomial_search_next(ic_polynomial_search *q)
{
    while (q->waiting > 0) {
        const ic_polynomial_part part = q->stack[--q->waiting];
        const verdict verdict = judge(q, &part);
        if (verdict == STAYS) continue;
        if (verdict == CROSSES) {
            q->part = part;
            q->side = -q->side;
            return IC_POLYNOMIAL_CHANGES;
        }
        if (verdict == UNCLEAR || part.cuts >= IC_POLYNOMIAL_CUTS) return IC_POLYNOMIAL_DOUBT;
        cut(q, part.centre - part.half, part.centre + part.half, part.cuts + 1);
    }
    return IC_POLYNOMIAL_NONE;
}

/* ---- location */

/* Step to the zero of a + b u + d u^2 that is near: by Halley's rule, which takes the bend into account. */
static double halley(double a, double b, double d)
{
    return -a * b / (b * b - a * d);
}

double ic_polynomial_locate(const ic_polynomial_search *q, double *iterations)
{
    const ic_polynomial *p = q->p;
    const ic_polynomial_part *part = &q->part;
    double low = part->centre - part->half, high = part->centre + part->half;
    double step = part->half * halley(part->value, part->slope, part->bend), s = part->centre;
    double turn = INFINITY; /* relative change of the slope over the step */
    for (int i = 0; i < ITERATIONS; i++) {
        const bool inside = s + step > low && s + step < high;
        if (inside && ((fabs(step) <= LAST_STEP && turn <= LAST_TURN) || fabs(step) <= 0.5 * DBL_EPSILON * s)) {
            return s + step;
        }
        s = inside ? s + step : 0.5 * (low + high);
        if (!(s > low && s < high)) return s;
        double value = 0, slope = 0, bend = 0;
        for (int j = p->degree; j >= 0; j--) {
            bend = bend * s + slope;
            slope = slope * s + value;
            value = value * s + p->c[j];
        }
        ++*iterations;
        if (value * q->side < 0) low = s; /* not yet on the side behind the zero */
        else high = s;
        step = halley(value, slope, bend);
        turn = fabs(bend * step / slope);
    }
    return s;
}
