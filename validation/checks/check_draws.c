/* SPDX-License-Identifier: MIT */
/**
 * Random problems: parameters drawn from the ranges that a case declares, certified on the spot,
 * and solved by every solver. A solver that is right only for the presets fails.
 *
 * The seed is fixed, so that every run draws the same; a value has DRAWN_DIGITS decimal digits, so
 * that the settings in a row's detail reproduce its problem exactly.
 */
#include "registry/registry.h"
#include "validation/checks/judges.h"
#include "validation/checks/verify.h"
#include "validation/truth.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 20, MANY = 1000, DRAWN_DIGITS = 6, MOST_DRAWS = 16 };

static const ic_tolerance *tolerance_of(const ic_solver *solver)
{
    switch (solver->control) {
    case IC_CONTROL_STEP: return &ic_tolerance_long_run_stepping;
    case IC_CONTROL_RTOL: return &ic_tolerance_long_run_adaptive;
    case IC_CONTROL_NONE: break;
    }
    return (solver->needs & IC_NEEDS_IMPACT_VIEW) != 0 ? &ic_tolerance_draws_special
                                                       : &ic_tolerance_draws_exact;
}

/* ---- drawing: splitmix64 (Steele, Lea, Flood 2014) */

static double draw_uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

typedef struct drawn {
    /* NAME=VALUE */
    char texts[MOST_DRAWS][48];

    const char *settings[MOST_DRAWS];

    /* all of them */
    char line[200];
} drawn;

static void draw_parameters(drawn *d, const ic_case *system, uint64_t *state)
{
    size_t length = 0;
    d->line[0] = '\0';
    for (size_t i = 0; i < system->n_draws; i++) {
        const ic_draw *from = &system->draws[i];
        const double u = draw_uniform(state);
        const double value = from->logarithmic ? from->from * pow(from->to / from->from, u)
                                               : from->from + (from->to - from->from) * u;
        snprintf(d->texts[i], sizeof d->texts[i], "%s=%.*g", from->parameter, DRAWN_DIGITS, value);
        d->settings[i] = d->texts[i];
        if (length >= sizeof d->line) continue;
        length +=
            (size_t)snprintf(d->line + length, sizeof d->line - length, "%s%s", i > 0 ? " " : "", d->texts[i]);
    }
}

/* ---- one solver over all problems of one preset */

typedef struct draw_tally {
    double worst, radius;
    size_t solved, other_events;

    /* settings of the worst */
    char where[200];
} draw_tally;

static double distance(const ic_problem *problem, const ic_log *log, const ic_truth *truth, double *radius)
{
    double scale[IC_MAX_STATES];
    const ic_sample end = ic_log_end(log);
    double error = end.mode == truth->mode
                       ? fabs(end.t - truth->t_end) / fmax(truth->t_end, ic_time_scale(problem))
                       : INFINITY;
    ic_state_scales(problem, scale);
    for (size_t i = 0; i < problem->system->n_states; i++) {
        error = fmax(error, fabs(end.x[i] - truth->x[i]) / scale[i]);
        *radius = fmax(*radius, truth->radius[i] / scale[i]);
    }
    return error;
}

static bool same_events(const ic_log *log, const ic_truth *truth)
{
    if (ic_log_event_count(log) != truth->count) return false;
    for (size_t i = 0; i < truth->count; i++) {
        if (strcmp(ic_log_event_at(log, i).name, truth->events[i].name) != 0) return false;
    }
    return true;
}

static void record_error(draw_tally *t, const ic_problem *problem, const ic_solver *solver,
                         const ic_truth *truth, const char *settings)
{
    ic_status status = IC_OK;
    const ic_options options = {.rtol = ic_verify_rtol(solver)};
    ic_log *log = ic_solve(solver, problem, &options, &status);
    const double error = status == IC_OK ? distance(problem, log, truth, &t->radius) : INFINITY;
    t->solved++;
    if (status == IC_OK && !same_events(log, truth)) t->other_events++;
    if (!(error <= t->worst)) {
        t->worst = error;
        snprintf(t->where, sizeof t->where, "%s", settings);
    }
    ic_log_free(log);
}

static void add_row(ic_results *results, const draw_tally *t, const ic_solver *solver, const char *path,
                    size_t undecided)
{
    ic_result row = ic_row("draws", path, solver, "scale");
    row.error = t->worst;
    row.radius = t->radius;
    ic_row_accept(&row, tolerance_of(solver));
    snprintf(row.what, sizeof row.what, "ends of %zu random problems", t->solved);
    snprintf(row.detail, sizeof row.detail, "worst: %.150s; other events: %zu; not certified: %zu", t->where,
             t->other_events, undecided);
    ic_results_compare(results, row);
}

void ic_draws_judge(ic_results *results, const ic_setup *base, const char *path,
                    const ic_solver *const *solvers, size_t n_solvers, int count)
{
    enum { MOST_SOLVERS = 64 };
    const ic_case *system = base->problem.system;
    draw_tally tallies[MOST_SOLVERS] = {{0}};
    size_t undecided = 0;
    uint64_t state = 1;
    if (n_solvers > MOST_SOLVERS) n_solvers = MOST_SOLVERS;
    for (int k = 0; k < count; k++) {
        drawn d;
        ic_setup setup;
        ic_truth truth;
        draw_parameters(&d, system, &state);
        if (!ic_setup_open(&setup, &(ic_request){path, d.settings, system->n_draws, NULL, NULL}, NULL))
            continue;
        ic_truth_certify(&truth, &setup.problem, IC_TRUTH_DIGITS);
        undecided += truth.status != IC_OK;
        for (size_t s = 0; s < n_solvers && truth.status == IC_OK; s++) {
            if (!ic_solver_serves(solvers[s], &setup.problem)) continue;
            record_error(&tallies[s], &setup.problem, solvers[s], &truth, d.line);
        }
        ic_truth_clear(&truth);
        ic_setup_close(&setup);
    }
    for (size_t s = 0; s < n_solvers; s++) {
        if (tallies[s].solved > 0) add_row(results, &tallies[s], solvers[s], path, undecided);
    }
}

/* Problems are drawn around the first preset of each variant. */
static void visit_first_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                               const char *path)
{
    const ic_case *system = setup->problem.system;
    if (system->n_draws == 0 || system->n_draws > MOST_DRAWS) return;
    for (const ic_preset *earlier = system->presets; earlier != setup->preset; earlier++) {
        if (strcmp(earlier->variant, setup->preset->variant) == 0) return;
    }
    const ic_solver **selected = calloc(ic_solver_count, sizeof(const ic_solver *));
    size_t n = 0;
    if (selected == NULL) {
        results->out_of_memory = true;
        return;
    }
    for (size_t s = 0; s < ic_solver_count; s++) {
        if (ic_selects_solver(selection, ic_solvers[s])) selected[n++] = ic_solvers[s];
    }
    ic_draws_judge(results, setup, path, selected, n, selection->full ? MANY : FEW);
    free(selected);
}

const ic_check ic_check_draws = {
    "draws", "random problems, certified on the spot: a solver must be right for more than the presets",
    .visit = visit_first_preset, .cost = 17};
