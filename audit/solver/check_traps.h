/* SPDX-License-Identifier: MIT */
/** The audit of a solver on traps. */
#ifndef IC_AUDIT_CHECK_TRAPS_H
#define IC_AUDIT_CHECK_TRAPS_H

#include "audit/common/finding.h"
#include "audit/solver/trap_run.h"

/**
 * Adds a finding for each preset of each trap whose name, or name/preset, matches `glob` (NULL:
 * all). Zero in a field of the options selects the audit's own value. Failures that a solver
 * declares (`clauses_not_kept`, `steps_over_events`) are reported, but the verdict is open.
 */
void ic_audit_traps(ic_findings *findings, const ic_solver *solver, const ic_options *options,
                    const char *glob);

/** The finding for one preset of a trap, and the run from which it follows. */
ic_finding ic_audit_trap_run(const ic_trap *trap, const ic_trap_run *run, const ic_solver *solver,
                             const ic_options *options, ic_trap_outcome *result);

/** Whether a solver declares that it does not keep the clauses of the trap. */
bool ic_trap_is_excused(const ic_trap *trap, const ic_solver *solver);

#endif
