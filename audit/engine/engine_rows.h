/* SPDX-License-Identifier: MIT */
/** The motion of a scene: rows that an engine has written. */
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

    /* the system could not start it */
    IC_ENGINE_REFUSED,

    /* ended by a signal */
    IC_ENGINE_CRASHED,

    /* Ended by the audit when its time was up. */
    IC_ENGINE_HUNG,

    /* its exit status was not 0 */
    IC_ENGINE_FAILED,

    /* its output is not a table of rows */
    IC_ENGINE_GARBAGE,

    /* Rows arrived that the engine of the plugin did not pass to `take`. */
    IC_ENGINE_FORGED,

    /* ended by a resource limit */
    IC_ENGINE_LIMITED,

    /* a row has a value that is not finite */
    IC_ENGINE_NOT_FINITE,

    /* the engine does not play this scene */
    IC_ENGINE_UNSUPPORTED,

    IC_ENGINE_NO_MEMORY,
} ic_engine_end;

typedef struct ic_engine_motion {
    ic_engine_end end;

    /* Description of the failure, if `end` is not good. */
    char detail[160];

    ic_engine_state *rows;
    size_t n_rows;
} ic_engine_motion;

/**
 * Reads the `length` bytes that a program has written, which a zero byte follows. Times must grow
 * and all values be finite; otherwise the result and `detail` give the reason.
 */
ic_engine_end ic_engine_read_rows(ic_engine_motion *motion, const char *text, size_t length);
void ic_engine_motion_free(ic_engine_motion *motion);

#endif
