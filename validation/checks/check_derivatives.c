/* SPDX-License-Identifier: MIT */
/**
 * Derivatives of runs by a parameter, through events: general solvers compared with certified ones. Both are derived by
 * rules of their own, one in the graph of the case file, one from operations. The first preset of each variant is judged,
 * up to some events, by the first parameter that is a number.
 */
#include "casefile/casefile.h"
#include "core/model.h"
#include "reference/orbit/derivatives.h"
#include "registry/registry.h"
#include "validation/checks/judges.h"
#include "validation/checks/verify.h"
#include "validation/truth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 15, MOST_EVENTS = 10, TYPICAL_TIMES = 20, MOST_STATES = 12 };

#define RTOL 1e-12

static double middle(arb_srcptr x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

/* Index of x_by_p; the number of states if there is none. */
static size_t tangent_of(const ic_case *system, const char *state, const char *by)
{
    char name[256];
    snprintf(name, sizeof name, "%.79s_by_%.79s", state, by);
    return ic_state_find(system, name);
}

/* The greatest difference of numbers of one kind, and the greatest of the numbers. */
typedef struct difference {
    double most, size;
} difference;

static void take(difference *d, double value, double truth)
{
    d->most = fmax(d->most, fabs(value - truth));
    d->size = fmax(d->size, fabs(truth));
}

static double relative(const difference *d, double scale)
{
    return d->most / fmax(d->size, scale);
}

double ic_derivatives_difference(const ic_log *log, const ic_derivatives *d, const char *by, double parameter)
{
    const ic_problem *problem = ic_log_problem(log);
    const ic_state *own = d->tangents.problem.system->states; /* those of the case come first */
    difference delay = {0}, states[IC_MAX_STATES] = {{0}};
    double worst = 0, scale[IC_MAX_STATES];
    const size_t n = (size_t)d->n, last = tangent_of(problem->system, "t", by);
    IC_BALL_VECTOR(at, 1 + 2 * d->n);
    if (ic_log_event_count(log) != d->run.count || last == problem->system->n_states) return INFINITY;
    for (size_t i = 0; i < d->run.count; i++) {
        const ic_event event = ic_log_event_at(log, i);
        const ic_ball_event *truth = &d->run.events[i];
        if (!ic_derivatives_of_event(at, d, i, 0)) continue;
        take(&delay, event.x_post[last], middle(at));
        for (size_t k = 0; k < n; k++) {
            const size_t v = tangent_of(problem->system, own[k].name, by);
            take(&states[k], event.x_pre[v], middle(truth->before + n + k));
            take(&states[k], event.x_post[v], middle(truth->after + n + k));
        }
    }
    ic_state_scales(problem, scale);
    const double size = fmax(fabs(parameter), 1e-300);
    for (size_t k = 0; k < n; k++) {
        const size_t v = tangent_of(problem->system, own[k].name, by);
        take(&states[k], ic_log_end(log).x[v], middle(ic_derivatives_of_state(d, 0) + k));
        worst = fmax(worst, relative(&states[k], scale[ic_state_find(problem->system, own[k].name)] / size));
    }
    return fmax(worst, relative(&delay, ic_time_scale(problem) / size));
}

/* The first parameter that is a number, not 0, no other's formula and no number of parts. */
static size_t choose_parameter(const ic_problem *problem, const ic_problem *exact)
{
    size_t p = 0;
    for (; p < problem->system->n_parameters; p++) {
        const char *text = problem->par_text[p];
        if (problem->par[p] != 0 && strspn(text, "0123456789.eE+-/") == strlen(text) &&
            !ic_casefile_is_size(exact->system, p))
            break;
    }
    return p;
}

/* A time between two events, before which there are some of them; some typical times, where there are no more. */
static double some_events(const ic_problem *problem)
{
    ic_status status = IC_OK;
    ic_log *log = ic_solve(ic_solver_find("dop853"), problem, &(ic_options){0}, &status);
    double end = fmin(problem->t_end, problem->t_start + TYPICAL_TIMES * ic_time_scale(problem));
    for (size_t i = MOST_EVENTS; log != NULL && status == IC_OK && i < ic_log_event_count(log); i++) {
        const double before = ic_log_event_at(log, i - 1).t, after = ic_log_event_at(log, i).t;
        if (!(after > before)) continue;
        end = fmin(end, (before + after) / 2);
        break;
    }
    ic_log_free(log);
    return end;
}

void ic_derivatives_judge(ic_results *results, const ic_problem *derived, const ic_derivatives *d,
                          const char *by, double parameter, const char *path, const ic_solver *solver)
{
    ic_status status = IC_OK;
    ic_result row = ic_row("derivatives", path, solver, "1");
    ic_log *log = ic_solve(solver, derived, &(ic_options){.rtol = RTOL}, &status);
    snprintf(row.what, sizeof row.what, "derivatives by %.64s, relative", by);
    ic_row_accept(&row, &ic_tolerance_derivatives);
    if (status == IC_OK) {
        row.error = ic_derivatives_difference(log, d, by, parameter);
        if (isinf(row.error))
            snprintf(row.detail, sizeof row.detail, "its events are not those of the certificate");
        ic_results_compare(results, row);
    } else {
        /* derivatives that are infinite at one place */
        if (status == IC_NOT_FINITE) row.verdict = IC_SKIPPED;
        snprintf(row.detail, sizeof row.detail, "%.200s", ic_failure_text(log, status));
        ic_results_add(results, &row);
    }
    ic_log_free(log);
}

static void skip(ic_results *results, const char *path, const char *by, const char *why)
{
    ic_result row = ic_row("derivatives", path, NULL, "1");
    snprintf(row.what, sizeof row.what, "derivatives by %.64s", by);
    snprintf(row.detail, sizeof row.detail, "%.220s", why);
    row.verdict = IC_SKIPPED;
    ic_results_add(results, &row);
}

static void judge_solvers(ic_results *results, const ic_selection *selection, const ic_problem *problem,
                          const ic_derivatives *d, const char *by, const char *path)
{
    static const char *const names[] = {"dop853", "taylor"};
    ic_casefile *file = NULL;
    ic_setup derived;
    ic_error error;
    const double parameter = problem->par[ic_parameter_find(problem->system, by)];
    const bool good = ic_setup_derived(&derived, &file, problem, &by, 1, &error);
    if (!good) skip(results, path, by, error.text);
    for (size_t i = 0; i < IC_COUNT(names) && good; i++) {
        const ic_solver *solver = ic_solver_find(names[i]);
        if (ic_selects_solver(selection, solver) && ic_solver_serves(solver, problem))
            ic_derivatives_judge(results, &derived.problem, d, by, parameter, path, solver);
    }
    if (good) ic_setup_close(&derived);
    ic_casefile_free(file);
}

static void judge_problem(ic_results *results, const ic_selection *selection, const ic_problem *problem,
                          const ic_problem *exact, const char *path)
{
    const size_t p = choose_parameter(problem, exact);
    if (p == problem->system->n_parameters) return;
    const char *by = problem->system->parameters[p].name;
    ic_problem part = *problem, exact_part = *exact;
    ic_derivatives d;
    part.t_end = exact_part.t_end = some_events(problem);
    part.t_end_text = exact_part.t_end_text = NULL;
    ic_derivatives_certify(&d, &exact_part, &(ic_tangent_direction){.parameter = (int)p, .state = -1}, 1,
                           &(ic_certify_options){.digits = DIGITS});
    if (d.run.status == IC_OK) judge_solvers(results, selection, &part, &d, by, path);
    else skip(results, path, by, d.run.reason);
    ic_derivatives_clear(&d);
}

/* Whether a preset is the first one of its variant. */
static bool is_first(const ic_setup *setup)
{
    const ic_case *system = setup->problem.system;
    for (size_t i = 0; i < system->n_presets; i++) {
        if (strcmp(system->presets[i].variant, setup->preset->variant) == 0)
            return strcmp(system->presets[i].name, setup->preset->name) == 0;
    }
    return false;
}

static void visit_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                         const char *path)
{
    ic_setup exact;
    ic_error error;
    /* without a limit of time, so that rows are the same on every machine; the beam takes seconds */
    if (!is_first(setup) || setup->problem.system->n_states > MOST_STATES ||
        !ic_setup_exact(&exact, &setup->problem, &error))
        return;
    judge_problem(results, selection, &setup->problem, &exact.problem, path);
    ic_setup_close(&exact);
}

const ic_check ic_check_derivatives = {"derivatives", "derivatives through events are the certified ones",
                                       .visit = visit_preset, .cost = 200};
