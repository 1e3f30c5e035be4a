/* SPDX-License-Identifier: MIT */
/** Search for the first event in a part of one lane, where guards come close to zero. */
#pragma once

#include "sweep/batch/batch.h"

/** A guard and its condition in a part: sums of a_j u^j, -1 <= u <= 1. */
typedef struct ic_lane_guard {
    double a[IC_BATCH_TERMS], condition[IC_BATCH_TERMS];

    /* sum of the moduli of the terms whose sum is a_0 */
    double size;

    bool conditional;
    int side, order, direction;
} ic_lane_guard;

/** Outcomes other than the index of the guard that fires. */
enum { IC_LANE_UNDECIDED = -2, IC_LANE_NO_EVENT = -1 };

typedef struct ic_lane_event {
    int outcome;

    /* where the guard fires */
    double u;

    /* if no guard fires: side of each at the end of the part */
    int side[IC_BATCH_GUARDS];
} ic_lane_event;

/** Finds the first guard that fires; undecided if another fires within `shortest` of it. */
void ic_lane_search(ic_lane_event *found, const ic_lane_guard *guards, int n_guards, double shortest);
