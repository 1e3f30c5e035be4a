/* SPDX-License-Identifier: MIT */
/** A trajectory of a case that somebody hands over, in SI units. */
#ifndef IC_AUDIT_TRAJECTORY_TRAJECTORY_H
#define IC_AUDIT_TRAJECTORY_TRAJECTORY_H

#include "audit/trajectory/csv.h"
#include "impactcheck/impactcheck.h"

/** How columns of a file are to be understood. Texts are lists: NAME=COLUMN,...; NAME=UNIT,...; NAME,... NULL: nothing. */
typedef struct ic_trajectory_reading {
    const char *columns; /* "t=time,x2=roller.y" */
    const char *units;   /* "x2=mm,t=ms" */
    const char *derive;  /* velocities that are to be had by differences: "v2" */
} ic_trajectory_reading;

/** Where a state's values come from. */
typedef enum ic_column_source {
    IC_FROM_FILE,
    IC_FROM_DIFFERENCES, /* of its position, since the user said so */
    IC_FROM_MODEL,       /* reconstructed: the case's own equation for it, driven by what was given */
    IC_FROM_TRACKING,    /* a contact's memory: followed while the rows are */
} ic_column_source;

typedef struct ic_trajectory {
    const char *path; /* borrowed */
    size_t n, n_states;
    double *t;         /* s */
    double *x;         /* n rows of n_states, SI */
    signed char *mode; /* number of the mode that the file names; NULL: it names none */
    double *force;     /* N; the contact force that the file tells; NULL: it tells none */
    size_t *line;      /* in the file */
    ic_column_source source[IC_MAX_STATES];
    char column[IC_MAX_STATES][64]; /* its name in the file */
} ic_trajectory;

/** Read a file. false: `error` says what is wrong, as file:line:column, and what would be right. */
bool ic_trajectory_read(ic_trajectory *trajectory, FILE *stream, const char *path, const ic_problem *problem,
                        const ic_trajectory_reading *reading, ic_error *error);

/** An empty trajectory for `n` rows, to be filled; all states are from the file. false: no memory. */
bool ic_trajectory_open(ic_trajectory *trajectory, size_t n, size_t n_states, bool modes);
void ic_trajectory_close(ic_trajectory *trajectory);

#endif
