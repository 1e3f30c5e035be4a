/* SPDX-License-Identifier: MIT */
/**
 * Problems of which the end is not certified: every solver is compared with an
 * accurate run of one of them, which is compared with a more accurate one. This is agreement, not a
 * proof: an error in code that all solvers share, the case's functions and the event loop, is not
 * detected.
 */
#include "validation/checks/agreement.h"
#include "core/model.h"
#include "registry/registry.h"
#include "validation/checks/growth.h"
#include "validation/checks/steps.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACCURATE_SOLVER "dop853"
#define TIGHT_RTOL 1e-13
#define LESS_TIGHT_RTOL 1e-12

/* The accurate runs must be this much better than the runs judged by them. */
#define MARGIN 10.0

/* ---- comparisons */

typedef struct accurate {
    const ic_problem *problem;
    const char *path;

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

/* ---- rows */

/*
 * The accurate runs judge the others. If they differ too much from each other, nothing is decided.
 */
static void judge_worst(ic_results *results, ic_result row, const accurate *a, const ic_worst *worst,
                        double least)
{
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
    const accurate itself = {a->problem, a->path, a->tight, a->tight};
    char by[64];
    snprintf(by, sizeof by, "by " ACCURATE_SOLVER " at rtol = %g and %g", TIGHT_RTOL, LESS_TIGHT_RTOL);
    row.tolerance = ic_tolerance_long_run_adaptive.value / MARGIN;
    snprintf(row.origin, sizeof row.origin,
             "a factor of %g below long_run_adaptive, by which solvers are judged", MARGIN);
    if (status == IC_OK)
        judge_log(results, row, &itself, a->less, ic_tolerance_backward_adaptive.value / MARGIN, by);
    else add_failed_run(results, row, by, a->less, status);
}

void ic_agreement_judge(ic_results *results, const ic_problem *problem, const char *path,
                        const ic_solver *const *solvers, size_t n)
{
    const ic_solver *solver = ic_solver_find(ACCURATE_SOLVER);
    accurate a = {problem, path, NULL, NULL};
    ic_status tight = IC_OK, less = IC_OK;
    a.tight = ic_solve(solver, problem, &(ic_options){.rtol = TIGHT_RTOL}, &tight);
    a.less = ic_solve(solver, problem, &(ic_options){.rtol = LESS_TIGHT_RTOL}, &less);
    judge_accurate(results, &a, less != IC_OK ? less : tight);
    for (size_t s = 0; s < n && tight == IC_OK && less == IC_OK; s++) {
        const ic_options options = {.rtol = ic_verify_rtol(solvers[s])};
        ic_judge_steps(results, problem, solvers[s], &options, judge_solver,
                       &(agreement_subject){&a, solvers[s]});
    }
    ic_log_free(a.tight);
    ic_log_free(a.less);
}

void ic_agreement_judge_selected(ic_results *results, const ic_selection *selection, const ic_problem *problem,
                                 const char *path)
{
    const ic_solver **solvers = calloc(ic_solver_count, sizeof(const ic_solver *));
    size_t n = 0;
    results->out_of_memory = results->out_of_memory || solvers == NULL;
    for (size_t s = 0; s < ic_solver_count && solvers != NULL; s++) {
        if (ic_selects_solver(selection, ic_solvers[s]) && ic_solver_serves(ic_solvers[s], problem))
            solvers[n++] = ic_solvers[s];
    }
    if (solvers != NULL) ic_agreement_judge(results, problem, path, solvers, n);
    free(solvers);
}
