/* SPDX-License-Identifier: MIT */
/** The first impact in a motion of the ball or of the bar, found by its rows alone. */
#ifndef IC_AUDIT_ENGINE_IMPACT_H
#define IC_AUDIT_ENGINE_IMPACT_H

#include "audit/engine/engine_run.h"
#include "impactcheck/impactcheck.h"

/* The scenes as they are where nothing else is asked, in SI units. */
#define IC_ENGINE_MASS 1.0
#define IC_ENGINE_GRAVITY 9.81 /* of the ball; the bar has none */
#define IC_ENGINE_BALL_RADIUS 0.1
#define IC_ENGINE_BAR_HALF 0.5
#define IC_ENGINE_BAR_INERTIA (1.0 / 12)

/* m/s; velocity of the tip, by the normal speed, in Kecskemethy & Lange 1999, Table 2. */
#define IC_ENGINE_TABLE_2_TANGENTIAL 0.8

/** What moves. */
typedef struct ic_engine_body {
    bool bar;             /* else the ball */
    double mass, inertia; /* kg, kg m^2; about the centre of mass */
    double
        arm; /* m; from the centre of mass to the point that touches: half the bar's length, or the ball's radius */
} ic_engine_body;

/** That of a scene. */
ic_engine_body ic_engine_body_of(const ic_engine_scene *scene);

typedef struct ic_engine_impact {
    ic_engine_body body;
    bool met;                      /* the motion was not free all the time */
    bool left;                     /* free flight followed */
    ic_engine_state before, after; /* last and first rows of free flight */
    double angle;                  /* rad; phi of the step in which it ended, to which the velocities belong */
    double depth; /* m; how far below the ground the ball's centre or the bar's tip is at the end; or 0 */
} ic_engine_impact;

ic_engine_impact ic_engine_impact_in(const ic_engine_motion *motion, const ic_engine_body *body, double step);

/** m; from the centre of mass to the point that touches, as the impact ends. */
void ic_engine_lever(double r[2], const ic_engine_impact *impact);

/** Normal speed after by that before. */
double ic_engine_restitution(const ic_engine_impact *impact);

/** Kinetic energy after by that before. */
double ic_engine_energy_ratio(const ic_engine_impact *impact);

/**
 * The part by which the change of spin differs from that of its impulse, I d omega = r_y P_x - r_x P_y,
 * over the greatest that such an impulse can do. NAN: nothing has changed.
 */
double ic_engine_spin_error(const ic_engine_impact *impact);

/** m/s; of the point that touches, after. */
void ic_engine_tip_velocity(double v[2], const ic_engine_impact *impact);

/** The impact of a body of this mass and inertia at the point r (m) that has the velocity v (m/s), for impact maps. */
ic_impact ic_engine_impact_at(double mass, double inertia, const double r[2], const double v[2], double mu,
                              double e);

/** That of the bar as it is where nothing else is asked, at this angle (degrees). */
ic_impact ic_engine_bar_impact(double angle, const double v[2], double mu, double e);

#endif
