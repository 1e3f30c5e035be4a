/* SPDX-License-Identifier: MIT */
/*
 * On a swinging mass and an elastic wall, whose impacts are known exactly
 * (audit/solver/probe_oscillator.h):
 *
 *     places   the wall is moved so that the first impact falls on 16 places of a step: whatever the method's order, its error must
 *              not depend on the place by a part of a step. Adaptive solvers: errors are held against what was asked.
 *     order    nine steps or tolerances, each smaller than the one before: errors must fall as promised.
 *
 * What a wrong time comes from: audit/solver/location_cause.h.
 */
#include "audit/solver/check_location.h"
#include "audit/common/tolerances.h"
#include "audit/solver/check_effort.h"
#include "audit/solver/check_log.h"
#include "audit/solver/location_cause.h"
#include "audit/solver/probe_oscillator.h"
#include "audit/solver/solver_run.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>

enum { PLACES = 16, SIZES = 9, IMPACTS = 3 };

/* s; the time scale is 1: these are radians. A third impact comes by 2 pi at the latest, and there
   is some time left. */
#define T_END 6.5
#define WALL_LOW 0.3
#define WALL_HIGH 0.6

/* s; of fixed steps, and error asked of adaptive ones, where places are swept */
#define PLACES_STEP 0.02
#define PLACES_STEP_LOW_ORDER 0.002
#define PLACES_ERROR 1e-6
/* Where tolerances shrink: errors that are no larger than so many times what was asked
   need not fall. */
#define RUN_GROWTH 100.0

/* s; of a step's error: below is rounding */
#define ROUNDING 1e-11
/* of energy, in a step */
#define ENERGY_ROUNDING 1e-15
/* What is left of how far impacts are off the wall when steps shrink: less, and it falls with them.
 */
#define FALLS 0.3

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

    /* m; where the wall was in the first run */
    double first_c;

    /* s; farthest from the wall with the largest and with the smallest steps */
    double beside_coarse, beside_fine;

    /* what a log contradicts, or an answer to another problem */
    ic_mistake_id misread;

    /* a run has written what it was lent */
    bool damaged;
} study;

/* ---- one run */

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
                          fabs(ic_log_event_at(r.log, 0).x_pre[0] - s->first_c) <= IC_SAME_TIME;
    if (of_first) s->misread = IC_MISTAKE_MEMORY_NOT_RESET;
    if (p.solved && s->misread == IC_NO_MISTAKE && r.not_finite == 0) s->misread = ic_log_read(r.log).cause;
    if (p.solved) p.impacts = ic_log_event_count(r.log);
    for (size_t k = 0; k < IMPACTS && k < p.impacts; k++)
        p.late[k] = ic_log_event_at(r.log, k).t - ic_probe_oscillator_impact(c, k);
    if (p.impacts > 0) {
        const ic_event event = ic_log_event_at(r.log, 0);
        p.beside = fabs((event.x_pre[0] - c) / event.x_pre[1]);
        const ic_told_impact told = {event.t, ic_probe_oscillator_impact(c, 0), event.x_pre[0], event.x_pre[1],
                                     p.beside};
        p.cause = ic_location_cause(ic_probe_oscillator_calls(), &told);
    }
    const ic_sample end = ic_log_end(r.log);
    if (p.solved && end.x != NULL) p.energy = end.x[0] * end.x[0] + end.x[1] * end.x[1] - 1;
    ic_solver_run_free(&r);
    return p;
}

/* ---- what explains what is wrong */

static void vote(study *s, const probed *p)
{
    if (p->impacts == 0 || !(fmax(fabs(p->late[0]), p->beside) > IC_SAME_TIME)) return;
    s->wrong++;
    s->votes[p->cause]++;
}

/* What explains most of the wrong times. */
static ic_mistake_id cause_of_all(const study *s)
{
    if (s->misread != IC_NO_MISTAKE) return s->misread;
    for (int i = IC_NO_MISTAKE + 1; i < IC_MISTAKE_COUNT; i++) {
        if (2 * s->votes[i] <= s->wrong) continue;
        const bool by_step = i == IC_MISTAKE_RESIDUAL_TOLERANCE && s->beside_fine < FALLS * s->beside_coarse;
        return by_step ? IC_MISTAKE_NO_EVENT_LOCATION : (ic_mistake_id)i;
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
        w.extra += p.impacts > 1 && p.late[1] < -IC_SAME_TIME && fabs(p.late[1]) > 0.5;
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
    const ic_mistake_id lost = w->extra > 0                                 ? IC_MISTAKE_FIRED_AGAIN
                               : ic_solver_explains_others(cause_of_all(s)) ? cause_of_all(s)
                               : w->lost > 0                                ? IC_MISTAKE_EVENT_LOST
                                                                            : IC_MISTAKE_FALLS_THROUGH;
    const ic_measured missed = {(double)(w->lost + w->fell + w->extra), 0, "none may", lost};
    ic_sink_measure(s->sink, IC_CHECK_SOLVER_PLACES, &missed,
                    "of %zu places of the first impact: %zu lose it, %zu a later one, %zu have it twice",
                    w->solved, w->lost, w->fell, w->extra);
    if (w->lost == w->solved) return cause_of_all(s);
    if (w->extra > 0) return IC_MISTAKE_FIRED_AGAIN; /* later impacts are none of their own */
    const bool fixed = !isnan(w->h);
    const double spread = (w->greatest - w->least) / w->h;
    const ic_measured m = {
        fixed ? spread : w->worst,
        fixed ? ic_tolerance_place_spread.value : ic_tolerance_error_growth.value * allowed_error(s, w),
        fixed ? ic_tolerance_place_spread.derivation : ic_tolerance_error_growth.derivation, cause_of_all(s)};
    ic_sink_measure(s->sink, IC_CHECK_SOLVER_LOCATION, &m,
                    fixed ? "of a step of %.3g: the first impact is %.3g to %.3g s late over its places"
                          : "worst of all impacts at rtol for %.0e; the first is %.3g to %.3g s late",
                    fixed ? w->h : PLACES_ERROR, w->least, w->greatest);
    const ic_mistake_id cause = cause_of_all(s);
    const ic_measured gain = {
        w->energy, ic_tolerance_error_growth.value * fmax(allowed_error(s, w), ENERGY_ROUNDING),
        ic_tolerance_error_growth.derivation, cause != IC_NO_MISTAKE ? cause : IC_MISTAKE_ENERGY_APPEARS};
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
        if (i < SIZES / 3) s->beside_coarse = fmax(s->beside_coarse, p.beside);
        if (i >= SIZES - SIZES / 3) s->beside_fine = fmax(s->beside_fine, p.beside);
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
        const ic_measured exact = {0, ic_tolerance_step_order.value, ic_tolerance_step_order.derivation,
                                   IC_NO_MISTAKE};
        ic_sink_measure(s->sink, IC_CHECK_SOLVER_ORDER, &exact, "the first impacts are %s",
                        isinf(least) ? "exact up to rounding" : "as exact as was asked");
        return true;
    }
    const ic_mistake_id cause = cause_of_all(s);
    const double claimed = fixed ? s->solver->order : 1;
    const ic_measured m = {claimed - least,
                           fixed ? ic_tolerance_step_order.value : claimed - ic_tolerance_rtol_power.value,
                           fixed ? ic_tolerance_step_order.derivation : ic_tolerance_rtol_power.derivation,
                           cause != IC_NO_MISTAKE ? cause : IC_MISTAKE_ORDER_LOST};
    ic_sink_measure(
        s->sink, IC_CHECK_SOLVER_ORDER, &m,
        "power of the %s claimed less shown; claimed %g, shown %.2g over %zu runs from %.2g to %.2g",
        fixed ? "step" : "tolerance", claimed, least, f->count, f->size[0], f->size[f->count - 1]);
    return m.value <= m.tolerance;
}

bool ic_solver_explains_others(ic_mistake_id mistake)
{
    switch (mistake) {
    case IC_MISTAKE_NO_EVENT_LOCATION:
    case IC_MISTAKE_LINEAR_EVENT_LOCATION:
    case IC_MISTAKE_LOCATION_CUT_SHORT:
    case IC_MISTAKE_LINEAR_STATE:
    case IC_MISTAKE_FIRED_AGAIN:
    case IC_MISTAKE_ENERGY_APPEARS:
    case IC_MISTAKE_RESIDUAL_TOLERANCE:
    case IC_MISTAKE_STALE_TIME:
    case IC_MISTAKE_DIRECTION_IGNORED:
    case IC_MISTAKE_ORDER_LOST:
    case IC_MISTAKE_ERROR_ESTIMATE_WRONG:
    case IC_MISTAKE_TOLERANCE_IGNORED: return true;
    default: return false;
    }
}

ic_mistake_id ic_audit_location(ic_sink *sink, const ic_solver *solver)
{
    study s = {.sink = sink, .solver = solver};
    const ic_mistake_id effort = ic_audit_effort(sink, solver);
    if (effort != IC_NO_MISTAKE)
        ic_sink_record(sink, IC_RECORD_MISTAKE, effort, ""); /* what follows may take for ever */
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
    if (!ic_audit_direction(sink, solver)) return IC_MISTAKE_DIRECTION_IGNORED;
    if (cause != IC_NO_MISTAKE) return cause;
    if (cause_of_all(&s) != IC_NO_MISTAKE)
        return cause_of_all(&s); /* it explains what fails elsewhere, if anything does */
    return effort != IC_NO_MISTAKE ? effort : falls ? IC_NO_MISTAKE : IC_MISTAKE_ORDER_LOST;
}
