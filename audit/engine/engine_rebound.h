/* SPDX-License-Identifier: MIT */
/**
 * Rebounds of a ball as its rows show them: where it turns round, when it is back at the surface,
 * and by which method of integration this is explained.
 */
#ifndef IC_AUDIT_ENGINE_REBOUND_H
#define IC_AUDIT_ENGINE_REBOUND_H

#include "audit/engine/engine_flight.h"
#include "audit/engine/engine_scene.h"

/** The rebound between two arcs of flight. */
typedef struct ic_engine_rebound {
    /* speeds before and after, m/s */
    double before, after;

    /* m; height of the surface of the ball above the ground in the last row before */
    double gap;

    /*
     * Time from the touch, by the arc before, to the departure, by the arc after, in steps.
     * Negative: the ball leaves the ground earlier than it arrives, as if it had been lifted.
     */
    double late;

    /* place of the touch within its step, [0, 1) */
    double fraction;

    /* steps that are not flight */
    size_t steps;
} ic_engine_rebound;

/** Rebounds found in a motion of the ball, at most `most`; returns their number. */
size_t ic_engine_find_rebounds(ic_engine_rebound *found, size_t most, const ic_engine_motion *motion,
                               double radius, double step, const ic_engine_flight *flight);

/** Height, m, by which the rebound lifts the ball; 0 for one that takes time. */
double ic_engine_lift(const ic_engine_rebound *rebound, double step);

/** "Moreau-Jean": the method that explains rebounds at several places of a step. */
const char *ic_engine_method_of(const ic_engine_rebound *rebounds, size_t n);

/**
 * Whether a ball in the air stays where it is: rows in which gravity changes no velocity. `from`:
 * the time of the first, s.
 */
bool ic_engine_sleeps(const ic_engine_motion *motion, double radius, double step,
                      const ic_engine_flight *flight, double *from);

#endif
