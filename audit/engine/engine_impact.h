/* SPDX-License-Identifier: MIT */
/** The first impact in a motion of the ball or of the bar, found by its rows alone. */
#ifndef IC_AUDIT_ENGINE_IMPACT_H
#define IC_AUDIT_ENGINE_IMPACT_H

#include "audit/engine/engine_run.h"
#include "impactcheck/impactcheck.h"

/* The scenes, in SI units; the mass is 1. */
#define IC_ENGINE_GRAVITY 9.81 /* of the ball; the bar has none */
#define IC_ENGINE_BALL_RADIUS 0.1
#define IC_ENGINE_BAR_HALF 0.5
#define IC_ENGINE_BAR_INERTIA (1.0 / 12)

typedef struct ic_engine_impact {
    bool met;                      /* the motion was not free all the time */
    bool left;                     /* free flight followed */
    ic_engine_state before, after; /* last and first rows of free flight */
    double angle;                  /* rad; phi of the step in which it ended, to which the velocities belong */
    double depth; /* m; how far below the ground the ball's centre or the bar's tip is at the end; or 0 */
} ic_engine_impact;

ic_engine_impact ic_engine_impact_in(const ic_engine_motion *motion, bool bar, double step);

/** Normal speed after by that before. */
double ic_engine_restitution(const ic_engine_impact *impact);

/** Of the bar: kinetic energy after by that before. */
double ic_engine_energy_ratio(const ic_engine_impact *impact);

/**
 * Of an impact of the bar: the part by which its change of spin differs from that of its impulse, I d omega = r_y P_x - r_x P_y,
 * over the greatest that such an impulse can do. NAN: nothing has changed.
 */
double ic_engine_spin_error(const ic_engine_impact *impact);

/** m/s; of the bar's tip, after. */
void ic_engine_tip_velocity(double v[2], const ic_engine_impact *impact);

/** The impact of the bar's tip at this angle (degrees) and velocity (m/s), for impact maps. */
ic_impact ic_engine_bar_impact(double angle, const double v[2], double mu, double e);

#endif
