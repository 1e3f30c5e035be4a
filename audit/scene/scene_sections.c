/* SPDX-License-Identifier: MIT */
/* Reads the answers of a scene: its case, its figures, and the mistakes that explain others. */
#include "audit/scene/scene_file.h"
#include "core/names.h"

#include <string.h>

enum { CONSTANT_POINTS = 41, MOST_CONSTANT_POINTS = 2000 };

/* A name of audit/common/mistakes.def; IC_NO_MISTAKE if the key is absent. */
static bool read_mistake_name(ic_scene_reader *r, ic_mistake_id *id, const ic_yaml *section, const char *key)
{
    const ic_yaml *name = ic_yaml_get(section, key);
    *id = IC_NO_MISTAKE;
    if (name == NULL) return true;
    *id = ic_mistake_find(name->text);
    if (*id != IC_NO_MISTAKE) return true;
    return ic_fault_add(&r->faults, name->place, "no mistake is called '%s'%s", name->text,
                        ic_meant_hint(name->text, ic_scene_mistake_names(), IC_MISTAKE_COUNT - 1).text);
}

/* The code of figures of a name; NULL: it has none. */
static const char *figure_code(const char *name)
{
    static const char *const codes[][2] = {
#define IC_FIGURE(code_, name_) {code_, name_},
#include "audit/scene/figures.def"
    };
    for (size_t i = 0; i < IC_COUNT(codes); i++) {
        if (strcmp(codes[i][1], name) == 0) return codes[i][0];
    }
    return NULL;
}

/* ---- the case */

/* A setting of the case's own parameters has their unit; laws have others, which are found later. */
static bool read_case_setting(ic_scene_reader *r, ic_scene_formula *value, const ic_yaml *name,
                              const ic_yaml *text)
{
    const size_t i = ic_parameter_find(r->system, name->text);
    return i < r->system->n_parameters
               ? ic_scene_read_quantity(r, value, text, r->system->parameters[i].unit, name->text)
               : ic_scene_read_formula(r, value, text, IC_USE_PARAMETERS);
}

static bool read_case_settings(ic_scene_reader *r, const ic_yaml *set)
{
    ic_scene_case *answer = &r->file->answer;
    if (set->kind != IC_YAML_MAPPING)
        return ic_fault_add(&r->faults, set->place, "'set' must be {PARAMETER: FORMULA}");
    answer->names = ic_arena_take(&r->file->arena, set->n_keys * sizeof *answer->names + 1);
    answer->values = ic_arena_take(&r->file->arena, set->n_keys * sizeof *answer->values + 1);
    if (answer->names == NULL || answer->values == NULL) return ic_fault_memory(&r->faults, set->place);
    for (size_t i = 0; i < set->n_keys; i++) {
        answer->names[i] = set->keys[i]->text;
        if (!read_case_setting(r, &answer->values[i], set->keys[i], set->items[i])) return false;
        answer->n++;
    }
    return true;
}

bool ic_scene_read_case(ic_scene_reader *r, const ic_yaml *section)
{
    ic_scene_case *answer = &r->file->answer;
    if (section == NULL) return true;
    if (!ic_known_keys(&r->faults, section, &ic_schema_scene_case)) return false;
    answer->place = section->place;
    answer->path = ic_key_text(&r->faults, section, "preset", NULL);
    answer->variant = ic_key_text(&r->faults, section, "variant", "");
    if (answer->path == NULL || answer->variant == NULL) return false;
    const char *name = ic_arena_copy(&r->file->arena, answer->path, strcspn(answer->path, "/"));
    r->system = name != NULL ? ic_case_find(name) : NULL;
    if (r->system == NULL)
        return ic_fault_add(&r->faults, ic_yaml_get(section, "preset")->place, "there is no case '%s'", name);
    const char *slash = strchr(answer->path, '/');
    if (slash != NULL && ic_preset_find(r->system, slash + 1) == NULL)
        return ic_fault_add(&r->faults, ic_yaml_get(section, "preset")->place, "case '%s' has no preset '%s'",
                            name, slash + 1);
    const ic_yaml *set = ic_yaml_get(section, "set"), *until = ic_yaml_get(section, "until");
    if (until != NULL && !ic_scene_read_quantity(r, &answer->until, until, "s", "the end of the case's run"))
        return false;
    return set == NULL || read_case_settings(r, set);
}
/* ---- figures */

static bool read_take(ic_scene_reader *r, ic_scene_figure *figure, const ic_yaml *section)
{
    const char *const *words = ic_scene_takes();
    const ic_yaml *from = ic_yaml_get(section, "from"), *to = ic_yaml_get(section, "to");
    const char *take = ic_key_text(&r->faults, section, "take", words[IC_TAKE_END]);
    size_t i = 0;
    if (take == NULL) return false;
    while (words[i] != NULL && strcmp(words[i], take) != 0) i++;
    if (words[i] == NULL)
        return ic_fault_add(&r->faults, ic_yaml_get(section, "take")->place,
                            "'take' must be end, start, most, least, mean or range");
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
    const ic_yaml *tolerance = ic_yaml_get(section, "tolerance"), *exact = section;
    for (int bound = IC_BOUND_IS; bound <= IC_BOUND_ABOVE; bound++) {
        const ic_yaml *given = ic_yaml_get(section, words[bound]);
        if (given == NULL) continue;
        exact = given;
        figure->bound = (ic_scene_bound)bound;
    }
    return ic_scene_read_formula(r, &figure->exact, exact, IC_USE_ANSWERS) &&
           ic_scene_read_formula(r, &figure->tolerance, tolerance, IC_USE_ANSWERS) &&
           same_dimension(r, figure, &figure->exact, exact) &&
           same_dimension(r, figure, &figure->tolerance, tolerance);
}

/* law: BODY, in place of `measure` and `take` */
static bool read_law(ic_scene_reader *r, ic_scene_figure *figure, const ic_yaml *law)
{
    figure->take = IC_TAKE_LAW;
    for (size_t i = 0; i < r->file->n_bodies; i++) {
        const ic_rigid_body *body = &r->file->bodies[i];
        figure->body = i;
        if (strcmp(body->name, law->text) == 0 && !body->fixed && body->n_shapes == 1 &&
            body->shapes[0].kind == IC_SCENE_SHAPE_SPHERE)
            return true;
    }
    return ic_fault_add(&r->faults, law->place, "'law' must name a moving body of one sphere");
}

/* cause by law: {LAW: MISTAKE} */
static bool read_cause_by_law(ic_scene_reader *r, ic_scene_figure *figure, const ic_yaml *causes)
{
    figure->law = "";
    if (causes == NULL) return true;
    if (causes->kind != IC_YAML_MAPPING || causes->n_keys != 1)
        return ic_fault_add(&r->faults, causes->place, "'cause by law' must be {LAW: MISTAKE}");
    figure->law = causes->keys[0]->text;
    return read_mistake_name(r, &figure->cause_by_law, causes, figure->law);
}

static bool read_figure(ic_scene_reader *r, ic_scene_figure *figure, const ic_yaml *section)
{
    const ic_yaml *law = ic_yaml_get(section, "law");
    char unit[IC_DIMENSION_TEXT];
    const ic_yaml *measure = ic_yaml_get(section, "measure"), *when = ic_yaml_get(section, "when");
    if (!ic_known_keys(&r->faults, section, &ic_schema_scene_figure)) return false;
    if (law == NULL && measure == NULL)
        return ic_fault_add(&r->faults, section->place, "the figure '%s' needs 'measure'", figure->name);
    figure->place = section->place;
    figure->meaning = ic_key_text(&r->faults, section, "meaning", figure->name);
    figure->topic = ic_scene_topic(r, section);
    figure->because = ic_key_text(&r->faults, section, "because", "");
    if (figure->meaning == NULL || figure->topic == NULL || figure->because == NULL) return false;
    if (figure->because[0] == '\0')
        return ic_fault_add(&r->faults, section->place,
                            "'%s' does not say where its tolerance comes from: 'because'", figure->name);
    if (!(law != NULL ? read_law(r, figure, law)
                      : read_take(r, figure, section) &&
                            ic_scene_read_formula(r, &figure->measure, measure, IC_USE_ROWS)) ||
        (when != NULL && !ic_scene_read_condition(r, &figure->when, when)) || !read_bound(r, figure, section))
        return false;
    figure->check = (ic_audit_check){.code = figure_code(figure->name),
                                     .name = figure->name,
                                     .what = figure->meaning,
                                     .why = "",
                                     .reference = r->file->title,
                                     .needed = false};
    figure->unit = ic_arena_print(&r->file->arena, "%s", ic_dimension_text(unit, &figure->measure.dimension));
    return ic_scene_flag(r, section, "everywhere", &figure->everywhere) &&
           read_cause_by_law(r, figure, ic_yaml_get(section, "cause by law")) &&
           read_mistake_name(r, &figure->cause, section, "cause") &&
           read_mistake_name(r, &figure->cause_by_phase, section, "cause by phase");
}

bool ic_scene_read_figures(ic_scene_reader *r, const ic_yaml *figures)
{
    bool good = true;
    if (figures->n_keys == 0)
        return ic_fault_add(&r->faults, figures->place, "'figures' must be {NAME: {measure: ...}}");
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
    ic_scene_formula ends[2] = {0};
    mistake->constant = "";
    if (fit == NULL) return true;
    if (fit->kind != IC_YAML_MAPPING || fit->n_keys != 1)
        return ic_fault_add(&r->faults, fit->place, "'fit' must have one constant: {c: {from: ..., to: ...}}");
    if (!ic_scene_new_name(r, fit->keys[0]) ||
        !ic_scene_read_ends(r, ends, &mistake->logarithmic, fit->items[0], NULL) ||
        !ic_scene_points(r, fit->items[0], CONSTANT_POINTS, MOST_CONSTANT_POINTS, &mistake->points))
        return false;
    mistake->from = ends[0];
    mistake->to = ends[1];
    if (!ic_dimensions_equal(&ends[0].dimension, &ends[1].dimension)) {
        char from[IC_DIMENSION_TEXT], to[IC_DIMENSION_TEXT];
        return ic_fault_add(&r->faults, ends[1].place, "units differ: 'from' is in %s, but 'to' is in %s",
                            ic_dimension_text(from, &ends[0].dimension),
                            ic_dimension_text(to, &ends[1].dimension));
    }
    mistake->constant = fit->keys[0]->text;
    r->constant = mistake->constant;
    r->constant_dimension = mistake->to.dimension;
    return true;
}

static bool read_predictions(ic_scene_reader *r, ic_scene_mistake *mistake, const ic_yaml *predicts)
{
    if (predicts->n_keys == 0)
        return ic_fault_add(&r->faults, predicts->place, "'predicts' must be {FIGURE: FORMULA}");
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
        return ic_fault_add(&r->faults, others->place, "a mistake may have 'fit' or 'with', not both");
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
    if (mistakes == NULL) return true;
    if (mistakes->kind != IC_YAML_SEQUENCE)
        return ic_fault_add(&r->faults, mistakes->place, "'mistakes' must be a list");
    r->file->mistakes = ic_arena_take(&r->file->arena, mistakes->n_items * sizeof *r->file->mistakes + 1);
    if (r->file->mistakes == NULL) return ic_fault_memory(&r->faults, mistakes->place);
    for (size_t i = 0; i < mistakes->n_items; i++) {
        const ic_yaml *section = mistakes->items[i];
        ic_scene_mistake *mistake = &r->file->mistakes[r->file->n_mistakes++];
        if (!ic_known_keys(&r->faults, section, &ic_schema_scene_mistake)) return false;
        mistake->says = ic_key_text(&r->faults, section, "says", "");
        mistake->topic = ic_scene_topic(r, section);
        if (mistake->says == NULL || mistake->topic == NULL ||
            !ic_scene_flag(r, section, "everywhere", &mistake->everywhere) ||
            !read_mistake_name(r, &mistake->id, section, "name"))
            return false;
        const bool good = read_constant(r, mistake, ic_yaml_get(section, "fit")) &&
                          read_others(r, mistake, ic_yaml_get(section, "with")) &&
                          read_predictions(r, mistake, ic_yaml_get(section, "predicts"));
        r->constant = NULL;
        if (!good) return false;
    }
    return true;
}
