/* SPDX-License-Identifier: MIT */
/** Event location: the place of an event in its step is swept, and steps or tolerances shrink. */
#ifndef IC_AUDIT_CHECK_LOCATION_H
#define IC_AUDIT_CHECK_LOCATION_H

#include "audit/common/finding_writer.h"
#include "audit/solver/known.h"
#include "impactcheck/impactcheck.h"

/** Whether lost, repeated and misplaced events of any problem follow from this mistake. */
bool ic_solver_explains_others(ic_mistake_id mistake);

/** Whether the mistake makes an adaptive solver take far too many steps, so that IC_ENOUGH_STEPS show it. */
bool ic_steps_are_too_short(const ic_solver *solver, ic_mistake_id mistake);
#define IC_ENOUGH_STEPS 1e5

/** Whether a run's log has its end. */
bool ic_solver_reports_end(const ic_solver *solver);

/** Adds rows, and fills in the mistakes that explain wrong event times and steps. */
void ic_audit_location(ic_finding_writer *writer, const ic_solver *solver, ic_known *known);

#endif
