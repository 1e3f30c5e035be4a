/* SPDX-License-Identifier: MIT */
/** Event location: the place of an event in its step is swept, and steps or tolerances shrink. */
#ifndef IC_AUDIT_CHECK_LOCATION_H
#define IC_AUDIT_CHECK_LOCATION_H

#include "audit/common/finding_writer.h"
#include "impactcheck/impactcheck.h"

/** Whether lost, repeated and misplaced events of any problem follow from this mistake. */
bool ic_solver_explains_others(ic_mistake_id mistake);

/** Adds rows; returns the mistake that explains wrong event times, or IC_NO_MISTAKE. */
ic_mistake_id ic_audit_location(ic_finding_writer *writer, const ic_solver *solver);

#endif
