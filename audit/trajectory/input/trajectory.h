/* SPDX-License-Identifier: MIT */
/** Reads a trajectory from a file. */
#ifndef IC_AUDIT_TRAJECTORY_INPUT_TRAJECTORY_H
#define IC_AUDIT_TRAJECTORY_INPUT_TRAJECTORY_H

#include "audit/trajectory/input/csv.h"
#include "audit/trajectory/input/trajectory_rows.h"

/**
 * The meaning of the columns of a file, as lists: NAME=COLUMN,...; NAME=UNIT,...; NAME,... NULL:
 * the list is empty.
 */
typedef struct ic_trajectory_reading {
    /* "t=time,x2=roller.y" */
    const char *columns;

    /* "x2=mm,t=ms" */
    const char *units;

    /* Velocities that are computed from differences: "v2". */
    const char *derive;
} ic_trajectory_reading;

/** Read a file. false: `error` states file:line:column, the error, and a correct alternative. */
bool ic_trajectory_read(ic_trajectory *trajectory, FILE *stream, const char *path, const ic_problem *problem,
                        const ic_trajectory_reading *reading, ic_error *error);

#endif
