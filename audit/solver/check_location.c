/* SPDX-License-Identifier: MIT */
/*
 * On a swinging mass and an elastic wall, whose impacts are known exactly (audit/solver/probe_oscillator.h):
 *
 *     places   the wall is moved so that the first impact falls on 16 places of a step: whatever the method's order, its error must
 *              not depend on the place by a part of a step. Adaptive solvers: errors are held against what was asked.
 *     order    nine steps or tolerances, each smaller than the one before: errors must fall as promised.
 *
 * What a wrong time comes from is read off what the solver has asked the guard. Let t be the time told, T the latest one asked for
 * before the jump, g_i the value at t_i:
 *
 *     t = T, and the state told is off the wall              events are taken at the end of their step
 *     t is T or another end of a step, the state on the wall  the state is that of the event, the time is not
 *     t = t_i + (t_j - t_i) g_i/(g_i - g_j)                   one linear interpolation
 *     the time is right, the state told is off the wall       velocities of another time are reflected: energy appears
 *     t is where the solver's own motion meets the wall      the motion is wrong, not the location
 */
#include "audit/solver/check_location.h"
#include "audit/solver/check_log.h"
#include "audit/solver/probe_oscillator.h"
#include "audit/solver/solver_run.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>

enum { PLACES = 16, SIZES = 9, IMPACTS = 3 };

/* s; the time scale is 1: these are radians. A third impact comes by 2 pi at the latest, and there is some time left. */
#define T_END 6.5
#define WALL_LOW 0.3
#define WALL_HIGH 0.6

/* s; of fixed steps, and error asked of adaptive ones, where places are swept */
#define PLACES_STEP 0.02
#define PLACES_STEP_LOW_ORDER 0.002
#define PLACES_ERROR 1e-6
/* Of the step: how much errors of a located event may differ, since steps and phases differ by so little from place to place. */
#define SPREAD 0.1
/* Adaptive solvers control the error of steps: that of a run, in what was asked. */
#define ERROR_GROWTH 1000.0

/* The same, where tolerances shrink: errors that are no larger than so many times what was asked need not fall. */
#define RUN_GROWTH 100.0

/* The order shown may be below that claimed by this much: noise of few steps. */
#define ORDER_TOLERANCE 0.7
/* Errors of a run fall like rtol^(p/(p+1)) at least, with p >= 1; where events are put at ends of steps like rtol^(1/(p+1)). */
#define LEAST_POWER 0.5
/* s; of a step's error: below is rounding */
#define ROUNDING 1e-11
/* of energy, in a step */
#define ENERGY_ROUNDING 1e-15
/* s; times that are the same number, up to how they were added up */
#define SAME_TIME 1e-9
/* A state that is off the wall by so many times what the time is off is not that of the impact. */
#define BESIDE 10.0
/* of an error in time: what is nothing beside it */
#define LITTLE 0.05

typedef struct probed {
    bool solved;
    size_t impacts;
    double late[IMPACTS]; /* s; NAN: not there */
    double beside;        /* s; how far the first impact's state is from the wall, by the speed */
    double energy;        /* gained in the end, by that at the start */
    ic_mistake_id cause;
} probed;

typedef struct study {
    ic_sink *sink;
    const ic_solver *solver;
    size_t votes[IC_MISTAKE_COUNT], runs, wrong;
    size_t unsupported;
    double first_c;        /* m; where the wall was in the first run */
    ic_mistake_id misread; /* what a log contradicts, or an answer to another problem */
    bool damaged;          /* a run has written what it was lent */
} study;

/* ---- one run */

/* Whether the guard was asked for at another time than t between two others: then they are not where a line was drawn. */
static bool asks_between(const ic_probe_calls *calls, size_t n, double t, double t0, double t1)
{
    for (size_t k = 0; k < n; k++) {
        if (calls->t[k] > t0 && calls->t[k] < t1 && fabs(calls->t[k] - t) > SAME_TIME) return true;
    }
    return false;
}

/* Whether the time is where a straight line between two values that the solver was given crosses zero. */
static bool is_secant(const ic_probe_calls *calls, double t, double t_right)
{
    const size_t n = ic_probe_calls_kept(calls);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double g0 = calls->g[i], g1 = calls->g[j], t0 = calls->t[i], t1 = calls->t[j];
            if (!(g0 > 0 && g1 < 0 && t0 < t_right && t1 > t_right)) continue;
            if (fabs(t0 + (t1 - t0) * g0 / (g0 - g1) - t) <= LITTLE * LITTLE * fabs(t - t_right) &&
                !asks_between(calls, n, t, t0, t1))
                return true;
        }
    }
    return false;
}

/* Whether t is an end of a step: the guard was asked for there, and nowhere else as near as the error in time. */
static bool is_end_of_step(const ic_probe_calls *calls, double t, double error)
{
    const size_t n = ic_probe_calls_kept(calls);
    bool asked = false;
    for (size_t i = 0; i < n; i++) {
        const double apart = fabs(calls->t[i] - t);
        if (apart > SAME_TIME && apart < 0.5 * fabs(error)) return false;
        asked |= apart <= SAME_TIME;
    }
    return asked;
}

static ic_mistake_id cause_of(const probed *p, const ic_probe_calls *calls, double t, double t_right)
{
    const double late = p->late[0];
    if (p->beside > BESIDE * fabs(late)) return IC_MISTAKE_ENERGY_APPEARS;
    if (calls->count > 0 && late > 0 && t >= calls->latest - SAME_TIME)
        return p->beside < LITTLE * late ? IC_MISTAKE_STALE_TIME : IC_MISTAKE_NO_EVENT_LOCATION;
    if (p->beside < LITTLE * fabs(late) && is_end_of_step(calls, t, late)) return IC_MISTAKE_STALE_TIME;
    if (is_secant(calls, t, t_right)) return IC_MISTAKE_LINEAR_EVENT_LOCATION;
    if (p->beside > LITTLE * fabs(late)) return IC_MISTAKE_RESIDUAL_TOLERANCE;
    return IC_NO_MISTAKE;
}

static probed probe(study *s, double c, const ic_options *options)
{
    const ic_problem *problem = ic_probe_oscillator(c, T_END);
    ic_options asked = *options;
    asked.samples = 2; /* the last one is the end, which must be told alike */
    ic_solver_run r = ic_solver_run_of(s->solver, problem, &asked);
    probed p = {
        .solved = r.status == IC_OK && r.damage == 0, .late = {NAN, NAN, NAN}, .beside = NAN, .energy = NAN};
    s->unsupported += r.status == IC_UNSUPPORTED;
    s->damaged |= r.damage > 0;
    if (s->damaged && s->runs > 0) { /* once is enough */
        ic_solver_run_free(&r);
        return p;
    }
    if (s->runs == 0) s->first_c = c;
    ic_solver_run_tell(s->sink, &r, s->runs++ == 0);
    const bool of_first = p.solved && c != s->first_c && ic_log_event_count(r.log) > 0 &&
                          fabs(ic_log_event_at(r.log, 0).x_pre[0] - s->first_c) <= SAME_TIME;
    if (of_first) s->misread = IC_MISTAKE_MEMORY_NOT_RESET;
    if (p.solved && s->misread == IC_NO_MISTAKE && r.not_finite == 0) s->misread = ic_log_read(r.log).cause;
    if (p.solved) p.impacts = ic_log_event_count(r.log);
    for (size_t k = 0; k < IMPACTS && k < p.impacts; k++)
        p.late[k] = ic_log_event_at(r.log, k).t - ic_probe_oscillator_impact(c, k);
    if (p.impacts > 0) {
        const ic_event event = ic_log_event_at(r.log, 0);
        p.beside = fabs((event.x_pre[0] - c) / event.x_pre[1]);
        p.cause = cause_of(&p, ic_probe_oscillator_calls(), event.t, ic_probe_oscillator_impact(c, 0));
    }
    const ic_sample end = ic_log_end(r.log);
    if (p.solved && end.x != NULL) p.energy = end.x[0] * end.x[0] + end.x[1] * end.x[1] - 1;
    ic_solver_run_free(&r);
    return p;
}

/* ---- what explains what is wrong */

static void vote(study *s, const probed *p)
{
    if (p->impacts == 0 || !(fmax(fabs(p->late[0]), p->beside) > SAME_TIME)) return;
    s->wrong++;
    s->votes[p->cause]++;
}

/* What explains most of the wrong times. */
static ic_mistake_id cause_of_all(const study *s)
{
    if (s->misread != IC_NO_MISTAKE) return s->misread;
    for (int i = IC_NO_MISTAKE + 1; i < IC_MISTAKE_COUNT; i++) {
        if (2 * s->votes[i] > s->wrong) return (ic_mistake_id)i;
    }
    return IC_NO_MISTAKE;
}

/* ---- places in a step */

static double greatest_late(const probed *p)
{
    double worst = 0;
    for (size_t k = 0; k < IMPACTS; k++) worst = fabs(p->late[k]) > worst ? fabs(p->late[k]) : worst;
    return worst;
}

typedef struct swept {
    double h;               /* s; NAN: adaptive */
    double least, greatest; /* s; of the first impact's error */
    double worst;           /* s; of all */
    double energy;          /* greatest gain */
    size_t lost, fell;      /* runs without the first impact, and without one of the next */
    size_t extra;
    size_t solved;
} swept;

static swept sweep_places(study *s)
{
    const bool fixed = s->solver->control == IC_CONTROL_STEP;
    ic_options options = {0};
    swept w = {.h = NAN, .least = INFINITY, .greatest = -INFINITY, .energy = -INFINITY};
    if (s->solver->control == IC_CONTROL_RTOL) options.rtol = ic_rtol_for(s->solver, PLACES_ERROR);
    if (fixed) options.step = w.h = s->solver->order > 2 ? PLACES_STEP : PLACES_STEP_LOW_ORDER;
    for (int i = 0; i < PLACES; i++) {
        const double place = (double)i / PLACES;
        const double c = fixed ? cos(w.h * (round(acos(WALL_HIGH) / w.h) + place))
                               : WALL_LOW + (WALL_HIGH - WALL_LOW) * place;
        const probed p = probe(s, c, &options);
        if (!p.solved) continue;
        w.solved++;
        if (p.impacts == 0) w.lost++;
        else if (p.impacts < IMPACTS) w.fell++;
        if (isnan(p.late[0])) continue;
        w.extra += p.impacts > 1 && p.late[1] < -SAME_TIME && fabs(p.late[1]) > 0.5;
        w.least = fmin(w.least, p.late[0]), w.greatest = fmax(w.greatest, p.late[0]);
        w.worst = fmax(w.worst, greatest_late(&p));
        w.energy = fmax(w.energy, p.energy);
        vote(s, &p);
    }
    return w;
}

static double allowed_error(const study *s, const swept *w)
{
    switch (s->solver->control) {
    case IC_CONTROL_STEP: return pow(w->h, s->solver->order > 1 ? s->solver->order : 1);
    case IC_CONTROL_RTOL: return PLACES_ERROR;
    case IC_CONTROL_NONE: return ROUNDING;
    }
    return ROUNDING;
}

static ic_mistake_id tell_places(study *s, const swept *w)
{
    const ic_mistake_id lost = w->lost == w->solved ? IC_MISTAKE_EVENT_LOST
                               : w->lost > 0        ? IC_MISTAKE_EVENT_LOST
                               : w->extra > 0       ? IC_MISTAKE_FIRED_AGAIN
                                                    : IC_MISTAKE_FALLS_THROUGH;
    const ic_measured missed = {(double)(w->lost + w->fell + w->extra), 0, "none may", lost};
    ic_sink_measure(s->sink, IC_CHECK_SOLVER_PLACES, &missed,
                    "of %zu places of the first impact: %zu lose it, %zu a later one, %zu have it twice",
                    w->solved, w->lost, w->fell, w->extra);
    if (w->lost == w->solved) return cause_of_all(s);
    const bool fixed = !isnan(w->h);
    const double spread = (w->greatest - w->least) / w->h;
    const ic_measured m = {fixed ? spread : w->worst, fixed ? SPREAD : ERROR_GROWTH * allowed_error(s, w),
                           fixed ? "places differ by less than a step"
                                 : "a thousand times what is asked of steps",
                           cause_of_all(s)};
    ic_sink_measure(s->sink, IC_CHECK_SOLVER_LOCATION, &m,
                    fixed ? "of a step of %.3g: the first impact is %.3g to %.3g s late over its places"
                          : "worst of all impacts at rtol for %.0e; the first is %.3g to %.3g s late",
                    fixed ? w->h : PLACES_ERROR, w->least, w->greatest);
    const ic_mistake_id cause = cause_of_all(s);
    const ic_measured gain = {w->energy, ERROR_GROWTH * fmax(allowed_error(s, w), ENERGY_ROUNDING),
                              "a thousand times the error of steps",
                              cause != IC_NO_MISTAKE ? cause : IC_MISTAKE_ENERGY_APPEARS};
    ic_sink_measure(s->sink, IC_CHECK_SOLVER_ENERGY, &gain, "gained by %g s, greatest over the places", T_END);
    if (m.value <= m.tolerance && gain.value <= gain.tolerance && missed.value == 0) return IC_NO_MISTAKE;
    return cause != IC_NO_MISTAKE ? cause : gain.value <= gain.tolerance ? IC_NO_MISTAKE : gain.cause;
}

/* ---- order */

typedef struct shrinking {
    double size[SIZES]; /* s or 1; step, or rtol */
    double late[IMPACTS][SIZES];
    size_t count;
} shrinking;

static shrinking shrink(study *s)
{
    const bool fixed = s->solver->control == IC_CONTROL_STEP;
    shrinking f = {.count = 0};
    for (int i = 0; i < SIZES; i++) {
        const double part = (double)i / (SIZES - 1);
        const double c = WALL_LOW + (WALL_HIGH - WALL_LOW) * (0.5 + 0.5 * sin(7.0 * i));
        const double size =
            fixed ? 0.9137 * PLACES_STEP * pow(16, -part) : ic_rtol_for(s->solver, 1e-3 * pow(10, -6 * part));
        const ic_options options = {.step = fixed ? size : 0, .rtol = fixed ? 0 : size};
        const probed p = probe(s, c, &options);
        if (!p.solved || p.impacts < IMPACTS) continue;
        f.size[f.count] = size;
        for (size_t k = 0; k < IMPACTS; k++) f.late[k][f.count] = fabs(p.late[k]);
        f.count++;
        vote(s, &p);
    }
    return f;
}

/* Least squares in the logarithms of errors that are none of rounding. INFINITY: all are. */
static double slope_of(const shrinking *f, size_t impact)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (!(f->late[impact][i] > ROUNDING)) continue;
        const double a = log(f->size[i]), b = log(f->late[impact][i]);
        x += a, y += b, xx += a * a, xy += a * b;
        n++;
    }
    const double count = (double)n;
    return n < SIZES / 2 ? INFINITY : (xy - x * y / count) / (xx - x * x / count);
}

/* Whether an adaptive solver is as good as was asked, where little was allowed. */
static bool does_what_is_asked(const study *s, const shrinking *f)
{
    bool good = s->solver->control == IC_CONTROL_RTOL;
    for (size_t i = SIZES / 2; i < f->count; i++) {
        for (size_t k = 0; k < IMPACTS; k++) good &= f->late[k][i] <= RUN_GROWTH * f->size[i];
    }
    return good;
}

static bool tell_order(study *s, const shrinking *f)
{
    const bool fixed = s->solver->control == IC_CONTROL_STEP;
    double least = INFINITY;
    for (size_t k = 0; k < IMPACTS; k++) least = fmin(least, slope_of(f, k));
    if (isinf(least) || does_what_is_asked(s, f)) {
        const ic_measured exact = {0, ORDER_TOLERANCE, "noise of few steps", IC_NO_MISTAKE};
        ic_sink_measure(s->sink, IC_CHECK_SOLVER_ORDER, &exact, "the first impacts are %s",
                        isinf(least) ? "exact up to rounding" : "as exact as was asked");
        return true;
    }
    const ic_mistake_id cause = cause_of_all(s);
    const double claimed = fixed ? s->solver->order : 1;
    const ic_measured m = {claimed - least, fixed ? ORDER_TOLERANCE : claimed - LEAST_POWER,
                           fixed ? "noise of few steps" : "errors of a run fall like rtol^(1/2) at least",
                           cause != IC_NO_MISTAKE ? cause : IC_MISTAKE_ORDER_LOST};
    ic_sink_measure(
        s->sink, IC_CHECK_SOLVER_ORDER, &m,
        "power of the %s claimed less shown; claimed %g, shown %.2g over %zu runs from %.2g to %.2g",
        fixed ? "step" : "tolerance", claimed, least, f->count, f->size[0], f->size[f->count - 1]);
    return m.value <= m.tolerance;
}

ic_mistake_id ic_audit_location(ic_sink *sink, const ic_solver *solver)
{
    study s = {.sink = sink, .solver = solver};
    const swept w = sweep_places(&s);
    if (s.unsupported == s.runs) {
        ic_sink_open(sink, IC_CHECK_SOLVER_PLACES, NAN, "the solver does not solve problems of this kind");
        return IC_NO_MISTAKE;
    }
    if (s.damaged) return IC_NO_MISTAKE; /* has been told: nothing else can be */
    const ic_measured status = {(double)(PLACES - w.solved), 0, "all finish", IC_NO_MISTAKE};
    ic_sink_measure(sink, IC_CHECK_SOLVER_STATUS, &status, "runs that do not finish, of %d", PLACES);
    if (w.solved == 0) return IC_NO_MISTAKE;
    const bool promises =
        solver->control == IC_CONTROL_RTOL || (solver->control == IC_CONTROL_STEP && solver->order > 0);
    const shrinking f = promises ? shrink(&s) : (shrinking){.count = 0};
    const ic_mistake_id cause = tell_places(&s, &w);
    const bool falls = f.count < SIZES || tell_order(&s, &f);
    if (solver->steps_over_events) return IC_MISTAKE_NO_EVENT_LOCATION; /* it says so */
    if (s.misread != IC_NO_MISTAKE) return s.misread;
    if (cause != IC_NO_MISTAKE || falls) return cause;
    return cause_of_all(&s) != IC_NO_MISTAKE ? cause_of_all(&s) : IC_MISTAKE_ORDER_LOST;
}
