/* SPDX-License-Identifier: MIT */
/**
 * The cause of a failure on a trap: the mistake that is guessed from the run, or one known from other parts of the
 * audit, if a solver with that mistake alone could fail there as it did.
 */
#ifndef IC_AUDIT_SOLVER_TRAP_CAUSE_H
#define IC_AUDIT_SOLVER_TRAP_CAUSE_H

#include "audit/solver/known.h"
#include "audit/solver/trap_run.h"

ic_mistake_id ic_trap_cause(ic_mistake_id guessed, const ic_trap_run *run, const ic_solver *solver,
                            const ic_trap_outcome *outcome, const ic_known *known);

#endif
