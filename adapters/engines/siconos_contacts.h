/* SPDX-License-Identifier: MIT */
/** Contacts between the shapes of a scene, for Siconos, whose package is a library of solvers. */
#pragma once

#include "adapters/engines/scene.h"

/* The place of a body at one instant, as in scene_body. */
typedef struct siconos_pose {
    double position[3], turn[4];
} siconos_pose;

typedef struct siconos_contact {
    size_t a, b;

    /* in the frame of the ground, m */
    double point[3];

    /* the normal, which points from b to a, and two tangents, the first in the plane z = 0 */
    double frame[3][3];
} siconos_contact;

typedef struct siconos_contacts {
    siconos_contact *items;
    size_t count, room;
} siconos_contacts;

/** out = a x b */
void siconos_cross(double out[3], const double a[3], const double b[3]);

/** Why these contacts are not found here: a text, or NULL if they are. */
const char *siconos_obstacle(const scene *s);

/** Replaces the contacts by those of bodies at these poses which touch or overlap. */
void siconos_find_contacts(siconos_contacts *found, const scene *s, const siconos_pose *poses);
