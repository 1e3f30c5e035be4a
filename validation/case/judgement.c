/* SPDX-License-Identifier: MIT */
#include "validation/case/judgement.h"
#include "casefile/casefile.h"
#include "core/linear_view.h"
#include "registry/registry.h"
#include "validation/case/judge.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Length of the run for states in typical times, its samples, and a limit of steps that keeps a
 * user's case cheap.
 */
#define RUN_TIMES 60.0
#define RUN_STEPS 3000.0
enum { RUN_SAMPLES = 40 };

typedef bool judge_part(ic_judge *judge);

/* Causes before effects: the first contradiction should be the cause. */
static judge_part *const parts[] = {ic_judge_quantities, ic_judge_names,      ic_judge_texts,
                                    ic_judge_equations,  ic_judge_jumps,      ic_judge_rates,
                                    ic_judge_landings,   ic_judge_invariants, ic_judge_energy};

/* State of the judging of a case. */
typedef struct progress {
    ic_result *row;
    char *undecided;
    size_t undecided_size;
    char gains[160];
    size_t comparisons, problems;
    /* that were examined, modes only if they have an energy balance */
    ic_met guards, modes;
    bool no_memory;
} progress;

/* A run for its states. Nothing is concluded from the run itself. */
static ic_log *run_for_states(const ic_problem *whole, bool *no_memory)
{
    ic_problem problem = *whole;
    const double longest = problem.t_start + RUN_TIMES * ic_time_scale(&problem);
    const ic_options options = {
        .rtol = ic_tolerance_case_run_rtol.value, .max_steps = RUN_STEPS, .samples = RUN_SAMPLES};
    ic_status status = IC_OK;
    if (problem.t_end > longest) problem.t_end = longest, problem.t_end_text = NULL;
    ic_log *log = ic_solve(ic_accurate_solver(problem.variant), &problem, &options, &status);
    *no_memory = status == IC_NO_MEMORY;
    return log;
}

static bool judge_problem(progress *p, const ic_problem *problem, const ic_preset *preset)
{
    ic_judge judge = {.problem = problem,
                      .preset = preset,
                      .row = p->row,
                      .notes = p->undecided,
                      .notes_size = p->undecided_size,
                      .gains = p->gains,
                      .gains_size = sizeof p->gains,
                      .guards_met = &p->guards,
                      .modes_met = &p->modes,
                      .time_scale = ic_time_scale(problem)};
    bool good = true;
    ic_state_scales(problem, judge.scale);
    ic_log *log = NULL;
    for (size_t i = 0; i < IC_COUNT(parts) && good && !p->no_memory; i++) {
        /* a case whose texts contradict its functions is not run */
        if (parts[i] == ic_judge_names) ic_judge_look_around(&judge);
        if (parts[i] == ic_judge_rates) {
            judge.seen = log = run_for_states(problem, &p->no_memory);
            ic_judge_look_around(&judge);
        }
        good = !p->no_memory && parts[i](&judge);
        p->no_memory = p->no_memory || judge.no_memory;
    }
    ic_log_free(log);
    p->comparisons += judge.comparisons;
    p->problems++;
    return good;
}

/* ---- presets and variants */

static bool is_of_a_preset(const ic_case *system, const ic_variant *variant)
{
    for (size_t i = 0; i < system->n_presets; i++) {
        if (strcmp(system->presets[i].variant, variant->name) == 0) return true;
    }
    return false;
}

static bool judge_preset(progress *p, const ic_case *system, const ic_preset *preset)
{
    ic_setup setup;
    ic_error error = {""};
    const ic_case *sized = ic_casefile_sized(system, preset->name, NULL, 0, &error);
    if (sized == NULL || !ic_setup_open_case(&setup, sized, &(ic_request){.path = preset->name}, &error)) {
        snprintf(p->row->what, sizeof p->row->what,
                 "preset %s: its parameters, scales and times can be evaluated", preset->name);
        snprintf(p->row->detail, sizeof p->row->detail, "%.240s", error.text);
        p->no_memory = ic_memory_ran_out(&error);
        return false;
    }
    const bool good = judge_problem(p, &setup.problem, preset);
    ic_setup_close(&setup);
    return good;
}

/* A variant without a preset is judged with the parameters of the first preset whose parameters it permits. */
static bool judge_variant(progress *p, const ic_case *system, const ic_variant *variant)
{
    ic_error error = {""};
    char remark[256];
    for (size_t i = 0; i < system->n_presets; i++) {
        ic_setup setup;
        const ic_request request = {.path = system->presets[i].name, .variant = variant->name};
        const ic_case *sized = ic_casefile_sized(system, request.path, NULL, 0, &error);
        if (sized == NULL || !ic_setup_open_case(&setup, sized, &request, &error)) continue;
        const bool good = judge_problem(p, &setup.problem, setup.preset);
        ic_setup_close(&setup);
        return good;
    }
    p->no_memory = ic_memory_ran_out(&error);
    snprintf(remark, sizeof remark, "variant %.48s: it does not permit the parameters of any preset: %.120s",
             variant->name, error.text);
    ic_remark(p->undecided, p->undecided_size, remark);
    return true;
}

static bool judge_system(progress *p, const ic_case *system)
{
    for (size_t i = 0; i < system->n_presets && !p->no_memory; i++) {
        if (!judge_preset(p, system, &system->presets[i])) return false;
    }
    for (size_t i = 0; i < system->n_variants && !p->no_memory; i++) {
        if (!is_of_a_preset(system, &system->variants[i]) && !judge_variant(p, system, &system->variants[i]))
            return false;
    }
    return true;
}

/* Counts the guards and modes that can be examined. */
static void count_guards_and_modes(progress *p, const ic_case *system)
{
    for (size_t v = 0; v < system->n_variants; v++) {
        for (size_t m = 0; m < system->variants[v].n_modes; m++) {
            const ic_mode *mode = &system->variants[v].modes[m];
            p->guards.of += mode->n_guards;
            p->modes.of += mode->stored_energy != NULL && !mode->terminal;
        }
    }
}

static void report_agreement(const progress *p)
{
    ic_result *row = p->row;
    row->verdict = IC_PASS;
    snprintf(row->what, sizeof row->what, "texts, functions, rates, invariants, jumps and energy agree");
    snprintf(
        row->detail, sizeof row->detail,
        "%zu comparisons in %zu problems; %zu of %zu guards were examined where they fire, energy in %zu of %zu "
        "modes",
        p->comparisons, p->problems, p->guards.count, p->guards.of, p->modes.count, p->modes.of);
    if (p->gains[0] != '\0')
        ic_text_append(row->detail, sizeof row->detail, "; jumps give energy: %s", p->gains);
}

static bool judge_tables(progress *p, const ic_case *system)
{
    ic_error error = {""};
    if (ic_case_check(system, &error)) return true;
    snprintf(p->row->what, sizeof p->row->what, "its tables are complete");
    snprintf(p->row->detail, sizeof p->row->detail, "%.240s", error.text);
    return false;
}

bool ic_case_judge(ic_result *row, char *undecided, size_t size, const ic_case *system)
{
    progress p = {.row = row, .undecided = undecided, .undecided_size = size};
    undecided[0] = '\0';
    *row = ic_row("case", system->name != NULL ? system->name : "(no name)", NULL, "");
    if (!judge_tables(&p, system)) return true;
    count_guards_and_modes(&p, system);
    const void **met = calloc(p.guards.of + p.modes.of + 1, sizeof *met);
    if (met == NULL) return false;
    p.guards.what = met;
    p.modes.what = met + p.guards.of;
    if (judge_system(&p, system)) report_agreement(&p);
    free(met);
    return !p.no_memory;
}

/* A row for the parts of a consistent case that could not be judged. */
static void add_undecided(ic_results *results, const ic_case *system, const char *undecided)
{
    ic_result row = ic_row("case", system->name, NULL, "");
    row.verdict = IC_SKIPPED;
    snprintf(row.what, sizeof row.what, "parts of the case that could not be judged");
    snprintf(row.detail, sizeof row.detail, "%.240s", undecided);
    ic_results_add(results, &row);
}

void ic_cases_judge(ic_results *results, const ic_case *const *cases, size_t n, const ic_selection *selection)
{
    for (size_t i = 0; i < n; i++) {
        char undecided[512];
        ic_result row;
        if (selection != NULL && !ic_selects_case(selection, cases[i])) continue;
        if (!ic_results_part(results)) continue;
        if (!ic_case_judge(&row, undecided, sizeof undecided, cases[i])) {
            results->out_of_memory = true;
            return;
        }
        ic_results_add(results, &row);
        if (row.verdict == IC_PASS && undecided[0] != '\0') add_undecided(results, cases[i], undecided);
    }
}
