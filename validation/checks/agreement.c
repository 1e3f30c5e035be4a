/* SPDX-License-Identifier: MIT */
/**
 * Problems of which the end is not certified: every solver is compared with an
 * accurate run of one of them, which is compared with a more accurate one. This is agreement, not a
 * proof: an error in code that all solvers share, the case's functions and the event loop, is not
 * detected. Agreement therefore counts only where a part of the run is certified. A solver that finds an event where its
 * guard crosses zero is right, and the accurate runs, which lack it, are not.
 */
#include "core/model.h"
#include "registry/registry.h"
#include "validation/checks/growth.h"
#include "validation/checks/judges.h"
#include "validation/checks/steps.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCURATE_SOLVER "dop853"
#define TIGHT_RTOL 1e-13
#define LESS_TIGHT_RTOL 1e-12

/* The accurate runs must be this much better than the runs judged by them. */
#define MARGIN 10.0

/* Of the typical time: a guard that crosses zero within it where a run has an event does so there. */
#define SAME_PLACE 1e-9

/* ---- comparisons */

typedef struct accurate {
    const ic_problem *problem;
    const char *path;

    /* a part of the run is certified */
    bool certified;

    /* The distance of `less` from `tight` is the radius of the answer. */
    ic_log *tight, *less;
} accurate;

typedef struct comparison {
    ic_worst times, states;
    size_t compared;

    /* True if the run has other events than the accurate one, whose events are these. */
    char differs[192];

    /* Reason for which not everything is compared. */
    char limit[256];
} comparison;

static void write_event(char *text, size_t size, bool any, const ic_event *event)
{
    if (any) snprintf(text, size, "'%.32s' at %.12g", event->name, event->t);
    else snprintf(text, size, "none");
}

/* Whether the accurate runs are near enough to each other to judge others. */
static bool is_known(comparison *c, ic_apart radius, ic_apart allowed)
{
    if (radius.time <= allowed.time && radius.state <= allowed.state) return true;
    snprintf(c->limit, sizeof c->limit,
             "from event %zu on, the accurate runs are too far apart to judge others", c->compared);
    return false;
}

/* The next events of three runs. false: at least one of them has none. */
static bool compare_next(comparison *c, const accurate *a, const ic_log *log, size_t at[3], ic_apart allowed)
{
    ic_event truth, near, event;
    const bool more = ic_event_next(&truth, &at[0], a->tight), known = ic_event_next(&near, &at[1], a->less),
               any = ic_event_next(&event, &at[2], log);
    if (more != known || (more && !ic_event_same(&truth, &near))) {
        snprintf(c->limit, sizeof c->limit, "from event %zu on, the accurate runs have different events",
                 c->compared);
        return false;
    }
    if (more != any || (more && !ic_event_same(&truth, &event))) {
        char here[64], there[64];
        write_event(here, sizeof here, any, &event);
        write_event(there, sizeof there, more, &truth);
        snprintf(c->differs, sizeof c->differs, "event %zu is %s, but in the accurate run %s", c->compared,
                 here, there);
        return false;
    }
    if (!more) return false;
    const ic_apart apart = ic_events_apart(a->problem, &truth, &event),
                   radius = ic_events_apart(a->problem, &truth, &near);
    allowed.time = fmax(allowed.time, ic_event_blur(a->tight, &truth, at[0]));
    if (!is_known(c, radius, allowed)) return false;
    ic_worst_meet(&c->times, apart.time, radius.time, allowed.time);
    ic_worst_meet(&c->states, apart.state, radius.state, allowed.state);
    c->compared++;
    return true;
}

static void compare_logs(comparison *c, const accurate *a, const ic_log *log, ic_apart least, double backward,
                         ic_growth *growth)
{
    size_t at[3] = {0};
    ic_apart allowed = least;
    *c = (comparison){.times.tolerance = least.time, .states.tolerance = least.state};
    do {
        size_t next = at[0];
        ic_event event;
        const double t = ic_event_next(&event, &next, a->tight) ? event.t : ic_log_end(a->tight).t;
        if (!ic_growth_allows(&allowed, growth, t, least, backward, c->limit, sizeof c->limit)) return;
    } while (compare_next(c, a, log, at, allowed));
    const ic_apart radius = {0, ic_ends_apart(a->less, a->tight)};
    if (c->differs[0] == '\0' && c->limit[0] == '\0' && is_known(c, radius, allowed))
        ic_worst_meet(&c->states, ic_ends_apart(log, a->tight), radius.state, allowed.state);
}

/*
 * Judges with the least tolerances; if they are exceeded, with those that the growth of errors
 * permits.
 */
static bool compare_run(comparison *c, const accurate *a, const ic_log *log, ic_apart least, double backward)
{
    ic_growth growth = {0};
    compare_logs(c, a, log, least, backward, &growth);
    if (c->differs[0] == '\0' && c->limit[0] == '\0' && ic_worst_agrees(&c->times) &&
        ic_worst_agrees(&c->states))
        return true;
    const bool good = ic_growth_measure(&growth, a->problem);
    if (good) compare_logs(c, a, log, least, backward, &growth);
    ic_growth_clear(&growth);
    return good;
}

/* Whether the guard of an event changes its sign there, as the event says, along the flow. */
static bool is_crossing(const ic_problem *problem, const ic_event *event)
{
    const ic_mode *mode = &problem->variant->modes[event->mode_from];
    const ic_guard *guard = ic_guard_find(mode, event->name);
    double dx[IC_MAX_STATES], x[IC_MAX_STATES], side[2];
    if (guard == NULL || event->kind != IC_EVENT_GUARD) return false;
    if (guard->enabled != NULL && !(guard->enabled(event->t, event->x_pre, problem->par) > 0)) return false;
    mode->flow(dx, event->t, event->x_pre, problem->par);
    const double least = 16 * DBL_EPSILON * fabs(event->t), most = SAME_PLACE * ic_time_scale(problem);
    double d = least;
    while (d <= fmax(least, most)) {
        for (int k = 0; k < 2; k++) {
            const double step = k == 0 ? -d : d;
            for (size_t i = 0; i < problem->system->n_states; i++) x[i] = event->x_pre[i] + step * dx[i];
            side[k] = guard->value(event->t + step, x, problem->par);
        }
        if (side[0] * side[1] < 0 && (side[1] - side[0]) * guard->direction >= 0) return true;
        d *= 4;
    }
    return false;
}

static bool is_near(const accurate *a, const ic_event *truth, const ic_event *event, ic_apart least)
{
    const ic_apart apart = ic_events_apart(a->problem, truth, event);
    return ic_event_same(truth, event) && apart.time <= least.time && apart.state <= least.state;
}

/* Whether a run agrees with the accurate one but for events between two that both have, of which the first happens. */
static bool finds_missed(ic_event *missed, const accurate *a, const ic_log *log, ic_apart least)
{
    const double tolerance = least.time * ic_time_scale(a->problem);
    size_t at[2] = {0};
    ic_event truth = {0}, after;
    bool more = true;
    while (ic_event_next(missed, &at[1], log)) {
        more = ic_event_next(&truth, &at[0], a->tight);
        if (!more || !is_near(a, &truth, missed, least)) break;
    }
    if (more && !(missed->t < truth.t - tolerance)) return false;
    if (!(missed->t < ic_log_end(a->tight).t - tolerance) || !is_crossing(a->problem, missed)) return false;
    bool meets = !more;
    while (!meets && ic_event_next(&after, &at[1], log)) meets = is_near(a, &truth, &after, least);
    return meets;
}

/* ---- rows */

/*
 * The accurate runs judge the others. If they differ too much from each other, nothing is decided.
 */
static void judge_worst(ic_results *results, ic_result row, const accurate *a, const ic_worst *worst,
                        double least)
{
    if (!a->certified && ic_worst_agrees(worst)) {
        row.verdict = IC_SKIPPED;
        snprintf(row.detail, sizeof row.detail,
                 "they agree, but nothing is certified: what both miss does not show");
        ic_results_add(results, &row);
        return;
    }
    if (a->tight != a->less || ic_worst_agrees(worst)) {
        ic_worst_judge(results, row, worst, least);
        return;
    }
    snprintf(row.detail, sizeof row.detail,
             "they are %.2g apart, and judge others only within %.2g; a shorter run would be judged",
             worst->error, worst->tolerance);
    row.error = row.radius = row.tolerance = NAN;
    row.verdict = IC_SKIPPED;
    ic_results_add(results, &row);
}

/* `row`: with tolerance and origin for event times. */
static void judge_log(ic_results *results, ic_result row, const accurate *a, const ic_log *log, double backward,
                      const char *by)
{
    const ic_apart least = {row.tolerance, ic_tolerance_end_state.value * row.tolerance};
    const bool empty = ic_log_event_count(a->tight) == 0;
    comparison c;
    results->out_of_memory = !compare_run(&c, a, log, least, backward) || results->out_of_memory;
    if (c.differs[0] != '\0') c.times.error = INFINITY;
    snprintf(row.detail, sizeof row.detail, "%s", c.differs);
    snprintf(row.what, sizeof row.what, "times of %zu events %s", c.compared, by);
    if (c.compared > 0 || c.differs[0] != '\0') judge_worst(results, row, a, &c.times, least.time);
    if (c.differs[0] != '\0') return;
    row.detail[0] = '\0';
    snprintf(row.what, sizeof row.what, "states at %zu events%s %s", c.compared,
             c.limit[0] == '\0' ? " and at the end" : "", by);
    if (c.compared > 0 || (empty && c.limit[0] == '\0')) judge_worst(results, row, a, &c.states, least.state);
    if (c.limit[0] != '\0') ic_growth_leaves(results, row, c.compared, c.limit);
}

static void add_failed_run(ic_results *results, ic_result row, const char *by, const ic_log *log,
                           ic_status status)
{
    snprintf(row.what, sizeof row.what, "events %s", by);
    snprintf(row.detail, sizeof row.detail, "%.200s", ic_failure_text(log, status));
    ic_results_compare(results, row);
}

typedef struct agreement_subject {
    const accurate *a;
    const ic_solver *solver;
} agreement_subject;

static void judge_solver(ic_results *results, const ic_options *options, void *context)
{
    const accurate *a = ((const agreement_subject *)context)->a;
    const ic_solver *solver = ((const agreement_subject *)context)->solver;
    const bool stepping = solver->control == IC_CONTROL_STEP;
    ic_result row = ic_row("agreement", a->path, solver, "1");
    char by[64];
    ic_status status = IC_OK;
    ic_log *log = ic_solve(solver, a->problem, options, &status);
    ic_row_accept(&row, stepping ? &ic_tolerance_long_run_stepping : &ic_tolerance_long_run_adaptive);
    snprintf(by, sizeof by, "as by " ACCURATE_SOLVER " at rtol = %g", TIGHT_RTOL);
    if (status == IC_OK)
        judge_log(results, row, a, log,
                  stepping ? ic_tolerance_backward_stepping.value : ic_tolerance_backward_adaptive.value, by);
    else add_failed_run(results, row, by, log, status);
    ic_log_free(log);
}

/* Here the distance of the accurate runs itself is judged, and is not a radius. */
static void judge_accurate(ic_results *results, const accurate *a, ic_status status)
{
    ic_result row = ic_row("agreement", a->path, NULL, "1");
    const accurate itself = {a->problem, a->path, a->certified, a->tight, a->tight};
    char by[64];
    snprintf(by, sizeof by, "by " ACCURATE_SOLVER " at rtol = %g and %g", TIGHT_RTOL, LESS_TIGHT_RTOL);
    row.tolerance = ic_tolerance_long_run_adaptive.value / MARGIN;
    snprintf(row.origin, sizeof row.origin,
             "a factor of %g below long_run_adaptive, by which solvers are judged", MARGIN);
    if (status == IC_OK)
        judge_log(results, row, &itself, a->less, ic_tolerance_backward_adaptive.value / MARGIN, by);
    else add_failed_run(results, row, by, a->less, status);
}

/* The accurate runs lack an event that a solver has found: a row says so, and they judge nobody. */
static bool judge_missed(ic_results *results, const accurate *a, const ic_solver *const *solvers, size_t n)
{
    bool found = false;
    for (size_t s = 0; s < n && !found; s++) {
        const bool stepping = solvers[s]->control == IC_CONTROL_STEP;
        const double accepted =
            (stepping ? &ic_tolerance_long_run_stepping : &ic_tolerance_long_run_adaptive)->value;
        ic_status status = IC_OK;
        ic_event missed;
        ic_log *log =
            ic_solve(solvers[s], a->problem, &(ic_options){.rtol = ic_verify_rtol(solvers[s])}, &status);
        found = log != NULL &&
                finds_missed(&missed, a, log, (ic_apart){accepted, ic_tolerance_end_state.value * accepted});
        if (found) {
            ic_result row = ic_row("agreement", a->path, ic_solver_find(ACCURATE_SOLVER), "1");
            snprintf(row.what, sizeof row.what, "events by " ACCURATE_SOLVER " at rtol = %g", TIGHT_RTOL);
            snprintf(
                row.detail, sizeof row.detail,
                "it misses '%.60s' at %.12g, which %s finds, and where the guard changes its sign; solvers are not compared",
                missed.name, missed.t, solvers[s]->name);
            row.error = INFINITY;
            row.tolerance = accepted;
            ic_results_compare(results, row);
        }
        ic_log_free(log);
    }
    return found;
}

void ic_agreement_judge(ic_results *results, const ic_problem *problem, const char *path, bool certified,
                        const ic_solver *const *solvers, size_t n)
{
    const ic_solver *solver = ic_solver_find(ACCURATE_SOLVER);
    accurate a = {problem, path, certified, NULL, NULL};
    ic_status tight = IC_OK, less = IC_OK;
    a.tight = ic_solve(solver, problem, &(ic_options){.rtol = TIGHT_RTOL}, &tight);
    a.less = ic_solve(solver, problem, &(ic_options){.rtol = LESS_TIGHT_RTOL}, &less);
    const bool good = tight == IC_OK && less == IC_OK;
    if (good && judge_missed(results, &a, solvers, n)) n = 0;
    else judge_accurate(results, &a, less != IC_OK ? less : tight);
    for (size_t s = 0; s < n && good; s++) {
        const ic_options options = {.rtol = ic_verify_rtol(solvers[s])};
        ic_judge_steps(results, problem, solvers[s], &options, judge_solver,
                       &(agreement_subject){&a, solvers[s]});
    }
    ic_log_free(a.tight);
    ic_log_free(a.less);
}

void ic_agreement_judge_selected(ic_results *results, const ic_selection *selection, const ic_problem *problem,
                                 const char *path, bool certified)
{
    const ic_solver **solvers = calloc(ic_solver_count, sizeof(const ic_solver *));
    size_t n = 0;
    results->out_of_memory = results->out_of_memory || solvers == NULL;
    for (size_t s = 0; s < ic_solver_count && solvers != NULL; s++) {
        if (ic_selects_solver(selection, ic_solvers[s]) && ic_solver_serves(ic_solvers[s], problem))
            solvers[n++] = ic_solvers[s];
    }
    if (solvers != NULL) ic_agreement_judge(results, problem, path, certified, solvers, n);
    free(solvers);
}
