/* SPDX-License-Identifier: MIT */
/**
 * Which transition condition (Jonsson, Bathelt & Broman 2005: A, B, C, C* or D) a trajectory
 * follows, for cases with a variant for each (ic_contact_view). For each condition an observer
 * follows the rows: its state is that of the row, its mode and compression follow from the rows
 * before. Where two conditions predict different next rows, the rows decide. The misfit of a
 * candidate is the worst, over its rivals, of the median defect at the rows that separate the two;
 * defects where no condition is in doubt have a misfit of 1.
 */
#ifndef IC_AUDIT_TRAJECTORY_CLASSIFY_CONDITION_H
#define IC_AUDIT_TRAJECTORY_CLASSIFY_CONDITION_H

#include "audit/common/finding.h"
#include "audit/trajectory/tracking.h"

/**
 * Fill the classification for a case with such variants; does nothing for other cases, and for
 * contact laws. false: memory ran out.
 */
bool ic_classify_condition(ic_classification *c, const ic_tracking *k);

/** Whether a candidate is the requested variant; "C = C*" is both. */
bool ic_condition_is_asked_for(const char *candidate, const ic_problem *problem);

#endif
