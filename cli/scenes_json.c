/* SPDX-License-Identifier: MIT */
#include "cli/audit_scenes.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* rows of a motion that are kept for its animation, at most */
#define FRAMES_MOST 120

static const char *const point_verdicts[] = {[IC_POINT_PASS] = "pass",
                                             [IC_POINT_FAIL] = "fail",
                                             [IC_POINT_UNPROMISED] = "not promised",
                                             [IC_POINT_NONE] = "not judged"};

static void add_settings(ic_json *json, const ic_scene_result *r)
{
    const ic_scene_file *file = r->file;
    double par[IC_SCENE_PARAMETERS_MOST];
    ic_json_array(json, "settings");
    for (size_t i = 0; i < r->n_settings; i++) {
        ic_scene_parameters(par, file, i);
        ic_json_object_line(json, NULL);
        for (size_t k = 0; k < file->n_parameters; k++) {
            if (ic_scene_varies(file, i, k)) ic_json_number(json, file->parameters[k].name, par[k]);
        }
        ic_json_end(json);
    }
    ic_json_end(json);
}

static void add_series(ic_json *json, const char *key, const ic_scene_result *r, size_t figure, size_t offset)
{
    ic_json_array_line(json, key);
    for (size_t i = 0; i < r->n_settings; i++) {
        const ic_scene_point *p = &r->points[i * r->file->n_figures + figure];
        double value = 0;
        memcpy(&value, (const char *)p + offset, sizeof value);
        ic_json_number(json, NULL, value);
    }
    ic_json_end(json);
}

static void add_figure(ic_json *json, const ic_scene_result *r, size_t k)
{
    static const char *const bounds[] = {
        [IC_BOUND_IS] = "is", [IC_BOUND_BELOW] = "below", [IC_BOUND_ABOVE] = "above"};
    const ic_scene_figure *figure = &r->file->figures[k];
    const ic_figure_result *result = &r->figures[k];
    ic_json_object(json, NULL);
    IC_JSON_TEXTS(json, {"name", figure->name}, {"meaning", figure->meaning}, {"unit", figure->unit},
                  {"bound", bounds[figure->bound]}, {"tolerance_because", figure->because});
    ic_json_integer(json, "passed", (long long)result->passed);
    ic_json_integer(json, "failed", (long long)result->failed);
    ic_json_integer(json, "not_promised", (long long)result->unpromised);
    ic_json_text(json, "not_promised_because",
                 result->unpromised_because[0] != '\0' ? result->unpromised_because : NULL);
    ic_json_integer(json, "worst_setting", (long long)result->worst);
    ic_json_number(json, "excess", result->excess);
    ic_json_text(json, "cause", result->cause != IC_NO_MISTAKE ? ic_mistake_name(result->cause) : NULL);
    ic_json_text(json, "because", result->because[0] != '\0' ? result->because : NULL);
    ic_json_number(json, "constant", result->constant);
    add_series(json, "measured", r, k, offsetof(ic_scene_point, measured));
    add_series(json, "exact", r, k, offsetof(ic_scene_point, exact));
    add_series(json, "tolerance", r, k, offsetof(ic_scene_point, tolerance));
    ic_json_array_line(json, "verdicts");
    for (size_t i = 0; i < r->n_settings; i++)
        ic_json_text(json, NULL, point_verdicts[r->points[i * r->file->n_figures + k].verdict]);
    ic_json_end(json);
    ic_json_end(json);
}

/* Places and angles in the plane of x and y, for an animation. */
static void add_motion(ic_json *json, const ic_scene_result *r)
{
    const ic_scene_motion *m = &r->motion;
    if (m->n_rows == 0) {
        ic_json_null(json, "motion");
        return;
    }
    const size_t stride = (m->n_rows + FRAMES_MOST - 1) / FRAMES_MOST;
    ic_json_object(json, "motion");
    ic_json_integer(json, "setting", (long long)r->shown);
    ic_json_array_line(json, "t");
    for (size_t i = 0; i < m->n_rows; i += stride) ic_json_number(json, NULL, m->times[i]);
    ic_json_end(json);
    ic_json_object(json, "bodies");
    for (size_t b = 0; b < r->file->n_bodies; b++) {
        if (r->file->bodies[b].fixed) continue;
        ic_json_array_line(json, r->file->bodies[b].name);
        for (size_t i = 0; i < m->n_rows; i += stride) {
            const double *q = m->rows + i * m->row_size + b * IC_SCENE_QUANTITY_COUNT;
            ic_json_number(json, NULL, q[IC_SCENE_X]);
            ic_json_number(json, NULL, q[IC_SCENE_Y]);
            ic_json_number(json, NULL, q[IC_SCENE_ANGLE]);
        }
        ic_json_end(json);
    }
    ic_json_end(json);
    ic_json_end(json);
}

static void add_result(ic_json *json, const ic_scene_result *r)
{
    ic_json_object(json, NULL);
    IC_JSON_TEXTS(json, {"engine", r->engine}, {"config", r->config}, {"settings_in_words", r->setting},
                  {"scene", r->file->name}, {"title", r->file->title},
                  {"verdict", ic_scene_verdict_text(r->verdict)});
    ic_json_integer(json, "broken", (long long)r->broken);
    ic_json_text(json, "detail", r->detail[0] != '\0' ? r->detail : NULL);
    ic_json_number(json, "spread", r->spread);
    ic_json_number(json, "seconds", r->seconds);
    add_settings(json, r);
    ic_json_array(json, "figures");
    for (size_t k = 0; k < r->file->n_figures; k++) add_figure(json, r, k);
    ic_json_end(json);
    add_motion(json, r);
    ic_json_end(json);
}

void cli_audit_scenes_json(FILE *out, const cli_audit_result *audit, const cli_scene_results *results,
                           const cli_engine_list *engines)
{
    ic_json json = ic_json_to(out);
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL) strftime(date, sizeof date, "%Y-%m-%d", &utc);
    ic_json_object(&json, NULL);
    cli_audit_json_members(&json, audit);
    ic_json_text(&json, "date", date);
    ic_json_array(&json, "results");
    for (size_t i = 0; i < results->n; i++) add_result(&json, &results->results[i]);
    ic_json_end(&json);
    ic_json_array_line(&json, "not_built");
    for (size_t i = 0; i < engines->n; i++) {
        if (engines->engines[i].program[0] == '\0') ic_json_text(&json, NULL, engines->engines[i].name);
    }
    ic_json_end(&json);
    ic_json_end(&json);
}
