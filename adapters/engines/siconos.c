/* SPDX-License-Identifier: MIT */
/*
 * Siconos numerics 4.4 solves the impact of all contacts; the time stepping around it (Moreau and
 * Jean's) is in this file, and contacts are found in siconos_contacts.c. default: projected
 * Gauss-Seidel with its tolerance, one step per row. best: steps of 1/960 s at most; Lemke's
 * pivoting in the plane, projected Gauss-Seidel to a small tolerance in space.
 */
#include "adapters/engines/scene.h"
#include "adapters/engines/siconos_contacts.h"

#include <math.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libsiconos_numerics.so.7; the package has no macro for it */
#define VERSION "4.4.0"

enum { BEST_ITERATIONS = 100000, ROTATION_ITERATIONS = 6 };
#define BEST_TOLERANCE 1e-12

typedef struct body {
    siconos_pose pose;
    double velocity[3], spin[3];
} body;

typedef struct simulation {
    const scene *scene;
    SolverOptions *options;

    /* step, s */
    double h;

    /* at the start and, until the contacts are solved, at the end of a free step */
    body *before, *after;

    /* in its middle */
    siconos_pose *middle;

    siconos_contacts *contacts;
} simulation;

/* ---- free motion */

/* The orientation after a turn by a vector of rotation in the frame of the ground. */
static void turn_by(double out[4], const double turn[4], const double rotation[3])
{
    const double angle =
        sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]);
    const double factor = angle > 0 ? sin(angle / 2) / angle : 0.5;
    const double q[4] = {cos(angle / 2), factor * rotation[0], factor * rotation[1], factor * rotation[2]};
    scene_turn_product(out, q, turn);
}

/* Multiply by the inertia (power 1) or its inverse (power -1), in the frame of the ground. */
static void apply_inertia(double out[3], const scene_body *b, const double turn[4], const double in[3],
                          int power)
{
    double v[3];
    scene_to_body(v, turn, in);
    for (int i = 0; i < 3; i++) v[i] *= power > 0 ? b->inertia[i] : 1 / b->inertia[i];
    scene_to_ground(out, turn, v);
}

/* Turns by h times the mean of two angular velocities. */
static void turn_with_mean(double out[4], const double turn[4], double h, const double w[3], const double u[3])
{
    const double rotation[3] = {h / 2 * (w[0] + u[0]), h / 2 * (w[1] + u[1]), h / 2 * (w[2] + u[2])};
    turn_by(out, turn, rotation);
}

/* The angular momentum is constant; the mean angular velocity turns the body. */
static void turn_freely(body *after, const body *before, const scene_body *b, double h)
{
    double momentum[3];
    apply_inertia(momentum, b, before->pose.turn, before->spin, 1);
    memcpy(after->spin, before->spin, sizeof after->spin);
    for (int i = 0; i < ROTATION_ITERATIONS; i++) {
        turn_with_mean(after->pose.turn, before->pose.turn, h, before->spin, after->spin);
        apply_inertia(after->spin, b, after->pose.turn, momentum, -1);
    }
}

static void move_freely(const simulation *sim, size_t i)
{
    const scene_body *b = &sim->scene->bodies[i];
    const body *before = &sim->before[i];
    const double h = sim->h, *w = before->spin;
    sim->after[i] = *before;
    sim->middle[i] = before->pose;
    if (b->fixed) return;
    const double rotation[3] = {h / 2 * w[0], h / 2 * w[1], h / 2 * w[2]};
    turn_by(sim->middle[i].turn, before->pose.turn, rotation);
    for (int k = 0; k < 3; k++) {
        sim->middle[i].position[k] += h / 2 * before->velocity[k];
        sim->after[i].velocity[k] += h * sim->scene->gravity[k];
    }
    if (sim->scene->dimension == 3) turn_freely(&sim->after[i], before, b, h);
}

/* ---- contacts */

static void arm_of(double arm[3], const simulation *sim, const siconos_contact *c, size_t i)
{
    for (int k = 0; k < 3; k++) arm[k] = c->point[k] - sim->middle[i].position[k];
}

/* The velocity of a along an axis of the contact's frame, relative to b, at the point of contact. */
static double relative_velocity(const simulation *sim, const siconos_contact *c, const body *bodies,
                                size_t axis)
{
    const double *direction = c->frame[axis];
    const size_t sides[2] = {c->a, c->b};
    double u = 0;
    for (int side = 0; side < 2; side++) {
        double arm[3], v[3];
        const body *b = &bodies[sides[side]];
        arm_of(arm, sim, c, sides[side]);
        siconos_cross(v, b->spin, arm);
        for (int k = 0; k < 3; k++) u += (side == 0 ? 1 : -1) * direction[k] * (v[k] + b->velocity[k]);
    }
    return u;
}

/* Changes the velocities of a body by an impulse at a point of contact. */
static void push(body *bodies, const simulation *sim, const siconos_contact *c, size_t i,
                 const double impulse[3])
{
    const scene_body *b = &sim->scene->bodies[i];
    double arm[3], moment[3], spin[3];
    if (b->fixed) return;
    arm_of(arm, sim, c, i);
    siconos_cross(moment, arm, impulse);
    apply_inertia(spin, b, sim->middle[i].turn, moment, -1);
    for (int k = 0; k < 3; k++) {
        bodies[i].velocity[k] += impulse[k] / b->mass;
        bodies[i].spin[k] += spin[k];
    }
}

static void push_both(body *bodies, const simulation *sim, const siconos_contact *c, size_t axis, double size)
{
    const double *direction = c->frame[axis];
    double impulse[3];
    for (int k = 0; k < 3; k++) impulse[k] = size * direction[k];
    push(bodies, sim, c, c->a, impulse);
    for (int k = 0; k < 3; k++) impulse[k] = -impulse[k];
    push(bodies, sim, c, c->b, impulse);
}

/* The column of the matrix of the contacts: velocities after a unit impulse. */
static void fill_column(double *w, const simulation *sim, size_t column, size_t n)
{
    const size_t d = (size_t)sim->scene->dimension, i = column / d;
    body *moved = (body *)calloc(sim->scene->n_bodies, sizeof *moved);
    if (moved == NULL) exit(3);
    push_both(moved, sim, &sim->contacts->items[i], column % d, 1);
    for (size_t row = 0; row < n; row++)
        w[row + n * column] = relative_velocity(sim, &sim->contacts->items[row / d], moved, row % d);
    free(moved);
}

/* Apply the impact law v+ = -e v- and Coulomb's cone over the whole step: the reactions. */
static int find_reactions(double *reaction, simulation *sim)
{
    const scene *s = sim->scene;
    const size_t d = (size_t)s->dimension, count = sim->contacts->count, n = d * count;
    double *w = (double *)calloc(n * n + 2 * n + count, sizeof *w);
    if (w == NULL) exit(3);
    double *q = w + n * n, *velocity = q + n, *mu = velocity + n;
    for (size_t i = 0; i < n; i++) {
        const siconos_contact *c = &sim->contacts->items[i / d];
        fill_column(w, sim, i, n);
        mu[i / d] = s->mu;
        q[i] = relative_velocity(sim, c, sim->after, i % d);
        if (i % d == 0) q[i] += s->e * relative_velocity(sim, c, sim->before, 0);
    }
    NumericsMatrix *matrix = NM_create_from_data(NM_DENSE, (int)n, (int)n, w);
    FrictionContactProblem problem = {(int)d, (int)count, matrix, q, mu};
    const int info = d == 2 ? fc2d_driver(&problem, reaction, velocity, sim->options)
                            : fc3d_driver(&problem, reaction, velocity, sim->options);
    matrix->matrix0 = NULL; /* w, which must not be freed */
    NM_free(matrix);
    free(w);
    return info;
}

static int solve_contacts(simulation *sim)
{
    const size_t d = (size_t)sim->scene->dimension, n = d * sim->contacts->count;
    double *reaction = (double *)calloc(n, sizeof *reaction);
    if (reaction == NULL) exit(3);
    const int info = find_reactions(reaction, sim);
    for (size_t i = 0; i < n; i++) push_both(sim->after, sim, &sim->contacts->items[i / d], i % d, reaction[i]);
    free(reaction);
    return info;
}

/* ---- the motion */

static int take_step(simulation *sim)
{
    const scene *s = sim->scene;
    int info = 0;
    for (size_t i = 0; i < s->n_bodies; i++) move_freely(sim, i);
    siconos_find_contacts(sim->contacts, s, sim->middle);
    if (sim->contacts->count > 0) info = solve_contacts(sim);
    for (size_t i = 0; i < s->n_bodies; i++) {
        const body *before = &sim->before[i];
        body *after = &sim->after[i];
        if (s->bodies[i].fixed) continue;
        for (int k = 0; k < 3; k++)
            after->pose.position[k] += sim->h / 2 * (before->velocity[k] + after->velocity[k]);
        turn_with_mean(after->pose.turn, before->pose.turn, sim->h, before->spin, after->spin);
    }
    memcpy(sim->before, sim->after, s->n_bodies * sizeof *sim->before);
    return info;
}

static void write_rows(const simulation *sim, double t)
{
    for (size_t i = 0; i < sim->scene->n_bodies; i++) {
        const body *b = &sim->before[i];
        if (!sim->scene->bodies[i].fixed)
            scene_row(t, &sim->scene->bodies[i], b->pose.position, b->pose.turn, b->velocity, b->spin);
    }
}

static SolverOptions *make_options(const scene *s)
{
    const bool planar = s->dimension == 2;
    const int solver = !planar   ? SICONOS_FRICTION_3D_NSGS
                       : s->best ? SICONOS_FRICTION_2D_LEMKE
                                 : SICONOS_FRICTION_2D_NSGS;
    SolverOptions *options = solver_options_create(solver);
    if (s->best && !planar) {
        options->dparam[SICONOS_DPARAM_TOL] = BEST_TOLERANCE;
        options->iparam[SICONOS_IPARAM_MAX_ITER] = BEST_ITERATIONS;
    }
    scene_setting("%s, own time stepping of Moreau and Jean around it", solver_options_id_to_name(solver));
    return options;
}

static void place_bodies(simulation *sim)
{
    for (size_t i = 0; i < sim->scene->n_bodies; i++) {
        const scene_body *b = &sim->scene->bodies[i];
        memcpy(sim->before[i].pose.position, b->position, sizeof b->position);
        memcpy(sim->before[i].pose.turn, b->turn, sizeof b->turn);
        memcpy(sim->before[i].velocity, b->velocity, sizeof b->velocity);
        memcpy(sim->before[i].spin, b->spin, sizeof b->spin);
    }
}

static void play_steps(simulation *sim, int parts)
{
    const scene *s = sim->scene;
    place_bodies(sim);
    write_rows(sim, 0);
    for (long i = 1; i <= s->steps; i++) {
        const double t = (double)i * s->step;
        for (int k = 0; k < parts; k++)
            if (take_step(sim) != 0) fprintf(stderr, "t = %g s: the solver did not converge\n", t);
        write_rows(sim, t);
    }
    scene_end();
}

static void play(const scene *s)
{
    const char *obstacle = siconos_obstacle(s);
    const int parts = s->best ? scene_parts(s, scene_best_step()) : 1;
    const size_t n = s->n_bodies + 1;
    scene_engine("siconos", VERSION);
    if (obstacle != NULL) {
        scene_unsupported("%s", obstacle);
        return;
    }
    siconos_contacts contacts = {0};
    simulation sim = {.scene = s,
                      .contacts = &contacts,
                      .options = make_options(s),
                      .h = s->step / parts,
                      .before = (body *)calloc(n, sizeof *sim.before),
                      .after = (body *)calloc(n, sizeof *sim.after),
                      .middle = (siconos_pose *)calloc(n, sizeof *sim.middle)};
    if (sim.before == NULL || sim.after == NULL || sim.middle == NULL) exit(3);
    play_steps(&sim, parts);
    solver_options_delete(sim.options);
    free(sim.options); /* solver_options_delete does not free it */
    free(sim.before);
    free(sim.after);
    free(sim.middle);
    free(contacts.items);
}

int main(void)
{
    scene s = {0};
    while (scene_read(&s)) play(&s);
    return scene_close();
}
