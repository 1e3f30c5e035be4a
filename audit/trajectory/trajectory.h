/* SPDX-License-Identifier: MIT */
/** Reading a trajectory from a file. */
#ifndef IC_AUDIT_TRAJECTORY_TRAJECTORY_H
#define IC_AUDIT_TRAJECTORY_TRAJECTORY_H

#include "audit/trajectory/csv.h"
#include "audit/trajectory/trajectory_rows.h"

/**
 * How to read the columns of a file, as lists: NAME=COLUMN,...; NAME=UNIT,...; NAME,... NULL:
 * empty.
 */
typedef struct ic_trajectory_reading {
    /* "t=time,x2=roller.y" */
    const char *columns;

    /* "x2=mm,t=ms" */
    const char *units;

    /* velocities to be computed by differences: "v2" */
    const char *derive;
} ic_trajectory_reading;

/** Read a file. false: `error` says what is wrong, as file:line:column, and what would be right. */
bool ic_trajectory_read(ic_trajectory *trajectory, FILE *stream, const char *path, const ic_problem *problem,
                        const ic_trajectory_reading *reading, ic_error *error);

#endif
