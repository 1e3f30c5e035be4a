/* SPDX-License-Identifier: MIT */
/** Tangents: states more, which are the derivatives of the others (tangents.c). */
#pragma once

#include "casefile/plan.h"

/** Add the states, for r->directions: those of a direction in turn, X_by_NAME, then t_by_NAME. false: a fault was added. */
bool ic_reader_add_tangents(ic_case_reader *r);

/** Add their flows and jumps to a plan whose case has n states; all zero, if they do not vary. false: a fault was added. */
bool ic_plan_add_tangents(ic_plan *plan, ic_case_reader *r, size_t n, bool varies);
