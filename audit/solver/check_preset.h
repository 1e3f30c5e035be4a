/* SPDX-License-Identifier: MIT */
/**
 * A solver on presets of all cases: events, their times, and states, compared with an accurate
 * solver.
 */
#ifndef IC_AUDIT_CHECK_PRESET_H
#define IC_AUDIT_CHECK_PRESET_H

#include "audit/solver/known.h"
#include "impactcheck/impactcheck.h"

/** Adds rows of audited preset i (audit/solver/trials.h). `known`: the mistakes found before, and here. */
void ic_audit_preset(ic_finding_writer *writer, const ic_solver *solver, size_t i, ic_known *known);

#endif
