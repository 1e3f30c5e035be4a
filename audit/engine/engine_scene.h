/* SPDX-License-Identifier: MIT */
/** The scenes that an engine is asked to play (adapters/engines/scene.h). */
#ifndef IC_AUDIT_ENGINE_ENGINE_SCENE_H
#define IC_AUDIT_ENGINE_ENGINE_SCENE_H

#include "impactcheck/impactcheck.h"

/* The scenes as they are where nothing else is asked, in SI units. */
#define IC_ENGINE_MASS 1.0
#define IC_ENGINE_GRAVITY 9.81 /* of the ball; the bar has none */
#define IC_ENGINE_BALL_RADIUS 0.1
#define IC_ENGINE_BAR_HALF 0.5
#define IC_ENGINE_BAR_INERTIA (1.0 / 12)

/* m/s; velocity of the tip, by the normal speed, in Kecskemethy & Lange 1999, Table 2. */
#define IC_ENGINE_TABLE_2_TANGENTIAL 0.8

/** What the program is asked for; NAN or NULL: its default. */
typedef struct ic_engine_scene {
    /* else the ball */
    bool bar;

    /* 1 */
    double e, mu;

    /* degrees */
    double angle;

    /* s */
    double step, until;

    /* m */
    double height;

    /* m/s */
    double speed, tangential;

    /* rad/s; clockwise */
    double omega;

    /* in [0, 1): where in a step the impact falls */
    double phase;

    /* kg, kg m^2, m; the last one of the bar */
    double mass, inertia, length;

    /* "default" or "best"; of the engine */
    const char *config, *variant;
} ic_engine_scene;

/** A scene of which nothing is asked yet. */
ic_engine_scene ic_engine_scene_of(bool bar);

/** What moves. */
typedef struct ic_engine_body {
    /* else the ball */
    bool bar;

    /* kg, kg m^2; about the centre of mass */
    double mass, inertia;

    /* m; from the centre of mass to the point that touches: half the bar's length, or the ball's
       radius */
    double arm;
} ic_engine_body;

/** That of a scene. */
ic_engine_body ic_engine_body_of(const ic_engine_scene *scene);

/** The scene that is asked for; what is not given is as in the programs' scenes. */
ic_scene ic_scene_of(const ic_engine_scene *asked);

#endif
