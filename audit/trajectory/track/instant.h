/* SPDX-License-Identifier: MIT */
/** Rows at the very instant of a time event: the state before it and the state after it are both right. */
#ifndef IC_AUDIT_TRAJECTORY_TRACK_INSTANT_H
#define IC_AUDIT_TRAJECTORY_TRACK_INSTANT_H

#include "audit/trajectory/track/interval.h"

/** The sides of a row from which, or to which, the case is followed, s: 0, and before and after a time event. */
typedef struct ic_sides {
    double shift[3];
    size_t n;
} ic_sides;

/** The sides of a row; `interval`: an interval that the row begins or ends. */
ic_sides ic_row_sides(const ic_tracking *k, const ic_interval *interval, size_t row);

#endif
