/* SPDX-License-Identifier: MIT */
#include "sweep/batch/lane_search.h"

#include "core/event_loop.h"
#include "solvers/linear/polynomial_crossings.h"

#include <float.h>
#include <math.h>

/* Rounding error of a coefficient divided by the sum of its terms. */
#define ROUNDINGS (4 * DBL_EPSILON)

static double evaluate_series(const double *a, double u)
{
    double sum = 0;
    for (int j = IC_BATCH_TERMS - 1; j >= 0; j--) sum = sum * u + a[j];
    return sum;
}

/*
 * Whether a zero may be a touch: the guard's extreme beside it is no farther from zero than rounding errors.
 */
static bool is_slight(const ic_lane_guard *guard, double u)
{
    double slope = 0, bend = 0, size = guard->size;
    for (int j = IC_BATCH_TERMS - 1; j > 0; j--) {
        bend = bend * u + slope;
        slope = slope * u + j * guard->a[j];
        size += fabs(guard->a[j]);
    }
    return slope * slope <= 2 * fabs(bend) * ROUNDINGS * size;
}

/* Writes the guard in powers of s, where u = 2 s - 1. */
static void shift_polynomial(ic_polynomial *p, const ic_lane_guard *guard)
{
    *p = (ic_polynomial){.degree = IC_BATCH_TERMS - 1};
    for (int j = p->degree; j >= 0; j--) { /* p := (2 s - 1) p + a_j */
        for (int k = p->degree; k > 0; k--) {
            p->c[k] = 2 * p->c[k - 1] - p->c[k];
            p->error[k] = 2 * p->error[k - 1] + p->error[k];
        }
        p->c[0] = guard->a[j] - p->c[0];
        p->error[0] += fabs(guard->a[j]);
    }
    p->error[0] += guard->size;
    for (int j = 0; j <= p->degree; j++) p->error[j] *= ROUNDINGS;
    for (int j = 0; j < guard->order; j++) p->c[j] = p->error[j] = 0;
}

/* Finds where the guard fires (beyond 1: nowhere) and its side at the end; false: undecided. */
static bool find_firing(const ic_lane_guard *guard, double *u, int *side)
{
    ic_polynomial p;
    ic_polynomial_search q;
    ic_polynomial_outcome outcome;
    double iterations = 0, size = 0;
    shift_polynomial(&p, guard);
    const int side_after = ic_polynomial_depart(&p, guard->order);
    if (side_after != guard->side || p.degree != IC_BATCH_TERMS - 1 - guard->order) return false;
    q.evaluations = 0;
    ic_polynomial_search_begin(&q, &p, guard->side, 1);
    for (int j = 0; j < IC_BATCH_TERMS; j++) size += fabs(guard->condition[j]);
    *u = INFINITY;
    while (*u > 1 && (outcome = ic_polynomial_search_next(&q)) != IC_POLYNOMIAL_NONE) {
        if (outcome != IC_POLYNOMIAL_CHANGES || q.grazes || q.late) return false;
        const double at = 2 * ic_polynomial_locate(&q, &iterations) - 1;
        const double condition = guard->conditional ? evaluate_series(guard->condition, at) : INFINITY;
        if (is_slight(guard, at)) return false;
        if (!ic_fires(guard->direction, q.side)) continue;
        if (fabs(condition) <= IC_BATCH_TERMS * ROUNDINGS * size) return false;
        if (condition > 0) *u = at;
    }
    *side = q.side;
    return !q.grazes && (*u <= 1 || !q.blurred);
}

void ic_lane_search(ic_lane_event *found, const ic_lane_guard *guards, int n_guards, double shortest)
{
    *found = (ic_lane_event){.outcome = IC_LANE_NO_EVENT, .u = INFINITY};
    for (int i = 0; i < n_guards; i++) {
        double u = INFINITY;
        const bool decided = find_firing(&guards[i], &u, &found->side[i]);
        if (!decided || (u <= 1 && fabs(u - found->u) <= shortest)) {
            found->outcome = IC_LANE_UNDECIDED;
            return;
        }
        if (u >= found->u) continue;
        found->u = u;
        found->outcome = i;
    }
}
