/* SPDX-License-Identifier: MIT */
/**
 * Every solver on every preset compared with certified enclosures: the sequence of events, their
 * times, the state at the end.
 *
 * Enclosures come from reference/enclosures where they are stored, else they are computed on the
 * spot. If the certified answer ends early (accumulation, grazing), only its certified part is
 * compared. If it ends for want of time or of a proof, solvers are compared with each other, too.
 */
#include "core/linear_view.h"
#include "registry/registry.h"
#include "validation/checks/growth.h"
#include "validation/checks/judges.h"
#include "validation/checks/steps.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"
#include "validation/truth.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * An event is ill-conditioned for a solver if the solver's relative accuracy, applied to the terms
 * of the guard, moves it by more than this part of the typical time: grazing. It and later events
 * are not compared.
 */
#define ILL_CONDITIONED 1e-7
/*
 * Excursions lower than this many errors of the guard are not resolved: the event loop rests there.
 */
#define HEIGHT_RESOLVED 16.0
/* Answers that are computed now, where flows are not affine. */
enum { DIGITS_ON_THE_SPOT = 15, SECONDS_ON_THE_SPOT = 10 };
/* A run without certified events counts as certified in part from this part on. */
#define CERTIFIED_PART 0.1
/* Relative accuracy of steps of 1/1000 of the typical time: (2 pi/1000)^4. */
#define STEPPING_ACCURACY 1.6e-9

const ic_tolerance *ic_time_accepted(const ic_solver *solver)
{
    return solver->control == IC_CONTROL_STEP   ? &ic_tolerance_events_stepping
           : solver->control == IC_CONTROL_RTOL ? &ic_tolerance_events_adaptive
                                                : &ic_tolerance_events_exact;
}

double ic_time_allowed(const ic_solver *solver, const ic_problem *problem, double t_end)
{
    const double elapsed = t_end - problem->t_start, typical = ic_time_scale(problem);
    const ic_tolerance *accepted = ic_time_accepted(solver);
    switch (solver->control) {
    case IC_CONTROL_STEP: return ic_tolerance_default(accepted) * typical;
    case IC_CONTROL_RTOL: return ic_tolerance_default(accepted) * fmax(elapsed, typical);
    case IC_CONTROL_NONE: break;
    }
    return ic_tolerance_default(accepted) * DBL_EPSILON * fmax(t_end, typical);
}

/* Accepted error of a solver's state in multiples of its accuracy, by the tolerances above. */
static double accuracies_allowed(const ic_solver *solver, const ic_problem *problem, double t_end)
{
    if (solver->control == IC_CONTROL_STEP) return ic_tolerance_events_stepping.value / STEPPING_ACCURACY;
    if (solver->control == IC_CONTROL_NONE) return ic_tolerance_events_exact.value;
    return ic_tolerance_events_adaptive.value * fmax(1, (t_end - problem->t_start) / ic_time_scale(problem));
}

static double backward_allowed(const ic_solver *solver)
{
    if (solver->control == IC_CONTROL_STEP) return ic_tolerance_backward_stepping.value;
    return solver->control == IC_CONTROL_RTOL ? ic_tolerance_backward_adaptive.value
                                              : ic_tolerance_backward_exact.value;
}

static double relative_accuracy(const ic_solver *solver)
{
    if (solver->control == IC_CONTROL_STEP) return STEPPING_ACCURACY;
    return solver->control == IC_CONTROL_RTOL ? ic_tolerance_verify_rtol.value : DBL_EPSILON;
}

/*
 * Shift of an event's time by errors of its guard's terms: accuracy sum |dg/dx_i| scale_i / |dg/dt|. The state at the
 * start has no error.
 */
static double time_shift(const ic_problem *problem, const ic_event *event, double accuracy)
{
    const ic_mode *mode = &problem->variant->modes[event->mode_from];
    if (event->kind == IC_EVENT_TIME || event->t == problem->t_start) return 0;
    const ic_guard *guard = ic_guard_find(mode, event->name);
    if (guard == NULL) return 0; /* its name is wrong, and is judged */
    const double size = ic_guard_scale(guard, event, problem);
    return accuracy * size / fabs(guard->rate(event->t, event->x_pre, problem->par));
}

/*
 * Accepted differences of a solver's run from the certified one: the usual ones, and those on a
 * sensitive motion.
 */
typedef struct enclosure_allowance {
    ic_apart least;
    double backward;
} enclosure_allowance;

typedef struct enclosure_comparison {
    size_t compared;

    /* Errors of event times, s, and of the state at the end, if that is certified. */
    ic_worst times, end;

    /* Sum over the untimed events since the last timed one: how late each is against the mean of their times, s. */
    double late;

    /* Sum of the differences of time that are allowed for those, s. */
    double late_allowed;

    /*
     * Shift, s, of the most sensitive event by the solver's accuracy, 0 where flows are not affine, and
     * of the last event compared.
     */
    double shift, last_shift;

    bool same_sequence;

    /* The same from event `compared` on. */
    bool ill_conditioned;

    /* True if the enclosures end before the solver's run. */
    bool truth_ends;

    char detail[200];

    /* Reason for which events from `compared` on are not compared on a sensitive motion. */
    char limit[256];
} enclosure_comparison;

static bool same_event(const ic_event *event, const ic_truth_event *truth)
{
    return strcmp(event->name, truth->name) == 0 && event->mode_from == truth->mode_from &&
           event->mode_to == truth->mode_to;
}

/* Time of the limit to which certified events from number i on accumulate, or the end of what is certified. */
static double limit_time(const ic_truth *truth, size_t i)
{
    const size_t limit = ic_truth_limit(truth, i);
    return limit < truth->count ? truth->events[limit].t : truth->t_end;
}

static bool accumulates(const ic_truth *truth, size_t i)
{
    return truth->status == IC_ZENO || ic_truth_limit(truth, i) < truth->count;
}

/*
 * Whether event i of a certified accumulation is beyond the resolution of the solver. If excursions
 * take half as long, they end with half the speed, so that an error shifts their ends twice as far;
 * and their height, v T/4, is a quarter. The height is compared with errors of the guard.
 */
static bool is_beyond_resolution(const enclosure_comparison *c, const ic_problem *problem,
                                 const ic_truth *truth, size_t i, double tolerance)
{
    const ic_truth_event *e = &truth->events[i];
    if (limit_time(truth, i) - e->t <= tolerance) return true;
    if (!accumulates(truth, i) || i == 0) return false;
    const double last = e[-1].t - (i == 1 ? problem->t_start : e[-2].t), next = e->t - e[-1].t;
    return c->last_shift * last > ILL_CONDITIONED * ic_time_scale(problem) * next ||
           next * next / 4 <= HEIGHT_RESOLVED * c->last_shift * last;
}

/*
 * Whether the run comes to rest at the certified accumulation from event `at` on. That event
 * corresponds to certified event i but cannot be compared with it. The run comes to rest by an
 * accumulation, by a branch that the certified run does not take, or by its end. A series whose
 * first event grazes may begin, and therefore end, later by a part of the motion before it.
 */
static bool comes_to_rest(const ic_log *log, size_t at, const ic_truth *truth, size_t i, double tolerance)
{
    const double since = i > 0 ? truth->events[i - 1].t : ic_log_problem(log)->t_start;
    const double end = limit_time(truth, i), latest = end + (end - since) + tolerance;
    for (size_t k = at; k < ic_log_event_count(log); k++) {
        const ic_event event = ic_log_event_at(log, k);
        if (k > at && event.t > latest) return false;
        if (event.kind == IC_EVENT_ACCUMULATION || event.mode_to != truth->events[i].mode_to) return true;
    }
    return ic_log_end(log).t <= latest;
}

/*
 * The events from number i on cannot be compared one by one, as `detail` states, but their result
 * can.
 */
static void compare_rest(enclosure_comparison *c, const ic_log *log, const ic_truth *truth, size_t i, size_t at,
                         double tolerance)
{
    if (!accumulates(truth, i) || comes_to_rest(log, at, truth, i, tolerance)) return;
    c->same_sequence = false;
    snprintf(
        c->detail, sizeof c->detail,
        "certified events accumulate at %.12g; from event number %zu on the run continues as if they did not",
        limit_time(truth, i), i);
}

/* The limit at which a run comes to rest, where impacts from event `at` on are not compared one by one. */
static bool find_limit(ic_event *event, size_t *at, const ic_log *log, const ic_truth_event *limit)
{
    size_t next = *at;
    while (ic_event_next(event, &next, log) && strcmp(event->name, limit->name) == 0) {
        if (event->kind != IC_EVENT_ACCUMULATION) continue;
        *at = next;
        return true;
    }
    return false;
}

static void leave_uncompared(enclosure_comparison *c, size_t i, double accuracy)
{
    c->ill_conditioned = true;
    snprintf(
        c->detail, sizeof c->detail,
        "events from number %zu on are not compared: this close to grazing, an error of %.1g moves their times too far",
        i, accuracy);
}

/* Compares the limit of impacts from event i on, if they are not compared one by one. */
static bool compare_limit(enclosure_comparison *c, size_t *at, const ic_problem *problem, const ic_log *log,
                          const ic_truth *truth, size_t i, size_t limit, double accuracy, double tolerance)
{
    ic_event event;
    size_t next = *at;
    if (limit >= truth->count || !ic_truth_counterpart(&event, &next, log, truth, i, tolerance)) return false;
    const bool accumulates_here = event.kind == IC_EVENT_ACCUMULATION;
    const bool left = truth->events[i].limit || accumulates_here ||
                      (ic_is_linear(problem->variant) &&
                       time_shift(problem, &event, accuracy) > ILL_CONDITIONED * ic_time_scale(problem));
    if (!left ||
        (accumulates_here && !truth->events[i].limit && !is_beyond_resolution(c, problem, truth, i, tolerance)))
        return false;
    /* errors of the impacts that follow shift the limit as far as event i */
    const double typical = ic_time_scale(problem),
                 allowed = tolerance * ic_event_slowness(problem, &event) / typical;
    if (!find_limit(&event, at, log, &truth->events[limit])) return false;
    c->compared++;
    ic_worst_meet(&c->times, fabs(event.t - truth->events[limit].t), truth->events[limit].radius,
                  allowed + ic_event_blur(log, &event, *at) * typical);
    return true;
}

/* Ends where the run has no event i, or accumulates: it omits events that it cannot resolve. */
static void end_comparison(enclosure_comparison *c, const ic_problem *problem, const ic_log *log,
                           const ic_truth *truth, size_t i, size_t next, bool found, double tolerance)
{
    snprintf(c->detail, sizeof c->detail, found ? "compared up to the accumulation" : "%zu events of %zu",
             ic_log_event_count(log), truth->count);
    /* A run that states the limit may do so before the last events that it could resolve. */
    const bool at_limit = !found && fabs(ic_log_end(log).t - limit_time(truth, i)) <= tolerance;
    c->same_sequence =
        accumulates(truth, i) && (at_limit || is_beyond_resolution(c, problem, truth, i, tolerance));
    if (c->same_sequence) compare_rest(c, log, truth, i, next, tolerance);
    else
        snprintf(c->detail, sizeof c->detail,
                 "%zu events; the certified run has %zu, and its event %zu is '%s' at %.12g", next,
                 truth->count, i, truth->events[i].name, truth->events[i].t);
}

/* Of untimed events, the mean of the times is compared, when the timed one after them is met. */
static void meet_time(enclosure_comparison *c, double t, const ic_truth_event *certified, double allowed)
{
    if (certified->untimed) {
        c->late += t - certified->t;
        c->late_allowed += allowed;
        return;
    }
    if (certified->omitted > 0) {
        const double n = (double)certified->omitted;
        ic_worst_meet(&c->times, fabs(c->late) / n, certified->mean_radius, c->late_allowed / n);
        c->late = c->late_allowed = 0;
    }
    ic_worst_meet(&c->times, fabs(t - certified->t), certified->radius, allowed);
}

static void compare_events(enclosure_comparison *c, const ic_problem *problem, const ic_log *log,
                           const ic_truth *truth, double accuracy, const enclosure_allowance *allowed,
                           ic_growth *growth)
{
    const size_t count = ic_log_event_count(log);
    const double typical = ic_time_scale(problem), tolerance = allowed->least.time * typical;
    size_t at = 0;
    *c = (enclosure_comparison){.same_sequence = true, .truth_ends = truth->status != IC_OK};
    for (size_t i = 0; i < truth->count; i++) {
        const size_t next = at, limit = ic_truth_limit(truth, i);
        ic_event event;
        ic_apart here;
        if (compare_limit(c, &at, problem, log, truth, i, limit, accuracy, tolerance)) {
            i = limit;
            continue;
        }
        if (!ic_growth_allows(&here, growth, truth->events[i].t, allowed->least, allowed->backward, c->limit,
                              sizeof c->limit))
            return;
        const bool found = ic_truth_counterpart(&event, &at, log, truth, i, tolerance);
        if (!found || (event.kind == IC_EVENT_ACCUMULATION && (c->truth_ends || accumulates(truth, i)))) {
            end_comparison(c, problem, log, truth, i, next, found, tolerance);
            return;
        }
        /* contacts are much shallower than the scales of states: there, errors are allowed by their growth */
        const double moved = time_shift(problem, &event, accuracy);
        const double shift = ic_is_linear(problem->variant) ? moved : 0;
        if (shift > ILL_CONDITIONED * ic_time_scale(problem)) {
            leave_uncompared(c, i, accuracy);
            compare_rest(c, log, truth, i, next, tolerance);
            return;
        }
        if (!same_event(&event, &truth->events[i])) {
            c->same_sequence = false;
            snprintf(c->detail, sizeof c->detail,
                     "event %zu is '%s' at %.12g, but the certified one is '%s' %s %.12g", i, event.name,
                     event.t, truth->events[i].name, truth->events[i].untimed ? "near" : "at",
                     truth->events[i].t);
            return;
        }
        meet_time(c, event.t, &truth->events[i], here.time * ic_event_slowness(problem, &event));
        c->shift = fmax(c->shift, shift);
        c->last_shift = moved;
        c->compared++;
    }
    if (count > at && !c->truth_ends) {
        c->same_sequence = false;
        snprintf(c->detail, sizeof c->detail, "%zu events, but the certified run has %zu", count, truth->count);
    }
}

/*
 * Compares the state at the end, if it is certified and the run reached it through the certified
 * events.
 */
static void compare_end(enclosure_comparison *c, const ic_problem *problem, const ic_log *log,
                        const ic_truth *truth, const enclosure_allowance *allowed, ic_growth *growth)
{
    double scale[IC_MAX_STATES];
    const ic_sample end = ic_log_end(log);
    ic_apart here;
    if (truth->status != IC_OK || !c->same_sequence || c->ill_conditioned || c->limit[0] != '\0') return;
    if (!ic_growth_allows(&here, growth, truth->t_end, allowed->least, allowed->backward, c->limit,
                          sizeof c->limit))
        return;
    c->end = (ic_worst){.error = end.mode == truth->mode ? 0 : INFINITY, .tolerance = here.state};
    ic_state_scales(problem, scale);
    for (size_t i = 0; i < problem->system->n_states; i++) {
        c->end.error = fmax(c->end.error, fabs(end.x[i] - truth->x[i]) / scale[i]);
        c->end.radius = fmax(c->end.radius, truth->radius[i] / scale[i]);
    }
}

/* The shift of the event with the slowest guard is allowed in addition. */
static ic_worst times_of(const enclosure_comparison *c, double accuracies, double least)
{
    ic_worst times = c->times;
    times.tolerance = fmax(times.tolerance, least) + accuracies * c->shift;
    if (!c->same_sequence) times.error = INFINITY;
    return times;
}

static void judge_events(ic_results *results, const enclosure_comparison *c, const ic_truth *truth,
                         const ic_solver *solver, const char *path, double tolerance, double accuracies,
                         const char *origin)
{
    ic_result row = ic_row("enclosures", path, solver, "s");
    const ic_worst times = times_of(c, accuracies, tolerance);
    snprintf(row.what, sizeof row.what, "times of %zu events", c->compared);
    snprintf(row.origin, sizeof row.origin, "%s, plus the shift of the event with the slowest guard", origin);
    snprintf(row.detail, sizeof row.detail, "%s", c->detail);
    if (c->compared == 0 && c->same_sequence && c->limit[0] != '\0') return;
    if (c->compared == 0 && c->same_sequence && (c->ill_conditioned || c->truth_ends)) {
        row.error = row.radius = row.tolerance = NAN;
        row.verdict = IC_SKIPPED;
        if (truth->count == 0)
            snprintf(row.detail, sizeof row.detail, "certified to t = %.6g only: %.200s", truth->t_end,
                     truth->reason);
        ic_results_add(results, &row);
    } else {
        ic_worst_judge(results, row, &times, tolerance + accuracies * c->shift);
    }
}

static void judge_end(ic_results *results, const enclosure_comparison *c, const ic_truth *truth,
                      const ic_solver *solver, const char *path, const char *origin, double least)
{
    ic_result row = ic_row("enclosures", path, solver, "scale");
    snprintf(row.what, sizeof row.what, "state at t = %.6g", truth->t_end);
    snprintf(row.origin, sizeof row.origin, "%g times that of event times, over the typical time: %s",
             ic_tolerance_end_state.value, origin);
    ic_worst_judge(results, row, &c->end, least);
}

typedef struct enclosure_subject {
    const ic_problem *problem;
    const ic_truth *truth;
    const char *path;
    const ic_solver *solver;
} enclosure_subject;

static void judge_run(ic_results *results, const ic_options *options, void *context)
{
    const enclosure_subject *s = context;
    const ic_problem *problem = s->problem;
    const ic_truth *truth = s->truth;
    const char *path = s->path;
    const ic_solver *solver = s->solver;
    char origin[128];
    ic_status status = IC_OK;
    const double tolerance = ic_time_allowed(solver, problem, truth->t_end);
    ic_tolerance_origin(origin, sizeof origin, ic_time_accepted(solver));
    const double relative = tolerance / ic_time_scale(problem);
    const double accuracies = accuracies_allowed(solver, problem, truth->t_end);
    const enclosure_allowance allowed = {{relative, ic_tolerance_end_state.value * relative},
                                         backward_allowed(solver)};
    ic_log *log = ic_solve(solver, problem, options, &status);
    /* Without a jump at the limit, a run that ends at the accumulation is right. */
    if (status != IC_OK && !(status == IC_ZENO && truth->status == IC_ZENO)) {
        ic_result row = ic_row("enclosures", path, solver, "");
        snprintf(row.what, sizeof row.what, "run");
        snprintf(row.detail, sizeof row.detail, "%.200s", ic_failure_text(log, status));
        ic_results_add(results, &row);
    } else {
        enclosure_comparison c;
        ic_growth growth = {0};
        for (int pass = 0; pass < 2; pass++) {
            compare_events(&c, problem, log, truth, relative_accuracy(solver), &allowed, &growth);
            compare_end(&c, problem, log, truth, &allowed, &growth);
            const ic_worst times = times_of(&c, accuracies, tolerance);
            if (pass > 0 || (ic_worst_agrees(&times) && ic_worst_agrees(&c.end))) break;
            if (!ic_growth_measure(&growth, problem)) results->out_of_memory = true;
        }
        ic_growth_clear(&growth);
        judge_events(results, &c, truth, solver, path, tolerance, accuracies, origin);
        if (c.end.tolerance > 0) judge_end(results, &c, truth, solver, path, origin, allowed.least.state);
        if (c.limit[0] != '\0')
            ic_growth_leaves(results, ic_row("enclosures", path, solver, ""), c.compared, c.limit);
    }
    ic_log_free(log);
}

void ic_enclosures_judge(ic_results *results, const ic_problem *problem, const ic_truth *truth,
                         const char *path, const ic_solver *solver)
{
    const ic_options options = {.rtol = ic_verify_rtol(solver),
                                .event_tol = 4 * DBL_EPSILON * fmax(truth->t_end, ic_time_scale(problem))};
    ic_judge_steps(results, problem, solver, &options, judge_run,
                   &(enclosure_subject){problem, truth, path, solver});
}

/* Nothing is certified: the solvers are compared with each other instead. */
static void judge_uncertified(ic_results *results, const ic_selection *selection, const ic_problem *problem,
                              const ic_truth *truth, const char *path)
{
    ic_result row = ic_row("enclosures", path, NULL, "");
    row.verdict = IC_SKIPPED;
    snprintf(row.what, sizeof row.what, "certified answer");
    snprintf(row.detail, sizeof row.detail, "%.180s, from the start on: %.180s",
             truth->status == IC_UNDECIDED ? "undecided" : "not certified", truth->reason);
    ic_results_add(results, &row);
    ic_agreement_judge_selected(results, selection, problem, path, false);
}

/* Enclosures of a preset, stored or computed now. false: `results` have a row with the reason. */
static bool find_truth(ic_truth *truth, ic_results *results, const ic_setup *setup, const char *path)
{
    char error[256];
    if (ic_truth_stored(truth, setup->problem.system, setup->preset, error, sizeof error)) return true;
    if (error[0] == '\0') {
        if (ic_is_linear(setup->problem.variant)) ic_truth_certify(truth, &setup->problem, IC_TRUTH_DIGITS);
        else ic_truth_certify_within(truth, &setup->problem, DIGITS_ON_THE_SPOT, SECONDS_ON_THE_SPOT);
        return true;
    }
    ic_result row = ic_row("enclosures", path, NULL, "");
    snprintf(row.what, sizeof row.what, "stored enclosures");
    snprintf(row.detail, sizeof row.detail, "%.240s", error);
    ic_results_add(results, &row);
    return false;
}

static void visit_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                         const char *path)
{
    ic_truth truth;
    const ic_variant *variant = setup->problem.variant;
    /* free impacts have closed forms */
    if (variant->free_impact != NULL || !find_truth(&truth, results, setup, path)) return;
    const bool ended = truth.status == IC_OK || truth.status == IC_ZENO;
    if (!ended && truth.t_end <= setup->problem.t_start) {
        judge_uncertified(results, selection, &setup->problem, &truth, path);
        ic_truth_clear(&truth);
        return;
    }
    const double known = truth.t_end - setup->problem.t_start,
                 run = setup->problem.t_end - setup->problem.t_start;
    if (!ended && !ic_is_linear(variant))
        ic_agreement_judge_selected(results, selection, &setup->problem, path,
                                    truth.count > 0 || known >= CERTIFIED_PART * run);
    for (size_t s = 0; s < ic_solver_count; s++) {
        if (!ic_selects_solver(selection, ic_solvers[s]) || !ic_solver_serves(ic_solvers[s], &setup->problem))
            continue;
        ic_enclosures_judge(results, &setup->problem, &truth, path, ic_solvers[s]);
    }
    ic_truth_clear(&truth);
}

const ic_check ic_check_enclosures = {"enclosures",
                                      "event sequence, event times and final state lie in certified enclosures",
                                      .visit = visit_preset, .cost = 41};
