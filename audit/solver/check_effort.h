/* SPDX-License-Identifier: MIT */
/**
 * Whether an adaptive solver's steps are what its order and the tolerance make of them; and whether
 * it heeds directions.
 */
#ifndef IC_AUDIT_CHECK_EFFORT_H
#define IC_AUDIT_CHECK_EFFORT_H

#include "audit/common/sink.h"
#include "impactcheck/impactcheck.h"

/**
 * Adds rows; returns what is wrong, or IC_NO_MISTAKE. None where the solver claims no order, or
 * takes no tolerance.
 */
ic_mistake_id ic_audit_effort(ic_sink *sink, const ic_solver *solver);

/** Adds a row on a guard that is passed in the other direction first. false: that fires. */
bool ic_audit_direction(ic_sink *sink, const ic_solver *solver);

#endif
