/* SPDX-License-Identifier: MIT */
/* impactcheck check: reports faults of a case file, and the features of its case. */
#include "casefile/casefile.h"
#include "casefile/subject.h"
#include "casefile/yaml.h"
#include "cli/command.h"
#include "cli/sketch.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "core/linear_view.h"
#include "core/model.h"
#include "reference/flow/certify.h"
#include "registry/registry.h"
#include "reports/number.h"
#include "reports/sketch.h"
#include "validation/case/judgement.h"
#include "validation/claims/claims.h"
#include "validation/claims/closed_form.h"
#include "validation/studies/figure_study.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QUIET };

static const cli_option options[] = {
    [QUIET] = {"--quiet", NULL, "no summary; faults are still reported on standard error", false},
};

enum { INDENT = 2 };

/*
 * Part of the typical time that is certified to find out whether the start can be certified; number
 * of digits, and time for it.
 */
#define BEGINNING 1e-2
enum { BEGINNING_DIGITS = 12, BEGINNING_SECONDS = 10 };

static void print_fault(const char *text, void *context)
{
    cli_failure(context, "%s", text);
}

/* ---- features of the case */

/* Whether a mode belongs to another variant: no event leads to it or from it. */
static bool is_kept_free(const ic_mode *mode)
{
    return mode->terminal && mode->n_guards == 0 && strcmp(mode->meaning, "not a mode of this variant") == 0;
}

static void add_modes(cli_table *table, const ic_variant *variant)
{
    char text[512] = "";
    size_t shown = 0;
    for (size_t i = 0; i < variant->n_modes; i++) {
        const size_t used = strlen(text);
        if (is_kept_free(&variant->modes[i])) continue;
        if (shown < 6)
            snprintf(text + used, sizeof text - used, "%s%s", shown > 0 ? "; " : "", variant->modes[i].name);
        shown++;
    }
    const size_t used = strlen(text);
    if (shown > 6) snprintf(text + used, sizeof text - used, "; and %zu more", shown - 6);
    CLI_ROW(table, "modes", text);
}

static void add_solvers(cli_table *table, const ic_problem *problem)
{
    char text[512] = "";
    for (size_t i = 0; i < ic_solver_count; i++) {
        const size_t used = strlen(text);
        if (ic_is_peer(ic_solvers[i]->name) || !ic_solver_solves(ic_solvers[i], problem)) continue;
        snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? ", " : "", ic_solvers[i]->name);
    }
    CLI_ROW(table, "solvers", text);
}

/*
 * The typical time, its origin, and the number of steps that it implies for solvers with fixed
 * steps.
 */
static bool print_time_scale(const ic_problem *problem)
{
    cli_table *table = cli_table_of("|");
    const double many = 1e6; /* steps: seconds of work, or more */
    const char *path;
    const ic_yaml *text = ic_casefile_text(problem->system, &path);
    const double scale = ic_time_scale(problem), step = ic_default_step(problem);
    const double steps = ceil((problem->t_end - problem->t_start) / step);
    char row[256];
    snprintf(row, sizeof row, "%s s, %s", ic_number_short(scale, 3).text,
             ic_yaml_get(text, "time_scale") != NULL ? "as stated"
             : ic_yaml_get(text, "period") != NULL   ? "the period"
                                                     : "estimated by a rough run: time_scale sets it");
    CLI_ROW(table, "typical time", row);
    snprintf(row, sizeof row, "%s s, %s of them to the end%s", ic_number_short(step, 3).text,
             ic_number_short(steps, 3).text,
             steps > many
                 ? ": rk4_henon and refined_step are slow here; state a longer time_scale, or use others"
                 : "");
    CLI_ROW(table, "fixed steps", row);
    return cli_table_finish(table, INDENT, false);
}

/* Reason for which a problem cannot even be certified at its start; NULL: it can. */
static const char *why_not_from_start(const ic_problem *problem)
{
    static char text[256];
    ic_problem first = *problem;
    ic_certificate c;
    first.t_end = fmin(problem->t_end, problem->t_start + BEGINNING * ic_time_scale(problem));
    first.t_end_text = NULL;
    ic_certify(&c, &first, &(ic_certify_options){.digits = BEGINNING_DIGITS, .time_limit = BEGINNING_SECONDS});
    const bool none = c.status == IC_UNSUPPORTED ||
                      (c.status == IC_UNDECIDED && arf_cmp_d(arb_midref(c.t), problem->t_start) <= 0);
    if (none) snprintf(text, sizeof text, "no: undecided at the start: %.200s", c.reason);
    ic_certificate_clear(&c);
    return none ? text : NULL;
}

/* Reason for which a variant has no certified answers; NULL: it has. */
static const char *why_not_certified(const ic_problem *problem)
{
    ic_setup exact;
    ic_error error;
    if (ic_is_linear(problem->variant)) return why_not_from_start(problem);
    if (!ic_setup_exact(&exact, problem, &error)) return "no: its formulas cannot be read again";
    const char *why = why_not_from_start(&exact.problem);
    ic_setup_close(&exact);
    return why;
}

static bool print_variant(const ic_case *system, const ic_variant *variant)
{
    ic_setup setup;
    ic_error error;
    cli_table *table = cli_table_of("|");
    const char *why = "no";
    if (system->n_variants > 1) CLI_ROW(table, "variant", variant->name);
    add_modes(table, variant);
    if (ic_setup_open_case(&setup, system, &(ic_request){.variant = variant->name}, &error)) {
        add_solvers(table, &setup.problem);
        why = why_not_certified(&setup.problem);
        ic_setup_close(&setup);
    }
    CLI_ROW(table, "certified",
            why == NULL ? "yes, by ball arithmetic, as far as each event can be proved" : why);
    CLI_ROW(table, "energy", variant->modes[0].stored_energy != NULL ? "balance is checked" : "not stated");
    return cli_table_finish(table, INDENT, false);
}

static bool print_states(const ic_case *system)
{
    cli_table *table = cli_table_of("state|unit|scale|meaning");
    for (size_t i = 0; i < system->n_states; i++) {
        const ic_state *s = &system->states[i];
        CLI_ROW(table, s->name, s->unit, s->scale, s->meaning);
    }
    return cli_table_finish(table, INDENT, true);
}

/* The sketch, and shapes that cannot be drawn at the start of the first preset. */
static bool print_sketch(const ic_problem *problem)
{
    const ic_case *system = problem->system;
    cli_table *table = cli_table_of("|");
    char row[256];
    size_t i, hidden = 0, first = 0;
    json_t *shapes = system->n_shapes == 0 ? NULL : cli_sketch_start(problem), *shape;
    json_array_foreach(shapes, i, shape)
    {
        if (ic_sketch_can_draw(shape)) continue;
        if (hidden++ == 0) first = i + 1;
    }
    const int used =
        snprintf(row, sizeof row, "%zu shape%s, in %s", system->n_shapes, system->n_shapes == 1 ? "" : "s",
                 system->n_shapes == 0 ? "" : system->sketch_unit);
    if (hidden > 0)
        snprintf(
            row + used, sizeof row - (size_t)used,
            "; %zu of them, the first being number %zu, %s not drawn at the start: coordinates are not finite",
            hidden, first, hidden == 1 ? "is" : "are");
    CLI_ROW(table, "sketch", system->n_shapes == 0 ? "none" : row);
    const bool good = shapes != NULL || system->n_shapes == 0;
    json_decref(shapes);
    return cli_table_finish(table, INDENT, false) && good;
}

/* The sections about answers, by the number of their entries. */
static bool print_answers(const ic_case *system)
{
    const struct {
        const char *section, *use;
        size_t n;
    } sections[] = {
        {"statements", "verify judges them", system->n_statements},
        {"closed forms", "verify compares certificates and solvers with them", system->n_closed_forms},
        {"figures", "study FILE.yaml/FIGURE computes one", system->n_figures}};
    char text[128];
    bool any = false;
    for (size_t i = 0; i < IC_COUNT(sections); i++) any = any || sections[i].n > 0;
    if (!any) return true;
    cli_table *table = cli_table_of("|");
    putchar('\n');
    for (size_t i = 0; i < IC_COUNT(sections); i++) {
        snprintf(text, sizeof text, "%zu: %s", sections[i].n, sections[i].use);
        if (sections[i].n > 0) CLI_ROW(table, sections[i].section, text);
    }
    return cli_table_finish(table, INDENT, false);
}

static bool print_case(const ic_case *system)
{
    bool good = true;
    ic_setup setup;
    printf("%s  %s\n", cli_paint(stdout, CLI_BOLD, system->name).text, system->title);
    for (size_t i = 0; i < system->n_variants; i++) good = print_variant(system, &system->variants[i]) && good;
    putchar('\n');
    good = print_states(system) && good;
    if (ic_setup_open_case(&setup, system, &(ic_request){.path = NULL}, NULL)) {
        putchar('\n');
        good = print_time_scale(&setup.problem) && print_sketch(&setup.problem) && good;
        ic_setup_close(&setup);
    }
    return print_answers(system) && good;
}

/* ---- the command */

/* Opens each preset. A start behind a stop has the place of the stop. */
static int open_presets(const cli_arguments *arguments, const ic_case *system)
{
    static const char behind[] = "behind the stop '";
    for (size_t i = 0; i < system->n_presets; i++) {
        ic_setup setup;
        ic_error error = {""};
        const ic_preset *preset = &system->presets[i];
        const bool good = ic_setup_open_case(&setup, system, &(ic_request){.path = preset->name}, &error);
        const char *stop = strstr(error.text, behind), *file = NULL;
        char guard[320];
        if (good) ic_setup_close(&setup);
        if (good || stop == NULL) continue;
        snprintf(guard, sizeof guard, "variant %s, guard '%.64s", preset->variant, stop + strlen(behind));
        const ic_file_place place = ic_casefile_subject(ic_casefile_text(system, &file), guard);
        cli_failure(arguments->command, "%s:%zu:%zu: preset %s: %s", arguments->operands[0], place.line,
                    place.column, preset->name, error.text);
        return CLI_BAD_INPUT;
    }
    return CLI_GOOD;
}

/* ---- the sections about answers */

typedef struct answer_faults {
    const cli_arguments *arguments;
    const ic_case *system;
    const char *section;
    size_t n;
} answer_faults;

static void print_answer_fault(const char *name, const char *key, size_t offset, const char *text,
                               void *context)
{
    answer_faults *faults = context;
    const char *file = NULL;
    const ic_yaml *tree = ic_casefile_text(faults->system, &file);
    const ic_file_place place = ic_casefile_place(tree, faults->section, name, key, offset);
    cli_failure(faults->arguments->command, "%s:%zu:%zu: %s", file, place.line, place.column, text);
    faults->n++;
}

/* Reports the faults of measures, which the language does not know. */
static int check_answers(const cli_arguments *arguments, const ic_case *system)
{
    answer_faults faults = {arguments, system, "statements", 0};
    ic_claims claims;
    if (!ic_claims_of_case(&claims, system, print_answer_fault, &faults))
        return cli_no_memory(arguments->command);
    ic_claims_close(&claims);
    faults.section = "closed_forms";
    for (size_t i = 0; i < system->n_closed_forms; i++) {
        ic_quantity quantity;
        ic_closed_form_kind kind;
        ic_closed_form_read(&quantity, &kind, system, i, print_answer_fault, &faults);
    }
    faults.section = "figures";
    for (size_t i = 0; i < system->n_figures; i++)
        ic_figure_study_free(ic_figure_study_new(system, i, print_answer_fault, &faults));
    return faults.n > 0 ? CLI_BAD_INPUT : CLI_GOOD;
}

/* Compares texts, functions, rates, jumps and energy with each other, as `verify` does. */
static int judge_case(const cli_arguments *arguments, const ic_case *system)
{
    ic_result row = {0};
    char undecided[512];
    if (!ic_case_judge(&row, undecided, sizeof undecided, system)) return cli_no_memory(arguments->command);
    if (row.verdict == IC_FAIL) {
        const char *file = arguments->operands[0];
        const ic_file_place place = ic_casefile_subject(ic_casefile_text(system, &file), row.what);
        char at[48] = "";
        if (place.line > 0) snprintf(at, sizeof at, ":%zu:%zu", place.line, place.column);
        cli_failure(arguments->command, "%s%s: %s: %s", arguments->operands[0], at, row.what, row.detail);
        return CLI_CHECK_FAILED;
    }
    if (!cli_has(arguments, QUIET)) {
        if (undecided[0] != '\0') printf("\nNot examined: %s\n", undecided);
        printf("\nGood: the case can be solved\n");
    }
    return CLI_GOOD;
}

static int run_check(const cli_arguments *arguments)
{
    const char *path = arguments->operands[0];
    const ic_case *system = NULL;
    char *folder = strstr(path, ".yaml/");
    if (ic_casefile_path(path) != strlen(path) || folder != NULL) {
        cli_refuse(arguments->command, "'%s' is not the name of a case file: expected NAME.yaml", path);
        return CLI_BAD_INPUT;
    }
    if (ic_casefile_examine(&system, path, print_fault, (void *)arguments->command) > 0) return CLI_BAD_INPUT;
    if (system == NULL) return cli_no_memory(arguments->command);
    ic_registry_use(system);
    const int answers = check_answers(arguments, system);
    const int presets = answers == CLI_GOOD ? open_presets(arguments, system) : answers;
    if (presets != CLI_GOOD) return presets;
    if (!cli_has(arguments, QUIET) && !print_case(system)) return cli_no_memory(arguments->command);
    return judge_case(arguments, system);
}

const cli_command cli_check = {
    .name = "check",
    .operands = "FILE.yaml",
    .least = 1,
    .most = 1,
    .title = "Reports faults of a case file, and the features of its case.",
    .details =
        "A case file states a machine as text: parameters, states, equations, events. docs/case-files.md describes "
        "it. Every fault is reported with its line and column: unknown names, units that do not agree, modes that "
        "no event enters. Then the case is examined at random states: do rates, jumps, invariants and energy agree?\n"
        "Exit status 2: the file has faults; 1: the case contradicts itself.",
    .options = options,
    .n_options = IC_COUNT(options),
    .run = run_check,
};
