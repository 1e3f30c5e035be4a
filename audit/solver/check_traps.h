/* SPDX-License-Identifier: MIT */
/** The audit of a solver on traps. */
#ifndef IC_AUDIT_CHECK_TRAPS_H
#define IC_AUDIT_CHECK_TRAPS_H

#include "audit/common/finding.h"
#include "audit/solver/traps.h"

/**
 * One finding for each preset of each trap whose name, or name/preset, matches `glob` (NULL: all).
 * Zero in a field of the options asks for what the audit prescribes. What a solver does not claim
 * (`clauses_not_kept`, `steps_over_events`) is said, and not held against it.
 */
void ic_audit_traps(ic_findings *findings, const ic_solver *solver, const ic_options *options,
                    const char *glob);

/** Whether a solver says that it does not do what the trap needs. */
bool ic_trap_is_excused(const ic_trap *trap, const ic_solver *solver);

#endif
