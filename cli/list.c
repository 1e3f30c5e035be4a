/* SPDX-License-Identifier: MIT */
/* impactcheck list: lists cases, solvers and other built-in objects. */
#include "audit/solver/traps.h"
#include "casefile/casefile.h"
#include "casefile/yaml.h"
#include "cli/command.h"
#include "cli/instance.h"
#include "cli/law.h"
#include "cli/list_topics.h"
#include "cli/sketch.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/tolerances.h"
#include "core/model.h"
#include "registry/registry.h"
#include "reports/json.h"
#include "reports/number.h"
#include "validation/checks/verify.h"
#include "validation/studies/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONG, JSON };

static const cli_option options[] = {
    [LONG] = {"--long", NULL,
              "cases: parameters with units, defaults and ranges, states, outputs, variants, presets; "
              "presets: their settings and end; solvers: their sources; laws: "
              "sources, promises, parameters; traps: the public issues they come from; studies: "
              "questions and columns; tolerances: their derivations",
              false},
    [JSON] = {CLI_OPTION_JSON},
};

enum { INDENT = 2 };

/* ---- pieces */

/* The text of a case as a tree in the arena. NULL: the case was written in C. */
static const ic_yaml *read_text(ic_arena *arena, const ic_case *system)
{
    ic_file_place place;
    return system->text == NULL ? NULL : ic_yaml_read(arena, system->text, strlen(system->text), &place, NULL);
}

static void print_heading(const char *text, int indent)
{
    printf("%*s%s\n", indent, "", cli_paint(stdout, CLI_BOLD, text).text);
}

static ic_hint preset_path(const ic_case *system, const ic_preset *preset)
{
    ic_hint path;
    snprintf(path.text, sizeof path.text, "%s/%s", system->name, preset->name);
    return path;
}

/* Why a preset could not be opened, such as one of another size, which is read from the text of its case. */
static ic_error unopened;

/* The preset's end in seconds, or NAN. */
static double preset_end(const ic_case *system, const ic_preset *preset)
{
    const ic_hint path = preset_path(system, preset);
    const ic_request request = {.path = path.text};
    ic_setup setup;
    if (!ic_setup_open(&setup, &request, &unopened)) return NAN;
    const double t_end = setup.problem.t_end;
    ic_setup_close(&setup);
    return t_end;
}

static ic_hint count_of(size_t n, const char *what)
{
    ic_hint text;
    snprintf(text.text, sizeof text.text, "%zu %s%s", n, what, n == 1 ? "" : "s");
    return text;
}

/* ---- cases, for people */

/* Shows the beginning of a long expression; --json has all of it. */
static ic_hint shown_default(const ic_parameter *parameter, const char *written)
{
    enum { MOST = 52 };
    ic_hint text;
    if (written != NULL && strlen(written) + strlen(parameter->value) <= MOST) {
        snprintf(text.text, sizeof text.text, "%s = %s", written, parameter->value);
        return text;
    }
    const bool fits = strlen(parameter->value) <= MOST;
    snprintf(text.text, sizeof text.text, "%.*s%s", fits ? MOST : MOST - 4, parameter->value,
             fits ? "" : " ...");
    return text;
}

/* `system` is the case whose parameters they are, or NULL. */
static bool list_parameters(const ic_parameter *parameters, size_t n, const ic_case *system)
{
    cli_table *table = cli_table_of("name|unit|default|range|meaning");
    print_heading("Parameters", INDENT);
    for (size_t i = 0; i < n; i++) {
        const ic_parameter *p = &parameters[i];
        CLI_ROW(table, p->name, p->unit,
                shown_default(p, system == NULL ? NULL : ic_casefile_written(system, i)).text, p->range,
                p->meaning);
    }
    return cli_table_finish(table, 2 * INDENT, true);
}

/* A variant on a law also accepts the law's parameters in --set. */
static bool list_case_parameters(const ic_case *system)
{
    bool on_law = false;
    for (size_t i = 0; i < system->n_variants; i++) on_law = on_law || system->variants[i].law != NULL;
    if (!list_parameters(system->parameters, system->n_parameters, system)) return false;
    if (on_law)
        printf("%*sand, in a variant on a contact-force law, those of the law (list laws --long)\n", 2 * INDENT,
               "");
    return true;
}

static bool list_states(const ic_case *system)
{
    cli_table *table = cli_table_of("name|unit|meaning");
    print_heading("States", INDENT);
    for (size_t i = 0; i < system->n_states; i++) {
        CLI_ROW(table, system->states[i].name, system->states[i].unit, system->states[i].meaning);
    }
    return cli_table_finish(table, 2 * INDENT, true);
}

static bool list_outputs(const ic_case *system)
{
    cli_table *table = cli_table_of("name|unit|meaning");
    print_heading("Outputs", INDENT);
    for (size_t i = 0; i < system->n_outputs; i++) {
        CLI_ROW(table, system->outputs[i].name, system->outputs[i].unit, system->outputs[i].meaning);
    }
    return cli_table_finish(table, 2 * INDENT, true);
}

/*
 * Modes and the events that end them: "contact", "separation: the contact force has fallen to
 * zero".
 */
static bool list_variants(const ic_case *system)
{
    cli_table *table = cli_table_of("variant|mode|ended by|meaning");
    print_heading("Variants", INDENT);
    for (size_t i = 0; i < system->n_variants; i++) {
        const ic_variant *variant = &system->variants[i];
        CLI_ROW(table, variant->name, "", "", variant->law != NULL ? variant->law->title : variant->meaning);
        /* as before */
        if (variant->law != NULL && i > 0 && variant->n_modes == variant[-1].n_modes) continue;
        for (size_t m = 0; m < variant->n_modes; m++) {
            const ic_mode *mode = &variant->modes[m];
            CLI_ROW(table, "", mode->name, "", mode->meaning);
            for (size_t g = 0; g < mode->n_guards; g++) {
                CLI_ROW(table, "", "", mode->guards[g].name, mode->guards[g].meaning);
            }
        }
        for (size_t e = 0; e < variant->n_time_events; e++) {
            CLI_ROW(table, "", "(any)", variant->time_events[e].name, variant->time_events[e].meaning);
        }
    }
    return cli_table_finish(table, 2 * INDENT, true);
}

static bool list_case_presets(const ic_case *system)
{
    cli_table *table = cli_table_of("path|settings|until, s|meaning");
    print_heading("Presets", INDENT);
    for (size_t i = 0; i < system->n_presets; i++) {
        const ic_preset *preset = &system->presets[i];
        const bool defaults = preset->settings[0] == '\0';
        CLI_ROW(table, preset_path(system, preset).text, defaults ? "(the defaults)" : preset->settings,
                preset->until, preset->meaning);
    }
    return cli_table_finish(table, 2 * INDENT, true);
}

/* ---- the same as JSON */

static void json_quantity(ic_json *json, const char *name, const char *unit, const char *meaning)
{
    IC_JSON_ROW(json, NULL, IC_TEXT("name", name), IC_TEXT("unit", unit), IC_TEXT("meaning", meaning));
}

static void json_parameters(ic_json *json, const ic_parameter *parameters, size_t n, const ic_case *system)
{
    ic_json_array(json, "parameters");
    for (size_t i = 0; i < n; i++) {
        const ic_parameter *p = &parameters[i];
        const char *written = system == NULL ? NULL : ic_casefile_written(system, i);
        ic_json_object_line(json, NULL);
        IC_JSON_MEMBERS(json, IC_TEXT("name", p->name), IC_TEXT("unit", p->unit), IC_TEXT("default", p->value),
                        IC_TEXT("range", p->range), IC_TEXT("meaning", p->meaning));
        if (written != NULL) ic_json_text(json, "written", written);
        ic_json_end(json);
    }
    ic_json_end(json);
}

/* n expressions, or null. */
static void json_expressions(ic_json *json, const char *name, const char *const *expressions, size_t n)
{
    if (expressions == NULL) {
        ic_json_null(json, name);
        return;
    }
    ic_json_array_line(json, name);
    for (size_t i = 0; i < n; i++) ic_json_text(json, NULL, expressions[i]);
    ic_json_end(json);
}

/* Modes to which a jump may lead; its effect on the state is null if it has no text. */
static void json_jump(ic_json *json, const char *name, const ic_jump *jump, const ic_variant *variant,
                      size_t n_states)
{
    ic_json_array(json, name);
    for (size_t i = 0; i < jump->n_branches; i++) {
        const ic_branch *branch = &jump->branches[i];
        ic_json_object(json, NULL);
        IC_JSON_MEMBERS(
            json, IC_TEXT("mode", branch->mode == IC_SAME_MODE ? NULL : variant->modes[branch->mode].name),
            IC_TEXT("condition", branch->condition));
        json_expressions(json, "state", jump->linear ? branch->state : NULL, n_states);
        ic_json_end(json);
    }
    ic_json_end(json);
}

static void json_guards(ic_json *json, const ic_mode *mode, const ic_variant *variant, size_t n_states)
{
    ic_json_array(json, "guards");
    for (size_t i = 0; i < mode->n_guards; i++) {
        const ic_guard *guard = &mode->guards[i];
        ic_json_object(json, NULL);
        IC_JSON_MEMBERS(json, IC_TEXT("name", guard->name), IC_TEXT("unit", guard->unit),
                        IC_WHOLE("direction", guard->direction), IC_TEXT("meaning", guard->meaning),
                        IC_TEXT("value", guard->linear));
        json_jump(json, "jump", &guard->jump, variant, n_states);
        if (guard->accumulation.n_branches > 0)
            json_jump(json, "accumulates", &guard->accumulation, variant, n_states);
        ic_json_end(json);
    }
    ic_json_end(json);
}

static void json_variant(ic_json *json, const ic_variant *variant, size_t n_states)
{
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("name", variant->name), IC_TEXT("meaning", variant->meaning),
                    IC_TEXT("law", variant->law != NULL ? variant->law->name : NULL));
    ic_json_array(json, "modes");
    for (size_t i = 0; i < variant->n_modes; i++) {
        ic_json_object(json, NULL);
        IC_JSON_MEMBERS(json, IC_TEXT("name", variant->modes[i].name),
                        IC_TEXT("meaning", variant->modes[i].meaning),
                        IC_FLAG("linear_view", variant->modes[i].linear != NULL));
        json_expressions(json, "flow", variant->modes[i].linear, n_states);
        json_guards(json, &variant->modes[i], variant, n_states);
        ic_json_end(json);
    }
    ic_json_end(json);
    ic_json_array(json, "time_events");
    for (size_t i = 0; i < variant->n_time_events; i++) {
        IC_JSON_ROW(json, NULL, IC_TEXT("name", variant->time_events[i].name),
                    IC_TEXT("meaning", variant->time_events[i].meaning));
    }
    ic_json_end(json);
    ic_json_end(json);
}

static void json_preset(ic_json *json, const ic_case *system, const ic_preset *preset)
{
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("path", preset_path(system, preset).text), IC_TEXT("case", system->name),
                    IC_TEXT("preset", preset->name), IC_TEXT("variant", preset->variant),
                    IC_TEXT("settings", preset->settings), IC_TEXT("until", preset->until),
                    IC_REAL("t_end", preset_end(system, preset)), IC_TEXT("meaning", preset->meaning));
    ic_json_end(json);
}

/* The sketch at the start of the first preset. */
static void json_sketch(ic_json *json, const ic_case *system)
{
    const ic_hint path = preset_path(system, &system->presets[0]);
    ic_setup setup;
    if (system->n_shapes == 0 || !ic_setup_open(&setup, &(ic_request){.path = path.text}, NULL)) return;
    json_t *shapes = cli_sketch_start(&setup.problem);
    if (shapes != NULL) {
        ic_json_object(json, "sketch");
        IC_JSON_MEMBERS(json, IC_TEXT("preset", system->presets[0].name),
                        IC_TEXT("unit", setup.problem.system->sketch_unit));
        ic_json_value(json, "shapes", shapes);
        ic_json_end(json);
    }
    json_decref(shapes);
    ic_setup_close(&setup);
}

static void json_tree(ic_json *json, const char *name, const ic_yaml *node)
{
    if (node->kind == IC_YAML_SCALAR) {
        ic_json_text(json, name, node->text);
        return;
    }
    if (node->kind == IC_YAML_MAPPING) ic_json_object(json, name);
    else ic_json_array(json, name);
    for (size_t i = 0; i < node->n_items; i++) {
        json_tree(json, node->kind == IC_YAML_MAPPING ? node->keys[i]->text : NULL, node->items[i]);
    }
    ic_json_end(json);
}

static void case_json(ic_json *json, size_t index)
{
    const ic_case *system = ic_cases[index];
    const char *path;
    ic_arena arena = {0};
    const ic_yaml *text = read_text(&arena, system);
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("name", system->name), IC_TEXT("title", system->title),
                    IC_TEXT("source", system->source));
    if (ic_casefile_text(system, &path) != NULL) ic_json_text(json, "file", path);
    if (text != NULL) json_tree(json, "text", text);
    ic_arena_free(&arena);
    json_parameters(json, system->parameters, system->n_parameters, system);
    ic_json_array(json, "states");
    for (size_t i = 0; i < system->n_states; i++) {
        json_quantity(json, system->states[i].name, system->states[i].unit, system->states[i].meaning);
    }
    ic_json_end(json);
    ic_json_array(json, "outputs");
    for (size_t i = 0; i < system->n_outputs; i++) {
        json_quantity(json, system->outputs[i].name, system->outputs[i].unit, system->outputs[i].meaning);
    }
    ic_json_end(json);
    ic_json_array(json, "variants");
    for (size_t i = 0; i < system->n_variants; i++) json_variant(json, &system->variants[i], system->n_states);
    ic_json_end(json);
    ic_json_array(json, "presets");
    for (size_t i = 0; i < system->n_presets; i++) json_preset(json, system, &system->presets[i]);
    ic_json_end(json);
    json_sketch(json, system);
    ic_json_end(json);
}

bool cli_topic_take_name(ic_hint *name, const char *text)
{
    snprintf(name->text, sizeof name->text, "%s", text);
    return true;
}

/* ---- cases */

CLI_TOPIC_NAMES(case, i < ic_case_count, ic_cases[i]->name)

CLI_TOPIC_ROWS(case, ic_cases[i]->name, ic_cases[i]->title, count_of(ic_cases[i]->n_presets, "preset").text)

/* KEY: VALUE, with nested entries below it. */
static void print_tree(const ic_yaml *node, int indent)
{
    for (size_t i = 0; i < node->n_items; i++) {
        const ic_yaml *item = node->items[i];
        const bool scalar = item->kind == IC_YAML_SCALAR;
        printf("%*s%s%s%s\n", indent, "", node->kind == IC_YAML_MAPPING ? node->keys[i]->text : "-",
               node->kind == IC_YAML_MAPPING ? (scalar ? ": " : ":") : " ", scalar ? item->text : "");
        if (!scalar) print_tree(item, indent + INDENT);
    }
}

/* The equations of a case, as its file states them. */
static void list_equations(const ic_case *system)
{
    static const char *const sections[] = {"indices", "definitions", "flow",  "mass",   "elements", "modes",
                                           "until",   "times",       "start", "energy", "variants"};
    ic_arena arena = {0};
    const ic_yaml *text = read_text(&arena, system);
    if (text != NULL) print_heading("Equations", INDENT);
    for (size_t i = 0; i < IC_COUNT(sections); i++) {
        const ic_yaml *section = ic_yaml_get(text, sections[i]);
        if (section == NULL) continue;
        printf("%*s%s:\n", 2 * INDENT, "", sections[i]);
        print_tree(section, 3 * INDENT);
    }
    ic_arena_free(&arena);
}

static bool case_section(size_t i)
{
    const ic_case *system = ic_cases[i];
    printf("%s: %s\n", cli_paint(stdout, CLI_BOLD, system->name).text, system->title);
    if (system->source[0] != '\0') printf("%*sSource: %s\n", INDENT, "", system->source);
    return list_case_parameters(system) && list_states(system) && list_outputs(system) &&
           (list_equations(system), list_variants(system)) && list_case_presets(system);
}

/* ---- presets of all cases, one after the other */

typedef struct numbered_preset {
    /* NULL: past the last */
    const ic_case *system;

    const ic_preset *preset;
} numbered_preset;

static numbered_preset preset_at(size_t i)
{
    for (size_t c = 0; c < ic_case_count; c++) {
        if (i < ic_cases[c]->n_presets) return (numbered_preset){ic_cases[c], &ic_cases[c]->presets[i]};
        i -= ic_cases[c]->n_presets;
    }
    return (numbered_preset){NULL, NULL};
}

static bool preset_name(size_t i, ic_hint *name)
{
    const numbered_preset p = preset_at(i);
    if (p.system == NULL || p.preset == NULL) return false;
    *name = preset_path(p.system, p.preset);
    return true;
}

static void add_preset(cli_table *table, size_t i, bool long_form)
{
    const numbered_preset p = preset_at(i);
    if (p.system == NULL || p.preset == NULL) return;
    cli_table_cell(table, preset_path(p.system, p.preset).text);
    if (long_form) {
        CLI_ROW(table, ic_number_short(preset_end(p.system, p.preset), 6).text, p.preset->settings);
    }
    cli_table_cell(table, p.preset->meaning);
}

static void preset_json(ic_json *json, size_t i)
{
    const numbered_preset p = preset_at(i);
    if (p.system != NULL && p.preset != NULL) json_preset(json, p.system, p.preset);
}

/* ---- solvers */

static const char *const control_names[] = {
    [IC_CONTROL_STEP] = "step", [IC_CONTROL_RTOL] = "rtol", [IC_CONTROL_NONE] = NULL};

CLI_TOPIC_NAMES(solver, i < ic_solver_count, ic_solvers[i]->name)

static const char *solver_needs(const ic_solver *solver)
{
    if ((solver->needs & IC_NEEDS_LINEAR_VIEW) != 0) return "linear view";
    if ((solver->needs & IC_NEEDS_EQUATIONS) != 0) return "linear view, or equations";
    if ((solver->needs & IC_NEEDS_IMPACT_VIEW) != 0) return "planar impact";
    if ((solver->needs & IC_NEEDS_STOPS_VIEW) != 0) return "stops and friction";
    return (solver->needs & IC_NEEDS_GUARD_RATE) != 0 ? "flow, guard rate" : "flow";
}

static void add_solver(cli_table *table, size_t i, bool long_form)
{
    const ic_solver *solver = ic_solvers[i];
    const char *control = control_names[solver->control];
    const char *no_order = solver->control == IC_CONTROL_RTOL ? "varies" : "exact";
    if (!long_form) {
        CLI_ROW(table, solver->name, solver->title);
    } else {
        CLI_ROW(table, solver->name, solver->order == 0 ? no_order : ic_number_short(solver->order, 3).text,
                control == NULL ? "-" : control, solver_needs(solver), solver->title, solver->source);
    }
}

static void solver_json(ic_json *json, size_t i)
{
    const ic_solver *solver = ic_solvers[i];
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("name", solver->name), IC_TEXT("title", solver->title),
                    IC_TEXT("source", solver->source), IC_WHOLE("order", solver->order),
                    IC_TEXT("control", control_names[solver->control]),
                    IC_FLAG("needs_linear_view", (solver->needs & IC_NEEDS_LINEAR_VIEW) != 0),
                    IC_FLAG("needs_impact_view", (solver->needs & IC_NEEDS_IMPACT_VIEW) != 0),
                    IC_FLAG("needs_equations", (solver->needs & IC_NEEDS_EQUATIONS) != 0),
                    IC_FLAG("needs_stops_view", (solver->needs & IC_NEEDS_STOPS_VIEW) != 0),
                    IC_TEXT("variant", solver->variant),
                    IC_FLAG("needs_guard_rate", (solver->needs & IC_NEEDS_GUARD_RATE) != 0),
                    IC_FLAG("steps_over_events", solver->steps_over_events));
    ic_json_array(json, "clauses_not_kept");
    for (int clause = 1; clause <= IC_CLAUSES; clause++) {
        if ((solver->clauses_not_kept & IC_CLAUSE(clause)) != 0) ic_json_integer(json, NULL, clause);
    }
    ic_json_end(json);
    ic_json_number(json, "rtol_per_error", solver->rtol_per_error > 0 ? solver->rtol_per_error : 1);
    ic_json_end(json);
}

/* ---- laws */

CLI_TOPIC_NAMES(law, i < ic_law_count, ic_laws[i]->name)

CLI_TOPIC_ROWS(law, ic_laws[i]->name, ic_laws[i]->title, ic_laws[i]->source)

static bool law_section(size_t i)
{
    const ic_law *law = ic_laws[i];
    printf("%s: %s\n", cli_paint(stdout, CLI_BOLD, law->name).text, law->title);
    printf("%*sSource: %s\n", INDENT, "", law->source);
    if (law->basis != NULL) printf("%*sBasis: %s\n", INDENT, "", law->basis);
    printf("%*sPromises:", INDENT, "");
    for (size_t k = 0; cli_law_promise(law, k) != NULL; k++) {
        printf("%s %s", k == 0 ? "" : ",", cli_law_promise(law, k));
    }
    printf("%s\n", law->promises == 0 ? " none" : "");
    return list_parameters(law->parameters, law->n_parameters, NULL);
}

static void law_json(ic_json *json, size_t i)
{
    const ic_law *law = ic_laws[i];
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("name", law->name), IC_TEXT("title", law->title),
                    IC_TEXT("source", law->source), IC_TEXT("basis", law->basis));
    ic_json_array_line(json, "promises");
    for (size_t k = 0; cli_law_promise(law, k) != NULL; k++) {
        ic_json_text(json, NULL, cli_law_promise(law, k));
    }
    ic_json_end(json);
    IC_JSON_MEMBERS(json, IC_TEXT("stiffness", law->stiffness), IC_TEXT("power", law->power),
                    IC_TEXT("elastic", law->elastic), IC_TEXT("energy", law->energy),
                    IC_TEXT("damping", law->damping), IC_TEXT("restitution", law->restitution),
                    IC_TEXT("dashpot", law->dashpot));
    json_parameters(json, law->parameters, law->n_parameters, NULL);
    ic_json_end(json);
}

/* ---- checks */

CLI_TOPIC_NAMES(check, i < ic_check_count, ic_checks[i]->name)

CLI_TOPIC_ROWS(check, ic_checks[i]->name, ic_checks[i]->meaning)

static void check_json(ic_json *json, size_t i)
{
    IC_JSON_ROW(json, NULL, IC_TEXT("name", ic_checks[i]->name), IC_TEXT("meaning", ic_checks[i]->meaning));
}

/* ---- studies */

CLI_TOPIC_NAMES(study, i < ic_study_count, ic_studies[i]->name)

CLI_TOPIC_ROWS(study, ic_studies[i]->name, ic_studies[i]->title)

static bool study_section(size_t i)
{
    const ic_study *study = ic_studies[i];
    cli_table *table = cli_table_of("column|unit|meaning");
    printf("%s: %s\n", cli_paint(stdout, CLI_BOLD, study->name).text, study->title);
    printf("%*s%s\n", INDENT, "", study->question);
    for (size_t k = 0; k < study->n_columns; k++) {
        const ic_study_column *column = &study->columns[k];
        CLI_ROW(table, column->name, column->unit == NULL ? "(text)" : column->unit, column->meaning);
    }
    return cli_table_finish(table, 2 * INDENT, true);
}

static void study_json(ic_json *json, size_t i)
{
    const ic_study *study = ic_studies[i];
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("name", study->name), IC_TEXT("title", study->title),
                    IC_TEXT("question", study->question));
    ic_json_array(json, "columns");
    for (size_t k = 0; k < study->n_columns; k++) {
        json_quantity(json, study->columns[k].name, study->columns[k].unit, study->columns[k].meaning);
    }
    ic_json_end(json);
    ic_json_end(json);
}

/* ---- traps */

CLI_TOPIC_NAMES(trap, i < ic_trap_count, ic_traps[i]->system->name)

CLI_TOPIC_ROWS(trap, ic_traps[i]->system->name, ic_traps[i]->title)

static bool trap_section(size_t i)
{
    const ic_trap *trap = ic_traps[i];
    printf("%s: %s\n", cli_paint(stdout, CLI_BOLD, trap->system->name).text, trap->title);
    printf("%*sKnown from: %s\n", INDENT, "", trap->cites);
    return list_states(trap->system) && list_variants(trap->system) && list_case_presets(trap->system);
}

static void trap_json(ic_json *json, size_t i)
{
    const ic_trap *trap = ic_traps[i];
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("name", trap->system->name), IC_TEXT("title", trap->title),
                    IC_TEXT("cites", trap->cites));
    ic_json_array_line(json, "runs");
    for (size_t k = 0; k < trap->n_runs; k++) ic_json_text(json, NULL, trap->runs[k].preset);
    ic_json_end(json);
    ic_json_end(json);
}

/* ---- mistakes, numbered from 1 */

CLI_TOPIC_NAMES(mistake, i + 1 < IC_MISTAKE_COUNT, ic_mistake_name((ic_mistake_id)(i + 1)))

CLI_TOPIC_ROWS(mistake, ic_mistake_name((ic_mistake_id)(i + 1)), ic_mistake_text((ic_mistake_id)(i + 1)))

static void mistake_json(ic_json *json, size_t i)
{
    const ic_mistake_id id = (ic_mistake_id)(i + 1);
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("name", ic_mistake_name(id)), IC_TEXT("meaning", ic_mistake_text(id)));
    ic_json_end(json);
}

/* ---- tolerances */

CLI_TOPIC_NAMES(tolerance, cli_tolerance_at(i) != NULL, cli_tolerance_at(i)->name)

static void add_tolerance(cli_table *table, size_t i, bool long_form)
{
    const ic_tolerance *t = cli_tolerance_at(i);
    const ic_number_text value = ic_number_short(ic_tolerance_default(t), 6);
    if (!long_form) {
        CLI_ROW(table, t->name, ic_tolerance_amount(t, ic_tolerance_default(t)).text);
    } else {
        CLI_ROW(table, t->name, cli_tolerance_command(i), value.text, t->unit,
                t->relative_to != NULL ? t->relative_to : "-", t->base != NULL ? t->base->name : "-",
                t->derivation);
    }
}

static void tolerance_json(ic_json *json, size_t i)
{
    const ic_tolerance *t = cli_tolerance_at(i);
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(
        json, IC_TEXT("name", t->name), IC_TEXT("command", cli_tolerance_command(i)),
        IC_REAL("default", ic_tolerance_default(t)), IC_TEXT("unit", t->unit),
        IC_TEXT("relative_to", t->relative_to), IC_TEXT("base", t->base != NULL ? t->base->name : NULL),
        IC_REAL("multiple", t->base != NULL ? t->value : NAN), IC_TEXT("derivation", t->derivation));
    ic_json_end(json);
}

/* ---- the command */

static const cli_topic own_topics[] = {
    {"cases", case_name, "case|title|presets", NULL, add_case, case_section, case_json},
    {"presets", preset_name, "preset|meaning", "preset|until, s|settings|meaning", add_preset, NULL,
     preset_json},
    {"solvers", solver_name, "solver|title", "solver|order|set by|needs|title|source", add_solver, NULL,
     solver_json},
    {"laws", law_name, "law|title|source", NULL, add_law, law_section, law_json},
    {"checks", check_name, "check|meaning", NULL, add_check, NULL, check_json},
    {"traps", trap_name, "trap|title", NULL, add_trap, trap_section, trap_json},
    {"studies", study_name, "study|title", NULL, add_study, study_section, study_json},
    {"mistakes", mistake_name, "mistake|meaning", NULL, add_mistake, NULL, mistake_json},
    {"tolerances", tolerance_name, "tolerance|default",
     "tolerance|of|default|unit|relative to|multiple of|derivation", add_tolerance, NULL, tolerance_json},
};

const cli_topic *const cli_topics[] = {
    &own_topics[0],    &own_topics[1],     &own_topics[2],   &own_topics[3], &own_topics[4],
    &own_topics[5],    &own_topics[6],     &own_topics[7],   &own_topics[8], &cli_topic_engines,
    &cli_topic_scenes, &cli_topic_threads, &cli_topic_codes,
};
const size_t cli_topic_count = IC_COUNT(cli_topics);

static void list_json(ic_json *json, const cli_topic *t, const char *pattern)
{
    ic_hint name;
    ic_json_array(json, t->name);
    for (size_t i = 0; t->name_at(i, &name); i++) {
        if (ic_glob(pattern, name.text)) t->json(json, i);
    }
    ic_json_end(json);
}

static bool list_text(const cli_topic *t, const char *pattern, bool long_form)
{
    ic_hint name;
    bool good = true, first = true;
    const bool sections = long_form && t->section != NULL;
    cli_table *table =
        sections ? NULL : cli_table_of(long_form && t->long_titles != NULL ? t->long_titles : t->titles);
    for (size_t i = 0; t->name_at(i, &name) && good; i++) {
        if (!ic_glob(pattern, name.text)) continue;
        if (!sections && table != NULL) t->add(table, i, long_form);
        if (!sections) continue;
        if (!first) putchar('\n');
        first = false;
        good = t->section(i);
    }
    return sections ? good : cli_table_finish(table, 0, long_form);
}

static int nothing_matches(const cli_command *command, const cli_topic *t, const char *pattern)
{
    ic_hint name;
    ic_nearest nearest = {.wrong = pattern};
    for (size_t i = 0; t->name_at(i, &name); i++) ic_nearest_offer(&nearest, name.text);
    return cli_bad_input(command, "none of the %s matches '%s'%s (impactcheck list %s shows all)", t->name,
                         pattern, ic_nearest_hint(&nearest).text, t->name);
}

static bool any_match(const cli_topic *t, const char *pattern)
{
    ic_hint name;
    for (size_t i = 0; t->name_at(i, &name); i++) {
        if (ic_glob(pattern, name.text)) return true;
    }
    return false;
}

/* List topics [from, to). */
static int list_range(const cli_arguments *arguments, size_t from, size_t to, const char *pattern)
{
    ic_json json = ic_json_to(stdout);
    const bool as_json = cli_has(arguments, JSON);
    bool good = true;
    if (as_json) ic_json_object(&json, NULL);
    for (size_t i = from; i < to && good; i++) {
        if (as_json) {
            list_json(&json, cli_topics[i], pattern);
            continue;
        }
        if (i > from) putchar('\n');
        if (to - from > 1) printf("%s\n", cli_paint(stdout, CLI_BOLD, cli_topics[i]->name).text);
        good = list_text(cli_topics[i], pattern, cli_has(arguments, LONG));
    }
    if (as_json) ic_json_end(&json);
    if (good && unopened.text[0] != '\0') return cli_failure(arguments->command, "%s", unopened.text);
    return good ? CLI_GOOD : cli_no_memory(arguments->command);
}

/* The case and the presets of a file. The other lists do not depend on the file. */
static int list_file(const cli_arguments *arguments)
{
    size_t n = 0;
    while (n < cli_topic_count && (cli_topics[n]->json == case_json || cli_topics[n]->json == preset_json)) n++;
    const int status = list_range(arguments, 0, n, "*");
    if (status != CLI_GOOD) return status;
    printf("\nImpactcheck's own");
    for (size_t i = n; i < cli_topic_count; i++)
        printf("%s %s", i == n ? "" : i + 1 < cli_topic_count ? "," : " and", cli_topics[i]->name);
    printf(": impactcheck list\n");
    return status;
}

static int run_list(const cli_arguments *arguments)
{
    const char *wanted = arguments->n_operands > 0 ? arguments->operands[0] : NULL;
    const char *pattern = arguments->n_operands > 1 ? arguments->operands[1] : "*";
    ic_nearest nearest = {.wrong = wanted};
    if (!cli_use_case_file(arguments->command, &pattern)) return CLI_BAD_INPUT;
    /* all of the file's */
    if (!ic_registry_is_built_in() && strchr(pattern, '/') == NULL) pattern = "*";
    if (wanted != NULL && ic_casefile_path(wanted) > 0) {
        if (!cli_use_case_file(arguments->command, &wanted)) return CLI_BAD_INPUT;
        if (!cli_has(arguments, JSON)) return list_file(arguments);
        wanted = NULL; /* all lists, with the file's case alone */
    }
    char of_case[256];
    if (wanted != NULL && strcmp(wanted, "presets") == 0 && ic_case_find(pattern) != NULL) {
        snprintf(of_case, sizeof of_case, "%s/*", pattern);
        pattern = of_case;
    }
    if (wanted == NULL) return list_range(arguments, 0, cli_topic_count, pattern);
    for (size_t i = 0; i < cli_topic_count; i++) {
        ic_nearest_offer(&nearest, cli_topics[i]->name);
        if (strcmp(cli_topics[i]->name, wanted) != 0) continue;
        if (!any_match(cli_topics[i], pattern))
            return nothing_matches(arguments->command, cli_topics[i], pattern);
        return list_range(arguments, i, i + 1, pattern);
    }
    return cli_bad_input(
        arguments->command,
        "'%s' is not a list%s (cases, presets, solvers, laws, checks, traps, studies, mistakes, tolerances, engines, scenes, threads or codes)",
        wanted, ic_nearest_hint(&nearest).text);
}

const cli_command cli_list = {
    .name = "list",
    .operands =
        "[FILE.yaml|cases|presets|solvers|laws|checks|traps|studies|mistakes|tolerances|engines|scenes|threads|codes [GLOB]]",
    .least = 0,
    .most = 2,
    .title =
        "Lists of cases, presets, solvers, laws, checks, traps, studies, mistakes, tolerances, engines, their scenes and reports of their faults, and codes.",
    .details =
        "Without arguments, a summary of all. GLOB selects names: impactcheck list presets 'roller/III/*'. For cases and "
        "presets it may be a case file: impactcheck list cases FILE.yaml --long. FILE.yaml alone: its case and presets; in JSON, all lists.",
    CLI_OPTIONS(options),
    .run = run_list,
};
