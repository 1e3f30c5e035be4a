/* SPDX-License-Identifier: MIT */
/** The first event in a part in which guards come close to zero, for one lane. */
#ifndef IC_SWEEP_BATCH_CLOSE_LOOK_H
#define IC_SWEEP_BATCH_CLOSE_LOOK_H

#include "sweep/batch/batch.h"

/** A guard along a part: sum of a_j u^j, -1 <= u <= 1. */
typedef struct ic_close_guard {
    double a[IC_BATCH_TERMS], condition[IC_BATCH_TERMS];
    bool conditional;
    int side, order, direction;
} ic_close_guard;

/** Outcomes other than the number of the guard that fires. */
enum { IC_CLOSE_DOUBT = -2, IC_CLOSE_NOTHING = -1 };

typedef struct ic_close_found {
    int outcome;

    /* where the guard fires */
    double u;

    /* if nothing fires: of each guard, at the end of the part */
    int side[IC_BATCH_GUARDS];
} ic_close_found;

/** Two guards that fire within `shortest` of each other are in doubt. */
void ic_close_look(ic_close_found *found, const ic_close_guard *guards, int n_guards, double shortest);

#endif
