/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene.h"
#include "core/random.h"

#include <math.h>
#include <string.h>

/* part of a step by which rounding may miss the end */
#define PART_OF_A_STEP 1e-9
/* part of a step by which a row may miss the beginning or end of a window */
#define PART_OF_A_WINDOW 1e-6

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

void ic_scene_parameters(double *par, const ic_scene_file *file, size_t setting)
{
    for (size_t i = 0; i < file->n_parameters; i++) {
        const ic_scene_formula *value = value_of_setting(file, setting, i);
        if (value == NULL) value = &file->parameters[i].value;
        par[i] = ic_scene_evaluate(value, &(ic_scene_values){.par = par});
    }
}

/* ---- text */

void ic_scene_number_text(char *text, size_t size, double value, int digits)
{
    if (isnan(value)) snprintf(text, size, "not a number");
    else snprintf(text, size, "%.*g", digits, value);
}

void ic_scene_setting_text(char *text, size_t size, const ic_scene_file *file, size_t setting)
{
    double par[IC_MOST_SCENE_PARAMETERS] = {0};
    ic_scene_parameters(par, file, setting);
    text[0] = '\0';
    for (size_t i = 0; i < file->n_parameters; i++) {
        const ic_scene_parameter *p = &file->parameters[i];
        if (value_of_setting(file, setting, i) == NULL) continue;
        const bool unit = strcmp(p->unit, "1") != 0;
        ic_text_append(text, size, "%s%s = %.4g%s%s", text[0] != '\0' ? ", " : "", p->name, par[i],
                       unit ? " " : "", unit ? p->unit : "");
    }
    if (text[0] == '\0') snprintf(text, size, "as it comes");
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
    *body = (ic_world_body){.fixed = text->fixed, .mass = number(world, &text->mass)};
    snprintf(body->name, sizeof body->name, "%s", text->name);
    make_shapes(body, world, text);
    if (text->has_inertia) vector(body->inertia, world, text->inertia);
    else if (!text->fixed) inertia_of_shape(body);
    vector(body->at, world, text->at);
    orient(body, world, text);
    vector(body->velocity, world, text->velocity);
    vector(body->spin, world, text->spin);
}

/* 0: none, or more than a motion may have */
static size_t steps_of(const ic_world *world)
{
    const double steps = ceil(number(world, &world->file->until) / world->step - PART_OF_A_STEP);
    return world->step > 0 && steps >= 1 && steps <= IC_MOST_WORLD_STEPS ? (size_t)steps : 0;
}

static void make_hinge(ic_world_hinge *hinge, const ic_world *world, const ic_scene_hinge *text)
{
    for (int k = 0; k < 2; k++) hinge->bodies[k] = text->bodies[k];
    vector(hinge->at, world, text->at);
    vector(hinge->axis, world, text->axis);
    hinge->from = ic_scene_given(&text->from) ? number(world, &text->from) : -INFINITY;
    hinge->to = ic_scene_given(&text->to) ? number(world, &text->to) : INFINITY;
}

void ic_world_make(ic_world *world, const ic_scene_file *file, size_t setting)
{
    *world = (ic_world){.file = file, .n_bodies = file->n_bodies, .n_hinges = file->n_hinges};
    snprintf(world->name, sizeof world->name, "%s", file->name);
    ic_scene_parameters(world->par, file, setting);
    vector(world->gravity, world, file->gravity);
    world->restitution = number(world, &file->restitution);
    world->friction = number(world, &file->friction);
    world->step = number(world, &file->step);
    world->steps = steps_of(world);
    for (size_t i = 0; i < file->n_bodies; i++) {
        make_body(&world->bodies[i], world, &file->bodies[i]);
        if (ic_world_holds(world, &file->bodies[i].when)) world->order[world->n_seen++] = i;
        else world->bodies[i].fixed = true;
        world->n_moving += !world->bodies[i].fixed;
    }
    for (size_t i = 0; i < file->n_hinges; i++) make_hinge(&world->hinges[i], world, &file->hinges[i]);
}

static void draw_name(char *name, size_t size, char first, size_t number, uint64_t *seed)
{
    snprintf(name, size, "%c%03d-%zu", first, (int)ic_uniform(seed, 0, 1000), number);
}

void ic_world_disguise(ic_world *world, uint64_t seed)
{
    draw_name(world->name, sizeof world->name, 's', 0, &seed);
    for (size_t i = world->n_seen; i > 0; i--) {
        const size_t k = (size_t)ic_uniform(&seed, 0, (double)i), last = world->order[i - 1];
        world->order[i - 1] = world->order[k];
        world->order[k] = last;
    }
    for (size_t i = 0; i < world->n_seen; i++) {
        ic_world_body *body = &world->bodies[world->order[i]];
        draw_name(body->name, sizeof body->name, 'b', i, &seed);
    }
}

/* ---- figures */

bool ic_world_holds(const ic_world *world, const ic_scene_formula *condition)
{
    return !ic_scene_given(condition) || number(world, condition) > 0;
}

bool ic_world_is_round(const ic_world_body *body)
{
    const double *at = body->shapes[0].at;
    return body->n_shapes == 1 && body->shapes[0].kind == IC_SCENE_SHAPE_SPHERE && at[0] == 0 && at[1] == 0 &&
           at[2] == 0;
}

double ic_world_angle(const double turned[4])
{
    return 2 * atan2(turned[3], turned[0]);
}

bool ic_world_judges(const ic_world *world, const ic_scene_figure *figure)
{
    return ic_world_holds(world, &figure->when);
}

bool ic_world_window(const ic_world *world, const ic_scene_figure *figure, size_t *first, size_t *last)
{
    const double end = (double)world->steps;
    const double from = ceil(number(world, &figure->from) / world->step - PART_OF_A_WINDOW);
    const double to =
        ic_scene_given(&figure->to) ? floor(number(world, &figure->to) / world->step + PART_OF_A_WINDOW) : end;
    if (!(from <= end && to >= 0 && from <= to)) return false;
    *first = (size_t)fmax(from, 0);
    *last = (size_t)fmin(to, end);
    return true;
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
    fprintf(out, "scene %s\nconfig %s\n", world->name, config);
    if (variant != NULL && variant[0] != '\0') fprintf(out, "variant %s\n", variant);
    fprintf(out, "dimension %d\n", world->file->dimension);
    write_numbers(out, "gravity", world->gravity, 3);
    write_numbers(out, "\nmaterial", material, 2);
    write_numbers(out, "\nstep", &world->step, 1);
    fprintf(out, "\nsteps %zu\n", world->steps);
    for (size_t i = 0; i < world->n_seen; i++) write_body(out, &world->bodies[world->order[i]]);
    for (size_t i = 0; i < world->n_hinges; i++) {
        const ic_world_hinge *h = &world->hinges[i];
        fprintf(out, "hinge %s %s", world->bodies[h->bodies[0]].name, world->bodies[h->bodies[1]].name);
        write_numbers(out, "", h->at, 3);
        write_numbers(out, "", h->axis, 3);
        fprintf(out, " %.17g %.17g\n", h->from, h->to);
    }
    fputs("run\n", out);
}

void ic_world_lever(double r[2], const ic_world_body *body, double angle)
{
    const double *at = body->shapes[0].at, turned = ic_world_angle(body->turned) + angle;
    r[0] = cos(turned) * at[0] - sin(turned) * at[1];
    r[1] = sin(turned) * at[0] + cos(turned) * at[1] - body->shapes[0].size[0];
}
