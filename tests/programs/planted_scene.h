/* SPDX-License-Identifier: MIT */
/**
 * Two scenes of the planted engine, their command line, and their output.
 *
 *     ball   a ball falls on the ground, without friction: which restitution results?
 *     bar    the lower tip of a bar, a small sphere, hits the ground, without gravity: Kecskemethy & Lange 1999, Table 2.
 *
 * The ground is y = 0, and y points up. phi is counted clockwise: for the bar it is the angle from
 * the normal of the surface to the line from the lower tip to the centre of mass, as in the paper;
 * for the ball it is the angle of rotation.
 *
 * A program writes one line per step with the state at its end: t,x,y,phi,vx,vy,omega, where x and
 * y are those of the centre of mass.
 */
#ifndef IC_TESTS_PROGRAMS_PLANTED_SCENE_H
#define IC_TESTS_PROGRAMS_PLANTED_SCENE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCENE_PI 3.14159265358979323846

typedef struct scene {
    /* true: the bar; false: the ball */
    bool bar;

    /* true: the best settings of the engine; false: its defaults */
    bool best;

    /* coefficients of restitution and friction of the pair, 1 */
    double e, mu;

    /* s */
    double step, until;

    /* gravity, downward, >= 0, m/s^2 */
    double gravity;

    /* radius of the ball, or of the sphere at the tip of the bar, m */
    double radius;

    /*
     * centre of the sphere in the frame of the body, m; the bar lies along y with its lower tip
     * below
     */
    double sphere_x, sphere_y;

    /* kg */
    double mass;

    /* moment of inertia about the centre of mass, in the plane, kg m^2 */
    double inertia;

    /* initial state; m, rad, m/s, rad/s */
    double x, y, phi, vx, vy, omega;

    /* normal speed at the first impact, m/s */
    double impact_speed;

    /* variant of the engine; "" unless given */
    const char *variant;

    /* the original standard output; messages of the engine are written to standard error */
    FILE *out;
} scene;

/**
 * Read the command line; if it is wrong, the program ends with status 2. From here on, standard
 * output is redirected to standard error.
 */
scene scene_read(int argc, char **argv);

bool scene_is(const scene *s, const char *variant);

/** Number of steps until the end; none is shortened. */
long scene_steps(const scene *s);

void scene_row(const scene *s, double t, double x, double y, double phi, double vx, double vy, double omega);

/** The exit status of the program. */
int scene_close(const scene *s);

#ifdef __cplusplus
}
#endif

#endif
