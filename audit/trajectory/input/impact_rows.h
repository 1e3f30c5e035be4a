/* SPDX-License-Identifier: MIT */
/**
 * Rows of a planar impact without the states of a case: velocities of the contact point and the
 * angular velocity, before and after the impact; few rows or many, with or without times.
 */
#ifndef IC_AUDIT_TRAJECTORY_INPUT_IMPACT_ROWS_H
#define IC_AUDIT_TRAJECTORY_INPUT_IMPACT_ROWS_H

#include "audit/trajectory/input/trajectory.h"

/** Tangential and normal velocity, m/s, and clockwise angular velocity, rad/s. */
enum { IC_VELOCITY_X, IC_VELOCITY_Y, IC_VELOCITY_PHI, IC_VELOCITIES };

typedef struct ic_impact_rows {
    /* borrowed */
    const char *path;

    size_t n, capacity;

    /* time, s; NAN: the file has no times */
    double *t;

    /* The last one is NAN if the file does not have it. */
    double (*v)[IC_VELOCITIES];

    size_t *line;
} ic_impact_rows;

/** The velocities on both sides of the impact, by the rows. */
typedef struct ic_impact_sides {
    double before[IC_VELOCITIES], after[IC_VELOCITIES];

    /* Their deviations, from the scatter of the rows; 0: unknown. */
    double deviation_before[IC_VELOCITIES], deviation_after[IC_VELOCITIES];

    /* numbers of rows used */
    size_t rows_before, rows_after;
} ic_impact_sides;

/** Whether a file has the columns vx and vy but not all states of the case. */
bool ic_impact_rows_are(FILE *stream, const char *path, const ic_problem *problem,
                        const ic_trajectory_reading *reading);

/** Read a file. false: `error` gives the reason, as file:line:column. */
bool ic_impact_rows_read(ic_impact_rows *rows, FILE *stream, const char *path,
                         const ic_trajectory_reading *reading, ic_error *error);

/**
 * The rows of a trajectory with the states of the case, through its outputs vx, vy and phi_dot.
 * false: memory ran out.
 */
bool ic_impact_rows_of(ic_impact_rows *rows, const ic_trajectory *trajectory, const ic_problem *problem);
void ic_impact_rows_close(ic_impact_rows *rows);

/** Find the impact. false: the velocities are the same in all rows. */
bool ic_impact_sides_of(ic_impact_sides *sides, const ic_impact_rows *rows);

#endif
