/* SPDX-License-Identifier: MIT */
/**
 * A free impact on a contact-force law as a curve: indentation and its rate over the time since the
 * touch.
 */
#ifndef IC_AUDIT_TRAJECTORY_LAW_CURVE_H
#define IC_AUDIT_TRAJECTORY_LAW_CURVE_H

#include "impactcheck/impactcheck.h"

enum { IC_CURVE_STEPS = 600, IC_CURVE_MOST = 16 * IC_CURVE_STEPS };

/** What moves on which law. */
typedef struct ic_curve_law {
    const ic_law *law;
    const double *par;

    /* kg */
    double mass;

    /* what is not elastic in the force counts so many times; 1: the law */
    double damping;
} ic_curve_law;

typedef struct ic_curve {
    /* points */
    size_t n;

    /* s; between them; the last is the end of contact, or as far as was asked for */
    double step;

    /* s; of the last */
    double t_end;

    /* m, m/s */
    double *d, *v;

    /* m/s^2; d'' there */
    double *a;
} ic_curve;

/** Room for IC_CURVE_MOST + 1 points. false: no memory. */
bool ic_curve_open(ic_curve *curve);
void ic_curve_close(ic_curve *curve);

/**
 * Follow the impact from d = 0 (or the law's reach) at the speed v0, until it is over by the law's
 * own condition, by the classical Runge-Kutta method with IC_CURVE_STEPS steps in `quarter`, s, or
 * until `longest`. false: it does not get anywhere finite.
 */
bool ic_curve_follow(ic_curve *curve, const ic_curve_law *law, double v0, double quarter, double longest);

/** Indentation and rate at t seconds after the touch: flight before and after. */
void ic_curve_at(const ic_curve *curve, double t, double *d, double *v);

#endif
