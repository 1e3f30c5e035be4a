/* SPDX-License-Identifier: MIT */
/*
 * MuJoCo 2.2: contact is a spring and a damper in the space of accelerations; there is no
 * coefficient of restitution. default: its settings, steps of 2 ms at most; E is ignored. best:
 * steps of 1/960 s at most, the stiffest spring that the step resolves, with the damper for which
 * the restitution is E.
 */
#include "adapters/engines/scene.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_STEP 2e-3
/* Steps per half period of the undamped contact. */
#define STEPS_PER_CONTACT 40
#define HIGHEST_IMPEDANCE 0.9999
/* time constant of a stop of a hinge, in steps: the least that MuJoCo accepts */
#define STEPS_PER_STOP 2
/* bound of a hinge without one, rad */
#define FAR 1e6

typedef struct model_text {
    FILE *out;
    const scene *scene;
    const scene_link *links;
    double h;
} model_text;

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

/* ---- the model as text */

static void write_numbers(FILE *out, const char *name, const double *v, int n)
{
    fprintf(out, " %s='", name);
    for (int i = 0; i < n; i++) fprintf(out, " %.17g", v[i]);
    fprintf(out, "'");
}

/* Contact is between the pairs of shapes that the model lists, all with the same coefficients. */
static void write_options(const model_text *m)
{
    const scene *s = m->scene;
    fprintf(m->out, "<mujoco><compiler angle='radian'/><option timestep='%.17g' collision='predefined'", m->h);
    write_numbers(m->out, "gravity", s->gravity, 3);
    if (s->best) fprintf(m->out, " integrator='RK4' cone='elliptic' iterations='200' tolerance='0'");
    fprintf(m->out, "/><default><pair condim='3' friction='%.17g %.17g 0 0 0'", s->mu, s->mu);
    if (s->best) {
        const double omega = SCENE_PI / (STEPS_PER_CONTACT * m->h);
        fprintf(m->out, " solref='%.17g %.17g' solimp='%g %g 0.001 0.5 1'", -omega * omega,
                -2 * damping_ratio(s->e) * omega, HIGHEST_IMPEDANCE, HIGHEST_IMPEDANCE);
    }
    fprintf(m->out, "/></default>");
}

/* A shape in the frame of its body, or, of a fixed body, in that of the ground. */
static void write_geom(const model_text *m, size_t body, size_t i)
{
    const scene_body *b = &m->scene->bodies[body];
    const scene_shape *shape = &b->shapes[i];
    double x[3], turn[4];
    memcpy(x, shape->centre, sizeof x);
    scene_turn_of(turn, 0);
    if (b->fixed) {
        scene_point_on(x, b, shape->centre);
        memcpy(turn, b->turn, sizeof turn);
    }
    fprintf(m->out, "<geom name='%zu.%zu'", body, i);
    write_numbers(m->out, "pos", x, 3);
    if (shape->kind == SCENE_PLANE) {
        /* its normal is z */
        scene_plane(x, b);
        fprintf(m->out, " type='plane' size='0 0 1'");
        write_numbers(m->out, "zaxis", x, 3);
    } else {
        write_numbers(m->out, "quat", turn, 4);
    }
    if (shape->kind == SCENE_SPHERE) fprintf(m->out, " type='sphere' size='%.17g'", shape->radius);
    if (shape->kind == SCENE_BOX) {
        fprintf(m->out, " type='box'");
        write_numbers(m->out, "size", shape->half, 3);
    }
    fprintf(m->out, "/>");
}

static void write_pairs(const model_text *m, size_t a, size_t b)
{
    const scene_body *p = &m->scene->bodies[a], *q = &m->scene->bodies[b];
    if ((p->fixed && q->fixed) || scene_hinged(m->scene, a, b)) return;
    for (size_t i = 0; i < p->n_shapes; i++)
        for (size_t k = 0; k < q->n_shapes; k++)
            fprintf(m->out, "<pair geom1='%zu.%zu' geom2='%zu.%zu'/>", a, i, b, k);
}

static void write_joint(const model_text *m, size_t i)
{
    const scene_body *b = &m->scene->bodies[i];
    const scene_link *link = &m->links[i];
    double d[3], point[3], axis[3];
    if (!link->hinged) {
        fprintf(m->out, m->scene->dimension == 3 ? "<freejoint/>"
                                                 : "<joint type='slide' axis='1 0 0'/><joint type='slide' "
                                                   "axis='0 1 0'/><joint type='hinge' axis='0 0 1'/>");
        return;
    }
    for (int k = 0; k < 3; k++) d[k] = link->point[k] - b->position[k];
    scene_to_body(point, b->turn, d);
    scene_to_body(axis, b->turn, link->axis);
    fprintf(m->out, "<joint type='hinge' limited='true'");
    if (m->scene->best) fprintf(m->out, " solreflimit='%.17g 1'", STEPS_PER_STOP * m->h);
    write_numbers(m->out, "pos", point, 3);
    write_numbers(m->out, "axis", axis, 3);
    write_numbers(m->out, "range", (const double[]){fmax(link->lower, -FAR), fmin(link->upper, FAR)}, 2);
    fprintf(m->out, "/>");
}

/* Where the coordinates of a body are 0. */
static void find_origin(double position[3], double turn[4], const scene *s, const scene_link *link,
                        const scene_body *b)
{
    if (link->hinged && !s->bodies[link->parent].fixed) {
        scene_pose_in(position, turn, &s->bodies[link->parent], b);
        return;
    }
    memcpy(position, b->position, sizeof b->position);
    memcpy(turn, b->turn, sizeof b->turn);
    if (link->hinged || s->dimension == 3) return;
    /* the coordinates of a planar body are its place and angle */
    position[0] = position[1] = 0;
    scene_turn_of(turn, 0);
}

/* A moving body; the bodies under it are elements within its element. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as the tree of bodies
static void write_body(const model_text *m, size_t i)
{
    const scene *s = m->scene;
    const scene_body *b = &s->bodies[i];
    const scene_link *link = &m->links[i];
    double position[3], turn[4];
    find_origin(position, turn, s, link, b);
    fprintf(m->out, "<body name='%zu'", i);
    write_numbers(m->out, "pos", position, 3);
    write_numbers(m->out, "quat", turn, 4);
    fprintf(m->out, ">");
    write_joint(m, i);
    fprintf(m->out, "<inertial pos='0 0 0' mass='%.17g'", b->mass);
    write_numbers(m->out, "diaginertia", b->inertia, 3);
    fprintf(m->out, "/>");
    for (size_t k = 0; k < b->n_shapes; k++) write_geom(m, i, k);
    for (size_t k = 0; k < s->n_bodies; k++)
        if (m->links[k].hinged && m->links[k].parent == i) write_body(m, k);
    fprintf(m->out, "</body>");
}

static void write_model(const model_text *m)
{
    const scene *s = m->scene;
    write_options(m);
    fprintf(m->out, "<worldbody>");
    for (size_t i = 0; i < s->n_bodies; i++) {
        for (size_t k = 0; k < s->bodies[i].n_shapes && s->bodies[i].fixed; k++) write_geom(m, i, k);
        if (!s->bodies[i].fixed && (!m->links[i].hinged || s->bodies[m->links[i].parent].fixed))
            write_body(m, i);
    }
    fprintf(m->out, "</worldbody><contact>");
    for (size_t a = 0; a < s->n_bodies; a++)
        for (size_t b = a + 1; b < s->n_bodies; b++) write_pairs(m, a, b);
    fprintf(m->out, "</contact></mujoco>");
}

static mjModel *compile(const char *text, size_t size)
{
    char error[500] = "";
    static mjVFS files;
    mj_defaultVFS(&files);
    const int at = mj_makeEmptyFileVFS(&files, "scene.xml", (int)size);
    if (at < 0) return NULL;
    memcpy(files.filedata[files.nfile - 1], text, size);
    mjModel *model = mj_loadXML("scene.xml", &files, error, sizeof error);
    if (model == NULL) fprintf(stderr, "%s\n", error);
    mj_deleteVFS(&files);
    return model;
}

static mjModel *load_model(const scene *s, const scene_link *links, double h)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    write_model(&(model_text){out, s, links, h});
    mjModel *model = fclose(out) == 0 ? compile(text, size) : NULL;
    free(text);
    return model;
}

/* ---- the motion */

static int id_of(const mjModel *model, size_t body)
{
    char name[32];
    snprintf(name, sizeof name, "%zu", body);
    return mj_name2id(model, mjOBJ_BODY, name);
}

static void set_planar(mjtNum *q, mjtNum *v, const scene_body *b)
{
    memcpy(q, b->position, 2 * sizeof *q);
    q[2] = scene_angle(b->turn);
    memcpy(v, b->velocity, 2 * sizeof *v);
    v[2] = b->spin[2];
}

/* The positions of hinges and of spatial bodies are those of the model. */
static void set_state(const scene *s, const scene_link *links, const mjModel *model, mjData *d)
{
    for (size_t i = 0; i < s->n_bodies; i++) {
        const scene_body *b = &s->bodies[i];
        if (b->fixed) continue;
        const int joint = model->body_jntadr[id_of(model, i)];
        mjtNum *q = d->qpos + model->jnt_qposadr[joint], *v = d->qvel + model->jnt_dofadr[joint];
        if (links[i].hinged) {
            v[0] = scene_link_rate(s, links, i);
        } else if (s->dimension == 2) {
            set_planar(q, v, b);
        } else {
            memcpy(v, b->velocity, sizeof b->velocity);
            scene_to_body(v + 3, b->turn, b->spin);
        }
    }
}

static void write_rows(const scene *s, double t, const mjModel *model, mjData *d)
{
    mj_kinematics(model, d);
    mj_comPos(model, d);
    mj_comVel(model, d);
    for (size_t i = 0; i < s->n_bodies; i++) {
        const int id = id_of(model, i);
        mjtNum v[6];
        if (s->bodies[i].fixed) continue;
        mj_objectVelocity(model, d, mjOBJ_BODY, id, v, 0);
        scene_row(t, &s->bodies[i], d->xpos + 3 * (size_t)id, d->xquat + 4 * (size_t)id, v + 3, v);
    }
}

/* Topics that the manual excludes with the default settings. */
static void write_defaults(const scene *s)
{
    const char *rebound = "MuJoCo manual, Modeling, 'Restitution': a contact rebounds if solref is set to "
                          "(-stiffness, -damping), unlike the default";
    scene_unpromised("restitution", rebound);
    scene_unpromised("slow-restitution", rebound);
    if (s->n_hinges > 0)
        scene_unpromised(
            "joints",
            "MuJoCo manual, Overview, 'Softness and slip': the model of contact and other constraints "
            "is inherently soft; solref and solimp set how much");
    if (s->dimension == 3)
        scene_unpromised(
            "friction", "MuJoCo manual, Modeling, 'Algorithms and related settings': elliptic cones are closer "
                        "to physical reality than the default, pyramids");
}

static void describe(const scene *s, double h)
{
    scene_setting("steps of %g s, %s", h,
                  s->best ? "RK4, elliptic cones, spring and damper of contacts by the step and E"
                          : "Euler, pyramidal cones, contacts with the default solref; E is not used");
    scene_unpromised("rest",
                     "MuJoCo manual, Overview, 'Softness and slip': gradual contact slip cannot be avoided");
    if (scene_overlaps(s))
        scene_unpromised("energy",
                         "MuJoCo manual, Overview, 'Divergence': where bodies are initialized in penetration, "
                         "large repulsive forces could push them away");
    if (!s->best) write_defaults(s);
}

static void play_model(const scene *s, const scene_link *links)
{
    const int parts = scene_parts(s, s->best ? scene_best_step() : DEFAULT_STEP);
    mjModel *model = load_model(s, links, s->step / parts);
    if (model == NULL) exit(3);
    mjData *d = mj_makeData(model);
    set_state(s, links, model, d);
    describe(s, s->step / parts);
    write_rows(s, 0, model, d);
    for (long i = 1; i <= s->steps; i++) {
        for (int k = 0; k < parts; k++) mj_step(model, d);
        write_rows(s, (double)i * s->step, model, d);
    }
    scene_end();
    mj_deleteData(d);
    mj_deleteModel(model);
}

static void play(const scene *s)
{
    scene_link *links = (scene_link *)calloc(s->n_bodies + 1, sizeof *links);
    size_t *order = (size_t *)calloc(s->n_bodies + 1, sizeof *order);
    if (links == NULL || order == NULL) exit(3);
    scene_engine("mujoco", mj_versionString());
    if (scene_tree(links, order, s)) play_model(s, links);
    else scene_unsupported("hinges that form a loop");
    free(links);
    free(order);
}

int main(void)
{
    scene s = {0};
    while (scene_read(&s)) play(&s);
    return scene_close();
}
