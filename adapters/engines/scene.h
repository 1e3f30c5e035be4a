/* SPDX-License-Identifier: MIT */
/**
 * What every engine's program shares: two scenes, their command line, and their output. For C and C++.
 *
 *     ball   a ball falls on the ground, without friction: what becomes of the coefficient of restitution?
 *     bar    the lower tip of a bar, a small sphere, hits the ground, without gravity: Kecskemethy & Lange 1999, Table 2.
 *
 * The ground is y = 0, y points up. phi is counted clockwise: of the bar the angle from the surface's normal to the line from the
 * lower tip to the centre of mass, as in the paper; of the ball the angle that it has turned.
 *
 * A program writes one line for each step, with the state at its end: t,x,y,phi,vx,vy,omega; x and y of the centre of mass.
 */
#ifndef IC_ADAPTERS_ENGINES_SCENE_H
#define IC_ADAPTERS_ENGINES_SCENE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCENE_PI 3.14159265358979323846

typedef struct scene {
    bool bar;                  /* else the ball */
    bool best;                 /* the engine set as well as it can be; else as it comes */
    double e, mu;              /* 1; of the pair */
    double step, until;        /* s */
    double gravity;            /* m/s^2; downward, >= 0 */
    double radius;             /* m; of the ball, or of the sphere at the bar's tip */
    double sphere_x, sphere_y; /* m; its centre in the body's frame: the bar along y, its lower tip below */
    double mass;               /* kg */
    double inertia;            /* kg m^2; about the centre of mass, in the plane */
    double x, y, phi, vx, vy, omega; /* m, rad, m/s, rad/s; the start */
    double impact_speed;             /* m/s; normal to the ground, at the first impact */
    const char *variant;             /* of the engine; "" unless given */
    FILE *out;                       /* what was standard output: the engine's own words go to standard error */
} scene;

/** Read the command line; ends the program with status 2 where it is wrong. Standard output is standard error from here on. */
scene scene_read(int argc, char **argv);

bool scene_is(const scene *s, const char *variant);

/** How many steps there are until the end; none is cut short. */
long scene_steps(const scene *s);

void scene_row(const scene *s, double t, double x, double y, double phi, double vx, double vy, double omega);

/** The exit status of the program. */
int scene_close(const scene *s);

#ifdef __cplusplus
}
#endif

#endif
