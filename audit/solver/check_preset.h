/* SPDX-License-Identifier: MIT */
/** A solver on presets of all cases: events, their times, and states against an accurate solver. */
#ifndef IC_AUDIT_CHECK_PRESET_H
#define IC_AUDIT_CHECK_PRESET_H

#include "audit/common/sink.h"
#include "impactcheck/impactcheck.h"

/** Adds rows of audited preset i (audit/solver/trials.h); `late` is the mistake that explains wrong times, where one is known. */
void ic_audit_preset(ic_sink *sink, const ic_solver *solver, size_t i, ic_mistake_id late);

#endif
