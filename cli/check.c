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
#include <stdlib.h>
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

/* The facts about a variant that `check` prints. */
typedef struct variant_facts {
    char modes[512], solvers[512];

    /* why it has no certified answers; "": it has */
    char uncertified[320];
} variant_facts;

/* All that is found out about a case. */
typedef struct case_facts {
    const ic_case *system;
    variant_facts *variants;

    /* its first preset */
    ic_setup setup;
    bool has_setup;

    /* the judgement, and what it could not examine */
    ic_result judgement;
    char undecided[512];
} case_facts;

static void report_fault(const char *text, void *context)
{
    cli_failure(context, "%s", text);
}

/* ---- features of the case */

static void find_modes(char text[512], const ic_variant *variant)
{
    size_t shown = 0;
    for (size_t i = 0; i < variant->n_modes; i++) {
        const size_t used = strlen(text);
        const ic_mode *mode = &variant->modes[i];
        /* it belongs to another variant: no event leads to it or from it */
        if (mode->terminal && mode->n_guards == 0 && strcmp(mode->meaning, "not a mode of this variant") == 0)
            continue;
        if (shown < 6) snprintf(text + used, 512 - used, "%s%s", shown > 0 ? "; " : "", variant->modes[i].name);
        shown++;
    }
    const size_t used = strlen(text);
    if (shown > 6) snprintf(text + used, 512 - used, "; and %zu more", shown - 6);
}

/* Whether a problem can be certified at least at its start; otherwise writes why not. */
static void certify_start(char *why, size_t size, const ic_problem *problem)
{
    ic_problem first = *problem;
    ic_certificate c;
    first.t_end = fmin(problem->t_end, problem->t_start + BEGINNING * ic_time_scale(problem));
    first.t_end_text = NULL;
    ic_certify(&c, &first, &(ic_certify_options){.digits = BEGINNING_DIGITS, .time_limit = BEGINNING_SECONDS});
    const bool none = c.status == IC_UNSUPPORTED ||
                      (c.status == IC_UNDECIDED && arf_cmp_d(arb_midref(c.t), problem->t_start) <= 0);
    if (none) snprintf(why, size, "no: undecided at the start: %.200s", c.reason);
    ic_certificate_clear(&c);
}

static void certify_variant(char *why, size_t size, const ic_problem *problem)
{
    ic_setup exact;
    ic_error error;
    if (ic_is_linear(problem->variant)) {
        certify_start(why, size, problem);
    } else if (!ic_setup_exact(&exact, problem, &error)) {
        snprintf(why, size, "no: its formulas cannot be read again");
    } else {
        certify_start(why, size, &exact.problem);
        ic_setup_close(&exact);
    }
}

static void examine_variant(variant_facts *facts, const ic_case *system, const ic_variant *variant)
{
    ic_setup setup;
    ic_error error;
    find_modes(facts->modes, variant);
    if (!ic_setup_open_case(&setup, system, &(ic_request){.variant = variant->name}, &error)) {
        snprintf(facts->uncertified, sizeof facts->uncertified, "no");
        return;
    }
    for (size_t i = 0; i < ic_solver_count; i++) {
        const size_t used = strlen(facts->solvers);
        if (ic_is_peer(ic_solvers[i]->name) || !ic_solver_solves(ic_solvers[i], &setup.problem)) continue;
        snprintf(facts->solvers + used, 512 - used, "%s%s", used > 0 ? ", " : "", ic_solvers[i]->name);
    }
    certify_variant(facts->uncertified, sizeof facts->uncertified, &setup.problem);
    ic_setup_close(&setup);
}

/* false: memory ran out. The judgement compares texts, functions, rates, jumps and energy, as `verify` does. */
static bool examine_case(case_facts *facts, const ic_case *system, bool shown)
{
    facts->system = system;
    facts->variants = calloc(system->n_variants, sizeof *facts->variants);
    if (facts->variants == NULL) return false;
    for (size_t i = 0; i < system->n_variants && shown; i++)
        examine_variant(&facts->variants[i], system, &system->variants[i]);
    facts->has_setup = ic_setup_open_case(&facts->setup, system, &(ic_request){.path = NULL}, NULL);
    return ic_case_judge(&facts->judgement, facts->undecided, sizeof facts->undecided, system);
}

/* ---- the summary */

static bool print_variant(const ic_case *system, const ic_variant *variant, const variant_facts *facts)
{
    cli_table *table = cli_table_of("|");
    const char *why = facts->uncertified;
    if (system->n_variants > 1) CLI_ROW(table, "variant", variant->name);
    CLI_ROW(table, "modes", facts->modes);
    if (facts->solvers[0] != '\0') CLI_ROW(table, "solvers", facts->solvers);
    CLI_ROW(table, "certified",
            why[0] == '\0' ? "yes, by ball arithmetic, as far as each event can be proved" : why);
    CLI_ROW(table, "energy", variant->modes[0].stored_energy != NULL ? "balance is checked" : "not stated");
    return cli_table_finish(table, INDENT, false);
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
    size_t hidden = 0, first = 0;
    json_t *shapes = system->n_shapes == 0 ? NULL : cli_sketch_start(problem);
    for (size_t i = 0; i < json_array_size(shapes); i++) {
        const json_t *shape = json_array_get(shapes, i);
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

static bool print_case(const case_facts *facts)
{
    const ic_case *system = facts->system;
    bool good = true;
    printf("%s  %s\n", cli_paint(stdout, CLI_BOLD, system->name).text, system->title);
    for (size_t i = 0; i < system->n_variants; i++)
        good = print_variant(system, &system->variants[i], &facts->variants[i]) && good;
    putchar('\n');
    good = print_states(system) && good;
    if (facts->has_setup) {
        putchar('\n');
        good = print_time_scale(&facts->setup.problem) && print_sketch(&facts->setup.problem) && good;
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

static int report_case(const cli_arguments *arguments, const case_facts *facts)
{
    const ic_result *row = &facts->judgement;
    const bool quiet = cli_has(arguments, QUIET);
    if (!quiet && !print_case(facts)) return cli_no_memory(arguments->command);
    if (row->verdict == IC_FAIL) {
        const char *file = arguments->operands[0];
        const ic_file_place place = ic_casefile_subject(ic_casefile_text(facts->system, &file), row->what);
        char at[48] = "";
        if (place.line > 0) snprintf(at, sizeof at, ":%zu:%zu", place.line, place.column);
        cli_failure(arguments->command, "%s%s: %s: %s", arguments->operands[0], at, row->what, row->detail);
        return CLI_CHECK_FAILED;
    }
    if (!quiet && facts->undecided[0] != '\0') printf("\nNot examined: %s\n", facts->undecided);
    if (!quiet) printf("\nGood: the case can be solved\n");
    return CLI_GOOD;
}

static int run_check(const cli_arguments *arguments)
{
    const char *path = arguments->operands[0];
    const ic_case *system = NULL;
    case_facts facts = {.has_setup = false};
    if (ic_casefile_path(path) != strlen(path) || strstr(path, ".yaml/") != NULL)
        return cli_bad_input(arguments->command, "'%s' is not the name of a case file: expected NAME.yaml",
                             path);
    if (ic_casefile_examine(&system, path, report_fault, (void *)arguments->command) > 0) return CLI_BAD_INPUT;
    if (system == NULL) return cli_no_memory(arguments->command);
    ic_registry_use(system);
    int status = check_answers(arguments, system);
    if (status == CLI_GOOD) status = open_presets(arguments, system);
    if (status != CLI_GOOD) return status;
    const bool good = examine_case(&facts, system, !cli_has(arguments, QUIET));
    status = good ? report_case(arguments, &facts) : cli_no_memory(arguments->command);
    if (facts.has_setup) ic_setup_close(&facts.setup);
    free(facts.variants);
    return status;
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
    CLI_OPTIONS(options),
    .run = run_check,
};
