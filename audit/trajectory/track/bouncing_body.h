/* SPDX-License-Identifier: MIT */
/** A body that bounces off a stop. */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_BOUNCING_BODY_H
#define IC_AUDIT_TRAJECTORY_TRACK_BOUNCING_BODY_H

#include "audit/trajectory/input/contact.h"
#include "audit/trajectory/track/interval.h"

/** One body that bounces off a stop at rest, and keeps its energy between impacts. */
typedef struct ic_bouncing_body {
    ic_moving state;

    /* Number of the parameter that is the coefficient of restitution. */
    size_t e;

    /* Position at the stop, m; mass, kg, from the stored energy. */
    double stop, mass;

    /* Rate of the gap divided by that of the position: 1 or -1. */
    double side;

    /* Stored energy of the body at rest at the stop, J. */
    double at_stop;

    /*
     * Acceleration towards the stop of the body at rest there, m/s^2; greatest acceleration in the
     * rows, m/s^2.
     */
    double pull, most;
} ic_bouncing_body;

/** Find the body. false: the case does not have one. */
bool ic_bouncing_body_of(ic_bouncing_body *body, const ic_tracking *k);

/** Acceleration of that body in free motion, m/s^2. */
double ic_bouncing_acceleration(const ic_bouncing_body *body, const ic_tracking *k, size_t row);

#endif
