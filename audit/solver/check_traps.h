/* SPDX-License-Identifier: MIT */
/** The audit of a solver on traps. */
#ifndef IC_AUDIT_CHECK_TRAPS_H
#define IC_AUDIT_CHECK_TRAPS_H

#include "audit/common/finding.h"
#include "audit/solver/trap_run.h"
#include "core/expression.h"

/**
 * Adds a finding for each preset of each trap whose name, or name/preset, matches `glob` (NULL:
 * all). Zero in a field of the options selects the audit's own value. Failures that a solver
 * declares (`clauses_not_kept`, `steps_over_events`) are reported, but the verdict is open.
 */
void ic_audit_traps(ic_findings *findings, const ic_solver *solver, const ic_options *options,
                    const char *glob);

/** How runs on traps are distributed. */
typedef struct ic_traps_work {
    /* processes at once, at least 1 */
    size_t jobs;

    /* called after each run, in order, with its processor time, s; may be NULL */
    void (*watch)(const char *run, double processor, void *context);
    void *context;
} ic_traps_work;

/**
 * The same findings by several processes. false: a process could not be started or was ended, for example by a
 * crash of the solver; `error` gives the reason.
 */
bool ic_audit_traps_distributed(ic_findings *findings, const ic_solver *solver, const ic_options *options,
                                const char *glob, const ic_traps_work *work, ic_error *error);

/** The finding for one preset of a trap, and the run from which it follows. */
ic_finding ic_audit_trap_run(const ic_trap *trap, const ic_trap_run *run, const ic_solver *solver,
                             const ic_options *options, ic_trap_outcome *result);

/** Whether a solver declares that it does not keep the clauses of the trap. */
bool ic_trap_is_excused(const ic_trap *trap, const ic_solver *solver);

#endif
