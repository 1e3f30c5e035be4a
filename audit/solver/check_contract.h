/* SPDX-License-Identifier: MIT */
/**
 * Clauses of the event contract on small systems: the given start, the limit of infinitely many
 * events, and values that are not finite.
 */
#ifndef IC_AUDIT_CHECK_CONTRACT_H
#define IC_AUDIT_CHECK_CONTRACT_H

#include "audit/common/finding_writer.h"
#include "impactcheck/impactcheck.h"

/** Adds rows; returns the mistake, or IC_NO_MISTAKE. `late`: the mistake of the steps or of the location. */
ic_mistake_id ic_audit_contract(ic_finding_writer *writer, const ic_solver *solver, ic_mistake_id late);

#endif
