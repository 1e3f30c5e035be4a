/* SPDX-License-Identifier: MIT */
/*
 * Checks on a swinging mass and an elastic wall, whose impacts are known exactly
 * (audit/solver/solver.h):
 *
 *     places   the wall is moved so that the first impact falls on 16 places of a step. At any order, its
 *              error must not vary with the place by a part of a step. The errors of adaptive solvers are
 *              compared with the requested ones.
 *     order    nine steps or tolerances, each smaller than the one before: errors must fall as promised.
 *
 * audit/solver/solver.h finds the causes of wrong times.
 */
#include "audit/common/tolerances.h"
#include "audit/solver/solver.h"
#include "validation/subjects.h"

#include <math.h>

enum { PLACES = 16, SIZES = 9, IMPACTS = 3 };

/* s, and radians, since the time scale is 1. The third impact happens before 2 pi. */
#define T_END 6.5
#define WALL_LOW 0.3
#define WALL_HIGH 0.6

/* fixed steps of the sweep over places, and the error requested of adaptive solvers, s */
#define PLACES_STEP 0.02
#define PLACES_STEP_LOW_ORDER 0.002
#define PLACES_ERROR 1e-6
/* A second impact that comes earlier than it should by this much, s, is the first one again: impacts are
   1.8 s apart. */
#define EARLY 0.5
/* Most steps of a run: a method of order 2 takes a third of them. */
#define MOST_STEPS 3e5

/* of the energy in a step */
#define ENERGY_ROUNDING 1e-15

typedef struct probed {
    bool solved;
    size_t impacts;

    /* error of the time, s; NAN: the impact is missing */
    double late[IMPACTS];

    /* distance of the first impact's state from the wall, divided by the speed, s */
    double beside;

    /* gain at the end divided by the energy at the start */
    double energy;

    ic_mistake_id cause;
} probed;

typedef struct location_check {
    ic_finding_writer *writer;
    const ic_solver *solver;
    size_t votes[IC_MISTAKE_COUNT], runs, wrong;
    size_t unsupported;

    /* Position of the wall in the first run, m. */
    double first_c;

    /* What the distances of impacts from the wall scale with. */
    ic_location_scale scale;

    /* The mistake of the steps alone, without events. */
    ic_mistake_id steps;

    /* of all impacts: times, and those that are numbers of single precision */
    size_t times, single_times;

    /* True if a log contradicts the model or belongs to another problem. */
    ic_mistake_id misread;

    /* True if a run has written to memory that it must not change. */
    bool damaged;
} location_check;

/* ---- one run */

static probed run_probe(location_check *s, double c, const ic_options *options)
{
    const ic_problem *problem = ic_probe_oscillator(c, T_END);
    ic_options asked = *options;
    if (ic_steps_are_too_short(s->solver, s->steps)) asked.max_steps = IC_ENOUGH_STEPS;
    asked.samples = 2; /* the last one is at the end, and must equal it */
    ic_solver_run r = ic_solver_run_of(s->solver, problem, &asked);
    probed p = {
        .solved = r.status == IC_OK && r.damage == 0, .late = {NAN, NAN, NAN}, .beside = NAN, .energy = NAN};
    s->unsupported += r.status == IC_UNSUPPORTED;
    s->damaged |= r.damage > 0;
    if (s->damaged && s->runs > 0) { /* one row is enough */
        ic_solver_run_free(&r);
        return p;
    }
    if (s->runs == 0) s->first_c = c;
    ic_solver_run_report(s->writer, &r, s->runs++ == 0);
    /* the jump puts the mass on the wall of its parameters */
    const bool of_first =
        p.solved && c != s->first_c && ic_log_event_count(r.log) > 0 &&
        fabs(ic_log_event_at(r.log, 0).x_post[0] - s->first_c) <= ic_tolerance_same_time.value;
    if (of_first) s->misread = IC_MISTAKE_MEMORY_NOT_RESET;
    if (p.solved && s->misread == IC_NO_MISTAKE && r.not_finite == 0)
        s->misread = ic_log_read(r.log, s->solver).cause;
    if (p.solved) p.impacts = ic_log_event_count(r.log);
    for (size_t k = 0; k < IMPACTS && k < p.impacts; k++) {
        const double t = ic_log_event_at(r.log, k).t;
        p.late[k] = t - ic_probe_oscillator_impact(c, k);
        s->times++;
        s->single_times += (double)(float)t == t;
    }
    if (p.impacts > 0) {
        const ic_event event = ic_log_event_at(r.log, 0);
        p.beside = fabs((event.x_pre[0] - c) / event.x_pre[1]);
        const ic_reported_impact reported = {event.t, ic_probe_oscillator_impact(c, 0), event.x_pre[0],
                                             event.x_pre[1], p.beside};
        p.cause = ic_location_cause(ic_probe_oscillator_calls(), &reported);
    }
    const ic_sample end = ic_log_end(r.log);
    if (p.solved && end.x != NULL) p.energy = end.x[0] * end.x[0] + end.x[1] * end.x[1] - 1;
    ic_solver_run_free(&r);
    return p;
}

/* ---- causes */

static void count_cause(location_check *s, const probed *p)
{
    if (p->impacts == 0 || !(fmax(fabs(p->late[0]), p->beside) > ic_tolerance_same_time.value)) return;
    s->wrong++;
    s->votes[p->cause]++;
}

static ic_mistake_id count_votes(const location_check *s)
{
    for (int i = IC_NO_MISTAKE + 1; i < IC_MISTAKE_COUNT; i++) {
        if (2 * s->votes[i] > s->wrong) return (ic_mistake_id)i;
    }
    return IC_NO_MISTAKE;
}

/* The mistake that explains most of the wrong times. */
static ic_mistake_id find_cause(const location_check *s)
{
    if (s->misread != IC_NO_MISTAKE) return s->misread;
    /* impacts fall on irrational times, which are numbers of single precision once in 5e8 */
    if (2 * s->single_times > s->times) return IC_MISTAKE_SINGLE_PRECISION;
    const ic_mistake_id voted = count_votes(s);
    switch (voted) {
    case IC_NO_MISTAKE:
    case IC_MISTAKE_NO_EVENT_LOCATION:
    case IC_MISTAKE_RESIDUAL_TOLERANCE: break;
    case IC_MISTAKE_ENERGY_APPEARS:
        if (s->scale.known && s->scale.late < ic_tolerance_located.value * s->scale.off) return voted;
        break;
    default: return voted;
    }
    if (s->steps != IC_NO_MISTAKE && ic_solver_explains_others(s->steps) &&
        !(s->scale.known && s->scale.cause == IC_MISTAKE_NO_EVENT_LOCATION))
        return s->steps;
    /* Impacts are on the wall, and late, although the same motion without a wall is right. */
    if (s->steps == IC_NO_MISTAKE && s->scale.known && s->scale.off <= ic_tolerance_same_time.value &&
        s->scale.beyond_motion > ic_tolerance_interpolant.value)
        return IC_MISTAKE_INTERPOLANT_COARSE;
    return s->scale.known ? s->scale.cause : voted == IC_MISTAKE_ENERGY_APPEARS ? IC_NO_MISTAKE : voted;
}

/* ---- places in a step */

typedef struct swept {
    /* step, s; NAN: adaptive steps */
    double h;

    /* least and greatest error of the first impact, s */
    double least, greatest;

    /* greatest of all errors, s */
    double worst;

    /* greatest gain */
    double energy;

    /* runs without the first impact, and without a later one */
    size_t lost, fell;

    size_t extra;
    size_t solved;
} swept;

static swept sweep_places(location_check *s)
{
    const bool fixed = s->solver->control == IC_CONTROL_STEP;
    ic_options options = {.max_steps = MOST_STEPS};
    swept w = {.h = NAN, .least = INFINITY, .greatest = -INFINITY, .energy = -INFINITY};
    if (s->solver->control == IC_CONTROL_RTOL) options.rtol = ic_rtol_for(s->solver, PLACES_ERROR);
    if (fixed) options.step = w.h = s->solver->order > 2 ? PLACES_STEP : PLACES_STEP_LOW_ORDER;
    for (int i = 0; i < PLACES; i++) {
        const double place = (double)i / PLACES;
        const double c = fixed ? cos(w.h * (round(acos(WALL_HIGH) / w.h) + place))
                               : WALL_LOW + (WALL_HIGH - WALL_LOW) * place;
        const probed p = run_probe(s, c, &options);
        if (!p.solved) continue;
        w.solved++;
        if (p.impacts == 0) w.lost++;
        else if (p.impacts < IMPACTS) w.fell++;
        if (isnan(p.late[0])) continue;
        w.extra += p.impacts > 1 && p.late[1] < -EARLY;
        w.least = fmin(w.least, p.late[0]), w.greatest = fmax(w.greatest, p.late[0]);
        for (size_t k = 0; k < IMPACTS; k++) w.worst = fmax(w.worst, fabs(p.late[k]));
        w.energy = fmax(w.energy, p.energy);
        count_cause(s, &p);
    }
    return w;
}

static double allowed_error(const location_check *s, const swept *w)
{
    switch (s->solver->control) {
    case IC_CONTROL_STEP: return pow(w->h, s->solver->order > 1 ? s->solver->order : 1);
    case IC_CONTROL_RTOL: return PLACES_ERROR;
    case IC_CONTROL_NONE: return ic_tolerance_error_rounding.value;
    }
    return ic_tolerance_error_rounding.value;
}

static ic_mistake_id add_places(location_check *s, const swept *w)
{
    const ic_mistake_id lost = w->extra > 0                               ? IC_MISTAKE_FIRED_AGAIN
                               : ic_solver_explains_others(find_cause(s)) ? find_cause(s)
                               : w->lost > 0                              ? IC_MISTAKE_EVENT_LOST
                                                                          : IC_MISTAKE_FALLS_THROUGH;
    const ic_judged_value missed = {(double)(w->lost + w->fell + w->extra), 0, "none may", lost};
    ic_write_measured(
        s->writer, IC_CHECK_SOLVER_PLACES, &missed,
        "%zu places of the first impact: %zu runs lose it, %zu lose a later one, %zu find it twice", w->solved,
        w->lost, w->fell, w->extra);
    if (w->lost == w->solved) return find_cause(s);
    if (w->extra > 0) return IC_MISTAKE_FIRED_AGAIN; /* later impacts are repetitions */
    const bool fixed = !isnan(w->h);
    const double spread = (w->greatest - w->least) / w->h;
    const ic_judged_value m = {
        fixed ? spread : w->worst,
        fixed ? ic_tolerance_place_spread.value + s->solver->steps_over_events /* late by up to a step */
              : ic_tolerance_error_growth.value * allowed_error(s, w),
        fixed ? ic_tolerance_place_spread.derivation : ic_tolerance_error_growth.derivation, find_cause(s)};
    ic_write_measured(
        s->writer, IC_CHECK_SOLVER_LOCATION, &m,
        fixed ? "step %.3g s: over its places the first impact is %.3g to %.3g s late"
              : "worst of all impacts at a requested error of %.0e; the first is %.3g to %.3g s late",
        fixed ? w->h : PLACES_ERROR, w->least, w->greatest);
    const ic_mistake_id cause = find_cause(s);
    const ic_judged_value gain = {w->energy,
                                  ic_tolerance_error_growth.value * fmax(allowed_error(s, w), ENERGY_ROUNDING),
                                  ic_tolerance_error_growth.derivation,
                                  cause != IC_NO_MISTAKE      ? cause
                                  : s->steps != IC_NO_MISTAKE ? s->steps
                                                              : IC_MISTAKE_ENERGY_APPEARS};
    ic_write_measured(s->writer, IC_CHECK_SOLVER_ENERGY, &gain, "gained by %g s, greatest over the places",
                      T_END);
    if (m.value <= m.tolerance && gain.value <= gain.tolerance && missed.value == 0) return IC_NO_MISTAKE;
    return cause != IC_NO_MISTAKE ? cause : gain.value <= gain.tolerance ? IC_NO_MISTAKE : gain.cause;
}

/* ---- order */

typedef struct shrinking {
    /* s or 1; step, or rtol */
    double size[SIZES];

    double late[IMPACTS][SIZES];
    size_t count;
} shrinking;

static shrinking run_shrinking(location_check *s)
{
    const bool fixed = s->solver->control == IC_CONTROL_STEP;
    shrinking f = {.count = 0};
    for (int i = 0; i < SIZES; i++) {
        const double part = (double)i / (SIZES - 1);
        const double c = WALL_LOW + (WALL_HIGH - WALL_LOW) * (0.5 + 0.5 * sin(7.0 * i));
        const double size =
            fixed ? 0.9137 * PLACES_STEP * pow(16, -part) : ic_rtol_for(s->solver, 1e-3 * pow(10, -6 * part));
        const ic_options options = {
            .step = fixed ? size : 0, .rtol = fixed ? 0 : size, .max_steps = MOST_STEPS};
        const probed p = run_probe(s, c, &options);
        if (!p.solved || p.impacts < IMPACTS) continue;
        f.size[f.count] = size;
        for (size_t k = 0; k < IMPACTS; k++) f.late[k][f.count] = fabs(p.late[k]);
        f.count++;
        count_cause(s, &p);
    }
    return f;
}

/* Power of the error by least squares in logarithms, without errors of rounding. INFINITY:
   nearly all are. */
static double fit_power(const shrinking *f, size_t impact)
{
    ic_line_fit fit = {0};
    for (size_t i = 0; i < f->count; i++)
        if (f->late[impact][i] > ic_tolerance_error_rounding.value)
            ic_line_fit_add(&fit, log(f->size[i]), log(f->late[impact][i]));
    return ic_line_fit_slope_of(&fit, SIZES / 2);
}

/* Whether an adaptive solver keeps the smaller tolerances. */
static bool keeps_tolerance(const location_check *s, const shrinking *f)
{
    bool good = s->solver->control == IC_CONTROL_RTOL;
    for (size_t i = SIZES / 2; i < f->count; i++) {
        for (size_t k = 0; k < IMPACTS; k++)
            good &= f->late[k][i] <= ic_tolerance_run_growth.value * f->size[i];
    }
    return good;
}

static bool add_order(location_check *s, const shrinking *f)
{
    const bool fixed = s->solver->control == IC_CONTROL_STEP;
    double least = INFINITY;
    for (size_t k = 0; k < IMPACTS; k++) least = fmin(least, fit_power(f, k));
    if (isinf(least) || keeps_tolerance(s, f)) {
        const ic_judged_value exact = IC_JUDGED(0, ic_tolerance_step_order, IC_NO_MISTAKE);
        ic_write_measured(s->writer, IC_CHECK_SOLVER_ORDER, &exact, "the first impacts are %s",
                          isinf(least) ? "exact up to rounding" : "as accurate as requested");
        return true;
    }
    const ic_mistake_id cause = find_cause(s);
    const double claimed = fixed ? s->solver->order : 1;
    const ic_judged_value m = {claimed - least,
                               fixed ? ic_tolerance_step_order.value : claimed - ic_tolerance_rtol_power.value,
                               fixed ? ic_tolerance_step_order.derivation : ic_tolerance_rtol_power.derivation,
                               cause != IC_NO_MISTAKE      ? cause
                               : s->steps != IC_NO_MISTAKE ? s->steps
                                                           : IC_MISTAKE_ORDER_LOST};
    ic_write_measured(
        s->writer, IC_CHECK_SOLVER_ORDER, &m,
        "%s: claimed power minus the measured one; claimed %g, measured %.2g over %zu runs from %.2g to %.2g",
        fixed ? "step" : "tolerance", claimed, least, f->count, f->size[0], f->size[f->count - 1]);
    return m.value <= m.tolerance;
}

static void add_interpolant(const location_check *s)
{
    if (!s->scale.known || s->scale.off > ic_tolerance_same_time.value) return;
    const ic_mistake_id cause = find_cause(s);
    /* a chord is seen as such, and may be off by little more than a method of low order */
    const bool chord = count_votes(s) == IC_MISTAKE_LINEAR_EVENT_LOCATION;
    const ic_tolerance *most = chord ? &ic_tolerance_interpolant_suspect : &ic_tolerance_interpolant;
    const ic_judged_value m = {s->scale.beyond_motion, most->value, most->derivation,
                               cause != IC_NO_MISTAKE ? cause : s->steps};
    ic_write_measured(
        s->writer, IC_CHECK_SOLVER_INTERPOLANT, &m,
        "impacts on the wall are %.3g s late, where the motion without a wall has an error of %.3g%s",
        s->scale.late, s->scale.motion,
        cause == IC_MISTAKE_INTERPOLANT_COARSE ? ": use an interpolant of the order of the steps" : "");
}

/* What to do about each cause. */
static const char *convergence_advice(ic_mistake_id cause)
{
    switch (cause) {
    case IC_MISTAKE_NO_EVENT_LOCATION: return ": search the step for the zero of the guard";
    case IC_MISTAKE_LOCATION_CUT_SHORT: return ": iterate until the bracket is shorter than event_tol";
    case IC_MISTAKE_RESIDUAL_TOLERANCE:
        return ": iterate until the bracket is short, not until the guard is small";
    case IC_MISTAKE_ABSOLUTE_TIME: return ": iterate to event_tol, which follows the problem's time scale";
    default: return "";
    }
}

static void add_convergence(const location_check *s)
{
    const ic_mistake_id voted = count_votes(s);
    const bool by_scale = voted == IC_NO_MISTAKE || voted == IC_MISTAKE_NO_EVENT_LOCATION ||
                          voted == IC_MISTAKE_RESIDUAL_TOLERANCE;
    const bool open =
        !s->scale.known || s->steps == IC_MISTAKE_SINGLE_PRECISION ||
        (s->misread != IC_NO_MISTAKE && s->misread != IC_MISTAKE_END_WRONG) ||
        (voted == IC_MISTAKE_ENERGY_APPEARS && s->scale.late < ic_tolerance_located.value * s->scale.off);
    if (open || s->solver->steps_over_events) return;
    const ic_judged_value m =
        IC_JUDGED(s->scale.off, ic_tolerance_same_time, by_scale ? s->scale.cause : voted);
    ic_write_measured(s->writer, IC_CHECK_SOLVER_CONVERGENCE, &m,
                      "states at impacts are this far from the wall; it falls like step^%.2g and guard^-%.2g%s",
                      s->scale.by_step, s->scale.by_guard,
                      m.value <= m.tolerance ? "" : convergence_advice(m.cause));
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
    case IC_MISTAKE_ORDER_LOST:
    case IC_MISTAKE_ERROR_ESTIMATE_WRONG:
    case IC_MISTAKE_STALE_SLOPE:
    case IC_MISTAKE_SINGLE_PRECISION:
    case IC_MISTAKE_TOLERANCE_OF_SOME:
    case IC_MISTAKE_STEPS_NOT_REJECTED:
    case IC_MISTAKE_INTERPOLANT_COARSE:
    case IC_MISTAKE_ABSOLUTE_TIME:
    case IC_MISTAKE_NOT_REPEATABLE:
    case IC_MISTAKE_TOLERANCE_FLOOR:
    case IC_MISTAKE_TOLERANCE_IGNORED: return true;
    default: return false;
    }
}

/*
 * Whether two equal requests have equal answers. Memory that is not set has the same bytes in both
 * runs: it is another mistake.
 */
static bool is_repeatable(ic_finding_writer *writer, const ic_solver *solver)
{
    enum { BYTE = 0x3f };
    const ic_options options = {.step = solver->control == IC_CONTROL_STEP ? PLACES_STEP : 0,
                                .rtol = ic_rtol_for(solver, PLACES_ERROR),
                                .max_steps = MOST_STEPS};
    double x[2] = {NAN, NAN}, t[2] = {NAN, NAN};
    for (int i = 0; i < 2; i++) {
        ic_solver_run r = ic_solver_run_filled(solver, ic_probe_oscillator(WALL_LOW, T_END), &options, BYTE);
        const ic_sample end = ic_log_end(r.log);
        if (r.status == IC_OK && r.damage == 0) x[i] = end.x[0];
        if (r.status == IC_OK && ic_log_event_count(r.log) > 0) t[i] = ic_log_event_at(r.log, 0).t;
        ic_solver_run_free(&r);
    }
    const double apart = fmax(fabs(x[1] - x[0]), fabs(t[1] - t[0]));
    if (isnan(x[0]) || isnan(x[1]) || isnan(t[0]) || isnan(t[1]) || apart <= ic_tolerance_repetition.value)
        return true;
    const ic_judged_value m = IC_JUDGED(apart, ic_tolerance_repetition, IC_MISTAKE_NOT_REPEATABLE);
    ic_write_measured(writer, IC_CHECK_SOLVER_REPEATS, &m,
                      "repeated at once: keep nothing from one run to the next (a static variable?)");
    return false;
}

bool ic_steps_are_too_short(const ic_solver *solver, ic_mistake_id mistake)
{
    return solver->control == IC_CONTROL_RTOL &&
           (mistake == IC_MISTAKE_ORDER_LOST || mistake == IC_MISTAKE_ERROR_ESTIMATE_WRONG ||
            mistake == IC_MISTAKE_TOLERANCE_RELATIVE);
}

bool ic_solver_reports_end(const ic_solver *solver)
{
    const ic_options options = {.step = solver->control == IC_CONTROL_STEP ? PLACES_STEP : 0,
                                .rtol = ic_rtol_for(solver, PLACES_ERROR),
                                .max_steps = MOST_STEPS};
    ic_solver_run r = ic_solver_run_of(solver, ic_probe_oscillator(WALL_LOW, T_END), &options);
    const bool missing = r.status == IC_OK && r.damage == 0 && !ic_solver_run_has_end(r.log);
    ic_solver_run_free(&r);
    return !missing;
}

/* Without the end of a run neither order nor energy can be measured. */
static bool has_end(ic_finding_writer *writer, const ic_solver *solver)
{
    const ic_judged_value m = {1, 0, "each run has an end", IC_MISTAKE_END_WRONG};
    if (ic_solver_reports_end(solver)) return true;
    ic_write_measured(writer, IC_CHECK_SOLVER_LOG, &m,
                      "runs have no end: call ic_log_final when a run is over; nothing else is judged");
    return false;
}

ic_mistake_id ic_audit_location(ic_finding_writer *writer, const ic_solver *solver, ic_known *known)
{
    if (!is_repeatable(writer, solver)) return IC_MISTAKE_NOT_REPEATABLE;
    if (!has_end(writer, solver)) {
        location_check events = {.writer = writer, .solver = solver, .scale = ic_location_scale_of(solver)};
        sweep_places(&events);
        add_convergence(&events);
        return IC_MISTAKE_END_WRONG;
    }
    location_check s = {.writer = writer, .solver = solver};
    const ic_mistake_id effort = ic_audit_steps(writer, solver);
    known->of[IC_KNOWN_STEPS] = s.steps = effort;
    ic_write_known(writer, known); /* Later runs may not end. */
    s.scale = ic_location_scale_of(solver);
    const swept w = sweep_places(&s);
    if (s.unsupported == s.runs) {
        ic_write_open(writer, IC_CHECK_SOLVER_PLACES, NAN, "the solver does not solve problems of this kind");
        return IC_NO_MISTAKE;
    }
    if (s.damaged) return IC_NO_MISTAKE; /* A row reports it; the other results are meaningless. */
    const ic_judged_value status = {(double)(PLACES - w.solved), 0, "all finish",
                                    ic_known_claim(known, IC_WRONG_STATUS)};
    ic_write_measured(writer, IC_CHECK_SOLVER_STATUS, &status, "runs that do not finish, of %d", PLACES);
    if (w.solved == 0) return IC_NO_MISTAKE;
    const bool promises =
        solver->control == IC_CONTROL_RTOL || (solver->control == IC_CONTROL_STEP && solver->order > 0);
    const shrinking f = promises ? run_shrinking(&s) : (shrinking){.count = 0};
    const ic_mistake_id cause = add_places(&s, &w);
    add_convergence(&s);
    add_interpolant(&s);
    const bool falls = f.count < SIZES || add_order(&s, &f);
    if (solver->steps_over_events) return IC_MISTAKE_NO_EVENT_LOCATION; /* as it declares */
    if (s.scale.known && s.scale.off <= ic_tolerance_same_time.value &&
        s.scale.beyond_motion > ic_tolerance_interpolant_suspect.value)
        known->of[IC_KNOWN_INTERPOLANT] = IC_MISTAKE_INTERPOLANT_COARSE;
    known->of[IC_KNOWN_EVENTS] = cause != IC_NO_MISTAKE ? cause : find_cause(&s);
    ic_write_known(writer, known); /* a guard that is left beside its zero may fire for ever */
    if (!ic_audit_direction(writer, solver)) known->of[IC_KNOWN_DIRECTION] = IC_MISTAKE_DIRECTION_IGNORED;
    if (s.misread != IC_NO_MISTAKE) return s.misread;
    if (cause != IC_NO_MISTAKE) return cause;
    if (find_cause(&s) != IC_NO_MISTAKE) return find_cause(&s); /* The cause explains other failures too. */
    return effort != IC_NO_MISTAKE ? effort : falls ? IC_NO_MISTAKE : IC_MISTAKE_ORDER_LOST;
}
