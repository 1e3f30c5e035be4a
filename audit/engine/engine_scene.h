/* SPDX-License-Identifier: MIT */
/** The scenes that an engine simulates: a ball on the ground, and a bar whose lower tip hits it. */
#ifndef IC_AUDIT_ENGINE_ENGINE_SCENE_H
#define IC_AUDIT_ENGINE_ENGINE_SCENE_H

#include "impactcheck/impactcheck.h"

/* Defaults of the scenes, in SI units. */
#define IC_ENGINE_MASS 1.0
#define IC_ENGINE_GRAVITY 9.81 /* of the ball; the bar has none */
#define IC_ENGINE_BALL_RADIUS 0.1
#define IC_ENGINE_BAR_HALF 0.5
#define IC_ENGINE_BAR_INERTIA (1.0 / 12)

/*
 * tangential velocity of the tip divided by its normal speed in Kecskemethy & Lange 1999, Table 2
 */
#define IC_ENGINE_TABLE_2_TANGENTIAL 0.8

/** The settings of a scene; NAN or NULL: the default. */
typedef struct ic_engine_scene {
    /* false: the ball */
    bool bar;

    /* 1 */
    double e, mu;

    /* degrees */
    double angle;

    /* s */
    double step, until;

    /* m/s^2 */
    double gravity;

    /* m */
    double height;

    /* m/s */
    double speed, tangential;

    /* clockwise angular velocity, rad/s */
    double omega;

    /* Phase of the impact within a step, in [0, 1). */
    double phase;

    /* mass, kg; moment of inertia, kg m^2; length of the bar, m */
    double mass, inertia, length;

    /* "default" or "best"; a variant of the engine */
    const char *config, *variant;
} ic_engine_scene;

/** A scene with all defaults. */
ic_engine_scene ic_engine_scene_of(bool bar);

/** The body of a scene. */
typedef struct ic_engine_body {
    /* false: the ball */
    bool bar;

    /* mass, kg, and moment of inertia about the centre of mass, kg m^2 */
    double mass, inertia;

    /*
     * vector from the centre of mass to the contact point, m: half the bar's length, or the ball's
     * radius
     */
    double arm;
} ic_engine_body;

ic_engine_body ic_engine_body_of(const ic_engine_scene *scene);

/** The scene with all values; defaults are those of the engines' programs. */
ic_scene ic_scene_of(const ic_engine_scene *asked);

#endif
