/* SPDX-License-Identifier: MIT */
/**
 * Free flight as rows show it. Rows of an engine with a wrong gravity, with damping or with angles
 * in degrees still show impacts: what differs from the case is measured first, and later checks
 * take it into account.
 */
#ifndef IC_AUDIT_ENGINE_FLIGHT_H
#define IC_AUDIT_ENGINE_FLIGHT_H

#include "audit/engine/engine_rows.h"

#include <stdbool.h>

/** How a motion in flight appears in the rows of an engine. */
typedef struct ic_engine_flight {
    /* downward acceleration, m/s^2: of the ball, and of the bar, which has no gravity */
    double ball_gravity, bar_gravity;

    /* power of the mass, kg, with which the gravity of the ball grows: 0 unless that is wrong */
    double mass_power;

    /*
     * rates at which momentum and spin decay, 1/s, the former measured at this speed, m/s; and what
     * the speed adds to it, 1/m
     */
    double fades, spin_fades, fade_speed, drag;

    /* what rows give in place of 1: of angles and of spins (180/pi for degrees, -1 for a sign) */
    double angle_unit, spin_unit;

    /* time that passes in the motion while 1 s passes in the rows */
    double clock;
} ic_engine_flight;

/** Flight as it should be. */
ic_engine_flight ic_engine_flight_right(void);

/**
 * Fits to the rows of one flight. Explicit, semi-implicit and exact steps give dvy = -g h in each
 * step, and positions on a parabola of exactly this curvature: g has no error of the step.
 */
typedef struct ic_engine_fit {
    /* downward acceleration shown by velocities and by positions, m/s^2 */
    double by_velocity, by_position;

    /* mean velocities and spin that rows give; m/s, rad/s */
    double vx, vy, omega;

    /* velocity sideways and spin that positions and angles show; m/s, rad/s */
    double x_rate, turn_rate;

    /* time from the third row to the last, s; change of vx and omega in it, 1 */
    double time;
    double vx_change, omega_change;

    /* Time by which x, the angle and vy are late, in steps; NAN: they do not show it. */
    double x_late, turn_late, vy_late;

    /*
     * (dy/h - vy)/(-g h), mean: 0 for explicit, 1/2 for exact, 1 for semi-implicit steps. NAN
     * without gravity.
     */
    double step_kind;

    /* greatest deviation of vy from its straight line, over the change of vy; 1 */
    double crooked;
} ic_engine_fit;

/**
 * Fits the rows of a flight that should start as `start`, as long as y exceeds `lowest`, m. The
 * first two rows are not used: rows may be late. false: fewer than ten rows.
 */
bool ic_engine_fit_flight(ic_engine_fit *fit, const ic_engine_motion *motion, const ic_engine_state *start,
                          double lowest, double step);

/** Rewrites rows as they would be with the right units, signs and times. */
void ic_engine_flight_correct(ic_engine_motion *motion, const ic_engine_flight *flight);

#endif
