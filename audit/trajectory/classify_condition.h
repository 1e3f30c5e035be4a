/* SPDX-License-Identifier: MIT */
/**
 * Which transition condition a trajectory follows, by Jonsson, Bathelt & Broman 2005: A, B, C, C* or
 * D; for cases that have a variant for each (ic_contact_view).
 *
 * Each condition follows the rows as an observer does: the state is that of the row, the mode and
 * the compression of the contact are its own, from the rows before. Where two conditions predict
 * different next rows, the rows decide. A candidate's misfit is the worst, over its rivals, of the
 * median defect at the rows that tell the two apart; 1 is what defects are where no condition is in
 * doubt.
 */
#ifndef IC_AUDIT_TRAJECTORY_CLASSIFY_CONDITION_H
#define IC_AUDIT_TRAJECTORY_CLASSIFY_CONDITION_H

#include "audit/common/finding.h"
#include "audit/trajectory/tracking.h"

/**
 * Fill the classification for a case with such variants; does nothing for other cases, and for
 * contact laws. false: no memory.
 */
bool ic_classify_condition(ic_classification *c, const ic_tracking *k);

/** Whether a candidate stands for the variant that is asked for: "C = C*" does for both. */
bool ic_condition_is_asked_for(const char *candidate, const ic_problem *problem);

#endif
