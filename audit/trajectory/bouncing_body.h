/* SPDX-License-Identifier: MIT */
/** A body that bounces off a stop. */
#ifndef IC_AUDIT_TRAJECTORY_BOUNCING_BODY_H
#define IC_AUDIT_TRAJECTORY_BOUNCING_BODY_H

#include "audit/trajectory/contact.h"
#include "audit/trajectory/interval.h"

/** One body that bounces off a stop at rest, and keeps its energy between impacts. */
typedef struct ic_bouncing_body {
    ic_moving state;

    /* number of the parameter that is the coefficient of restitution */
    size_t e;

    /* m, kg; position at the stop, mass by the stored energy */
    double stop, mass;

    /* rate of the gap over that of the position: 1 or -1 */
    double side;

    /* J; stored energy at rest at the stop */
    double at_stop;

    /* m/s^2; acceleration at rest at the stop, towards it; greatest acceleration in the rows */
    double pull, most;
} ic_bouncing_body;

/** false: the case is about something else. */
bool ic_bouncing_body_of(ic_bouncing_body *body, const ic_tracking *k);

/** Acceleration of that body in free motion, m/s^2. */
double ic_bouncing_acceleration(const ic_bouncing_body *body, const ic_tracking *k, size_t row);

#endif
