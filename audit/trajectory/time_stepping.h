/* SPDX-License-Identifier: MIT */
/**
 * Time-stepping schemes for a body that bounces off a stop. Rows that such a scheme leads to, from
 * each row to the next one through impacts, are those of the scheme. Moreau 1988; Jean 1999;
 * Schatzman 1978, Paoli 1993; Acary & Brogliato, Numerical Methods for Nonsmooth Dynamical Systems,
 * 10.1, 11.2.
 */
#ifndef IC_AUDIT_TRAJECTORY_TIME_STEPPING_H
#define IC_AUDIT_TRAJECTORY_TIME_STEPPING_H

#include "audit/common/finding.h"
#include "audit/trajectory/tracking.h"

/**
 * The scheme that leads to the rows at all their impacts, with its step in `detail`. Returns the
 * mistake that it is; IC_NO_MISTAKE: no scheme, or the case has no such body.
 */
ic_mistake_id ic_find_time_stepping(const ic_tracking *k, char *detail, size_t size);

#endif
