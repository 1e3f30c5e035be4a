/* SPDX-License-Identifier: MIT */
#include "sweep/batch/close_look.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Parts are halved down to this at most. */
#define SHORTEST_PART 0x1p-40
/* Rounding error of a polynomial over the sum of its terms: what a touch cannot be told by from a pair of crossings. */
#define NOISE (16 * DBL_EPSILON)

enum { ITERATIONS = 100 };

/** Bounds of derivatives over the whole of [-1, 1]. */
typedef struct bounds {
    double bend, third, condition_bend;
    double noise; /* of a value, by rounding */
} bounds;

static double value_of(const double *a, double u)
{
    double sum = 0;
    for (int j = IC_BATCH_TERMS - 1; j >= 0; j--) sum = sum * u + a[j];
    return sum;
}

static double slope_of(const double *a, double u)
{
    double sum = 0;
    for (int j = IC_BATCH_TERMS - 1; j > 0; j--) sum = sum * u + j * a[j];
    return sum;
}

static double bend_of(const double *a, double u)
{
    double sum = 0;
    for (int j = IC_BATCH_TERMS - 1; j > 1; j--) sum = sum * u + j * (j - 1) * a[j];
    return sum;
}

static bounds bounds_of(const ic_close_guard *guard)
{
    bounds b = {0};
    for (int j = 0; j < IC_BATCH_TERMS; j++) b.noise += NOISE * fabs(guard->a[j]);
    for (int j = 2; j < IC_BATCH_TERMS; j++) {
        b.bend += j * (j - 1) * fabs(guard->a[j]);
        b.third += j * (j - 1) * (j - 2) * fabs(guard->a[j]);
        b.condition_bend += j * (j - 1) * fabs(guard->condition[j]);
    }
    return b;
}

enum { UNDECIDED, STAYS, PASSES, FIRES };

static int judge_condition(const ic_close_guard *guard, const bounds *b, double low, double high)
{
    const double margin = b->condition_bend * (high - low) * (high - low) / 8;
    if (!guard->conditional) return FIRES;
    const double at_low = value_of(guard->condition, low), at_high = value_of(guard->condition, high);
    if (fmin(at_low, at_high) > margin) return FIRES;
    return fmax(at_low, at_high) < -margin ? PASSES : UNDECIDED;
}

/* The zero that the phase starts at is behind once the guard is seen to depart from it. */
static bool departs(const ic_close_guard *guard, const bounds *b, double width)
{
    if (guard->order == 1) return guard->side * slope_of(guard->a, -1) > width / 2 * b->bend;
    if (guard->order == 2) return guard->side * bend_of(guard->a, -1) > width / 3 * b->third;
    return false;
}

static int judge(const ic_close_guard *guard, const bounds *b, int side, double low, double high)
{
    const double width = high - low, bend = b->bend * width * width;
    const double at_low = value_of(guard->a, low), at_high = value_of(guard->a, high);
    const bool passes = at_high * side <= 0, steady = fabs(at_high - at_low) > bend / 2 + 2 * b->noise;
    if (low <= -1 && guard->order > 0) return !passes && departs(guard, b, width) ? STAYS : UNDECIDED;
    if (low <= -1 && at_low * side <= 0) return UNDECIDED;
    if (!passes) return steady || fmin(fabs(at_low), fabs(at_high)) > bend / 8 + b->noise ? STAYS : UNDECIDED;
    if (!steady) return UNDECIDED;
    return guard->direction == 0 || guard->direction == -side ? judge_condition(guard, b, low, high) : PASSES;
}

/* Newton's method between ends that have been proved to enclose one zero, and bisection where it leaves them. */
static double zero_between(const double *a, double low, double high)
{
    const double rises = value_of(a, high) > value_of(a, low) ? 1 : -1;
    double u = 0.5 * (low + high);
    for (int i = 0; i < ITERATIONS; i++) {
        const double value = value_of(a, u), newton = u - value / slope_of(a, u);
        if (value * rises > 0) high = u;
        else low = u;
        const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
        if (fabs(next - u) <= 0x1p-52) return next;
        u = next;
    }
    return u;
}

/* In [low, high]: the guard that fires, IC_CLOSE_NOTHING, or IC_CLOSE_DOUBT. Sides follow. */
static int judge_all(ic_close_found *found, const ic_close_guard *guards, const bounds *b, int n, double low,
                     double high)
{
    int does[IC_BATCH_GUARDS], fires = IC_CLOSE_NOTHING;
    for (int i = 0; i < n; i++) {
        does[i] = judge(&guards[i], &b[i], found->side[i], low, high);
        if (does[i] == UNDECIDED || (does[i] == FIRES && fires >= 0)) return IC_CLOSE_DOUBT;
        if (does[i] == FIRES) fires = i;
    }
    for (int i = 0; i < n && fires < 0; i++) {
        if (does[i] == PASSES) found->side[i] = -found->side[i];
    }
    return fires;
}

void ic_close_look(ic_close_found *found, const ic_close_guard *guards, int n_guards, double shortest)
{
    bounds b[IC_BATCH_GUARDS];
    double low = -1, width = 1;
    *found = (ic_close_found){.outcome = IC_CLOSE_NOTHING};
    for (int i = 0; i < n_guards; i++) {
        b[i] = bounds_of(&guards[i]);
        found->side[i] = guards[i].side;
    }
    while (low < 1) {
        const double high = fmin(low + width, 1);
        found->outcome = judge_all(found, guards, b, n_guards, low, high);
        if (found->outcome == IC_CLOSE_DOUBT && width / 2 > fmax(shortest, SHORTEST_PART)) {
            width /= 2;
            continue;
        }
        if (found->outcome >= 0) found->u = zero_between(guards[found->outcome].a, low, high);
        if (found->outcome != IC_CLOSE_NOTHING) return;
        low = high;
        width = fmin(2 * width, 1);
    }
}
