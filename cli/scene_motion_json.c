/* SPDX-License-Identifier: MIT */
/* The motion that an engine plays, for an animation beside the exact one (reports/schema/engines.yaml). */
#include "audit/scene/scene.h"
#include "cli/audit_scenes.h"

#include <stdlib.h>

/* rows that are kept, at most */
#define MOST_FRAMES 120
/* significant digits of places and angles */
#define DIGITS 6

static const char *const axes[] = {"x", "y", "z"};

static void add_numbers(ic_json *json, const char *key, const double *values, size_t n)
{
    ic_json_array_line(json, key);
    for (size_t i = 0; i < n; i++) ic_json_number_short(json, NULL, values[i], DIGITS);
    ic_json_end(json);
}

static void add_shapes(ic_json *json, const ic_world_body *body)
{
    static const char *const kinds[] = {
        [IC_SCENE_SHAPE_SPHERE] = "sphere", [IC_SCENE_SHAPE_BOX] = "box", [IC_SCENE_SHAPE_PLANE] = "plane"};
    static const size_t sizes[] = {
        [IC_SCENE_SHAPE_SPHERE] = 1, [IC_SCENE_SHAPE_BOX] = 3, [IC_SCENE_SHAPE_PLANE] = 0};
    ic_json_array(json, "shapes");
    for (size_t i = 0; i < body->n_shapes; i++) {
        const ic_scene_shape_kind kind = body->shapes[i].kind;
        ic_json_object_line(json, NULL);
        ic_json_text(json, "kind", kinds[kind]);
        add_numbers(json, "size", body->shapes[i].size, sizes[kind]);
        add_numbers(json, "at", body->shapes[i].at, 3);
        ic_json_end(json);
    }
    ic_json_end(json);
}

static size_t frame_stride(const ic_scene_motion *motion)
{
    return (motion->n_rows + MOST_FRAMES - 1) / MOST_FRAMES;
}

static size_t frames_of(const ic_scene_motion *motion)
{
    return (motion->n_rows - 1) / frame_stride(motion) + 1;
}

/* ---- the motion that is played */

static void add_quantity(ic_json *json, const char *key, const ic_scene_result *r, size_t body, int quantity)
{
    const ic_scene_motion *m = &r->motion;
    const double *first = m->rows + body * IC_SCENE_QUANTITY_COUNT + (size_t)quantity;
    ic_json_array_line(json, key);
    for (size_t i = 0; i < m->n_rows; i += frame_stride(m))
        ic_json_number_short(json, NULL, first[i * m->row_size], DIGITS);
    ic_json_end(json);
}

static void add_orientations(ic_json *json, const ic_scene_result *r, size_t body)
{
    const ic_scene_motion *m = &r->motion;
    ic_json_array_line(json, "turned");
    for (size_t i = 0; i < m->n_rows; i += frame_stride(m)) {
        for (size_t k = 0; k < 4; k++)
            ic_json_number_short(json, NULL, m->turned[4 * (i * r->file->n_bodies + body) + k], DIGITS);
    }
    ic_json_end(json);
}

/* ---- the exact motion */

/* Numbers in all frames, `width` each from `first` on; those of the first frame only if they stay the same. */
static void add_exact_numbers(ic_json *json, const char *key, const ic_scene_result *r, const double *first,
                              size_t width)
{
    const size_t stride = r->file->n_bodies * (sizeof(ic_exact_place) / sizeof(double));
    const size_t n = frames_of(&r->motion);
    bool same = true;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < width; k++) same = same && first[i * stride + k] == first[k];
    }
    ic_json_array_line(json, key);
    for (size_t i = 0; i < (same ? 1 : n); i++) {
        for (size_t k = 0; k < width; k++) ic_json_number_short(json, NULL, first[i * stride + k], DIGITS);
    }
    ic_json_end(json);
}

static void add_exact(ic_json *json, const ic_scene_result *r, const ic_world *world, size_t body,
                      const ic_exact_place *first)
{
    /* a sphere whose orientation the scene does not state has none */
    const bool oriented =
        ic_scene_given(&r->file->bodies[body].path.turned[0]) || !ic_world_is_round(&world->bodies[body]);
    ic_json_object(json, "exact");
    for (int k = 0; k < 3 && k < r->file->dimension; k++) add_exact_numbers(json, axes[k], r, &first->at[k], 1);
    if (r->file->dimension == 2) add_exact_numbers(json, "angle", r, &first->angle, 1);
    else if (oriented) add_exact_numbers(json, "turned", r, first->turned, 4);
    ic_json_end(json);
}

/* ---- all of it */

/* Places and orientations in all frames, or of a fixed body; in the plane an angle is sufficient. */
static void add_body(ic_json *json, const ic_scene_result *r, const ic_world *world, size_t b,
                     const ic_exact_place *exact)
{
    const ic_world_body *body = &world->bodies[b];
    const double angle = ic_world_angle(body->turned);
    const int dimension = r->file->dimension;
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("name", body->name), IC_FLAG("fixed", body->fixed));
    add_shapes(json, body);
    for (int k = 0; k < 3 && k < dimension; k++) {
        if (body->fixed) add_numbers(json, axes[k], &body->at[k], 1);
        else add_quantity(json, axes[k], r, b, IC_SCENE_X + k);
    }
    if (body->fixed && dimension == 2) add_numbers(json, "angle", &angle, 1);
    else if (body->fixed) add_numbers(json, "turned", body->turned, 4);
    else if (dimension == 2) add_quantity(json, "angle", r, b, IC_SCENE_ANGLE);
    else add_orientations(json, r, b);
    if (exact != NULL && ic_scene_exact_known(world, b)) add_exact(json, r, world, b, &exact[b]);
    ic_json_end(json);
}

void cli_scene_motion_json(ic_json *json, const ic_scene_result *r)
{
    const ic_scene_motion *m = &r->motion;
    ic_world world;
    ic_error error;
    ic_exact_place *exact = NULL;
    const char *missing = NULL;
    if (m->n_rows == 0) {
        ic_json_null(json, "motion");
        return;
    }
    ic_world_make(&world, r->file, r->shown);
    if (ic_scene_exact_any(&world)) {
        exact = ic_scene_exact_motion(&world, frame_stride(m), frames_of(m), &error);
        missing = exact == NULL ? error.text : NULL;
    }
    ic_json_object(json, "motion");
    ic_json_integer(json, "setting", (long long)r->shown);
    ic_json_number_short(json, "interval", (double)frame_stride(m) * world.step, DIGITS);
    ic_json_text(json, "exact_missing", missing);
    ic_json_array(json, "bodies");
    for (size_t b = 0; b < world.n_bodies; b++) add_body(json, r, &world, b, exact);
    ic_json_end(json);
    ic_json_end(json);
    free(exact);
}
