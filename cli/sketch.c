/* SPDX-License-Identifier: MIT */
#include "cli/sketch.h"

#include "core/shapes.h"
#include "reports/json.h"
#include "reports/sketch.h"

#include <stdlib.h>

/* The shape with its coordinates, by the names of their parts. NULL: memory ran out. */
static json_t *shape_data(const ic_shape *shape, const double *at)
{
    const ic_shape_form *form = &ic_shape_forms[shape->kind];
    json_t *data = json_object();
    bool good = json_object_set_new(data, "kind", json_string(form->name)) == 0;
    if (shape->label[0] != '\0')
        good = json_object_set_new(data, "label", json_string(shape->label)) == 0 && good;
    if (shape->dashed) good = json_object_set_new(data, "dashed", json_true()) == 0 && good;
    for (const ic_shape_part *part = form->parts; part->name != NULL; at += part++->n) {
        const bool omitted = shape->kind == IC_SHAPE_BALL && !part->length && !shape->marked;
        json_t *value = part->n == 1 ? ic_json_real(at[0]) : json_array();
        for (size_t i = 0; part->n > 1 && i < part->n; i++)
            good = json_array_append_new(value, ic_json_real(at[i])) == 0 && good;
        if (omitted) json_decref(value);
        else good = json_object_set_new(data, part->name, value) == 0 && good;
    }
    if (good) return data;
    json_decref(data);
    return NULL;
}

/* The shapes with their coordinates, which are null where they are not finite. NULL: memory ran out. */
static json_t *draw_shapes(const ic_problem *problem, double t, const double *x, int mode)
{
    const ic_case *system = problem->system;
    double *coordinates = malloc((ic_sketch_size(system) + 1) * sizeof *coordinates);
    json_t *shapes = coordinates == NULL ? NULL : json_array();
    if (shapes != NULL && system->n_shapes > 0) system->sketch(coordinates, t, x, mode, problem->par);
    for (size_t i = 0; shapes != NULL && i < system->n_shapes; i++) {
        const ic_shape *shape = &system->shapes[i];
        if (json_array_append_new(shapes, shape_data(shape, coordinates + shape->first)) == 0) continue;
        json_decref(shapes);
        shapes = NULL;
    }
    free(coordinates);
    return shapes;
}

json_t *cli_sketch_start(const ic_problem *problem)
{
    double x[IC_MAX_STATES + 1] = {0};
    const ic_jump *start = &problem->variant->start;
    const int branch = start->apply(x, problem->t_start, NULL, problem->par);
    return draw_shapes(problem, problem->t_start, x, start->branches[branch].mode);
}

bool cli_sketch_write(FILE *stream, const ic_problem *problem, const ic_log *log)
{
    const ic_sample end = ic_log_end(log);
    char title[512];
    json_t *shapes = cli_sketch_start(problem);
    json_t *later = end.x == NULL ? NULL : draw_shapes(problem, end.t, end.x, end.mode);
    snprintf(title, sizeof title, "%.400s, at the start of a run and, faintly, at its end",
             problem->system->title);
    const ic_sketch sketch = {.shapes = shapes, .later = later, .title = title, .alone = true};
    const bool good = shapes != NULL && ic_sketch_write(stream, &sketch);
    json_decref(shapes);
    json_decref(later);
    return good;
}
