/* SPDX-License-Identifier: MIT */
/**
 * Whether a solver's result depends only on the request, and whether the solver frees its memory.
 */
#ifndef IC_AUDIT_CHECK_REPEATS_H
#define IC_AUDIT_CHECK_REPEATS_H

#include "audit/common/finding_writer.h"
#include "impactcheck/impactcheck.h"

/**
 * Adds rows on a preset with two values of one parameter; none if the solver does not support it.
 */
void ic_audit_repeats(ic_finding_writer *writer, const ic_solver *solver);

#endif
