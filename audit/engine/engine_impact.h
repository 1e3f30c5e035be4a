/* SPDX-License-Identifier: MIT */
/** The first impact in a motion of the ball or of the bar, found from its rows alone. */
#ifndef IC_AUDIT_ENGINE_IMPACT_H
#define IC_AUDIT_ENGINE_IMPACT_H

#include "audit/engine/engine_flight.h"
#include "audit/engine/engine_rows.h"
#include "audit/engine/engine_scene.h"
#include "impactcheck/impactcheck.h"

typedef struct ic_engine_impact {
    ic_engine_body body;

    /* True if the body was not in free flight throughout. */
    bool met;

    /* True if free flight followed the impact. */
    bool left;

    /* last row of free flight before the impact, first row after it */
    ic_engine_state before, after;

    /* phi in the step in which the impact ended, to which the velocities belong, rad */
    double angle;

    /* depth of the ball's centre or the bar's tip below the ground at the end, m; 0 if above */
    double depth;
} ic_engine_impact;

/** `flight`: free flight of this engine, whose rows have been corrected. */
ic_engine_impact ic_engine_impact_in(const ic_engine_motion *motion, const ic_engine_body *body, double step,
                                     const ic_engine_flight *flight);

/**
 * Whether the step from this row to the next is one of free flight. `gravity` is that of the body.
 */
bool ic_engine_is_free(const ic_engine_state *row, double gravity, double step, const ic_engine_flight *flight);

/** Vector from the centre of mass to the contact point at the end of the impact, m. */
void ic_engine_lever(double r[2], const ic_engine_impact *impact);

/** Normal speed after the impact divided by that before. */
double ic_engine_restitution(const ic_engine_impact *impact);

/** Kinetic energy after the impact divided by that before. */
double ic_engine_energy_ratio(const ic_engine_impact *impact);

/**
 * Difference of the change of spin from that of the impulse, I d omega = r_y P_x - r_x P_y, divided
 * by the greatest change that such an impulse can cause. NAN: nothing has changed.
 */
double ic_engine_spin_error(const ic_engine_impact *impact);

/** Velocity of the contact point after the impact, m/s. */
void ic_engine_tip_velocity(double v[2], const ic_engine_impact *impact);

/**
 * The impact, for impact maps, of a body of this mass and inertia at the point r, m, with velocity
 * v, m/s.
 */
ic_impact ic_engine_impact_at(double mass, double inertia, const double r[2], const double v[2], double mu,
                              double e);

/** The impact of the default bar at this angle, degrees. */
ic_impact ic_engine_bar_impact(double angle, const double v[2], double mu, double e);

#endif
