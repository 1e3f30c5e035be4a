/* SPDX-License-Identifier: MIT */
/** One run of an engine's program (adapters/engines/scene.h tells its command line), as a child with a time limit; and its rows. */
#ifndef IC_AUDIT_ENGINE_RUN_H
#define IC_AUDIT_ENGINE_RUN_H

#include <stdbool.h>
#include <stddef.h>

/** What the program is asked for; NAN or NULL: its default. */
typedef struct ic_engine_scene {
    bool bar;                     /* else the ball */
    double e, mu;                 /* 1 */
    double angle;                 /* degrees */
    double step, until;           /* s */
    double height;                /* m */
    double speed, tangential;     /* m/s */
    double omega;                 /* rad/s; clockwise */
    double phase;                 /* in [0, 1): where in a step the impact falls */
    double mass, inertia, length; /* kg, kg m^2, m; the last one of the bar */
    const char *config, *variant; /* "default" or "best"; of the engine */
} ic_engine_scene;

/** A scene of which nothing is asked yet. */
ic_engine_scene ic_engine_scene_of(bool bar);

/** One line: the state at the end of a step. phi is counted clockwise. */
typedef struct ic_engine_state {
    double t, x, y, phi, vx, vy, omega; /* s, m, rad, m/s, rad/s */
} ic_engine_state;

typedef enum ic_engine_end {
    IC_ENGINE_GOOD,
    IC_ENGINE_REFUSED,    /* the system did not start it */
    IC_ENGINE_CRASHED,    /* ended by a signal */
    IC_ENGINE_HUNG,       /* ended by us, its time was up */
    IC_ENGINE_FAILED,     /* an exit status that is not 0 */
    IC_ENGINE_GARBAGE,    /* what it wrote are no such rows */
    IC_ENGINE_FORGED,     /* rows came that the plugin's engine has not handed over */
    IC_ENGINE_LIMITED,    /* ended by one of its limits */
    IC_ENGINE_NOT_FINITE, /* a row holds what is no finite number */
    IC_ENGINE_NO_MEMORY,
} ic_engine_end;

typedef struct ic_engine_motion {
    ic_engine_end end;
    char detail[160]; /* where `end` is not good: what happened */
    ic_engine_state *rows;
    size_t n_rows;
} ic_engine_motion;

/** What plays a scene: a program, or an engine of a plugin. */
typedef struct ic_engine_source {
    const char *program; /* its path; NULL: a plugin's */
    const char *library; /* the plugin's path */
    size_t index;        /* among its engines */
} ic_engine_source;

/** Run it for at most `seconds`. What it says on standard error goes nowhere. */
ic_engine_motion ic_engine_run(const ic_engine_source *source, const ic_engine_scene *scene, double seconds);

/** Rows of the `length` bytes that a program has written, with a zero behind them: times grow, all is finite; else why not. */
ic_engine_end ic_engine_read_rows(ic_engine_motion *motion, const char *text, size_t length);
void ic_engine_motion_free(ic_engine_motion *motion);

#endif
