/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene.h"

#include "core/expression.h"

#include <math.h>
#include <stdlib.h>

/* Part of a step by which states are later than their rows: at the time of an event they are undecided. */
#define LATE 1e-9

bool ic_scene_exact_known(const ic_world *world, size_t body)
{
    const ic_scene_path *path = &world->file->bodies[body].path;
    return path->given && ic_world_holds(world, &path->when);
}

bool ic_scene_exact_any(const ic_world *world)
{
    for (size_t i = 0; i < world->n_bodies; i++) {
        if (ic_scene_exact_known(world, i)) return true;
    }
    return false;
}

/* The value of a formula, or what is there at the start. */
static double value_or(const ic_scene_formula *formula, const ic_scene_values *values, double start)
{
    return ic_scene_given(formula) ? ic_scene_evaluate(formula, values) : start;
}

static ic_exact_place place_of(const ic_world *world, size_t body, const ic_scene_values *values)
{
    const ic_world_body *start = &world->bodies[body];
    const ic_scene_path *path = &world->file->bodies[body].path;
    ic_exact_place place;
    for (int k = 0; k < 3; k++) place.at[k] = value_or(&path->at[k], values, start->at[k]);
    for (int k = 0; k < 4; k++) place.turned[k] = value_or(&path->turned[k], values, start->turned[k]);
    place.angle = value_or(&path->angle, values, ic_world_angle(start->turned));
    return place;
}

static bool is_finite(const ic_exact_place *place)
{
    bool good = isfinite(place->angle);
    for (int k = 0; k < 3; k++) good = good && isfinite(place->at[k]);
    for (int k = 0; k < 4; k++) good = good && isfinite(place->turned[k]);
    return good;
}

ic_exact_place *ic_scene_exact_motion(const ic_world *world, size_t stride, size_t n, ic_error *error)
{
    double *times = calloc(n, sizeof *times);
    double *answers = calloc(n * IC_MOST_SCENE_ANSWERS, sizeof *answers);
    ic_exact_place *places = calloc(n * world->n_bodies, sizeof *places);
    bool good = times != NULL && answers != NULL && places != NULL;
    if (!good) ic_error_no_memory(error);
    for (size_t i = 0; good && i < n; i++) times[i] = ((double)(i * stride) + LATE) * world->step;
    good = good && ic_scene_answers_at(answers, world->file, world->par, times, n, error);
    for (size_t i = 0; good && i < n; i++) {
        const ic_scene_values values = {
            .t = times[i], .par = world->par, .known = answers + i * IC_MOST_SCENE_ANSWERS};
        for (size_t b = 0; b < world->n_bodies && good; b++) {
            if (!ic_scene_exact_known(world, b)) continue;
            places[i * world->n_bodies + b] = place_of(world, b, &values);
            good = is_finite(&places[i * world->n_bodies + b]);
            if (!good)
                ic_error_set(error, "the motion of '%s' is not finite at t = %.4g s", world->bodies[b].name,
                             times[i]);
        }
    }
    free(times);
    free(answers);
    if (good) return places;
    free(places);
    return NULL;
}
