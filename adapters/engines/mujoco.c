/* SPDX-License-Identifier: MIT */
/*
 * MuJoCo 2.2: contact is a spring and a damper in the space of accelerations; there is no
 * coefficient of restitution. default: its settings; E is ignored. best: the stiffest spring that
 * the step resolves, with the damper for which the restitution is E.
 */
#include "adapters/engines/scene.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

/* Steps per half period of the undamped contact. */
#define STEPS_PER_CONTACT 40
#define HIGHEST_IMPEDANCE 0.9999

/*
 * Restitution of a unilateral spring with the damping ratio z < 1, whose contact ends when its
 * force is zero, not its deflection.
 */
static double restitution(double z)
{
    const double w = sqrt(1 - z * z);
    return exp(-z / w * (SCENE_PI - atan2(2 * z * w, 1 - 2 * z * z)));
}

static double damping_ratio(double e)
{
    double low = 0, high = 1 - 1e-12;
    for (int i = 0; i < 100; i++) {
        const double z = (low + high) / 2;
        if (restitution(z) > e) low = z;
        else high = z;
    }
    return e < 1 ? low : 0;
}

static void write_model(char *text, size_t size, const scene *s)
{
    char option[200] = "", contact[300] = "";
    if (s->best) {
        const double omega = SCENE_PI / (STEPS_PER_CONTACT * s->step);
        snprintf(option, sizeof option, "integrator='RK4' cone='elliptic' iterations='200' tolerance='0'");
        snprintf(contact, sizeof contact, "solref='%.17g %.17g' solimp='%g %g 0.001 0.5 1'", -omega * omega,
                 -2 * damping_ratio(s->e) * omega, HIGHEST_IMPEDANCE, HIGHEST_IMPEDANCE);
    }
    snprintf(text, size,
             "<mujoco><option timestep='%.17g' gravity='0 %.17g 0' %s/>"
             "<default><geom friction='%.17g 0 0' condim='3' %s/></default><worldbody>"
             "<geom type='plane' size='0 0 1' zaxis='0 1 0'/>"
             "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='hinge' "
             "axis='0 0 -1'/>"
             "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>"
             "<geom type='sphere' size='%.17g' pos='%.17g %.17g 0'/></body></worldbody></mujoco>",
             s->step, -s->gravity, option, s->mu, contact, s->mass, s->inertia, s->inertia, s->inertia,
             s->radius, s->sphere_x, s->sphere_y);
}

static mjModel *load_model(const scene *s)
{
    char text[2000], error[500] = "";
    static mjVFS files;
    write_model(text, sizeof text, s);
    mj_defaultVFS(&files);
    const int size = (int)strlen(text);
    const int at = mj_makeEmptyFileVFS(&files, "scene.xml", size);
    if (at < 0) return NULL;
    memcpy(files.filedata[files.nfile - 1], text, (size_t)size);
    mjModel *model = mj_loadXML("scene.xml", &files, error, sizeof error);
    if (model == NULL) fprintf(stderr, "%s\n", error);
    mj_deleteVFS(&files);
    return model;
}

static void write_row(const scene *s, const mjData *d)
{
    scene_row(s, d->time, d->qpos[0], d->qpos[1], d->qpos[2], d->qvel[0], d->qvel[1], d->qvel[2]);
}

int main(int argc, char **argv)
{
    const scene s = scene_read(argc, argv);
    mjModel *model = load_model(&s);
    if (model == NULL) return 3;
    mjData *d = mj_makeData(model);
    const double q[] = {s.x, s.y, s.phi}, v[] = {s.vx, s.vy, s.omega};
    memcpy(d->qpos, q, sizeof q);
    memcpy(d->qvel, v, sizeof v);
    write_row(&s, d);
    for (long i = 1, n = scene_steps(&s); i <= n; i++) {
        mj_step(model, d);
        write_row(&s, d);
    }
    mj_deleteData(d);
    mj_deleteModel(model);
    return scene_close(&s);
}
