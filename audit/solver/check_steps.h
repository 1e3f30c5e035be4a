/* SPDX-License-Identifier: MIT */
/**
 * The steps of a solver, apart from events: precision of its numbers, order, times of its stages,
 * what it keeps over a jump, and how an adaptive one controls its error.
 */
#ifndef IC_AUDIT_CHECK_STEPS_H
#define IC_AUDIT_CHECK_STEPS_H

#include "audit/common/finding_writer.h"
#include "impactcheck/impactcheck.h"

/** Adds rows; returns the mistake, or IC_NO_MISTAKE. The first of several is the one that explains
    the others. */
ic_mistake_id ic_audit_steps(ic_finding_writer *writer, const ic_solver *solver);

#endif
