/* SPDX-License-Identifier: MIT */
/** The motion of a scene, as rows that an engine has written. */
#ifndef IC_AUDIT_ENGINE_ENGINE_ROWS_H
#define IC_AUDIT_ENGINE_ENGINE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/** One line: the state at the end of a step. phi is counted clockwise. */
typedef struct ic_engine_state {
    /* s, m, rad, m/s, rad/s */
    double t, x, y, phi, vx, vy, omega;
} ic_engine_state;

typedef enum ic_engine_end {
    IC_ENGINE_GOOD,

    /* the system did not start it */
    IC_ENGINE_REFUSED,

    /* ended by a signal */
    IC_ENGINE_CRASHED,

    /* ended by us, its time was up */
    IC_ENGINE_HUNG,

    /* an exit status that is not 0 */
    IC_ENGINE_FAILED,

    /* what it wrote are no such rows */
    IC_ENGINE_GARBAGE,

    /* rows came that the plugin's engine has not handed over */
    IC_ENGINE_FORGED,

    /* ended by one of its limits */
    IC_ENGINE_LIMITED,

    /* a row holds what is no finite number */
    IC_ENGINE_NOT_FINITE,

    IC_ENGINE_NO_MEMORY,
} ic_engine_end;

typedef struct ic_engine_motion {
    ic_engine_end end;

    /* where `end` is not good: what happened */
    char detail[160];

    ic_engine_state *rows;
    size_t n_rows;
} ic_engine_motion;

/**
 * Rows of the `length` bytes that a program has written, with a zero behind them: times grow, all
 * is finite; else why not.
 */
ic_engine_end ic_engine_read_rows(ic_engine_motion *motion, const char *text, size_t length);
void ic_engine_motion_free(ic_engine_motion *motion);

#endif
