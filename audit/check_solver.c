/* SPDX-License-Identifier: MIT */
/*
 * Checks of a solver: its events on a few presets against those of the analytic solver, and how the first two depend on the step.
 *
 * An event that is taken at the end of its step is late by 0 to h, on the average h/2, however accurate the method; one linear
 * interpolation leaves an error like h^2. If the first event is right and the second is late by O(h), the clock was left at the end of
 * the step in which the first one lies.
 */
#include "audit/guarded.h"
#include "audit/plugin.h"
#include "core/model.h"
#include "core/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the time scale. Solvers with the tolerance or step of their own default are wrong by less than 1e-7 over these runs. */
#define TIME_TOLERANCE 1e-6
/* Of the time scale: an event that is farther from its own is another one. */
#define SAME_EVENT 0.05
/* Of the time scale: errors that are rounding. */
#define ROUNDING 1e-11
/* The order shown may be below that claimed by this much: noise of few steps. */
#define ORDER_TOLERANCE 0.7

/* Of the time scale: events closer than this are at one instant. */
#define SAME_INSTANT 1e-9

enum { STEPS = 9, LATE_EVENTS = 2 };

static const struct {
    const char *path, *until;
} presets[] = {{"bouncing-ball/lively", NULL}, {"roller/III/C", "20*2*pi/omega"}, {"two-mass/forced", NULL}};
enum { PRESETS = sizeof presets / sizeof presets[0] };

/* A preset solved by the accurate solver. */
typedef struct truth {
    ic_setup setup;
    ic_log *log;
    double scale; /* s; typical time */
} truth;

/* A run of the plugin's solver. */
typedef struct run {
    ic_log *log;
    ic_status status;
    size_t damage, not_finite;
} run;

/* How its events compare. */
typedef struct comparison {
    size_t missing, spurious, matched;
    double worst; /* s; greatest error of a time */
    ic_mistake_id cause;
} comparison;

typedef struct study {
    ic_sink *sink;
    const ic_solver *solver;
    size_t damage, not_finite, unsolved, unsupported;
    char why[160];                             /* not solved */
    double scale;                              /* s; of the preset whose first events are followed */
    double h[STEPS], late[LATE_EVENTS][STEPS]; /* s */
    double beside[STEPS]; /* s; how far the first event's state is from its guard's zero, by the guard's rate */
    size_t n_steps;
} study;

/* ---- running */

static bool open_truth(truth *t, size_t i)
{
    const ic_request request = {.path = presets[i].path, .until = presets[i].until};
    const ic_options options = {0};
    ic_error error;
    *t = (truth){0};
    if (!ic_setup_open(&t->setup, &request, &error)) return false;
    t->log = ic_log_new(&t->setup.problem);
    t->scale = ic_time_scale(&t->setup.problem);
    return t->log != NULL &&
           ic_solver_find("piecewise_linear")->solve(t->log, &t->setup.problem, &options) == IC_OK;
}

static void close_truth(truth *t)
{
    ic_log_free(t->log);
    ic_setup_close(&t->setup);
}

static size_t count_not_finite(const ic_log *log, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < ic_log_event_count(log); i++) {
        const ic_event event = ic_log_event_at(log, i);
        bool good = isfinite(event.t);
        for (size_t k = 0; good && k < n; k++) good = isfinite(event.x_pre[k]) && isfinite(event.x_post[k]);
        if (!good) count++;
    }
    return count;
}

/* What it is lent is guarded: the problem, its parameters, the options. */
static run run_solver(const ic_solver *solver, const truth *t, double step)
{
    run r = {.log = ic_log_new(&t->setup.problem), .status = IC_NO_MEMORY};
    const ic_options asked = {.step = step};
    const ic_case *system = t->setup.problem.system;
    ic_problem lent = t->setup.problem;
    ic_guarded par = {0}, options = {0}, problem = {0};
    if (r.log != NULL && ic_guarded_open(&par, system->n_parameters * sizeof(double), lent.par, true) &&
        ic_guarded_open(&options, sizeof asked, &asked, true)) {
        lent.par = par.data;
        if (ic_guarded_open(&problem, sizeof lent, &lent, true)) {
            r.status = solver->solve(r.log, problem.data, options.data);
            r.damage = ic_guarded_damage(&par) + ic_guarded_damage(&options) + ic_guarded_damage(&problem);
            if (r.status == IC_OK) r.not_finite = count_not_finite(r.log, system->n_states);
        }
    }
    ic_guarded_close(&par);
    ic_guarded_close(&options);
    ic_guarded_close(&problem);
    return r;
}

/* ---- comparing */

/* The guard that an event names, or NULL. */
static const ic_guard *guard_of(const truth *t, const ic_event *event)
{
    const ic_variant *variant = t->setup.problem.variant;
    if (event->mode_from < 0 || (size_t)event->mode_from >= variant->n_modes) return NULL;
    const ic_mode *mode = &variant->modes[event->mode_from];
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (strcmp(mode->guards[i].name, event->name) == 0) return &mode->guards[i];
    }
    return NULL;
}

static bool goes_the_wrong_way(const truth *t, const ic_event *event)
{
    const ic_guard *guard = guard_of(t, event);
    return guard != NULL && guard->direction * guard->rate(event->t, event->x_pre, t->setup.problem.par) < 0;
}

/* Why is there one more than should be? `mine` is its number. At one instant it is the same one again, whatever its direction. */
static ic_mistake_id cause_of_spurious(const truth *t, const ic_log *log, size_t mine, double step)
{
    const ic_event event = ic_log_event_at(log, mine), before = ic_log_event_at(log, mine > 0 ? mine - 1 : 0);
    const bool repeats = mine > 0 && strcmp(before.name, event.name) == 0;
    const double since = event.t - before.t;
    if (repeats && since <= SAME_INSTANT * t->scale) return IC_MISTAKE_FIRED_AGAIN;
    if (goes_the_wrong_way(t, &event)) return IC_MISTAKE_DIRECTION_IGNORED;
    return repeats && since <= fmax(2.5 * step, 1e-4 * t->scale) ? IC_MISTAKE_FIRED_AGAIN : IC_NO_MISTAKE;
}

/* Why is there one less? Two of the true ones lie within a step. */
static ic_mistake_id cause_of_missing(const truth *t, size_t i, double step)
{
    const double at = ic_log_event_at(t->log, i).t;
    const bool next = i + 1 < ic_log_event_count(t->log) && ic_log_event_at(t->log, i + 1).t - at <= step;
    const bool before = i > 0 && at - ic_log_event_at(t->log, i - 1).t <= step;
    return next || before ? IC_MISTAKE_CROSSINGS_LOST_IN_STEP : IC_NO_MISTAKE;
}

/* Up to the first event that has no partner: what follows is another motion. */
static comparison compare(const truth *t, const ic_log *log, double step)
{
    comparison c = {0};
    const size_t n = ic_log_event_count(t->log), m = ic_log_event_count(log);
    for (size_t i = 0; i < n || i < m; i++) {
        const double right = i < n ? ic_log_event_at(t->log, i).t : INFINITY,
                     told = i < m ? ic_log_event_at(log, i).t : INFINITY;
        const bool same = i < n && i < m && fabs(told - right) <= SAME_EVENT * t->scale &&
                          strcmp(ic_log_event_at(log, i).name, ic_log_event_at(t->log, i).name) == 0;
        if (same) {
            c.matched++;
            c.worst = fmax(c.worst, fabs(told - right));
            continue;
        }
        /* one at the very end may be on either side of it */
        if (fmin(right, told) > t->setup.problem.t_end - SAME_EVENT * t->scale) break;
        if (told < right) c.spurious++, c.cause = cause_of_spurious(t, log, i, step);
        else c.missing++, c.cause = cause_of_missing(t, i, step);
        break;
    }
    return c;
}

/* ---- dependence on the step */

static double slope_of(const study *s, int event)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    size_t n = 0;
    for (size_t i = 0; i < s->n_steps; i++) {
        const double error = fabs(s->late[event][i]);
        if (!(error > ROUNDING * s->scale)) continue;
        const double a = log(s->h[i]), b = log(error);
        x += a, y += b, xx += a * a, xy += a * b;
        n++;
    }
    const double count = (double)n;
    return n < STEPS / 2 ? INFINITY : (xy - x * y / count) / (xx - x * x / count);
}

/* Mean delay over the step; NAN where an event is early, or later than two steps. */
static double mean_delay(const study *s, int event)
{
    double sum = 0;
    for (size_t i = 0; i < s->n_steps; i++) {
        const double part = s->late[event][i] / s->h[i];
        if (!(part > -1e-6 && part < 2)) return NAN;
        sum += part / (double)s->n_steps;
    }
    return sum;
}

/* Mean distance of the first event's state from its guard's zero, over the step. */
static double mean_beside(const study *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->n_steps; i++) sum += s->beside[i] / s->h[i] / (double)s->n_steps;
    return sum;
}

static ic_mistake_id cause_of_lateness(const study *s)
{
    if (s->n_steps < STEPS) return IC_NO_MISTAKE;
    const double first = slope_of(s, 0);
    const double delay = mean_delay(s, 0), beside = mean_beside(s);
    if (delay > 0.1 && beside < 0.01)
        return IC_MISTAKE_STALE_TIME; /* the state is that of the event, the time is not */
    if (delay > 0.1 || (delay > 0 && first > 0.5 && first < 1.5)) return IC_MISTAKE_NO_EVENT_LOCATION;
    if (first > 1.5 && first < 2.5 && s->solver->order > 2) return IC_MISTAKE_LINEAR_EVENT_LOCATION;
    if (isinf(first) && fabs(slope_of(s, 1) - 1) < 0.6) return IC_MISTAKE_STALE_TIME;
    return isfinite(first) && first < s->solver->order - ORDER_TOLERANCE ? IC_MISTAKE_ORDER_LOST
                                                                         : IC_NO_MISTAKE;
}

/* s; |g/g'| of the first event's guard at the state that was told */
static double time_from_guard(const truth *t, const ic_log *log)
{
    const ic_event event = ic_log_event_at(log, 0);
    const ic_guard *guard = guard_of(t, &event);
    const double *par = t->setup.problem.par;
    return guard == NULL
               ? NAN
               : fabs(guard->value(event.t, event.x_pre, par) / guard->rate(event.t, event.x_pre, par));
}

/* Steps from 16 times the default one down to it, in irrational ratios, so that events fall anywhere in them. */
static void follow_first_events(study *s)
{
    truth t;
    if (open_truth(&t, 0)) {
        s->scale = t.scale;
        for (int i = 0; i < STEPS; i++) {
            const double h = ic_default_step(&t.setup.problem) * pow(16, 1 - (double)i / (STEPS - 1)) * 0.9137;
            run r = run_solver(s->solver, &t, h);
            if (r.status == IC_OK && ic_log_event_count(r.log) >= LATE_EVENTS) {
                s->h[s->n_steps] = h;
                s->beside[s->n_steps] = time_from_guard(&t, r.log);
                for (size_t k = 0; k < LATE_EVENTS; k++)
                    s->late[k][s->n_steps] = ic_log_event_at(r.log, k).t - ic_log_event_at(t.log, k).t;
                s->n_steps++;
            }
            ic_log_free(r.log);
        }
    }
    close_truth(&t);
}

static void tell_order(study *s)
{
    const double shown = slope_of(s, 0), second = slope_of(s, 1);
    const double least = fmin(shown, second);
    if (isinf(least)) {
        const ic_measured exact = {0, ORDER_TOLERANCE, "noise of few steps", IC_NO_MISTAKE};
        ic_sink_measure(s->sink, IC_CHECK_SOLVER_ORDER, &exact,
                        "the first two events are exact up to rounding");
        return;
    }
    const ic_measured measured = {s->solver->order - least, ORDER_TOLERANCE, "noise of few steps",
                                  cause_of_lateness(s)};
    ic_sink_measure(
        s->sink, IC_CHECK_SOLVER_ORDER, &measured,
        "claimed less shown; claimed %d, shown %.2g by the first event and %.2g by the second, over %zu steps",
        s->solver->order, shown, second, s->n_steps);
}

/* ---- one preset */

static void tell_events(study *s, const char *path, const comparison *c)
{
    const ic_measured events = {(double)(c->missing + c->spurious), 0, "the accurate solver's events",
                                c->cause};
    ic_sink_measure(s->sink, IC_CHECK_SOLVER_EVENTS, &events, "%s: %zu events are right%s", path, c->matched,
                    c->missing > 0    ? "; then one is missing"
                    : c->spurious > 0 ? "; then there is one too many"
                                      : "");
}

static void tell_times(study *s, const char *path, const comparison *c, double scale)
{
    const ic_measured times = {c->worst / scale, TIME_TOLERANCE, "ten times what solvers leave by default",
                               cause_of_lateness(s)};
    ic_sink_measure(s->sink, IC_CHECK_SOLVER_TIMES, &times, "%s: greatest error %.3g s over %zu events", path,
                    c->worst, c->matched);
}

static void check_preset(study *s, size_t i)
{
    truth t;
    run r = {0};
    if (open_truth(&t, i)) {
        const bool steps = s->solver->control == IC_CONTROL_STEP;
        const double step = steps ? ic_default_step(&t.setup.problem) : 0;
        r = run_solver(s->solver, &t, step);
        s->damage += r.damage;
        s->not_finite += r.not_finite;
        if (r.status == IC_UNSUPPORTED) s->unsupported++;
        else if (r.status != IC_OK) {
            s->unsolved++;
            snprintf(s->why, sizeof s->why, "%s: %s %.60s", presets[i].path, ic_status_text(r.status),
                     ic_log_text(r.log));
        } else {
            const comparison c = compare(&t, r.log, step);
            tell_events(s, presets[i].path, &c);
            if (c.matched > 0) tell_times(s, presets[i].path, &c, t.scale);
        }
    }
    ic_log_free(r.log);
    close_truth(&t);
}

void ic_audit_solver(ic_sink *sink, const ic_solver *solver)
{
    study s = {.sink = sink, .solver = solver};
    if (solver->variant != NULL || (solver->needs & IC_NEEDS_IMPACT_VIEW) != 0) {
        ic_sink_open(sink, IC_CHECK_SOLVER_STATUS, NAN,
                     "it is made for one variant of a case: its impact map is audited as such");
        return;
    }
    ic_sink_doing(sink, presets[0].path);
    if (solver->control == IC_CONTROL_STEP) follow_first_events(&s);
    for (size_t i = 0; i < PRESETS; i++) {
        ic_sink_doing(sink, presets[i].path);
        check_preset(&s, i);
    }
    if (solver->control == IC_CONTROL_STEP && solver->order > 0 && s.n_steps == STEPS) tell_order(&s);
    const ic_measured status = {(double)s.unsolved, 0, "all finish",
                                s.not_finite > 0 ? IC_MISTAKE_NOT_FINITE : IC_NO_MISTAKE};
    const ic_measured damage = {(double)s.damage, 0, "none may change", IC_MISTAKE_WRITES_OUT_OF_BOUNDS};
    const ic_measured finite = {(double)s.not_finite, 0, "none", IC_MISTAKE_NOT_FINITE};
    if (s.unsupported == PRESETS)
        ic_sink_open(sink, IC_CHECK_SOLVER_STATUS, NAN, "it supports none of the presets that it is tried on");
    else
        ic_sink_measure(sink, IC_CHECK_SOLVER_STATUS, &status, "%s",
                        s.unsolved > 0 ? s.why : "of bouncing-ball/lively, roller/III/C, two-mass/forced");
    ic_sink_measure(sink, IC_CHECK_BOUNDS, &damage, "bytes of and around problem, parameters and options");
    ic_sink_measure(sink, IC_CHECK_FINITE, &finite, "events whose time or state is not finite");
}
