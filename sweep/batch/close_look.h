/* SPDX-License-Identifier: MIT */
/** What happens in a part where guards come close to zero: for one lane, by subdivision. */
#ifndef IC_SWEEP_BATCH_CLOSE_LOOK_H
#define IC_SWEEP_BATCH_CLOSE_LOOK_H

#include "sweep/batch/batch.h"

/** A guard along a part: sum of a_j u^j, -1 <= u <= 1. */
typedef struct ic_close_guard {
    double a[IC_BATCH_TERMS], condition[IC_BATCH_TERMS];
    bool conditional;
    int side, order, direction;
} ic_close_guard;

/** Other outcomes than the number of the guard that fires. */
enum { IC_CLOSE_DOUBT = -2, IC_CLOSE_NOTHING = -1 };

typedef struct ic_close_found {
    int outcome;
    double u;                  /* where the guard fires */
    int side[IC_BATCH_GUARDS]; /* of each guard there, or at the end of the part */
} ic_close_found;

/** shortest: of a part of [-1, 1] that may stay undecided. */
void ic_close_look(ic_close_found *found, const ic_close_guard *guards, int n_guards, double shortest);

#endif
