/* SPDX-License-Identifier: MIT */
/** A trajectory of a case that somebody hands over, in SI units. */
#ifndef IC_AUDIT_TRAJECTORY_TRAJECTORY_ROWS_H
#define IC_AUDIT_TRAJECTORY_TRAJECTORY_ROWS_H

#include "impactcheck/impactcheck.h"

/** Where a state's values come from. */
typedef enum ic_column_source {
    IC_FROM_FILE,

    /* of its position, since the user said so */
    IC_FROM_DIFFERENCES,

    /* reconstructed: the case's own equation for it, driven by what was given */
    IC_FROM_MODEL,

    /* a contact's memory: followed while the rows are */
    IC_FROM_TRACKING,
} ic_column_source;

typedef struct ic_trajectory {
    /* borrowed */
    const char *path;

    size_t n, n_states;

    /* s */
    double *t;

    /* n rows of n_states, SI */
    double *x;

    /* number of the mode given in the file; NULL: none */
    signed char *mode;

    /* N; the contact force given in the file; NULL: none */
    double *force;

    /* line numbers in the file */
    size_t *line;

    ic_column_source source[IC_MAX_STATES];

    /* its name in the file */
    char column[IC_MAX_STATES][64];
} ic_trajectory;

/**
 * An empty trajectory for `n` rows, to be filled; all states are from the file. false: no memory.
 */
bool ic_trajectory_open(ic_trajectory *trajectory, size_t n, size_t n_states, bool modes);
void ic_trajectory_close(ic_trajectory *trajectory);

#endif
