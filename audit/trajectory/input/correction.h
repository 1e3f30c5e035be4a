/* SPDX-License-Identifier: MIT */
/**
 * The correction of a misread file. Once one mistake is known, rows that are read as they should be show whether
 * there is another one.
 */
#ifndef IC_AUDIT_TRAJECTORY_INPUT_CORRECTION_H
#define IC_AUDIT_TRAJECTORY_INPUT_CORRECTION_H

#include "audit/trajectory/input/trajectory_rows.h"

typedef enum ic_correction_kind {
    /* None is known. */
    IC_CORRECT_NOTHING,

    /* The columns, and the times, are multiplied by factors. */
    IC_CORRECT_FACTORS,

    /* The first two marked columns change places. */
    IC_CORRECT_EXCHANGE,

    /* The marked columns are taken from the next row, or from the row before. */
    IC_CORRECT_FROM_NEXT,
    IC_CORRECT_FROM_PREVIOUS,

    /* `shift` is added to the times. */
    IC_CORRECT_TIME,
} ic_correction_kind;

typedef struct ic_correction {
    ic_correction_kind kind;

    bool column[IC_MAX_STATES];

    /* Of each column. */
    double factor[IC_MAX_STATES];

    /* Of the times since the origin, s; an origin of NAN is the first row's time. */
    double time_factor, origin;

    /* s */
    double shift;
} ic_correction;

/** A correction by factors, all of which are 1. */
ic_correction ic_correction_by_factors(void);

/**
 * A corrected copy of the rows, to be closed. false: there is no correction, or memory ran out.
 */
bool ic_correct_rows(ic_trajectory *corrected, const ic_trajectory *trajectory,
                     const ic_correction *correction);

/** The noise of the corrected columns. */
void ic_correct_noise(double *corrected, const double *noise, size_t n, const ic_correction *correction);

#endif
