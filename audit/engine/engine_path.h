/* SPDX-License-Identifier: MIT */
/**
 * Routh's path of an impact, with the mistakes that programs make on it. The path is a polygon, and
 * is followed from corner to corner.
 */
#ifndef IC_AUDIT_ENGINE_PATH_H
#define IC_AUDIT_ENGINE_PATH_H

#include "audit/impact/impact_laws.h"

typedef enum ic_path_mistake {
    /* A contact that has stopped slipping sticks, however smooth it is. */
    IC_PATH_STICKS,

    /* Friction acts with the slip. */
    IC_PATH_FRICTION_SIGN,

    /* Friction keeps the sign that it has at the start. */
    IC_PATH_KEEPS_SIGN,
} ic_path_mistake;

/** Impulse, N s; false: the law has no path (only newton, poisson and stronge have). */
bool ic_impulse_on_path(double P[2], const ic_impact *impact, const ic_impact_law *law,
                        ic_path_mistake mistake);

#endif
