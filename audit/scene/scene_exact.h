/* SPDX-License-Identifier: MIT */
/** The exact motion of the bodies of a scene, as its file states it. */
#ifndef IC_AUDIT_SCENE_SCENE_EXACT_H
#define IC_AUDIT_SCENE_SCENE_EXACT_H

#include "audit/scene/scene_world.h"

/** Place of the centre of mass, m, and orientation of a body: its angle about z, rad, or a unit quaternion. */
typedef struct ic_exact_place {
    double at[3], angle, turned[4];
} ic_exact_place;

/** Whether the motion of a body is known in the setting of the world. */
bool ic_scene_exact_known(const ic_world *world, size_t body);

/** Whether the motion of any body is known. */
bool ic_scene_exact_any(const ic_world *world);

/**
 * Exact places of all bodies after `stride` steps, twice as many and so on, and at the start before: n x n_bodies.
 * Bodies whose motion is not known have no place there. NULL: `error`. Release with free.
 */
ic_exact_place *ic_scene_exact_motion(const ic_world *world, size_t stride, size_t n, ic_error *error);

#endif
