/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene_world.h"

#include "core/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* rows of a motion at most */
#define STEPS_MOST 1e6
/* part of a step by which rounding may miss the end */
#define PART_OF_A_STEP 1e-9

/* ---- settings */

static size_t settings_of(const ic_scene_product *product)
{
    size_t n = 1;
    for (size_t i = 0; i < product->n; i++) n *= product->lists[i].n;
    return n;
}

size_t ic_scene_settings(const ic_scene_file *file)
{
    size_t n = 0;
    for (size_t i = 0; i < file->n_products; i++) n += settings_of(&file->products[i]);
    return n > 0 ? n : 1;
}

/* The product that has the setting, and its number there; NULL: the defaults. */
static const ic_scene_product *find_product(const ic_scene_file *file, size_t *setting)
{
    for (size_t i = 0; i < file->n_products; i++) {
        const size_t n = settings_of(&file->products[i]);
        if (*setting < n) return &file->products[i];
        *setting -= n;
    }
    return NULL;
}

/* The formula that a setting gives to a parameter; NULL: its own. */
static const ic_scene_formula *value_of_setting(const ic_scene_file *file, size_t setting, size_t parameter)
{
    size_t rest = setting;
    const ic_scene_product *product = find_product(file, &rest);
    for (size_t i = 0; product != NULL && i < product->n; i++) {
        const ic_scene_list *list = &product->lists[i];
        if (list->parameter == parameter) return &list->values[rest % list->n];
        rest /= list->n;
    }
    return NULL;
}

bool ic_scene_varies(const ic_scene_file *file, size_t setting, size_t parameter)
{
    return value_of_setting(file, setting, parameter) != NULL;
}

void ic_scene_parameters(double *par, const ic_scene_file *file, size_t setting)
{
    for (size_t i = 0; i < file->n_parameters; i++) {
        const ic_scene_formula *value = value_of_setting(file, setting, i);
        if (value == NULL) value = &file->parameters[i].value;
        par[i] = ic_scene_evaluate(value, &(ic_scene_values){.par = par});
    }
}

/* ---- numbers */

static double number(const ic_world *world, const ic_scene_formula *formula)
{
    return ic_scene_evaluate(formula, &(ic_scene_values){.par = world->par});
}

static void vector(double v[3], const ic_world *world, const ic_scene_formula formulas[3])
{
    for (int k = 0; k < 3; k++) v[k] = number(world, &formulas[k]);
}

/* A homogeneous sphere, or box with half lengths. */
static void inertia_of_shape(ic_world_body *body)
{
    const double *a = body->shapes[0].size;
    for (int k = 0; k < 3; k++) {
        const double b = a[(k + 1) % 3], c = a[(k + 2) % 3];
        body->inertia[k] = body->shapes[0].kind == IC_SCENE_SHAPE_SPHERE ? 0.4 * body->mass * a[0] * a[0]
                                                                         : body->mass * (b * b + c * c) / 3;
    }
}

/* About z, unless an axis is given. */
static void orient(ic_world_body *body, const ic_world *world, const ic_rigid_body *text)
{
    double axis[3] = {0, 0, 1};
    if (ic_scene_given(&text->axis[0])) vector(axis, world, text->axis);
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double half = number(world, &text->angle) / 2;
    body->turned[0] = cos(half);
    for (int k = 0; k < 3; k++) body->turned[k + 1] = sin(half) * axis[k] / length;
}

static void make_shapes(ic_world_body *body, const ic_world *world, const ic_rigid_body *text)
{
    for (size_t i = 0; i < text->n_shapes; i++) {
        const ic_scene_shape *shape = &text->shapes[i];
        body->shapes[i].kind = shape->kind;
        vector(body->shapes[i].size, world, shape->size);
        vector(body->shapes[i].at, world, shape->at);
        for (int k = 0; k < 3 && shape->kind == IC_SCENE_SHAPE_BOX; k++) body->shapes[i].size[k] /= 2;
    }
    body->n_shapes = text->n_shapes;
}

static void make_body(ic_world_body *body, const ic_world *world, const ic_rigid_body *text)
{
    *body = (ic_world_body){.name = text->name, .fixed = text->fixed, .mass = number(world, &text->mass)};
    make_shapes(body, world, text);
    if (text->has_inertia) vector(body->inertia, world, text->inertia);
    else if (!text->fixed) inertia_of_shape(body);
    vector(body->at, world, text->at);
    orient(body, world, text);
    vector(body->velocity, world, text->velocity);
    vector(body->spin, world, text->spin);
}

static bool is_possible(const ic_world_body *body, ic_error *error)
{
    bool good = body->fixed || (body->mass > 0 && isfinite(body->mass));
    for (int k = 0; k < 3; k++) {
        good &= isfinite(body->at[k]) && isfinite(body->velocity[k]) && isfinite(body->spin[k]) &&
                isfinite(body->turned[k + 1]) && (body->fixed || body->inertia[k] > 0);
    }
    for (size_t i = 0; i < body->n_shapes; i++)
        good &= body->shapes[i].kind == IC_SCENE_SHAPE_PLANE || body->shapes[i].size[0] > 0;
    if (!good)
        ic_error_set(error, "the body '%s' has a mass, a size or a place that is impossible", body->name);
    return good;
}

bool ic_world_make_with(ic_world *world, const ic_scene_file *file, const double *par, ic_error *error)
{
    *world = (ic_world){.file = file, .n_bodies = file->n_bodies, .n_hinges = file->n_hinges};
    memcpy(world->par, par, file->n_parameters * sizeof *par);
    vector(world->gravity, world, file->gravity);
    world->restitution = number(world, &file->restitution);
    world->friction = number(world, &file->friction);
    world->step = number(world, &file->step);
    const double steps = ceil(number(world, &file->until) / world->step - PART_OF_A_STEP);
    if (!(world->step > 0) || !(steps >= 1 && steps <= STEPS_MOST)) {
        ic_error_set(error, "a motion has from 1 to %g steps of positive length", STEPS_MOST);
        return false;
    }
    world->steps = (size_t)steps;
    for (size_t i = 0; i < file->n_bodies; i++) {
        make_body(&world->bodies[i], world, &file->bodies[i]);
        world->n_moving += !file->bodies[i].fixed;
        if (!is_possible(&world->bodies[i], error)) return false;
    }
    for (size_t i = 0; i < file->n_hinges; i++) {
        const ic_scene_hinge *text = &file->hinges[i];
        ic_world_hinge *hinge = &world->hinges[i];
        for (int k = 0; k < 2; k++) hinge->bodies[k] = file->bodies[text->bodies[k]].name;
        vector(hinge->at, world, text->at);
        vector(hinge->axis, world, text->axis);
        hinge->from = number(world, &text->from);
        hinge->to = number(world, &text->to);
    }
    return true;
}

bool ic_world_make(ic_world *world, const ic_scene_file *file, size_t setting, ic_error *error)
{
    double par[IC_SCENE_PARAMETERS_MOST] = {0};
    ic_scene_parameters(par, file, setting);
    return ic_world_make_with(world, file, par, error);
}

/* ---- lines */

static void write_numbers(FILE *out, const char *word, const double *values, int n)
{
    fputs(word, out);
    for (int k = 0; k < n; k++) fprintf(out, " %.17g", values[k]);
}

static void write_body(FILE *out, const ic_world_body *body)
{
    fprintf(out, "body %s %s", body->name, body->fixed ? "fixed" : "moving");
    if (!body->fixed) {
        fprintf(out, " %.17g", body->mass);
        write_numbers(out, "", body->inertia, 3);
    }
    write_numbers(out, "\nat", body->at, 3);
    write_numbers(out, "\nturned", body->turned, 4);
    if (!body->fixed) {
        write_numbers(out, "\nvelocity", body->velocity, 3);
        write_numbers(out, "\nspin", body->spin, 3);
    }
    for (size_t i = 0; i < body->n_shapes; i++) {
        const ic_scene_shape_kind kind = body->shapes[i].kind;
        if (kind == IC_SCENE_SHAPE_SPHERE) write_numbers(out, "\nsphere", body->shapes[i].size, 1);
        if (kind == IC_SCENE_SHAPE_BOX) write_numbers(out, "\nbox", body->shapes[i].size, 3);
        if (kind == IC_SCENE_SHAPE_PLANE) fputs("\nplane", out);
        else write_numbers(out, "", body->shapes[i].at, 3);
    }
    fputc('\n', out);
}

void ic_world_write(FILE *out, const ic_world *world, const char *config, const char *variant)
{
    const double material[] = {world->restitution, world->friction};
    fprintf(out, "scene %s\nconfig %s\n", world->file->name, config);
    if (variant != NULL && variant[0] != '\0') fprintf(out, "variant %s\n", variant);
    fprintf(out, "dimension %d\n", world->file->dimension);
    write_numbers(out, "gravity", world->gravity, 3);
    write_numbers(out, "\nmaterial", material, 2);
    write_numbers(out, "\nstep", &world->step, 1);
    fprintf(out, "\nsteps %zu\n", world->steps);
    for (size_t i = 0; i < world->n_bodies; i++) write_body(out, &world->bodies[i]);
    for (size_t i = 0; i < world->n_hinges; i++) {
        const ic_world_hinge *h = &world->hinges[i];
        fprintf(out, "hinge %s %s", h->bodies[0], h->bodies[1]);
        write_numbers(out, "", h->at, 3);
        write_numbers(out, "", h->axis, 3);
        fprintf(out, " %.17g %.17g\n", h->from, h->to);
    }
    fputs("run\n", out);
}
