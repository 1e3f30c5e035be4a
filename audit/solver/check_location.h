/* SPDX-License-Identifier: MIT */
/**
 * Where a solver puts events: the place of an event in its step is swept, and steps or tolerances
 * shrink.
 */
#ifndef IC_AUDIT_CHECK_LOCATION_H
#define IC_AUDIT_CHECK_LOCATION_H

#include "audit/common/sink.h"
#include "impactcheck/impactcheck.h"

/**
 * Whether this is a mistake, found by the swinging mass, from which lost, repeated and misplaced
 * events follow anywhere.
 */
bool ic_solver_explains_others(ic_mistake_id mistake);

/** Adds rows; returns the mistake that explains wrong times, or IC_NO_MISTAKE. */
ic_mistake_id ic_audit_location(ic_sink *sink, const ic_solver *solver);

#endif
