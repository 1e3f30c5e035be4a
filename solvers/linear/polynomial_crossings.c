/* SPDX-License-Identifier: MIT */
#include "solvers/linear/polynomial_crossings.h"
#include "core/pair.h"

#include <float.h>
#include <math.h>

/* A coefficient counts as zero at a departure below this many of its errors. */
#define SIGNIFICANT 4.0
/* A curvature below this part of the greatest coefficient may be an error of the place of the last event: it is 0. */
#define SLIGHT 1e-9
/* Rounding error of a sum of coefficients, relative to their moduli: one unit for each. */
#define AGAINST_ROUNDING (IC_POLYNOMIAL_DEGREE * DBL_EPSILON)
/* Greatest sum of the coefficients that a search of clear cases leaves out, relative to the sum of all. */
#define LEFT_OUT 1e-7
/* A part is blurred if |p| stays below this many rounding errors of a value. */
#define BLURRED 2.0
/* Rounding error of a slope divided by that of a value, for a part from 0 on. */
#define SLOPE_NOISE 4.0
/* Greatest number of divisions of a rough polynomial. */
enum { ROUGH_CUTS = 5 };
/* Halley's iteration leaves (p''/2p' step)^2 of a step and p'''/6p' step^3: rounding errors below this part of s. */
#define LAST_ERROR (0.25 * DBL_EPSILON)
enum { ITERATIONS = 200 };

typedef ic_polynomial_part part_t;

void ic_polynomial_divide(ic_polynomial *p, int order)
{
    p->degree -= order;
    p->size = p->sum = p->noise = 0;
    for (int j = 0; j <= p->degree; j++) {
        p->c[j] = p->c[j + order];
        p->error[j] = p->error[j + order];
        p->size += fabs(p->c[j]);
        p->sum += p->c[j];
        p->noise += p->error[j];
    }
}

/* Whether coefficient `order` decides the side to which p leaves 0; `most`: the greatest one from it on. */
static bool leaves_by(const ic_polynomial *p, int order, double most)
{
    const double slight = order < 2 ? 0 : fmax(SLIGHT, p->slight) * most;
    return fabs(p->c[order]) > fmax(slight, SIGNIFICANT * p->error[order]);
}

int ic_polynomial_depart(ic_polynomial *p, int order)
{
    double most = 0;
    for (int j = order; j <= p->degree; j++) most = fmax(most, fabs(p->c[j]));
    while (order <= p->degree) {
        if (leaves_by(p, order, most)) break;
        order++;
    }
    const bool leaves = order <= p->degree;
    ic_polynomial_divide(p, leaves ? order : 0);
    return !leaves ? 0 : p->c[0] > 0 ? 1 : -1;
}

static double horner(const double *c, int degree, double s)
{
    double sum = c[degree];
    for (int j = degree - 1; j >= 0; j--) sum = sum * s + c[j];
    return sum;
}

/* ---- parts */

/* A polynomial at two points: value, slope and half the second derivative, and the bound of the
   third. */
typedef struct polynomial_jet {
    ic_pair at, end, value, slope, bend, third;
} polynomial_jet;

static inline void add_power(polynomial_jet *g, double c)
{
    g->bend = g->bend * g->at + g->slope;
    g->slope = g->slope * g->at + g->value;
    g->value = g->value * g->at + c;
}

static inline void add_bound(polynomial_jet *g, double third)
{
    g->third = g->third * g->end + third;
}

/* Put four equal parts of [low, high] on the stack, the first on top; their chains of operations
   run side by side. */
static void cut_interval(ic_polynomial_search *q, double low, double high, int cuts)
{
    const double *c = q->p->c, *third = q->third;
    const double half = 0.5 * (high - low) / IC_POLYNOMIAL_LANES;
    polynomial_jet left = {.at = {low + half, low + 3 * half}},
                   right = {.at = {low + 5 * half, low + 7 * half}};
    left.end = left.at + half;
    right.end = right.at + half;
    for (int j = q->degree; j > 2; j--) {
        add_power(&left, c[j]);
        add_power(&right, c[j]);
        add_bound(&left, third[j - 3]);
        add_bound(&right, third[j - 3]);
    }
    for (int j = q->degree < 2 ? q->degree : 2; j >= 0; j--) {
        add_power(&left, c[j]);
        add_power(&right, c[j]);
    }
    for (int k = IC_POLYNOMIAL_LANES - 1; k >= 0; k--) {
        const polynomial_jet *g = k < 2 ? &left : &right;
        q->stack[q->waiting++] = (part_t){.centre = g->at[k % 2],
                                          .half = half,
                                          .value = g->value[k % 2],
                                          .slope = g->slope[k % 2] * half,
                                          .bend = g->bend[k % 2] * half * half,
                                          .rest = g->third[k % 2] * half * half * half / 6,
                                          .cuts = cuts};
    }
    q->evaluations += IC_POLYNOMIAL_LANES;
}

/* Least value of a + b u + d u^2 for |u| <= 1 */
static double least_of_parabola(double a, double b, double d)
{
    return 2 * d > fabs(b) ? a - b * b / (4 * d) : a - fabs(b) + d;
}

/*
 * The side of p at the part's end if p has no zero in the part or is monotone there; otherwise 0.
 */
static int side_behind(const ic_polynomial_search *q, const part_t *part, double noise)
{
    const double rest = part->rest, sign = part->value < 0 ? -1 : 1;
    if (least_of_parabola(sign * part->value, sign * part->slope, sign * part->bend) > rest + noise)
        return (int)sign;
    const double strays = 2 * fabs(part->bend) + 3 * rest;
    const double slope_noise = SLOPE_NOISE * noise * (2 * part->half / (part->centre + part->half));
    if (!(fabs(part->slope) > strays + slope_noise)) return 0;
    if (!q->blurred && q->side * part->slope > 0) return q->side; /* moves away from zero */
    /* p is steep: a zero within rounding of the end is there, and either of the two parts may count it. */
    double end = part->value + part->slope + part->bend;
    if (fabs(end) <= rest + noise) end = horner(q->p->c, q->p->degree, part->centre + part->half);
    return end == 0 ? -q->side : end > 0 ? 1 : -1;
}

static bool is_blurred(const part_t *part, double noise)
{
    return fabs(part->value) + fabs(part->slope) + fabs(part->bend) + part->rest <= BLURRED * noise ||
           part->cuts >= IC_POLYNOMIAL_CUTS;
}

/*
 * Counts the last coefficients of a rough polynomial as noise if they are small: they decide no clear case.
 */
static void leave_out_last(ic_polynomial_search *q)
{
    const ic_polynomial *p = q->p;
    const double most = p->rough ? LEFT_OUT * p->size : 0;
    double sum = 0;
    q->degree = p->degree;
    q->noise = p->noise;
    while (q->degree > 0) {
        sum += fabs(p->c[q->degree]);
        if (!(sum <= most)) break;
        q->degree--;
        q->noise = p->noise + sum;
    }
}

void ic_polynomial_search_begin(ic_polynomial_search *q, const ic_polynomial *p, int side, double end)
{
    q->p = p;
    q->side = side;
    q->waiting = 0;
    q->blurred = side == 0;
    q->low = 0;
    q->grazes = false;
    /* the first coefficient outweighs the others, or is on the given side and outweighs those against it */
    if (2 * fabs(p->c[0]) > p->size + p->noise) return;
    const double against = 0.5 * (p->size - side * p->sum);
    if (side * p->c[0] > against + AGAINST_ROUNDING * p->size + p->noise) return;
    leave_out_last(q);
    double factor = 0; /* j (j-1) (j-2) */
    for (int j = 3; j <= q->degree; j++) {
        factor += 3 * (j - 1) * (j - 2);
        q->third[j - 3] = factor * fabs(p->c[j]);
    }
    cut_interval(q, 0, end, 1);
}

/* Whether p has changed its sign when it is on `side` after the part. */
static bool pass_part(ic_polynomial_search *q, const part_t *part, int side)
{
    const bool blurred = q->blurred, changes = q->side == -side;
    if (!blurred && !changes) return false;
    if (blurred && q->side == side) q->grazes = true, q->grazes_at = q->low;
    q->late = blurred;
    q->blurred = false;
    q->low = part->centre - part->half;
    q->high = part->centre + part->half;
    q->near = part->centre;
    /* Halley's rule, which takes the bend into account */
    q->step = -part->half * part->value * part->slope / (part->slope * part->slope - part->value * part->bend);
    q->side = side;
    return changes;
}

ic_polynomial_outcome ic_polynomial_search_next(ic_polynomial_search *q)
{
    while (q->waiting > 0) {
        const part_t *part = &q->stack[--q->waiting];
        double noise = q->noise;
        int side = side_behind(q, part, noise);
        if (side == 0 && !q->p->rough) {
            noise = horner(q->p->error, q->p->degree, part->centre + part->half);
            side = side_behind(q, part, noise);
        }
        if (side != 0) {
            if (pass_part(q, part, side)) return IC_POLYNOMIAL_CHANGES;
        } else if (q->p->rough && part->cuts >= ROUGH_CUTS) {
            return IC_POLYNOMIAL_DOUBT;
        } else if (!q->p->rough && is_blurred(part, noise)) {
            if (!q->blurred) q->low = part->centre - part->half;
            q->blurred = true;
        } else if (!isfinite(part->value + part->rest)) {
            return IC_POLYNOMIAL_NOT_FINITE;
        } else {
            const double low = part->centre - part->half, high = part->centre + part->half;
            cut_interval(q, low, high, part->cuts + 1); /* this overwrites the part */
        }
    }
    return IC_POLYNOMIAL_NONE;
}

/* ---- location */

/*
 * p, p' and p''/2 at s, by the parts of even and odd powers side by side:
 *
 *     p = e + s o,    p' = 2 s e' + o + 2 u o',    p''/2 = e' + 4 u e''/2 + s (3 o' + 4 u o''/2)
 *
 * with e(u), o(u), u = s^2.
 */
static void evaluate_jet(const ic_polynomial *p, double s, double *value, double *slope, double *bend)
{
    const double u = s * s;
    const int last = p->degree / 2 * 2;
    ic_pair v = {p->c[last], last < p->degree ? p->c[last + 1] : 0}, d = {0, 0}, b = {0, 0};
    for (int j = last - 2; j >= 0; j -= 2) {
        const ic_pair next = {p->c[j], p->c[j + 1]};
        b = b * u + d;
        d = d * u + v;
        v = v * u + next;
    }
    *value = v[0] + s * v[1];
    *slope = v[1] + 2 * (s * d[0] + u * d[1]);
    *bend = d[0] + 4 * u * b[0] + s * (3 * d[1] + 4 * u * b[1]);
}

double ic_polynomial_locate(const ic_polynomial_search *q, double *iterations)
{
    const ic_polynomial *p = q->p;
    double low = q->low, high = q->high, step = q->step, s = q->near;
    double turn = INFINITY; /* relative change of the slope over the step */
    if ((q->late || low == 0) && horner(p->c, p->degree, low) * q->side >= 0) return low;
    for (int i = 0; i < ITERATIONS; i++) {
        const bool inside = s + step >= low && s + step <= high;
        if (fabs(step) <= 0.5 * DBL_EPSILON * s) return s;
        const bool ends = (turn * turn + step * step) * fabs(step) <= LAST_ERROR * s && fabs(step) <= s + step;
        if (inside && ends) return s + step;
        s = inside ? s + step : 0.5 * (low + high);
        if (!inside && !(s > low && s < high)) return s;
        double value, slope, bend;
        evaluate_jet(p, s, &value, &slope, &bend);
        ++*iterations;
        if (value * q->side < 0) low = s; /* not yet on the side after the zero */
        else high = s;
        step = -value * slope / (slope * slope - value * bend);
        turn = fabs(bend * step / slope);
    }
    return s;
}
