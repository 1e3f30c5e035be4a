/* SPDX-License-Identifier: MIT */
/**
 * A coefficient in effect as a function of one number of the impact, fitted to impacts that show it:
 * a closed form where one meets all points, otherwise interpolation between them.
 */
#ifndef IC_AUDIT_IMPACT_IMPACT_CURVE_H
#define IC_AUDIT_IMPACT_IMPACT_CURVE_H

#include "audit/common/finding.h"
#include "impactcheck/impactcheck.h"

/** Of what the coefficient is a function. */
typedef enum ic_curve_argument {
    IC_CURVE_OF_COEFFICIENT,

    /* its ratio to the given one, of |v_y| or |v_x| */
    IC_CURVE_OF_APPROACH,
    IC_CURVE_OF_SLIP,
    IC_CURVE_ARGUMENTS
} ic_curve_argument;

enum { IC_CURVE_POINTS = 4096 };

typedef struct ic_impact_curve {
    ic_curve_argument argument;

    /* closed form and its numbers; negative: none */
    int form;
    double a, b;

    /* points by increasing x */
    size_t count;
    double x[IC_CURVE_POINTS], y[IC_CURVE_POINTS];
} ic_impact_curve;

/** The argument of an impact. `given`: the given coefficient. NAN: it has none. */
double ic_impact_curve_argument(ic_curve_argument argument, const ic_impact *p, double given);

/**
 * Sorts the points and finds a closed form. false: they are few, or no function of x, or a simpler
 * change is as good: the given coefficient times a number, or a number, also in pieces.
 */
bool ic_impact_curve_fit(ic_impact_curve *curve);

/** The coefficient in effect; NAN: beyond the points, or too far between them. */
double ic_impact_curve_at(const ic_impact_curve *curve, const ic_impact *p, double given);

/** `other` if the form has no name of its own. */
ic_mistake_id ic_impact_curve_mistake(const ic_impact_curve *curve, ic_mistake_id other);

/** "the mu in effect is 0.4472136 at mu = 0.5, 0.7071068 at mu = 1: mu/sqrt(1 + 1 mu^2)" */
void ic_impact_curve_describe(char *text, size_t size, const ic_impact_curve *curve, const char *name);

#endif
