/* SPDX-License-Identifier: MIT */
/**
 * The methods of sweeps, which solve many parameter sets at once and are no solvers: the ends of a few sets beside
 * each preset, in which one parameter differs by some parts in a thousand, are compared with those of a general
 * solver of another kind at a far smaller tolerance.
 */
#include "registry/registry.h"
#include "validation/checks/judges.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Parameter sets: more than a vector has lanes, so that one is exchanged. Relative difference of two of them. */
enum { SETS = 5 };
#define APART 1e-3
/* Numbers of bodies are whole and not greater: other parameters are varied first. */
#define MOST_COUNT 64.0
/* The other solver and its tolerance, at which its error is below that of the method by a factor of 1000. */
#define REFERENCE "dop853"
#define REFERENCE_RTOL 1e-13
/* The longest run, typical times, and the most steps of it by the other solver. */
#define LONGEST 10.0
#define MOST_STEPS 2e4
/* So many steps pass over no bump that matters: they decide where one of both is wrong. */
#define SURE_STEPS 5e3
enum { SAMPLES = 33 };

/** Parameter sets, and the ends that are right. */
typedef struct beside_sets {
    ic_setup setups[SETS];
    ic_parameter_set sets[SETS];
    double rows[SETS][IC_MAX_STATES], right[SETS][IC_MAX_STATES];

    /* A state's greatest value on the way: tolerances are relative to that, and its scale. */
    double most[SETS][IC_MAX_STATES];

    unsigned char modes[SETS];
    int right_modes[SETS];
    ic_status right_status[SETS];
    size_t n;
} beside_sets;

static void close_sets(beside_sets *s)
{
    for (size_t i = 0; i < s->n; i++) ic_setup_close(&s->setups[i]);
    s->n = 0;
}

/* Opens the sets, in which parameter k differs, or none if there are no more. false: the case does not permit that. */
static bool open_sets(beside_sets *s, const ic_setup *setup, const char *path, size_t k)
{
    const ic_problem *of = &setup->problem;
    const bool varies = k < of->system->n_parameters;
    for (int i = 0; i < SETS; i++) {
        char text[80] = "";
        const char *settings[] = {text};
        if (varies)
            snprintf(text, sizeof text, "%s=%.17g", of->system->parameters[k].name,
                     of->par[k] * (1 - i * APART));
        const ic_request request = {path, settings, varies, NULL, of->variant->name};
        if (!ic_setup_open(&s->setups[i], &request, NULL)) break;
        s->n++;
        ic_problem *problem = &s->setups[i].problem;
        problem->t_end = fmin(problem->t_end, problem->t_start + LONGEST * ic_time_scale(problem));
        problem->t_end_text = NULL;
        s->sets[i] = (ic_parameter_set){.par = problem->par,
                                        .problem = problem,
                                        .period = problem->t_end - problem->t_start,
                                        .n_rows = 1,
                                        .rows = s->rows[i],
                                        .modes = &s->modes[i]};
    }
    if (s->n < SETS) close_sets(s);
    return s->n == SETS;
}

/* Whole numbers that may count bodies are varied last. */
static bool open_any_sets(beside_sets *s, const ic_setup *setup, const char *path)
{
    const double *par = setup->problem.par;
    const size_t n = setup->problem.system->n_parameters;
    for (int counts = 0; counts < 2; counts++) {
        for (size_t k = 0; k < n; k++) {
            const bool whole = par[k] == rint(par[k]) && fabs(par[k]) <= MOST_COUNT;
            if (par[k] != 0 && whole == counts && open_sets(s, setup, path, k)) return true;
        }
    }
    return open_sets(s, setup, path, n);
}

/* The ends by the other solver, with at least so many steps. */
static void solve_right(beside_sets *s, double least_steps)
{
    const size_t n = s->setups[0].problem.system->n_states;
    for (size_t i = 0; i < s->n; i++) {
        const ic_options options = {.rtol = REFERENCE_RTOL,
                                    .max_steps = MOST_STEPS,
                                    .samples = SAMPLES,
                                    .step = s->sets[i].period / least_steps};
        ic_log *log = ic_solve(ic_solver_find(REFERENCE), &s->setups[i].problem, &options, &s->right_status[i]);
        if (s->right_status[i] == IC_OK) {
            const ic_sample end = ic_log_end(log);
            s->right_modes[i] = end.mode;
            memcpy(s->right[i], end.x, n * sizeof *end.x);
            memset(s->most[i], 0, n * sizeof *end.x);
            for (size_t j = 0; j < n * ic_log_sample_count(log); j++)
                s->most[i][j % n] = fmax(s->most[i][j % n], fabs(ic_log_sample_at(log, j / n).x[j % n]));
        }
        ic_log_free(log);
    }
}

/* The greatest error of the sets that both have solved, in sizes of the states; the number of these. */
static double worst_error(const beside_sets *s, size_t *compared)
{
    double worst = 0;
    *compared = 0;
    for (size_t i = 0; i < s->n; i++) {
        double scale[IC_MAX_STATES];
        if (s->right_status[i] != IC_OK) continue;
        (*compared)++;
        ic_state_scales(s->sets[i].problem, scale);
        if (s->sets[i].status != IC_OK || s->modes[i] != s->right_modes[i]) return INFINITY;
        for (size_t k = 0; k < s->sets[i].problem->system->n_states; k++) {
            const double error = fabs(s->rows[i][k] - s->right[i][k]) / (scale[k] + s->most[i][k]);
            if (!(error <= worst)) worst = error;
        }
    }
    return worst;
}

static void compare_ends(ic_results *results, beside_sets *s, const ic_sweep_plan *plan,
                         const ic_sweep_method *method, ic_result row)
{
    size_t left = 0, compared = 0;
    const ic_status status = ic_parameter_sets_solve(plan, method->solve, s->sets, s->n, &left);
    ic_row_accept(&row, &ic_tolerance_sweep_ends);
    row.error = INFINITY;
    for (double steps = 1; status == IC_OK && !(row.error <= row.tolerance) && steps <= SURE_STEPS;
         steps *= SURE_STEPS) {
        solve_right(s, steps);
        row.error = worst_error(s, &compared);
    }
    if (compared == 0) row.verdict = IC_SKIPPED;
    snprintf(row.detail, sizeof row.detail, "%zu of %zu sets, up to %.6g s; %zu left to the solver", compared,
             s->n, s->setups[0].problem.t_end, left);
    if (compared == 0) snprintf(row.detail, sizeof row.detail, "no set has an end by " REFERENCE);
    if (row.verdict == IC_SKIPPED) ic_results_add(results, &row);
    else ic_results_compare(results, row);
}

void ic_sweep_method_judge(ic_results *results, const ic_setup *setup, const ic_sweep_method *method,
                           const char *path)
{
    static beside_sets s;
    const ic_solver *solver = ic_solver_find(method->stands_in_for);
    const ic_sweep_plan plan = {.problem = &setup->problem,
                                .solver = solver,
                                .options = {.rtol = ic_verify_rtol(solver)},
                                .period = ic_sweep_period,
                                .keep = 1,
                                .record = IC_RECORD_STROBE,
                                .n_columns = setup->problem.system->n_states};
    const char *refusal = ic_sweep_method_refusal(method, &plan);
    ic_result row = ic_row("sweeps", path, solver, "scale");
    snprintf(row.what, sizeof row.what, "ends of a sweep by method %s", method->name);
    if (refusal != NULL && strcmp(refusal, IC_SWEEP_NEEDS_FUSED) != 0) return; /* it is not for this case */
    if (refusal == NULL && !open_any_sets(&s, setup, path)) refusal = "the preset cannot be set up again";
    if (refusal != NULL) {
        row.verdict = IC_SKIPPED;
        snprintf(row.detail, sizeof row.detail, "%s", refusal);
        ic_results_add(results, &row);
        return;
    }
    compare_ends(results, &s, &plan, method, row);
    close_sets(&s);
}

static void visit_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                         const char *path)
{
    for (size_t i = 0; i < ic_sweep_method_count; i++) {
        const ic_sweep_method *method = ic_sweep_methods[i];
        const ic_solver *solver = method->stands_in_for != NULL ? ic_solver_find(method->stands_in_for) : NULL;
        if (solver == NULL || !ic_selects_solver(selection, solver)) continue;
        if (ic_solver_solves(solver, &setup->problem)) ic_sweep_method_judge(results, setup, method, path);
    }
}

const ic_check ic_check_sweeps = {"sweeps", "sweeps in vectors: ends of parameter sets beside each preset",
                                  .visit = visit_preset, .cost = 10};
