/* SPDX-License-Identifier: MIT */
/**
 * A free impact on a contact-force law as a curve: indentation and rate as functions of the time
 * since the touch.
 */
#ifndef IC_AUDIT_TRAJECTORY_CHECKS_LAW_CURVE_H
#define IC_AUDIT_TRAJECTORY_CHECKS_LAW_CURVE_H

#include "impactcheck/impactcheck.h"

enum { IC_CURVE_STEPS = 600, IC_CURVE_MOST = 16 * IC_CURVE_STEPS };

/** The law and the mass of a curve. */
typedef struct ic_curve_law {
    const ic_law *law;
    const double *par;

    /* kg */
    double mass;

    /* Factor of the non-elastic part of the force; 1 for the law itself. */
    double damping;

    /* That part acts always (0), in loading only (1) or in unloading only (-1). */
    int side;
} ic_curve_law;

typedef struct ic_curve {
    /* Number of points. */
    size_t n;

    /* Step between points, s. The last step is shorter, at the end of contact. */
    double step;

    /* time of the last point, s */
    double t_end;

    /* m, m/s */
    double *d, *v;

    /* acceleration d'', m/s^2 */
    double *a;
} ic_curve;

/** Room for IC_CURVE_MOST + 1 points. false: memory ran out. */
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
