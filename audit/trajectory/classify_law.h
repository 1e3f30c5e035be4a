/* SPDX-License-Identifier: MIT */
/** Finds the contact-force law that a free impact follows, from positions and velocities alone. */
#ifndef IC_AUDIT_TRAJECTORY_CLASSIFY_LAW_H
#define IC_AUDIT_TRAJECTORY_CLASSIFY_LAW_H

#include "audit/common/finding.h"
#include "audit/trajectory/tracking.h"

/**
 * For a problem with a free impact (`ball`), fit each registered law, with the case's parameters,
 * to the rows by the time and the speed of touch. Adds the finding `law`: whether another law than
 * the requested one fits. false: memory ran out.
 */
bool ic_classify_law(ic_findings *findings, ic_classification *classification, const ic_tracking *tracking);

#endif
