/* SPDX-License-Identifier: MIT */
/**
 * How rows may have been written that the case does not explain: each hypothesis has one number,
 * which is fitted to intervals between rows without events, and is judged by the intervals that it
 * then explains. The case with one other parameter competes on the same terms.
 */
#ifndef IC_AUDIT_TRAJECTORY_READINGS_H
#define IC_AUDIT_TRAJECTORY_READINGS_H

#include "audit/common/finding.h"
#include "audit/trajectory/correction.h"
#include "audit/trajectory/tracking.h"

/**
 * The hypothesis that explains nearly all intervals, and better than any parameter: a clock that is
 * fast or slow, a column that is scaled, of another origin, or that belongs to another row or time,
 * a drag. IC_NO_MISTAKE: none does. `detail` receives its description, and *left the part of the
 * case's defect that it leaves.
 */
ic_mistake_id ic_find_reading(const ic_tracking *k, char *detail, size_t size, double *left,
                              ic_correction *correction);

#endif
