/* SPDX-License-Identifier: MIT */
/**
 * Whether an adaptive solver's steps match its order and the tolerance, and whether it observes
 * directions.
 */
#ifndef IC_AUDIT_CHECK_EFFORT_H
#define IC_AUDIT_CHECK_EFFORT_H

#include "audit/common/finding_writer.h"
#include "impactcheck/impactcheck.h"

/**
 * Adds rows; returns the mistake, or IC_NO_MISTAKE. There are no rows if the solver claims no order
 * or takes no tolerance.
 */
ic_mistake_id ic_audit_effort(ic_finding_writer *writer, const ic_solver *solver);

/** Adds a row on a guard that is first passed in the wrong direction. false: it fires there. */
bool ic_audit_direction(ic_finding_writer *writer, const ic_solver *solver);

#endif
