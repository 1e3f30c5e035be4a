/* SPDX-License-Identifier: MIT */
/**
 * Which contact-force law the contact of a case follows that is not one free impact, such as a roller
 * on soil or a beam at a stop. Each law leads from row to row within the contacts of the rows; what a
 * law remembers of the touch follows from the last row before it.
 */
#ifndef IC_AUDIT_TRAJECTORY_CLASSIFY_ELEMENT_H
#define IC_AUDIT_TRAJECTORY_CLASSIFY_ELEMENT_H

#include "audit/common/finding.h"
#include "audit/trajectory/tracking.h"

/**
 * Fill the classification and add its finding, if the case is on a law and rows in contact fail. false: memory ran out.
 */
bool ic_classify_element(ic_findings *findings, ic_classification *c, const ic_tracking *k);

#endif
