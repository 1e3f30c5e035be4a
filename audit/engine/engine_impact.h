/* SPDX-License-Identifier: MIT */
/** The first impact in a motion of the ball or of the bar, found by its rows alone. */
#ifndef IC_AUDIT_ENGINE_IMPACT_H
#define IC_AUDIT_ENGINE_IMPACT_H

#include "audit/engine/engine_rows.h"
#include "audit/engine/engine_scene.h"
#include "impactcheck/impactcheck.h"

typedef struct ic_engine_impact {
    ic_engine_body body;

    /* the motion was not free all the time */
    bool met;

    /* free flight followed */
    bool left;

    /* last and first rows of free flight */
    ic_engine_state before, after;

    /* rad; phi of the step in which it ended, to which the velocities belong */
    double angle;

    /* m; how far below the ground the ball's centre or the bar's tip is at the end; or 0 */
    double depth;
} ic_engine_impact;

ic_engine_impact ic_engine_impact_in(const ic_engine_motion *motion, const ic_engine_body *body, double step);

/** m; from the centre of mass to the point that touches, as the impact ends. */
void ic_engine_lever(double r[2], const ic_engine_impact *impact);

/** Normal speed after by that before. */
double ic_engine_restitution(const ic_engine_impact *impact);

/** Kinetic energy after by that before. */
double ic_engine_energy_ratio(const ic_engine_impact *impact);

/**
 * The part by which the change of spin differs from that of its impulse, I d omega = r_y P_x - r_x
 * P_y, over the greatest that such an impulse can do. NAN: nothing has changed.
 */
double ic_engine_spin_error(const ic_engine_impact *impact);

/** m/s; of the point that touches, after. */
void ic_engine_tip_velocity(double v[2], const ic_engine_impact *impact);

/**
 * The impact of a body of this mass and inertia at the point r (m) that has the velocity v (m/s),
 * for impact maps.
 */
ic_impact ic_engine_impact_at(double mass, double inertia, const double r[2], const double v[2], double mu,
                              double e);

/** That of the bar as it is where nothing else is asked, at this angle (degrees). */
ic_impact ic_engine_bar_impact(double angle, const double v[2], double mu, double e);

#endif
