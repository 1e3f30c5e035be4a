/* SPDX-License-Identifier: MIT */
/**
 * Whether a solver's answer depends on anything but the request, and whether it gives back what it
 * takes.
 */
#ifndef IC_AUDIT_CHECK_REPEATS_H
#define IC_AUDIT_CHECK_REPEATS_H

#include "audit/common/sink.h"
#include "impactcheck/impactcheck.h"

/**
 * Adds rows on a preset with two values of one parameter; none where the solver does not serve it.
 */
void ic_audit_repeats(ic_sink *sink, const ic_solver *solver);

#endif
