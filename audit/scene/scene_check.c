/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene.h"

#include "core/expression.h"

#include <math.h>
#include <string.h>

/* part of a moment of inertia by which rounding may break the triangle inequality */
#define ROUNDED 1e-9
/* part of an orientation, or of an axis, that rounding may turn out of the plane */
#define OUT_OF_PLANE 1e-12

typedef struct checking {
    const ic_scene_file *file;
    const ic_world *world;
    ic_faults *faults;

    /* " (v = 3 m/s, phase = 0.25)"; "": the scene has one setting */
    char setting[128];

    /* what is checked, and where it begins in the file: "'ball': " */
    char of[80];
    ic_file_place place;
} checking;

/* ---- single values */

/* Adds a fault unless the value is good. The formula names the place if it is given. */
static void require(checking *c, bool good, const ic_scene_formula *formula, const char *what, double value,
                    const char *unit, const char *allowed)
{
    char number[32];
    if (good) return;
    ic_scene_number_text(number, sizeof number, value, 6);
    ic_fault_add(c->faults, ic_scene_given(formula) ? formula->place : c->place, "%s%s = %s%s%s%s: %s", c->of,
                 what, number, unit[0] != '\0' ? " " : "", unit, c->setting, allowed);
}

static void require_finite(checking *c, const ic_scene_formula formulas[3], const char *what,
                           const double values[3], const char *unit)
{
    for (int k = 0; k < 3; k++)
        require(c, isfinite(values[k]), &formulas[k], what, values[k], unit, "it must be finite");
}

static bool is_in_plane(const checking *c, double value)
{
    return c->file->dimension == 3 || fabs(value) <= OUT_OF_PLANE;
}

/* A component that does not exist in a plane. */
static void require_plane(checking *c, const ic_scene_formula *formula, const char *what, double value,
                          const char *unit)
{
    require(c, is_in_plane(c, value), formula, what, value, unit, "in dimension 2 it must be 0");
}

static void require_positive(checking *c, const ic_scene_formula *formula, const char *what, double value,
                             const char *unit, const char *allowed)
{
    require(c, value > 0 && isfinite(value), formula, what, value, unit, allowed);
}

/* An axis is not given where it is the default, z. */
static void require_axis(checking *c, const ic_scene_formula axis[3], double scale)
{
    double v[3], length = 0;
    if (!ic_scene_given(&axis[0])) return;
    for (int k = 0; k < 3; k++) {
        v[k] = ic_scene_evaluate(&axis[k], &(ic_scene_values){.par = c->world->par});
        length = hypot(length, v[k]);
    }
    require_positive(c, &axis[0], "length of the axis", length, "", "an axis must have a direction");
    const double off = hypot(v[0], v[1]) * scale / length;
    require(c, !(length > 0) || is_in_plane(c, off), &axis[0], "part of the axis across z", off, "",
            "in dimension 2 an axis must be along z");
}

/* ---- parts */

static void check_motion(checking *c)
{
    const ic_scene_file *file = c->file;
    const ic_world *w = c->world;
    const double until = ic_scene_evaluate(&file->until, &(ic_scene_values){.par = w->par});
    char steps[80];
    require_positive(c, &file->step, "step", w->step, "s", "a step must be positive");
    require_positive(c, &file->until, "until", until, "s", "the end must be after the start");
    snprintf(steps, sizeof steps, "with this step, a motion must have at most %.0f steps", IC_MOST_WORLD_STEPS);
    require(c, w->steps > 0 || !(w->step > 0 && until > 0), &file->until, "until", until, "s", steps);
    require(c, w->restitution >= 0 && w->restitution <= 1, &file->restitution, "restitution", w->restitution,
            "", "it must be from 0 to 1");
    require(c, w->friction >= 0 && isfinite(w->friction), &file->friction, "friction", w->friction, "",
            "it must be 0 or positive, and finite");
    require_finite(c, file->gravity, "gravity", w->gravity, "m/s^2");
    require_plane(c, &file->gravity[2], "z of the gravity", w->gravity[2], "m/s^2");
}

static void check_shapes(checking *c, const ic_rigid_body *text, const ic_world_body *body)
{
    for (size_t i = 0; i < body->n_shapes; i++) {
        const ic_scene_shape *shape = &text->shapes[i];
        const double *size = body->shapes[i].size, *at = body->shapes[i].at;
        for (int k = 0; k < 3 && shape->kind == IC_SCENE_SHAPE_BOX; k++)
            require_positive(c, &shape->size[k], "edge of a box", 2 * size[k], "m", "an edge must be positive");
        if (shape->kind == IC_SCENE_SHAPE_SPHERE)
            require_positive(c, &shape->size[0], "radius", size[0], "m", "a radius must be positive");
        require_finite(c, shape->at, "place of a shape", at, "m");
        require_plane(c, &shape->at[2], "z of a shape", at[2], "m");
    }
}

/* Masses are made of points: a moment is at most the sum of the two others. */
static void check_inertia(checking *c, const ic_rigid_body *text, const double inertia[3])
{
    const double sum = inertia[0] + inertia[1] + inertia[2];
    const bool positive = inertia[0] > 0 && inertia[1] > 0 && inertia[2] > 0;
    for (int k = 0; k < 3; k++) {
        require_positive(c, &text->inertia[k], "moment of inertia", inertia[k], "kg m^2",
                         "a moment of inertia must be positive");
        require(c, !positive || 2 * inertia[k] <= sum * (1 + ROUNDED), &text->inertia[k], "moment of inertia",
                inertia[k], "kg m^2", "no mass has a moment greater than the sum of the two others");
    }
}

static void check_body(checking *c, const ic_rigid_body *text, const ic_world_body *body)
{
    const double angle = ic_scene_evaluate(&text->angle, &(ic_scene_values){.par = c->world->par});
    snprintf(c->of, sizeof c->of, "'%.60s': ", text->name);
    c->place = text->place;
    require_finite(c, text->at, "at", body->at, "m");
    require_plane(c, &text->at[2], "z of the place", body->at[2], "m");
    require(c, isfinite(angle), &text->angle, "angle", angle, "rad", "it must be finite");
    /* an angle of 0 turns about no axis */
    require_axis(c, text->axis, fabs(sin(angle / 2)));
    check_shapes(c, text, body);
    if (text->fixed) return;
    require_positive(c, &text->mass, "mass", body->mass, "kg", "a mass must be positive");
    /* moments of a shape are wrong only where its size or mass is */
    if (text->has_inertia) check_inertia(c, text, body->inertia);
    require_finite(c, text->velocity, "velocity", body->velocity, "m/s");
    require_plane(c, &text->velocity[2], "z of the velocity", body->velocity[2], "m/s");
    require_finite(c, text->spin, "spin", body->spin, "rad/s");
    require_plane(c, &text->spin[0], "x of the spin", body->spin[0], "rad/s");
    require_plane(c, &text->spin[1], "y of the spin", body->spin[1], "rad/s");
}

static void check_hinge(checking *c, const ic_scene_hinge *text, const ic_world_hinge *hinge)
{
    const ic_rigid_body *bodies = c->file->bodies;
    snprintf(c->of, sizeof c->of, "hinge of '%.25s' and '%.25s': ", bodies[hinge->bodies[0]].name,
             bodies[hinge->bodies[1]].name);
    c->place = text->place;
    require_finite(c, text->at, "at", hinge->at, "m");
    require_axis(c, text->axis, 1);
    require(c, hinge->from <= 0, &text->from, "from", hinge->from, "rad",
            "the least angle must be at most 0, the angle at the start");
    require(c, hinge->to >= 0, &text->to, "to", hinge->to, "rad",
            "the greatest angle must be at least 0, the angle at the start");
}

static void check_window(checking *c, const ic_scene_figure *figure)
{
    size_t first = 0, last = 0;
    if (ic_world_window(c->world, figure, &first, &last)) return;
    const ic_scene_formula *begin = ic_scene_given(&figure->from) ? &figure->from : &figure->to;
    const ic_scene_values values = {.par = c->world->par};
    ic_fault_add(c->faults, begin->place,
                 "figure '%.60s': no row is from %.6g s to %.6g s%s: rows are every %.6g s, to %.6g s",
                 figure->name, ic_scene_evaluate(&figure->from, &values),
                 ic_scene_given(&figure->to) ? ic_scene_evaluate(&figure->to, &values) : INFINITY, c->setting,
                 c->world->step, (double)c->world->steps * c->world->step);
}

/* ---- all settings */

static void name_setting(checking *c, size_t setting)
{
    char text[120];
    c->setting[0] = '\0';
    if (c->file->n_products == 0) return;
    ic_scene_setting_text(text, sizeof text, c->file, setting);
    snprintf(c->setting, sizeof c->setting, " (%s)", text);
}

static void check_setting(checking *c)
{
    c->of[0] = '\0';
    check_motion(c);
    for (size_t i = 0; i < c->file->n_bodies; i++) check_body(c, &c->file->bodies[i], &c->world->bodies[i]);
    for (size_t i = 0; i < c->file->n_hinges; i++) check_hinge(c, &c->file->hinges[i], &c->world->hinges[i]);
    for (size_t i = 0; i < c->file->n_figures && c->faults->n_faults == 0; i++) {
        if (ic_world_judges(c->world, &c->file->figures[i])) check_window(c, &c->file->figures[i]);
    }
}

/* Settings that other files add may be the only ones in which a figure is judged. */
static void check_judged(checking *c, const ic_scene_figure *figure)
{
    const size_t n = ic_scene_settings(c->file);
    ic_world world;
    bool judged = !ic_scene_given(&figure->when);
    for (size_t i = 0; i < n && !judged; i++) {
        ic_world_make(&world, c->file, i);
        judged = ic_world_judges(&world, figure);
    }
    if (!judged)
        ic_fault_add(c->faults, figure->when.place,
                     "figure '%.60s': 'when' holds in no setting, so that nothing is judged", figure->name);
}

bool ic_scene_check(const ic_scene_file *file, ic_faults *faults)
{
    const size_t n = ic_scene_settings(file);
    ic_world world;
    checking c = {.file = file, .world = &world, .faults = faults};
    for (size_t i = 0; i < n && faults->n_faults == 0; i++) {
        ic_world_make(&world, file, i);
        name_setting(&c, i);
        check_setting(&c);
    }
    for (size_t k = 0; k < file->n_figures; k++) check_judged(&c, &file->figures[k]);
    return faults->n_faults == 0;
}

/* ---- figures */

static bool refuse_figure(const checking *c, const ic_scene_figure *figure, const ic_scene_formula *formula,
                          const char *what, double value, const char *allowed, ic_error *error)
{
    const bool unit = strcmp(figure->unit, "1") != 0;
    char number[32];
    ic_scene_number_text(number, sizeof number, value, 6);
    ic_error_set(error, "%s:%zu:%zu: figure '%.60s': %s = %s%s%s%s: %s", c->file->path, formula->place.line,
                 formula->place.column, figure->name, what, number, unit ? " " : "", unit ? figure->unit : "",
                 c->setting, allowed);
    return false;
}

static bool check_figure(const checking *c, const ic_scene_figure *figure, const double *answers,
                         ic_error *error)
{
    const ic_scene_values values = {.par = c->world->par, .known = answers};
    const double exact = ic_scene_evaluate(&figure->exact, &values),
                 tolerance = ic_scene_evaluate(&figure->tolerance, &values);
    if (!isfinite(exact))
        return refuse_figure(c, figure, &figure->exact, "exact value", exact, "it must be finite", error);
    if (figure->bound == IC_BOUND_IS && !(tolerance > 0 && isfinite(tolerance)))
        return refuse_figure(c, figure, &figure->tolerance, "tolerance", tolerance,
                             "it must be positive and finite", error);
    if (!(tolerance >= 0 && isfinite(tolerance)))
        return refuse_figure(c, figure, &figure->tolerance, "tolerance", tolerance,
                             "it must be 0 or positive, and finite", error);
    return true;
}

/* Predictions with a fitted constant, or certified with other parameters, have no values here. */
static bool check_predictions(const checking *c, const ic_scene_mistake *mistake, const double *answers,
                              ic_error *error)
{
    const ic_scene_values values = {.par = c->world->par, .known = answers};
    if (mistake->constant[0] != '\0' || mistake->n_others > 0) return true;
    for (size_t i = 0; i < mistake->n_predictions; i++) {
        const ic_scene_prediction *p = &mistake->predictions[i];
        const ic_scene_figure *figure = &c->file->figures[p->figure];
        const double value = ic_scene_evaluate(&p->value, &values);
        if (!isfinite(value) && ic_world_judges(c->world, figure))
            return refuse_figure(c, figure, &p->value, "prediction", value, "it must be finite", error);
    }
    return true;
}

bool ic_scene_check_figures(const ic_scene_file *file, size_t setting, const double *answers, ic_error *error)
{
    ic_world world;
    checking c = {.file = file, .world = &world};
    bool good = true;
    ic_world_make(&world, file, setting);
    name_setting(&c, setting);
    for (size_t k = 0; k < file->n_figures && good; k++)
        good =
            !ic_world_judges(&world, &file->figures[k]) || check_figure(&c, &file->figures[k], answers, error);
    for (size_t i = 0; i < file->n_mistakes && good; i++)
        good = check_predictions(&c, &file->mistakes[i], answers, error);
    return good;
}
