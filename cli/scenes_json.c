/* SPDX-License-Identifier: MIT */
/*
 * Results of scenes as JSON (reports/schema/engines.schema.json). What a scene is stands there once;
 * numbers have the digits that a reader of the verdict needs.
 */
#include "cli/audit_scenes.h"

#include "cli/parts.h"
#include "impactcheck/impactcheck.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* rows of a motion that are kept for its animation, at most */
#define FRAMES_MOST 120
/* significant digits of places and angles, and of figures at least */
#define DIGITS 6
/* digits of a figure beyond its tolerance */
#define DIGITS_BEYOND 3

static const char *text_or_null(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

/* ---- scenes */

/* The settings: products of lists, the first list fastest. Values are those of the settings. */
static size_t add_product(ic_json *json, const ic_scene_file *file, size_t product, size_t first)
{
    const ic_scene_product *p = &file->products[product];
    double par[IC_SCENE_PARAMETERS_MOST];
    size_t stride = 1;
    ic_json_object_line(json, NULL);
    for (size_t k = 0; k < p->n; k++) {
        const ic_scene_list *list = &p->lists[k];
        ic_json_array(json, file->parameters[list->parameter].name);
        for (size_t i = 0; i < list->n; i++) {
            ic_scene_parameters(par, file, first + i * stride);
            ic_json_number_short(json, NULL, par[list->parameter], DIGITS);
        }
        ic_json_end(json);
        stride *= list->n;
    }
    ic_json_end(json);
    return first + stride;
}

static bool is_listed(const ic_scene_file *file, size_t parameter)
{
    for (size_t i = 0; i < file->n_products; i++) {
        for (size_t k = 0; k < file->products[i].n; k++) {
            if (file->products[i].lists[k].parameter == parameter) return true;
        }
    }
    return false;
}

static void add_parameters(ic_json *json, const ic_scene_file *file)
{
    ic_json_array(json, "parameters");
    for (size_t k = 0; k < file->n_parameters; k++) {
        const ic_scene_parameter *p = &file->parameters[k];
        if (!is_listed(file, k)) continue;
        ic_json_object_line(json, NULL);
        IC_JSON_TEXTS(json, {"name", p->name}, {"unit", p->unit}, {"meaning", p->meaning});
        ic_json_end(json);
    }
    ic_json_end(json);
}

static void add_scene(ic_json *json, const ic_scene_file *file)
{
    static const char *const bounds[] = {
        [IC_BOUND_IS] = "is", [IC_BOUND_BELOW] = "below", [IC_BOUND_ABOVE] = "above"};
    ic_json_object(json, NULL);
    IC_JSON_TEXTS(json, {"scene", file->name}, {"title", file->title}, {"asks", file->asks});
    ic_json_integer(json, "dimension", file->dimension);
    add_parameters(json, file);
    ic_json_array(json, "settings");
    for (size_t i = 0, first = 0; i < file->n_products; i++) first = add_product(json, file, i, first);
    ic_json_end(json);
    ic_json_array(json, "figures");
    for (size_t k = 0; k < file->n_figures; k++) {
        const ic_scene_figure *f = &file->figures[k];
        ic_json_object(json, NULL);
        IC_JSON_TEXTS(json, {"name", f->name}, {"meaning", f->meaning}, {"unit", f->unit},
                      {"bound", bounds[f->bound]}, {"topic", text_or_null(f->topic)},
                      {"tolerance_because", f->because});
        ic_json_end(json);
    }
    ic_json_end(json);
    ic_json_end(json);
}

/* ---- figures */

static int digits_for(double value, double tolerance)
{
    const double beyond = ceil(log10(fabs(value) / tolerance)) + DIGITS_BEYOND;
    return value != 0 && beyond > DIGITS && beyond < 17 ? (int)beyond : DIGITS;
}

/* One number if it is that of all settings. */
static void add_series(ic_json *json, const char *key, const ic_scene_result *r, size_t figure, size_t offset)
{
    double value = 0, first = 0;
    bool same = true;
    memcpy(&first, (const char *)ic_scene_point_of(r, 0, figure) + offset, sizeof first);
    for (size_t i = 1; i < r->n_settings && same; i++) {
        memcpy(&value, (const char *)ic_scene_point_of(r, i, figure) + offset, sizeof value);
        same = value == first || (isnan(value) && isnan(first));
    }
    if (same) {
        ic_json_number_short(json, key, first, digits_for(first, ic_scene_point_of(r, 0, figure)->tolerance));
        return;
    }
    ic_json_array_line(json, key);
    for (size_t i = 0; i < r->n_settings; i++) {
        memcpy(&value, (const char *)ic_scene_point_of(r, i, figure) + offset, sizeof value);
        ic_json_number_short(json, NULL, value, digits_for(value, ic_scene_point_of(r, i, figure)->tolerance));
    }
    ic_json_end(json);
}

/* A letter for each setting. */
static void add_verdicts(ic_json *json, const ic_scene_result *r, size_t figure)
{
    static const char letters[] = {
        [IC_POINT_PASS] = 'p', [IC_POINT_FAIL] = 'F', [IC_POINT_UNPROMISED] = 'u', [IC_POINT_NONE] = '-'};
    char text[IC_SCENE_SETTINGS_MOST + 1] = "";
    for (size_t i = 0; i < r->n_settings; i++) text[i] = letters[ic_scene_point_of(r, i, figure)->verdict];
    ic_json_text(json, "verdicts", text);
}

static void add_figure(ic_json *json, const ic_scene_result *r, size_t k)
{
    const ic_figure_result *f = &r->figures[k];
    const bool known = f->cause != IC_NO_MISTAKE;
    ic_json_object(json, NULL);
    ic_json_text(json, "name", r->file->figures[k].name);
    ic_json_integer(json, "passed", (long long)f->passed);
    ic_json_integer(json, "failed", (long long)f->failed);
    ic_json_integer(json, "not_promised", (long long)f->unpromised);
    ic_json_integer(json, "worst_setting", (long long)f->worst);
    ic_json_number_short(json, "excess", f->excess, DIGITS);
    IC_JSON_TEXTS(json, {"not_promised_because", text_or_null(f->unpromised_because)},
                  {"cause", known ? ic_mistake_name(f->cause) : NULL},
                  {"cause_text", known ? ic_mistake_text(f->cause) : NULL},
                  {"because", text_or_null(f->because)});
    ic_json_number_short(json, "constant", f->constant, DIGITS);
    add_series(json, "measured", r, k, offsetof(ic_scene_point, measured));
    add_series(json, "exact", r, k, offsetof(ic_scene_point, exact));
    add_series(json, "tolerance", r, k, offsetof(ic_scene_point, tolerance));
    add_verdicts(json, r, k);
    ic_json_end(json);
}

/* ---- the motion, for an animation */

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
    return (motion->n_rows + FRAMES_MOST - 1) / FRAMES_MOST;
}

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

/* Places and orientations in all frames, or of a fixed body; in the plane an angle is sufficient. */
static void add_body(ic_json *json, const ic_scene_result *r, const ic_world_body *body, size_t b)
{
    static const char *const axes[] = {"x", "y", "z"};
    const double angle = 2 * atan2(body->turned[3], body->turned[0]);
    const int dimension = r->file->dimension;
    ic_json_object(json, NULL);
    ic_json_text(json, "name", body->name);
    ic_json_bool(json, "fixed", body->fixed);
    add_shapes(json, body);
    for (int k = 0; k < 3 && k < dimension; k++) {
        if (body->fixed) add_numbers(json, axes[k], &body->at[k], 1);
        else add_quantity(json, axes[k], r, b, IC_SCENE_X + k);
    }
    if (body->fixed && dimension == 2) add_numbers(json, "angle", &angle, 1);
    else if (body->fixed) add_numbers(json, "turned", body->turned, 4);
    else if (dimension == 2) add_quantity(json, "angle", r, b, IC_SCENE_ANGLE);
    else add_orientations(json, r, b);
    ic_json_end(json);
}

static void add_motion(ic_json *json, const ic_scene_result *r)
{
    const ic_scene_motion *m = &r->motion;
    ic_world world;
    ic_error error;
    if (m->n_rows == 0 || !ic_world_make(&world, r->file, r->shown, &error)) {
        ic_json_null(json, "motion");
        return;
    }
    ic_json_object(json, "motion");
    ic_json_integer(json, "setting", (long long)r->shown);
    ic_json_number_short(json, "interval", (double)frame_stride(m) * world.step, DIGITS);
    ic_json_array(json, "bodies");
    for (size_t b = 0; b < world.n_bodies; b++) add_body(json, r, &world.bodies[b], b);
    ic_json_end(json);
    ic_json_end(json);
}

/* ---- results */

/* "rapier3d 0.21.0": what is behind the name, in the first scene in which the engine says it. */
static const char *version_of(const ic_scene_result *results, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *space = strchr(results[i].engine, ' ');
        if (space != NULL) return space + 1;
    }
    return "";
}

static void add_result(ic_json *json, const ic_scene_result *r, const char *engine, const char *version)
{
    ic_json_object(json, NULL);
    IC_JSON_TEXTS(json, {"engine", engine}, {"version", version}, {"config", r->config},
                  {"settings_in_words", r->setting}, {"scene", r->file->name},
                  {"verdict", ic_scene_verdict_text(r->verdict)});
    ic_json_integer(json, "broken", (long long)r->broken);
    ic_json_text(json, "detail", text_or_null(r->detail));
    ic_json_number_short(json, "spread", r->spread, DIGITS);
    ic_json_number_short(json, "seconds", r->seconds, 3);
    ic_json_array(json, "figures");
    for (size_t k = 0; k < r->file->n_figures; k++) add_figure(json, r, k);
    ic_json_end(json);
    add_motion(json, r);
    ic_json_end(json);
}

static void add_origin(ic_json *json)
{
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL) strftime(date, sizeof date, "%Y-%m-%d", &utc);
    IC_JSON_TEXTS(json, {"date", date}, {"impactcheck", ic_version()});
}

void cli_audit_scenes_json(FILE *out, const cli_audit_result *audit, const cli_scene_results *results,
                           const cli_engine_list *engines)
{
    ic_json json = ic_json_to(out);
    const size_t n = results->scenes->n;
    ic_json_object(&json, NULL);
    cli_audit_json_verdict(&json, audit);
    add_origin(&json);
    ic_json_array(&json, "scenes");
    for (size_t k = 0; k < n; k++) add_scene(&json, results->scenes->files[k]);
    ic_json_end(&json);
    ic_json_array(&json, "results");
    for (size_t i = 0; i < results->n_parts; i++) {
        const ic_scene_result *of_part = &results->results[i * n];
        const char *version = version_of(of_part, n);
        for (size_t k = 0; k < n; k++) add_result(&json, &of_part[k], results->parts[i].name, version);
    }
    ic_json_end(&json);
    ic_json_array_line(&json, "not_built");
    for (size_t i = 0; i < engines->n; i++) {
        if (engines->engines[i].program[0] == '\0') ic_json_text(&json, NULL, engines->engines[i].name);
    }
    ic_json_end(&json);
    if (audit->times != NULL) cli_times_json(&json, "times", audit->times);
    ic_json_end(&json);
}
