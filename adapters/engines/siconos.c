/* SPDX-License-Identifier: MIT */
/*
 * Siconos numerics 4.4 solves the impact; the time stepping around it (Moreau and Jean's) is in
 * this file. default: projected Gauss-Seidel. best: Lemke's pivoting.
 */
#include "adapters/engines/scene.h"

#include <math.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <stdio.h>
#include <stdlib.h>

enum { NORMAL, TANGENT, CONTACT_SIZE };

typedef struct body {
    double x, y, phi, vx, vy, omega;
} body;

/* The lowest point of the sphere, relative to the centre of mass. */
static void find_contact_point(double *rx, double *ry, const scene *s, double phi)
{
    *rx = cos(phi) * s->sphere_x + sin(phi) * s->sphere_y;
    *ry = cos(phi) * s->sphere_y - sin(phi) * s->sphere_x - s->radius;
}

static void contact_velocity(double *u, const body *b, double rx, double ry)
{
    u[NORMAL] = b->vy - b->omega * rx;
    u[TANGENT] = b->vx + b->omega * ry;
}

/*
 * Apply the impact law v+ = -e v- and Coulomb's cone over the whole step. Returns the status of the
 * solver, 0 for success.
 */
static int solve_impact(body *after, const body *before, const scene *s, double rx, double ry,
                        SolverOptions *options)
{
    double u_before[CONTACT_SIZE], q[CONTACT_SIZE], mu = s->mu;
    double reaction[CONTACT_SIZE] = {0, 0}, velocity[CONTACT_SIZE] = {0, 0};
    double w[CONTACT_SIZE * CONTACT_SIZE] = {
        1 / s->mass + rx * rx / s->inertia,
        -rx * ry / s->inertia,
        -rx * ry / s->inertia,
        1 / s->mass + ry * ry / s->inertia,
    };
    contact_velocity(u_before, before, rx, ry);
    contact_velocity(q, after, rx, ry);
    q[NORMAL] += s->e * u_before[NORMAL];
    NumericsMatrix *matrix = NM_create_from_data(NM_DENSE, CONTACT_SIZE, CONTACT_SIZE, w);
    FrictionContactProblem problem = {CONTACT_SIZE, 1, matrix, q, &mu};
    const int info = fc2d_driver(&problem, reaction, velocity, options);
    after->vx += reaction[TANGENT] / s->mass;
    after->vy += reaction[NORMAL] / s->mass;
    after->omega += (ry * reaction[TANGENT] - rx * reaction[NORMAL]) / s->inertia;
    matrix->matrix0 = NULL; /* w, which must not be freed */
    NM_free(matrix);
    return info;
}

static int take_step(body *b, const scene *s, SolverOptions *options)
{
    const double h = s->step;
    const body before = *b;
    double rx, ry;
    int info = 0;
    b->vy -= h * s->gravity;
    find_contact_point(&rx, &ry, s, before.phi + h / 2 * before.omega);
    if (before.y + h / 2 * before.vy + ry <= 0) info = solve_impact(b, &before, s, rx, ry, options);
    b->x += h / 2 * (before.vx + b->vx);
    b->y += h / 2 * (before.vy + b->vy);
    b->phi += h / 2 * (before.omega + b->omega);
    return info;
}

static void write_row(const scene *s, double t, const body *b)
{
    scene_row(s, t, b->x, b->y, b->phi, b->vx, b->vy, b->omega);
}

int main(int argc, char **argv)
{
    const scene s = scene_read(argc, argv);
    body b = {s.x, s.y, s.phi, s.vx, s.vy, s.omega};
    SolverOptions *options =
        solver_options_create(s.best ? SICONOS_FRICTION_2D_LEMKE : SICONOS_FRICTION_2D_NSGS);
    write_row(&s, 0, &b);
    for (long i = 1, n = scene_steps(&s); i <= n; i++) {
        const double t = (double)i * s.step;
        if (take_step(&b, &s, options) != 0) fprintf(stderr, "t = %g s: the solver did not converge\n", t);
        write_row(&s, t, &b);
    }
    solver_options_delete(options);
    free(options); /* solver_options_delete does not free it */
    return scene_close(&s);
}
