/* SPDX-License-Identifier: MIT */
/** Which contact-force law a free impact follows, by positions and velocities alone. */
#ifndef IC_AUDIT_TRAJECTORY_CLASSIFY_LAW_H
#define IC_AUDIT_TRAJECTORY_CLASSIFY_LAW_H

#include "audit/common/finding.h"
#include "audit/trajectory/tracking.h"

/**
 * Of a problem with a free impact (`ball`): each registered law, with the case's parameters, is
 * fitted to the rows by the time and the speed at which it touches. Adds the finding `law`, where
 * another law than the one asked for fits. false: memory ran out.
 */
bool ic_classify_law(ic_findings *findings, ic_classification *classification, const ic_tracking *tracking);

#endif
