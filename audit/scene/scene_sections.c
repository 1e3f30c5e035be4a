/* SPDX-License-Identifier: MIT */
/* Reads the answers of a scene: its case, its figures, and the mistakes that explain others. */
#include "audit/scene/scene_reader.h"
#include "registry/registry.h"

#include <stdlib.h>
#include <string.h>

enum { CONSTANT_POINTS = 41, CONSTANT_POINTS_MOST = 2000 };

/* A name of audit/common/mistakes.def; IC_NO_MISTAKE if the key is absent. */
static bool read_mistake_name(ic_scene_reader *r, ic_mistake_id *id, const ic_yaml *section, const char *key)
{
    const ic_yaml *name = ic_yaml_get(section, key);
    *id = IC_NO_MISTAKE;
    if (name == NULL) return true;
    *id = ic_mistake_find(name->text);
    if (*id != IC_NO_MISTAKE) return true;
    const char *names[IC_MISTAKE_COUNT];
    for (int i = 1; i < IC_MISTAKE_COUNT; i++) names[i - 1] = ic_mistake_name((ic_mistake_id)i);
    return ic_fault_add(&r->faults, name->place, "no mistake is called '%s'%s", name->text,
                        ic_meant_hint(name->text, names, IC_MISTAKE_COUNT - 1).text);
}

/* ---- the case */

bool ic_scene_read_case(ic_scene_reader *r, const ic_yaml *section)
{
    static const char *const keys[] = {"preset", "variant", "set", "until", NULL};
    ic_scene_case *answer = &r->file->answer;
    if (section == NULL) return true;
    if (!ic_scene_keys(r, section, keys)) return false;
    answer->path = ic_scene_text(r, section, "preset", NULL);
    answer->variant = ic_scene_text(r, section, "variant", "");
    if (answer->path == NULL || answer->variant == NULL)
        return ic_fault_add(&r->faults, section->place, "a case has 'preset': CASE/PRESET");
    const char *name = ic_arena_copy(&r->file->arena, answer->path, strcspn(answer->path, "/"));
    r->system = name != NULL ? ic_case_find(name) : NULL;
    if (r->system == NULL)
        return ic_fault_add(&r->faults, ic_yaml_get(section, "preset")->place, "there is no case '%s'", name);
    const ic_yaml *set = ic_yaml_get(section, "set"), *until = ic_yaml_get(section, "until");
    if (until != NULL && !ic_scene_read_quantity(r, &answer->until, until, "s", "the end of the case's run"))
        return false;
    if (set == NULL) return true;
    answer->names = ic_arena_take(&r->file->arena, set->n_keys * sizeof *answer->names + 1);
    answer->values = ic_arena_take(&r->file->arena, set->n_keys * sizeof *answer->values + 1);
    if (answer->names == NULL || answer->values == NULL) return ic_fault_memory(&r->faults, set->place);
    for (size_t i = 0; i < set->n_keys; i++) {
        answer->names[i] = set->keys[i]->text;
        if (!ic_scene_read_formula(r, &answer->values[i], set->items[i], IC_USE_PARAMETERS)) return false;
        answer->n++;
    }
    return true;
}

/* ---- figures */

static bool read_take(ic_scene_reader *r, ic_scene_figure *figure, const ic_yaml *section)
{
    static const char *const words[] = {
        [IC_TAKE_END] = "end",     [IC_TAKE_START] = "start", [IC_TAKE_MOST] = "most",
        [IC_TAKE_LEAST] = "least", [IC_TAKE_MEAN] = "mean",   [IC_TAKE_RANGE] = "range"};
    const ic_yaml *from = ic_yaml_get(section, "from"), *to = ic_yaml_get(section, "to");
    const char *take = ic_scene_text(r, section, "take", words[IC_TAKE_END]);
    size_t i = 0;
    if (take == NULL) return false;
    while (i < IC_COUNT(words) && strcmp(words[i], take) != 0) i++;
    if (i == IC_COUNT(words))
        return ic_fault_add(&r->faults, ic_yaml_get(section, "take")->place,
                            "'take' is end, start, most, least, mean or range");
    figure->take = (ic_scene_take)i;
    return (from == NULL || ic_scene_read_quantity(r, &figure->from, from, "s", "'from'")) &&
           (to == NULL || ic_scene_read_quantity(r, &figure->to, to, "s", "'to'"));
}

static bool same_dimension(ic_scene_reader *r, const ic_scene_figure *figure, const ic_scene_formula *other,
                           const ic_yaml *place)
{
    char own[IC_DIMENSION_TEXT], given[IC_DIMENSION_TEXT];
    if (ic_dimensions_equal(&figure->measure.dimension, &other->dimension)) return true;
    return ic_fault_add(&r->faults, place->place, "units differ: the figure '%s' is in %s, but this is in %s",
                        figure->name, ic_dimension_text(own, &figure->measure.dimension),
                        ic_dimension_text(given, &other->dimension));
}

static bool read_bound(ic_scene_reader *r, ic_scene_figure *figure, const ic_yaml *section)
{
    static const char *const words[] = {
        [IC_BOUND_IS] = "is", [IC_BOUND_BELOW] = "below", [IC_BOUND_ABOVE] = "above"};
    const ic_yaml *tolerance = ic_yaml_get(section, "tolerance"), *exact = NULL;
    for (int bound = IC_BOUND_IS; bound <= IC_BOUND_ABOVE && exact == NULL; bound++) {
        exact = ic_yaml_get(section, words[bound]);
        figure->bound = (ic_scene_bound)bound;
    }
    if (exact == NULL || tolerance == NULL)
        return ic_fault_add(&r->faults, section->place,
                            "the figure '%s' has its exact value (is, below or above) and a tolerance",
                            figure->name);
    return ic_scene_read_formula(r, &figure->exact, exact, IC_USE_ANSWERS) &&
           ic_scene_read_formula(r, &figure->tolerance, tolerance, IC_USE_ANSWERS) &&
           same_dimension(r, figure, &figure->exact, exact) &&
           same_dimension(r, figure, &figure->tolerance, tolerance);
}

static bool read_figure(ic_scene_reader *r, ic_scene_figure *figure, const ic_yaml *section)
{
    static const char *const keys[] = {"meaning",   "measure", "take",           "from",  "to",
                                       "is",        "below",   "above",          "topic", "because",
                                       "tolerance", "cause",   "cause by phase", "when",  NULL};
    char unit[IC_DIMENSION_TEXT];
    const ic_yaml *measure = ic_yaml_get(section, "measure"), *when = ic_yaml_get(section, "when");
    if (!ic_scene_keys(r, section, keys)) return false;
    if (measure == NULL) return ic_fault_add(&r->faults, section->place, "'%s' has no 'measure'", figure->name);
    figure->meaning = ic_scene_text(r, section, "meaning", figure->name);
    figure->topic = ic_scene_text(r, section, "topic", "");
    figure->because = ic_scene_text(r, section, "because", "");
    if (figure->meaning == NULL || figure->topic == NULL || figure->because == NULL) return false;
    if (figure->because[0] == '\0')
        return ic_fault_add(&r->faults, section->place,
                            "'%s' does not say where its tolerance comes from: 'because'", figure->name);
    if (!read_take(r, figure, section) || !ic_scene_read_formula(r, &figure->measure, measure, IC_USE_ROWS) ||
        (when != NULL && !ic_scene_read_condition(r, &figure->when, when)) || !read_bound(r, figure, section))
        return false;
    figure->check = (ic_audit_check){
        .name = figure->name, .what = figure->meaning, .why = "", .reference = r->file->title, .needed = false};
    figure->unit = ic_arena_print(&r->file->arena, "%s", ic_dimension_text(unit, &figure->measure.dimension));
    return read_mistake_name(r, &figure->cause, section, "cause") &&
           read_mistake_name(r, &figure->cause_by_phase, section, "cause by phase");
}

bool ic_scene_read_figures(ic_scene_reader *r, const ic_yaml *figures)
{
    bool good = true;
    if (figures == NULL || figures->n_keys == 0)
        return ic_fault_add(&r->faults, (ic_file_place){0}, "a scene has figures: {NAME: {measure: ...}}");
    r->file->figures = ic_arena_take(&r->file->arena, figures->n_keys * sizeof *r->file->figures);
    if (r->file->figures == NULL) return ic_fault_memory(&r->faults, figures->place);
    for (size_t i = 0; i < figures->n_keys; i++) {
        ic_scene_figure *figure = &r->file->figures[r->file->n_figures++];
        figure->name = figures->keys[i]->text;
        good = read_figure(r, figure, figures->items[i]) && good;
    }
    return good;
}

/* ---- mistakes */

static bool read_constant(ic_scene_reader *r, ic_scene_mistake *mistake, const ic_yaml *fit)
{
    static const char *const keys[] = {"from", "to", "points", "log", NULL};
    mistake->constant = "";
    if (fit == NULL) return true;
    if (fit->kind != IC_YAML_MAPPING || fit->n_keys != 1)
        return ic_fault_add(&r->faults, fit->place, "'fit' has one constant: {c: {from: ..., to: ...}}");
    const ic_yaml *range = fit->items[0], *from = ic_yaml_get(range, "from"), *to = ic_yaml_get(range, "to");
    if (!ic_scene_keys(r, range, keys)) return false;
    if (from == NULL || to == NULL) return ic_fault_add(&r->faults, range->place, "'fit' has 'from' and 'to'");
    const char *points = ic_scene_text(r, range, "points", ""), *log = ic_scene_text(r, range, "log", "false");
    if (points == NULL || log == NULL) return false;
    mistake->points = points[0] != '\0' ? strtoul(points, NULL, 10) : CONSTANT_POINTS;
    mistake->logarithmic = strcmp(log, "true") == 0;
    if (mistake->points < 2 || mistake->points > CONSTANT_POINTS_MOST)
        return ic_fault_add(&r->faults, range->place, "'points' is a number from 2 to %d",
                            CONSTANT_POINTS_MOST);
    if (!ic_scene_read_formula(r, &mistake->from, from, IC_USE_PARAMETERS) ||
        !ic_scene_read_formula(r, &mistake->to, to, IC_USE_PARAMETERS))
        return false;
    mistake->constant = fit->keys[0]->text;
    r->constant = mistake->constant;
    r->constant_dimension = mistake->to.dimension;
    return true;
}

static bool read_predictions(ic_scene_reader *r, ic_scene_mistake *mistake, const ic_yaml *predicts)
{
    if (predicts == NULL || predicts->n_keys == 0)
        return ic_fault_add(&r->faults, (ic_file_place){0}, "a mistake predicts figures: {FIGURE: FORMULA}");
    mistake->predictions = ic_arena_take(&r->file->arena, predicts->n_keys * sizeof *mistake->predictions);
    if (mistake->predictions == NULL) return ic_fault_memory(&r->faults, predicts->place);
    for (size_t i = 0; i < predicts->n_keys; i++) {
        ic_scene_prediction *p = &mistake->predictions[mistake->n_predictions++];
        const ic_yaml *name = predicts->keys[i];
        p->figure = ic_scene_figure_find(r->file, name->text);
        if (p->figure == r->file->n_figures)
            return ic_fault_add(&r->faults, name->place, "there is no figure '%s'", name->text);
        if (!ic_scene_read_formula(r, &p->value, predicts->items[i], IC_USE_ANSWERS) ||
            !same_dimension(r, &r->file->figures[p->figure], &p->value, predicts->items[i]))
            return false;
    }
    return true;
}

/* {PARAMETER: FORMULA}: values that the engine uses in place of those of the scene. */
static bool read_others(ic_scene_reader *r, ic_scene_mistake *mistake, const ic_yaml *others)
{
    if (others == NULL) return true;
    if (others->kind != IC_YAML_MAPPING)
        return ic_fault_add(&r->faults, others->place, "expected {PARAMETER: FORMULA, ...}");
    if (mistake->constant[0] != '\0')
        return ic_fault_add(&r->faults, others->place, "a mistake has 'fit' or 'with', not both");
    mistake->others = ic_arena_take(&r->file->arena, others->n_keys * sizeof *mistake->others + 1);
    if (mistake->others == NULL) return ic_fault_memory(&r->faults, others->place);
    for (size_t i = 0; i < others->n_keys; i++) {
        const int parameter = ic_scene_parameter_find(r->file, others->keys[i]->text);
        if (parameter < 0)
            return ic_fault_add(&r->faults, others->keys[i]->place, "there is no parameter '%s'",
                                others->keys[i]->text);
        mistake->others[i].parameter = (size_t)parameter;
        if (!ic_scene_read_quantity(r, &mistake->others[i].value, others->items[i],
                                    r->file->parameters[parameter].unit, others->keys[i]->text))
            return false;
        mistake->n_others++;
    }
    return true;
}

bool ic_scene_read_mistakes(ic_scene_reader *r, const ic_yaml *mistakes)
{
    static const char *const keys[] = {"name", "says", "topic", "fit", "with", "predicts", NULL};
    if (mistakes == NULL) return true;
    if (mistakes->kind != IC_YAML_SEQUENCE)
        return ic_fault_add(&r->faults, mistakes->place, "'mistakes' is a list");
    r->file->mistakes = ic_arena_take(&r->file->arena, mistakes->n_items * sizeof *r->file->mistakes + 1);
    if (r->file->mistakes == NULL) return ic_fault_memory(&r->faults, mistakes->place);
    for (size_t i = 0; i < mistakes->n_items; i++) {
        const ic_yaml *section = mistakes->items[i];
        ic_scene_mistake *mistake = &r->file->mistakes[r->file->n_mistakes++];
        if (!ic_scene_keys(r, section, keys)) return false;
        mistake->says = ic_scene_text(r, section, "says", "");
        mistake->topic = ic_scene_text(r, section, "topic", "");
        if (mistake->says == NULL || mistake->topic == NULL ||
            !read_mistake_name(r, &mistake->id, section, "name"))
            return false;
        if (mistake->id == IC_NO_MISTAKE)
            return ic_fault_add(&r->faults, section->place,
                                "a mistake has a 'name' of audit/common/mistakes.def");
        const bool good = read_constant(r, mistake, ic_yaml_get(section, "fit")) &&
                          read_others(r, mistake, ic_yaml_get(section, "with")) &&
                          read_predictions(r, mistake, ic_yaml_get(section, "predicts"));
        r->constant = NULL;
        if (!good) return false;
    }
    return true;
}
