/* SPDX-License-Identifier: MIT */
/*
 * Results of scenes as JSON (reports/schema/engines.yaml). What a scene is stands there once;
 * numbers have the digits that a reader of the verdict needs.
 */
#include "cli/audit_scenes.h"

#include "cli/parts.h"
#include "impactcheck/impactcheck.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* significant digits of figures at least */
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
    double par[IC_MOST_SCENE_PARAMETERS];
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
        IC_JSON_ROW(json, NULL, IC_TEXT("name", p->name), IC_TEXT("unit", p->unit),
                    IC_TEXT("meaning", p->meaning));
    }
    ic_json_end(json);
}

static void add_scene(ic_json *json, const ic_scene_file *file)
{
    static const char *const bounds[] = {
        [IC_BOUND_IS] = "is", [IC_BOUND_BELOW] = "below", [IC_BOUND_ABOVE] = "above"};
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("scene", file->name), IC_TEXT("title", file->title),
                    IC_TEXT("asks", file->asks), IC_WHOLE("dimension", file->dimension));
    add_parameters(json, file);
    ic_json_array(json, "settings");
    for (size_t i = 0, first = 0; i < file->n_products; i++) first = add_product(json, file, i, first);
    ic_json_end(json);
    ic_json_array(json, "figures");
    for (size_t k = 0; k < file->n_figures; k++) {
        const ic_scene_figure *f = &file->figures[k];
        ic_json_object(json, NULL);
        IC_JSON_MEMBERS(json, IC_TEXT("name", f->name), IC_TEXT("meaning", f->meaning),
                        IC_TEXT("unit", f->unit), IC_TEXT("bound", bounds[f->bound]),
                        IC_TEXT("topic", text_or_null(f->topic)), IC_TEXT("tolerance_because", f->because));
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
    char text[IC_MOST_SCENE_SETTINGS + 1] = "";
    for (size_t i = 0; i < r->n_settings; i++) text[i] = letters[ic_scene_point_of(r, i, figure)->verdict];
    ic_json_text(json, "verdicts", text);
}

static void add_figure(ic_json *json, const ic_scene_result *r, size_t k)
{
    const ic_figure_result *f = &r->figures[k];
    const bool known = f->cause != IC_NO_MISTAKE;
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("name", r->file->figures[k].name), IC_WHOLE("passed", f->passed),
                    IC_WHOLE("failed", f->failed), IC_WHOLE("not_promised", f->unpromised),
                    IC_WHOLE("worst_setting", f->worst));
    ic_json_number_short(json, "excess", f->excess, DIGITS);
    IC_JSON_MEMBERS(json, IC_TEXT("not_promised_because", text_or_null(f->unpromised_because)),
                    IC_TEXT("cause", known ? ic_mistake_name(f->cause) : NULL),
                    IC_TEXT("cause_text", known ? ic_mistake_text(f->cause) : NULL),
                    IC_TEXT("because", text_or_null(f->because)));
    ic_json_number_short(json, "constant", f->constant, DIGITS);
    add_series(json, "measured", r, k, offsetof(ic_scene_point, measured));
    add_series(json, "exact", r, k, offsetof(ic_scene_point, exact));
    add_series(json, "tolerance", r, k, offsetof(ic_scene_point, tolerance));
    add_verdicts(json, r, k);
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

static void add_result(ic_json *json, const ic_scene_result *r, const cli_scene_part *part, const char *version)
{
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("engine", part->engine->given), IC_TEXT("name", part->name),
                    IC_TEXT("version", version), IC_TEXT("config", r->config),
                    IC_TEXT("settings_in_words", r->setting), IC_TEXT("scene", r->file->name),
                    IC_TEXT("verdict", ic_scene_verdict_text(r->verdict)),
                    IC_TEXT("law", r->law.found.decided ? r->law.found.candidates[0].name : NULL),
                    IC_TEXT("law_because", text_or_null(r->law.found.detail)), IC_WHOLE("broken", r->broken),
                    IC_TEXT("detail", text_or_null(r->detail)));
    ic_json_number_short(json, "spread", r->spread, DIGITS);
    ic_json_number_short(json, "seconds", r->seconds, 3);
    ic_json_array(json, "figures");
    for (size_t k = 0; k < r->file->n_figures; k++) add_figure(json, r, k);
    ic_json_end(json);
    cli_scene_motion_json(json, r);
    ic_json_end(json);
}

static void add_origin(ic_json *json)
{
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL) strftime(date, sizeof date, "%Y-%m-%d", &utc);
    IC_JSON_MEMBERS(json, IC_TEXT("date", date), IC_TEXT("impactcheck", ic_version()));
}

void cli_scenes_json(FILE *out, const cli_scenes_audit *a, const cli_audit_result *audit)
{
    ic_json json = ic_json_to(out);
    const size_t n = a->scenes.n;
    ic_json_object(&json, NULL);
    cli_audit_json_verdict(&json, audit);
    add_origin(&json);
    if (a->drawn) ic_json_integer(&json, "seed", (long long)a->seed);
    ic_json_array(&json, "scenes");
    for (size_t k = 0; k < n; k++) add_scene(&json, a->scenes.files[k]);
    ic_json_end(&json);
    ic_json_array(&json, "results");
    for (size_t i = 0; i < a->n_parts; i++) {
        const ic_scene_result *of_part = &a->results[i * n];
        const char *version = version_of(of_part, n);
        for (size_t k = 0; k < n; k++) add_result(&json, &of_part[k], &a->parts[i], version);
    }
    ic_json_end(&json);
    ic_json_array_line(&json, "not_built");
    for (size_t i = 0; i < a->engines.n; i++) {
        if (a->engines.engines[i].program[0] == '\0') ic_json_text(&json, NULL, a->engines.engines[i].name);
    }
    ic_json_end(&json);
    if (audit->times != NULL) cli_times_json(&json, "times", audit->times);
    ic_json_end(&json);
}
