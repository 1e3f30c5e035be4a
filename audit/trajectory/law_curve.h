/* SPDX-License-Identifier: MIT */
/**
 * A free impact on a contact-force law as a curve: indentation and its rate over the time since
 * touch.
 */
#ifndef IC_AUDIT_TRAJECTORY_LAW_CURVE_H
#define IC_AUDIT_TRAJECTORY_LAW_CURVE_H

#include "impactcheck/impactcheck.h"

enum { IC_CURVE_STEPS = 600, IC_CURVE_MOST = 16 * IC_CURVE_STEPS };

/** The law and the mass of a curve. */
typedef struct ic_curve_law {
    const ic_law *law;
    const double *par;

    /* kg */
    double mass;

    /* factor of the non-elastic part of the force; 1: the law */
    double damping;
} ic_curve_law;

typedef struct ic_curve {
    /* points */
    size_t n;

    /* s; step between points; the last step is shorter at the end of contact */
    double step;

    /* s; time of the last point */
    double t_end;

    /* m, m/s */
    double *d, *v;

    /* m/s^2; d'' */
    double *a;
} ic_curve;

/** Room for IC_CURVE_MOST + 1 points. false: no memory. */
bool ic_curve_open(ic_curve *curve);
void ic_curve_close(ic_curve *curve);

/**
 * Follow the impact from d = 0 (or the law's reach) at speed v0 until the law's condition ends it
 * or until `longest`, by the classical Runge-Kutta method with IC_CURVE_STEPS steps in `quarter`,
 * s. false: the motion is not finite.
 */
bool ic_curve_follow(ic_curve *curve, const ic_curve_law *law, double v0, double quarter, double longest);

/** Indentation and rate t seconds after the touch; free flight before and after the contact. */
void ic_curve_at(const ic_curve *curve, double t, double *d, double *v);

#endif
