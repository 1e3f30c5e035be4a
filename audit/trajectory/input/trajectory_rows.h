/* SPDX-License-Identifier: MIT */
/** A trajectory that is audited, in SI units. */
#ifndef IC_AUDIT_TRAJECTORY_INPUT_TRAJECTORY_ROWS_H
#define IC_AUDIT_TRAJECTORY_INPUT_TRAJECTORY_ROWS_H

#include "impactcheck/impactcheck.h"

/** Source of the values of a state. */
typedef enum ic_column_source {
    IC_FROM_FILE,

    /* Differences of its position, as the user requested. */
    IC_FROM_DIFFERENCES,

    /* Reconstructed: solution of the case's own equation for it, driven by the given states. */
    IC_FROM_MODEL,

    /* A memory of the contact, which is followed along the rows. */
    IC_FROM_TRACKING,
} ic_column_source;

typedef struct ic_trajectory {
    /* borrowed */
    const char *path;

    size_t n, n_states;

    /* s */
    double *t;

    /* n rows of n_states values, in SI units. */
    double *x;

    /* Numbers of modes in the file; NULL: none. */
    signed char *mode;

    /* Contact force in the file, N; NULL: none. */
    double *force;

    /* line numbers in the file */
    size_t *line;

    ic_column_source source[IC_MAX_STATES];

    /* Name of the file. */
    char column[IC_MAX_STATES][64];
} ic_trajectory;

/**
 * An empty trajectory for `n` rows, to be filled; all states are from the file. false: memory ran
 * out.
 */
bool ic_trajectory_open(ic_trajectory *trajectory, size_t n, size_t n_states, bool modes);
void ic_trajectory_close(ic_trajectory *trajectory);

#endif
