/* SPDX-License-Identifier: MIT */
/**
 * Energy balance of every run: the change of the stored energy is the supplied energy minus the
 * dissipated energy and the losses at jumps.
 *
 * Power is integrated between samples by Gauss's rule with three nodes, at states of the cubic that has
 * the states and rates of both ends: the error is O(h^4), as that of the cubic. Beside an event a power
 * may begin like t^(1/4), as that of a damped contact: the interval is divided there, geometrically towards
 * the event. Losses at jumps are reported: a jump that adds energy creates it (condition B of the roller
 * does so at each onset of contact).
 */
#include "registry/registry.h"
#include "validation/checks/judges.h"
#include "validation/checks/steps.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Samples per typical time, and the length of the run in typical times. With some hundred samples
 * for each oscillation of the stiffest mode the quadrature's error, (0.06)^4/720 for each radian,
 * is below 1e-7 of the energy that is turned over.
 */
#define SAMPLES_PER_TIME_SCALE 1000.0
/*
 * On a contact-force law the power begins like t^(3/2), which leads to errors like h^(5/2). They
 * are not small compared with the energy turned over if the run is one impact.
 */
#define SAMPLES_ON_A_LAW 2500.0
#define SAMPLES_OF_AN_IMPACT 10000.0
#define TIME_SCALES 20.0
/*
 * A contact that is short compared with the typical time needs more samples: they are multiplied by
 * this until the balance closes, but not beyond MOST_SAMPLES.
 */
#define FINER 8.0
#define MOST_SAMPLES 1e6
/* Numbers of steps: for the run that finds the first events, and for these. */
enum { MOST_STEPS = 100000, MOST_EVENTS = 1000 };

/*
 * Number of parts into which an interval is divided towards an event, and their ratio: what is left is 4^-12
 * of it.
 */
enum { PARTS = 12 };
#define RATIO 0.25

/** A state of the run, and its rate. */
typedef struct point {
    double t, x[IC_MAX_STATES], rate[IC_MAX_STATES];
} point;

typedef struct run_balance {
    const ic_problem *problem;

    /* the present mode, the last point in it, and whether the mode began there */
    const ic_mode *mode;

    point last;
    bool begins;

    /* the energy that should be stored now, by that after the last event and the power since then, J */
    double due;

    /* J so far */
    double supplied, dissipated;

    /* J by jumps: losses, gains */
    double taken, added;

    /* J: sum of magnitudes */
    double turned_over;
} run_balance;

static void take_point(point *p, const run_balance *b, double t, const double *x)
{
    p->t = t;
    memcpy(p->x, x, b->problem->system->n_states * sizeof *x);
    b->mode->flow(p->rate, t, x, b->problem->par);
}

/* The state at a part s of the way from one point to another, by the cubic of both. */
static void state_between(double *x, const point *a, const point *b, size_t n, double s)
{
    const double h = b->t - a->t, r = 1 - s;
    for (size_t i = 0; i < n; i++) {
        const double chord = b->x[i] - a->x[i],
                     bend = r * (h * a->rate[i] - chord) - s * (h * b->rate[i] - chord);
        /* beyond the end of a contact a root has no value */
        x[i] = a->x[i] + s * chord + (isfinite(bend) ? r * s * bend : 0);
    }
}

/* Integrates the power over a part of the way to the next point: from s to s + width. */
static void integrate_part(run_balance *b, const point *next, double s, double width)
{
    static const double node[] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    const double h = next->t - b->last.t, *par = b->problem->par;
    double x[IC_MAX_STATES];
    for (int i = 0; i < 3; i++) {
        const double at = s + width * node[i], t = b->last.t + h * at;
        state_between(x, &b->last, next, b->problem->system->n_states, at);
        const double supplied = h * width * weight[i] * b->mode->supplied_power(t, x, par);
        const double dissipated = h * width * weight[i] * b->mode->dissipated_power(t, x, par);
        b->supplied += supplied;
        b->dissipated += dissipated;
        b->due += supplied - dissipated;
        b->turned_over += fabs(supplied) + fabs(dissipated);
    }
}

/* Integrates the power over the way to the next point, divided towards the ends that are events. */
static void integrate_way(run_balance *b, const point *next, bool ends)
{
    const double half = b->begins && ends ? 0.5 : 1;
    double width = half;
    if (!b->begins && !ends) {
        integrate_part(b, next, 0, 1);
        return;
    }
    for (int i = 0; i <= PARTS; i++, width *= RATIO) {
        const double inner = i < PARTS ? RATIO * width : 0;
        if (b->begins) integrate_part(b, next, inner, width - inner);
        if (ends) integrate_part(b, next, 1 - width, width - inner);
    }
}

/* Integrates the power up to (t, x), in the mode that the run is in, which may end there. */
static void integrate_power(run_balance *b, double t, const double *x, bool ends)
{
    point next;
    if (!(t > b->last.t)) return;
    take_point(&next, b, t, x);
    integrate_way(b, &next, ends);
    b->last = next;
    b->begins = false;
}

static double energy_in_mode(const run_balance *b, int mode, double t, const double *x)
{
    return b->problem->variant->modes[mode].stored_energy(t, x, b->problem->par);
}

/* Starts a stretch at (t, x) in a mode. */
static void start_stretch(run_balance *b, int mode, double t, const double *x)
{
    b->mode = &b->problem->variant->modes[mode];
    take_point(&b->last, b, t, x);
    b->begins = true;
    b->due = energy_in_mode(b, mode, t, x);
}

/*
 * Before an accumulation the state is already at the limit: the jumps that lead there have happened since the last
 * event, and a stop that moves does work in them.
 */
static void apply_jump(run_balance *b, const ic_event *event)
{
    const double before = event->kind == IC_EVENT_ACCUMULATION
                              ? b->due
                              : energy_in_mode(b, event->mode_from, event->t, event->x_pre);
    const double loss = before - energy_in_mode(b, event->mode_to, event->t, event->x_post);
    if (loss > 0) b->taken += loss;
    else b->added -= loss;
    b->turned_over += fabs(loss);
}

/* Residual of the energy balance at the end. */
static double gap(run_balance *b, ic_sample first, double t, int mode, const double *x)
{
    const double before = energy_in_mode(b, first.mode, first.t, first.x);
    b->turned_over += fabs(before);
    return fabs(energy_in_mode(b, mode, t, x) - before - b->supplied + b->dissipated + b->taken - b->added);
}

/* Walk through samples and events in time order. */
static double residual(run_balance *b, const ic_log *log)
{
    const ic_sample first = ic_log_sample_at(log, 0), end = ic_log_end(log);
    size_t e = 0;
    start_stretch(b, first.mode, first.t, first.x);
    for (size_t s = 1; s <= ic_log_sample_count(log); s++) {
        const ic_sample next = s < ic_log_sample_count(log) ? ic_log_sample_at(log, s) : end;
        for (; e < ic_log_event_count(log) && ic_log_event_at(log, e).t <= next.t; e++) {
            const ic_event event = ic_log_event_at(log, e);
            integrate_power(b, event.t, event.x_pre, true);
            if (b->problem->variant->modes[event.mode_to].stored_energy == NULL)
                return gap(b, first, event.t, event.mode_from, event.x_pre); /* it ends the run */
            apply_jump(b, &event);
            start_stretch(b, event.mode_to, event.t, event.x_post);
        }
        integrate_power(b, next.t, next.x, false);
    }
    return gap(b, first, end.t, end.mode, end.x);
}

static bool has_balance(const ic_problem *problem)
{
    for (size_t m = 0; m < problem->variant->n_modes; m++) {
        const ic_mode *mode = &problem->variant->modes[m];
        if (mode->stored_energy == NULL && !mode->terminal) return false;
    }
    return true;
}

/*
 * The balance of a run with so many samples; false: the run failed, and the row gives the reason.
 */
static bool balance_run(ic_result *row, run_balance *b, const ic_problem *problem, const ic_solver *solver,
                        ic_options options, double samples)
{
    ic_status status = IC_OK;
    options.samples = (size_t)samples + 2;
    ic_log *log = ic_solve(solver, problem, &options, &status);
    *b = (run_balance){.problem = problem};
    if (status == IC_OK) {
        row->error = residual(b, log);
        row->tolerance = ic_tolerance_energy_balance.value * fmax(b->turned_over, DBL_MIN);
        snprintf(row->detail, sizeof row->detail,
                 "supplied %.6g, dissipated %.6g, taken by jumps %.6g, added by jumps %.6g J%s", b->supplied,
                 b->dissipated, b->taken, b->added,
                 b->added > row->tolerance ? ": energy without a source"
                 : row->error > row->tolerance && b->supplied == 0 && b->dissipated == 0
                     ? ": no power is stated, as of a contact's force"
                     : "");
    } else {
        snprintf(row->detail, sizeof row->detail, "%.200s", ic_failure_text(log, status));
    }
    ic_log_free(log);
    return status == IC_OK;
}

typedef struct energy_subject {
    const ic_problem *problem;
    const ic_solver *solver;
    const char *path;
} energy_subject;

/*
 * Whether a balance that is open may close with more samples: the part of the error that remains is small, as
 * the last `change` of it shows.
 */
static bool may_close(const ic_result *row, double change)
{
    return row->error > row->tolerance && row->error - change / (FINER - 1) <= row->tolerance;
}

static void judge_run(ic_results *results, const ic_options *options, void *context)
{
    const ic_problem *problem = ((const energy_subject *)context)->problem;
    const ic_solver *solver = ((const energy_subject *)context)->solver;
    const char *path = ((const energy_subject *)context)->path;
    ic_result row = ic_row("energy", path, solver, "J");
    run_balance b;
    const double density = problem->variant->free_impact != NULL ? SAMPLES_OF_AN_IMPACT
                           : problem->variant->law != NULL       ? SAMPLES_ON_A_LAW
                                                                 : SAMPLES_PER_TIME_SCALE;
    double samples = density * (problem->t_end - problem->t_start) / ic_time_scale(problem);
    snprintf(row.what, sizeof row.what, "energy balance closes");
    ic_tolerance_origin(row.origin, sizeof row.origin, &ic_tolerance_energy_balance);
    bool good = balance_run(&row, &b, problem, solver, *options, samples);
    double change = INFINITY;
    while (good && may_close(&row, change) && FINER * samples <= MOST_SAMPLES) {
        change = row.error;
        samples *= FINER;
        good = balance_run(&row, &b, problem, solver, *options, samples);
        change = fabs(change - row.error);
    }
    if (good && isfinite(change) && may_close(&row, change)) {
        const double error = row.error;
        row.error = row.tolerance = NAN;
        row.verdict = IC_SKIPPED;
        snprintf(
            row.detail, sizeof row.detail,
            "residual of %.2g J, which changes with the number of samples, %.0f: a shorter run would decide",
            error, samples);
        ic_results_add(results, &row);
        return;
    }
    ic_results_compare(results, row);
}

void ic_energy_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver, const char *path)
{
    const ic_options options = {.rtol = ic_verify_rtol(solver)};
    ic_judge_steps(results, problem, solver, &options, judge_run, &(energy_subject){problem, solver, path});
}

/*
 * If no event occurs in the time that is judged, because a body still falls, the run is judged
 * until each guard has fired.
 */
static double end_of_balance(const ic_problem *problem)
{
    const double longest = problem->t_start + TIME_SCALES * ic_time_scale(problem);
    ic_status status = IC_OK;
    if (problem->t_end <= longest) return problem->t_end;
    const ic_options options = {.rtol = ic_tolerance_case_run_rtol.value, .max_steps = MOST_STEPS};
    ic_log *log = ic_solve(ic_accurate_solver(problem->variant), problem, &options, &status);
    double end = longest;
    for (size_t i = 0; i < ic_log_event_count(log) && i < MOST_EVENTS; i++) {
        const ic_event event = ic_log_event_at(log, i);
        if (i == 0 && event.t <= longest) break;
        bool fired = false;
        for (size_t k = 0; k < i && !fired; k++) fired = strcmp(ic_log_event_at(log, k).name, event.name) == 0;
        if (!fired) end = fmin(problem->t_end, event.t + ic_time_scale(problem));
    }
    ic_log_free(log);
    return end;
}

bool ic_energy_problem(ic_problem *judged, const ic_problem *problem)
{
    *judged = *problem;
    if (!has_balance(problem)) return false;
    judged->t_end = end_of_balance(problem);
    if (judged->t_end < problem->t_end) judged->t_end_text = NULL;
    return true;
}

static void visit_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                         const char *path)
{
    ic_problem problem;
    if (!ic_energy_problem(&problem, &setup->problem)) return;
    for (size_t s = 0; s < ic_solver_count; s++) {
        if (!ic_selects_solver(selection, ic_solvers[s]) || !ic_solver_serves(ic_solvers[s], &problem))
            continue;
        ic_energy_judge(results, &problem, ic_solvers[s], path);
    }
}

const ic_check ic_check_energy = {"energy", "stored, supplied and dissipated energy and losses in jumps add up",
                                  .visit = visit_preset, .cost = 92};
