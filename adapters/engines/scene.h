/* SPDX-License-Identifier: MIT */
/**
 * Scenes and motions by the protocol of docs/engines.md, for engines in C and C++. A program is a
 * loop:
 *
 *     scene s = {0};
 *     while (scene_read(&s)) play(&s);
 *     return scene_close();
 *
 * where `play` builds a fresh world and writes the motion: scene_engine, scene_setting, then
 * scene_row for each moving body at the start and after each step, and scene_end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCENE_PI 3.14159265358979323846
#define SCENE_NAME_SIZE 64

typedef enum scene_shape_kind { SCENE_SPHERE, SCENE_BOX, SCENE_PLANE } scene_shape_kind;

/* In the frame of the body. */
typedef struct scene_shape {
    scene_shape_kind kind;

    /* of a sphere, m */
    double radius;

    /* half lengths of a box along the axes of the body, m */
    double half[3];

    /* m; of a plane 0 */
    double centre[3];
} scene_shape;

typedef struct scene_body {
    char name[SCENE_NAME_SIZE];
    bool fixed;

    /* kg; 0 for a fixed body */
    double mass;

    /* principal moments about the centre of mass, kg m^2; 0 for a fixed body */
    double inertia[3];

    /* of the centre of mass, m */
    double position[3];

    /* orientation: the quaternion W X Y Z from the frame of the body to that of the ground */
    double turn[4];

    /* of the centre of mass, m/s */
    double velocity[3];

    /* angular velocity in the frame of the ground, rad/s */
    double spin[3];

    scene_shape *shapes;
    size_t n_shapes;
} scene_body;

/* Body b turns about an axis through a point, both in the frame of the ground at the start. */
typedef struct scene_hinge {
    size_t a, b;
    double point[3], axis[3];

    /* bounds of the angle of b relative to a, rad */
    double lower, upper;
} scene_hinge;

typedef struct scene {
    char name[SCENE_NAME_SIZE];

    /* "" unless given */
    char variant[SCENE_NAME_SIZE];

    /* true: the best settings of the engine; false: its defaults */
    bool best;

    /* 2 or 3 */
    int dimension;

    /* m/s^2 */
    double gravity[3];

    /* coefficients of restitution and friction of every pair, 1 */
    double e, mu;

    /* time from one row to the next, s */
    double step;

    /* number of rows after the first */
    long steps;

    scene_body *bodies;
    size_t n_bodies;
    scene_hinge *hinges;
    size_t n_hinges;
} scene;

/* ---- reading */

/**
 * Read the next scene from standard input; false at its end. The scene replaces the one before,
 * whose memory is released: the first must be zeros. Input that is no scene: a message, and the
 * program ends with status 2. From the first call on, standard output is redirected to standard
 * error, so that messages of engines do not mix with rows.
 */
bool scene_read(scene *s);

/* ---- writing */

void scene_engine(const char *name, const char *version);
__attribute__((format(printf, 1, 2))) void scene_setting(const char *format, ...);

/** What the documentation of the engine excludes, and where it says so. */
void scene_unpromised(const char *topic, const char *text);

/** The engine cannot play the scene. Ends the motion. */
__attribute__((format(printf, 1, 2))) void scene_unsupported(const char *format, ...);

void scene_row(double t, const scene_body *body, const double position[3], const double turn[4],
               const double velocity[3], const double spin[3]);

/** The row of a body that moves in the plane z = 0. */
void scene_row_2d(double t, const scene_body *body, const double position[2], double angle,
                  const double velocity[2], double spin);

/** Ends a motion. */
void scene_end(void);

/** The exit status of the program. */
int scene_close(void);

/* ---- questions about a scene */

bool scene_is(const scene *s, const char *variant);

/** The least number of equal parts of a step of which none is longer than `longest`, s. */
int scene_parts(const scene *s, double longest);

/** The longest step, s, of the best settings of engines: a step of 1/60 s has 16 of them. */
double scene_best_step(void);

/** Whether a hinge connects these bodies, which do not collide then. */
bool scene_hinged(const scene *s, size_t a, size_t b);

/** Whether a body has a shape of this kind. */
bool scene_has(const scene_body *body, scene_shape_kind kind);

/**
 * Whether a body may pass through another, not a plane, within one step of h seconds: it moves
 * farther than the least half lengths of both. Rotation is not considered.
 */
bool scene_is_fast(const scene *s, double h);

/** The same, and neither of the bodies is fixed. */
bool scene_is_fast_between_moving(const scene *s, double h);

/** Whether a body moves farther than the least half length of its shapes within h seconds. */
bool scene_moves_far(const scene *s, double h);

/** An upper bound of the speed at which two bodies approach each other in the first fall, m/s. */
double scene_impact_speed(const scene *s);

/* ---- what documentations restrict (scene_limits.c) */

/** The greatest ratio of the masses of two moving bodies. */
double scene_mass_ratio(const scene *s);

/** The greatest speed of a body at the start, m/s. */
double scene_greatest_speed(const scene *s);

/** The least and the greatest length of the shapes of moving bodies, m: diameter or longest side. */
double scene_least_size(const scene *s);
double scene_greatest_size(const scene *s);

/** Whether a moving body has a shape beside its centre of mass. */
bool scene_has_offset(const scene *s);

/**
 * Whether a moving body may be slower than a speed, m/s, and a spin, rad/s: with gravity, in which
 * friction stops bodies, always; without it, if one starts so.
 */
bool scene_may_rest(const scene *s, double speed, double spin);

/**
 * The least speed along the normal, m/s, at which bodies meet that move straight on, or are hit in
 * a row; INFINITY where they do not meet, and with gravity.
 */
double scene_least_impact(const scene *s);

/** Whether two spheres overlap at the start. */
bool scene_overlaps(const scene *s);

/* ---- trees, for engines whose joints are the coordinates of bodies */

typedef struct scene_link {
    /* false: a free body, or a fixed one */
    bool hinged;

    /* the hinge to it */
    size_t parent;
    double point[3], axis[3];

    /* bounds of the angle of this body relative to it, rad */
    double lower, upper;
} scene_link;

/**
 * The link of each body, and an order of all bodies in which parents come first; fixed bodies have
 * no parent. False if the hinges form a loop, where fixed bodies count as one.
 */
bool scene_tree(scene_link *links, size_t *order, const scene *s);

/** The rate of a hinged body's angle at the start, rad/s. */
double scene_link_rate(const scene *s, const scene_link *links, size_t body);

/* ---- geometry */

/** The angle about z of the orientation of a body that moves in the plane, rad. */
double scene_angle(const double turn[4]);

/** The orientation after a rotation by an angle about z. */
void scene_turn_of(double turn[4], double angle);

/** A vector in the frame of a body, in that of the ground, and the reverse. */
void scene_to_ground(double out[3], const double turn[4], const double in[3]);
void scene_to_body(double out[3], const double turn[4], const double in[3]);

/** The position in the frame of the ground of a point in that of the body, at the start. */
void scene_point_on(double out[3], const scene_body *body, const double point[3]);

/** The normal of a plane of the body, and its distance from the origin: normal . x <= distance. */
double scene_plane(double normal[3], const scene_body *body);

/** The position and orientation of a body in the frame of another, at the start. */
void scene_pose_in(double position[3], double turn[4], const scene_body *frame, const scene_body *body);

/** An orientation that turns the axis z to a direction, a unit vector. */
void scene_turn_z_to(double turn[4], const double direction[3]);

/** The product of two orientations: first b, then a. */
void scene_turn_product(double out[4], const double a[4], const double b[4]);

#ifdef __cplusplus
}
#endif
