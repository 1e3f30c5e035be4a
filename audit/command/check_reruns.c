/* SPDX-License-Identifier: MIT */
/* A program that can be asked again: the same twice, the first event at several places of a time
   step, smaller steps. */
#include "audit/command/command.h"
#include "audit/common/tolerances.h"
#include "core/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ic_audit_check comes_back = {
    .name = "comes-back",
    .what = "further runs that crash, or do not end in time",
    .why = "the simulation that it is part of dies or stands still",
    .reference = "command line, exit status",
};

static const ic_audit_check answers = {
    .name = "answers",
    .what = "further runs that give no rows",
    .why = "it works for one step or tolerance only",
    .reference = "command line, exit status",
};

static const ic_audit_check repeats = {
    .name = "repeatable",
    .what = "rows that differ when the same is asked again",
    .why = "nobody can find a fault twice",
    .reference = "same input, same output",
};

static const ic_audit_check phase = {
    .name = "phase",
    .what =
        "how much the state after the first event depends on where in a time step that falls, over its scale",
    .why = "impacts differ by chance",
    .reference = "event contract, clause 1: a guard fires where it is zero",
};

static const ic_audit_check order = {
    .name = "order",
    .what = "power of the step, or of the tolerance, with which the error after the first event falls",
    .why = "smaller steps do not pay",
    .at_least = true,
    .reference = "Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, II.3",
};

/* Of a state's scale: what no step has to better. The course itself is good to 1e-10. */
#define ERROR_FLOOR 1e-9
/* Of a state's scale: so near the course a wrong model does not come by finer steps */
#define CONVERGED 0.02
/* a step that is so much finer tells a spread that falls with it, or with its square, from one that
   stays */
#define FINER 4.0

enum { LEVELS = 5, COARSEST = 4, RERUN_ROWS = 401 };
#define FACTOR_RTOL 10.0
#define COARSEST_RTOL 1e2

typedef enum knob { KNOB_NONE, KNOB_STEP, KNOB_RTOL } knob;

typedef struct reruns {
    ic_command_audit *audit;
    const ic_command *command;

    /* until just after the first event */
    ic_problem problem;

    /* of it */
    ic_command_request request;

    double scale[IC_MAX_STATES];

    /* s; the first guard's; where states are compared. No event: INFINITY, the end */
    double t_event, t_end;

    knob knob;

    /* a run has crashed or given no rows */
    bool stopped;

    /* impacts depend on their place in a step: then no step helps */
    bool by_phase;
} reruns;

/* ---- runs */

static void tell_failure(reruns *r, ic_asked asked, const ic_command_request *request, const ic_error *error)
{
    const bool wrong = asked == IC_ASKED_WRONG;
    ic_finding f = ic_finding_of(wrong ? &answers : &comes_back, &r->audit->rows.tracking, 1, 0, "runs");
    snprintf(f.origin, sizeof f.origin, "each must end by itself, with rows");
    snprintf(f.detail, sizeof f.detail, "asked for step=%.6g rtol=%.3g until=%.6g: %.200s", request->step,
             request->rtol, request->problem->t_end, error->text);
    if (asked == IC_ASKED_HUNG) f.cause = IC_MISTAKE_HANGS;
    if (asked == IC_ASKED_CRASHED) f.cause = IC_MISTAKE_CRASHES;
    if (asked == IC_ASKED_LIMITED) f.cause = IC_MISTAKE_LIMIT_EXCEEDED;
    ic_findings_add(&r->audit->rows.findings, &f);
    r->stopped = true;
}

static bool ask(reruns *r, ic_trajectory *rows, const ic_command_request *request)
{
    ic_error error = {""};
    const ic_asked asked = ic_command_ask(rows, r->audit, r->command, request, &error);
    if (asked == IC_ASKED_GOOD) return true;
    tell_failure(r, asked, request, &error);
    return false;
}

/* Rows that are not the same bit for bit, those that only one of both has included. */
static size_t differing_rows(const ic_trajectory *a, const ic_trajectory *b)
{
    const size_t both = a->n < b->n ? a->n : b->n, width = a->n_states * sizeof *a->x;
    size_t differ = a->n + b->n - 2 * both;
    for (size_t i = 0; i < both; i++) {
        differ += a->t[i] != b->t[i] || memcmp(&a->x[i * a->n_states], &b->x[i * b->n_states], width) != 0;
    }
    return differ;
}

/* ---- the same again */

static void judge_repeat(reruns *r)
{
    ic_trajectory rows;
    if (!ask(r, &rows, &r->audit->request)) return;
    const ic_trajectory *first = &r->audit->trajectory;
    const size_t differ = differing_rows(first, &rows);
    ic_finding f = ic_finding_of(&repeats, &r->audit->rows.tracking, (double)differ, 0, "rows");
    snprintf(f.origin, sizeof f.origin, "bit for bit");
    snprintf(f.detail, sizeof f.detail, "%zu of %zu rows differ", differ, first->n);
    if (differ > 0) f.cause = IC_MISTAKE_NOT_REPEATABLE;
    ic_findings_add(&r->audit->rows.findings, &f);
    r->stopped = differ > 0; /* then differences say nothing */
    ic_trajectory_close(&rows);
}

/* ---- what sets its accuracy */

static bool changes(reruns *r, const ic_trajectory *base, double step, double rtol)
{
    ic_command_request request = r->request;
    ic_trajectory rows;
    request.step = step;
    request.rtol = rtol;
    if (!ask(r, &rows, &request)) return false;
    const bool changed = differing_rows(base, &rows) > 0;
    ic_trajectory_close(&rows);
    return changed;
}

static void find_knob(reruns *r)
{
    ic_trajectory base;
    if (!ask(r, &base, &r->request)) return;
    /* 0.37: no rounding of a step to a power of 2 or 10 makes it the same */
    if (changes(r, &base, 0.37 * r->request.step, r->request.rtol)) r->knob = KNOB_STEP;
    else if (!r->stopped && changes(r, &base, r->request.step, 1e-2 * r->request.rtol)) r->knob = KNOB_RTOL;
    ic_trajectory_close(&base);
}

/* ---- the state at the end of a run */

/* Difference of the last row from the case's own course, over scales; NAN where there is none. The
   greatest one in magnitude is returned. */
static double difference(const reruns *r, const ic_trajectory *rows, double *each)
{
    double x[IC_MAX_STATES], greatest = 0;
    size_t last = rows->n - 1;
    while (last > 0 && rows->t[last] > r->t_end * (1 + 1e-9)) last--;
    /* it may go by its own steps; but where nothing has been written since the event, nothing can
       be said */
    const double least = isfinite(r->t_event) ? r->t_event : 0.9 * r->t_end;
    if (!(rows->t[last] > least) || !ic_course_state(&r->audit->course, rows->t[last], x)) return NAN;
    for (size_t i = 0; i < rows->n_states; i++) {
        each[i] =
            rows->source[i] == IC_FROM_FILE ? (rows->x[last * rows->n_states + i] - x[i]) / r->scale[i] : 0;
        if (!(fabs(each[i]) <= greatest)) greatest = fabs(each[i]);
    }
    return greatest;
}

/* A finding of a further run that the first run does not have. */
static void adopt(reruns *r, const ic_findings *found, double step)
{
    ic_findings *all = &r->audit->rows.findings;
    for (size_t i = 0; i < found->count; i++) {
        const ic_finding *f = &found->rows[i];
        for (size_t k = 0; k < all->count && f->verdict == IC_FINDING_FAIL; k++) {
            ic_finding *mine = &all->rows[k];
            if (mine->check != f->check || mine->verdict == IC_FINDING_FAIL) continue;
            *mine = *f;
            snprintf(mine->detail, sizeof mine->detail, "with a step of %.9g s: %.300s", step, f->detail);
        }
    }
}

static bool run_at(reruns *r, const ic_command_request *request, double *each, double *greatest)
{
    ic_trajectory rows;
    ic_trajectory_audit audit;
    if (!ask(r, &rows, request)) return false;
    *greatest = difference(r, &rows, each);
    const bool done = ic_audit_trajectory(&audit, &rows, &r->problem, &r->command->rows);
    if (done) adopt(r, &audit.findings, request->step);
    ic_trajectory_audit_close(&audit);
    ic_trajectory_close(&rows);
    return done;
}

/* ---- the first event at places of a step */

/* A step with which the first event falls `place` (of 1) into one of its steps. */
static double step_with(const reruns *r, double step, double place)
{
    const double span = r->t_event - r->problem.t_start;
    return span / (fmax(1, floor(span / step)) + place);
}

/* How far a state is off, over the places. */
typedef struct spread {
    double least[IC_MAX_STATES], most[IC_MAX_STATES], mean[IC_MAX_STATES];
    bool rows; /* there are rows to compare */
} spread;

/* false: stopped, or no memory. */
static bool sweep_places(reruns *r, spread *s, double step)
{
    const size_t places = r->command->phases;
    ic_command_request request = r->request;
    for (size_t i = 0; i < IC_MAX_STATES; i++) s->least[i] = INFINITY, s->most[i] = -INFINITY, s->mean[i] = 0;
    s->rows = true;
    for (size_t k = 0; k < places; k++) {
        double each[IC_MAX_STATES], greatest;
        request.step = step_with(r, step, ((double)k + 0.5) / (double)places);
        if (!run_at(r, &request, each, &greatest)) return false;
        s->rows &= isfinite(greatest);
        for (size_t i = 0; i < r->problem.system->n_states && s->rows; i++) {
            s->least[i] = fmin(s->least[i], each[i]);
            s->most[i] = fmax(s->most[i], each[i]);
            s->mean[i] += each[i] / (double)places;
        }
    }
    return true;
}

/* What rows are held to, and what a step that is longer makes of the error. */
static double accepted(const reruns *r, const spread *s, size_t i)
{
    return r->audit->rows.tracking.accept + ic_tolerance_phase_spread.value * fabs(s->mean[i]);
}

static size_t worst_state(const reruns *r, const spread *s)
{
    size_t worst = 0;
    for (size_t i = 1; i < r->problem.system->n_states; i++) {
        if ((s->most[i] - s->least[i]) / accepted(r, s, i) >
            (s->most[worst] - s->least[worst]) / accepted(r, s, worst))
            worst = i;
    }
    return worst;
}

/* Events at the end of a step are late by a part of it, those at the end of a chord by a part of
   its square; else it is the impact itself. */
static bool explain_spread(reruns *r, ic_finding *f, size_t state)
{
    spread finer;
    if (!sweep_places(r, &finer, r->request.step / FINER)) return r->stopped;
    if (!finer.rows) return true;
    const double falls = f->measured / (finer.most[state] - finer.least[state]);
    if (falls < sqrt(FINER)) f->cause = IC_MISTAKE_RESTITUTION_BY_PHASE;
    else if (falls < FINER * sqrt(FINER)) f->cause = IC_MISTAKE_NO_EVENT_LOCATION;
    else f->cause = IC_MISTAKE_LINEAR_EVENT_LOCATION;
    return true;
}

static void open_finding(reruns *r, const ic_audit_check *check, const char *text)
{
    ic_finding f = ic_finding_of(check, &r->audit->rows.tracking, NAN, NAN, "1");
    f.verdict = IC_FINDING_OPEN;
    snprintf(f.detail, sizeof f.detail, "%s", text);
    ic_findings_add(&r->audit->rows.findings, &f);
}

static bool judge_phases(reruns *r)
{
    spread s;
    if (r->knob != KNOB_STEP || !isfinite(r->t_event)) {
        open_finding(r, &phase,
                     r->knob != KNOB_STEP ? "the step that is asked for has no effect"
                                          : "the case has no event");
        return true;
    }
    if (!sweep_places(r, &s, r->request.step)) return r->stopped;
    if (!s.rows) {
        open_finding(r, &phase, "there is no row between the first event and what follows");
        return true;
    }
    const size_t i = worst_state(r, &s);
    ic_finding f =
        ic_finding_of(&phase, &r->audit->rows.tracking, s.most[i] - s.least[i], accepted(r, &s, i), "1");
    snprintf(f.origin, sizeof f.origin, "%g + %s", r->audit->rows.tracking.accept,
             ic_tolerance_amount(&ic_tolerance_phase_spread, ic_tolerance_phase_spread.value).text);
    snprintf(f.detail, sizeof f.detail,
             "%s at t = %.9g s is off by %.3g to %.3g of its scale, over %zu steps of about %.3g s",
             r->problem.system->states[i].name, r->t_end, s.least[i], s.most[i], r->command->phases,
             r->request.step);
    const bool good = f.verdict == IC_FINDING_PASS || explain_spread(r, &f, i);
    r->by_phase = f.cause == IC_MISTAKE_RESTITUTION_BY_PHASE;
    ic_findings_add(&r->audit->rows.findings, &f);
    return good;
}

/* ---- smaller steps */

typedef struct fit {
    double power;
    size_t points;
} fit;

/* Slope of log(error) by least squares, of what is above the floor. */
static fit fit_power(const double *setting, const double *error, size_t n)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, m = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(error[i] > ERROR_FLOOR)) continue;
        const double x = log(setting[i]), y = log(error[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y, m += 1;
    }
    const double spread = m * sxx - sx * sx;
    return (fit){spread > 0 ? (m * sxy - sx * sy) / spread : NAN, (size_t)m};
}

/* Rows that are off, and come to the case's own course as the steps get finer, are those of a right
   integrator. */
static void blame_steps(reruns *r, double power, double finest)
{
    ic_findings *all = &r->audit->rows.findings;
    for (size_t i = 0; i < all->count && finest < CONVERGED; i++) {
        ic_finding *f = &all->rows[i];
        const bool basic =
            strcmp(f->check->name, "local-defect") == 0 || strcmp(f->check->name, "state-error") == 0;
        if (!basic || f->verdict != IC_FINDING_FAIL || f->cause == IC_MISTAKE_COARSE_STEPS) continue;
        f->cause = IC_MISTAKE_COARSE_STEPS;
        snprintf(f->detail, sizeof f->detail,
                 "with finer steps the error falls with the power %.3g of the step, to %.3g of the scale",
                 power, finest);
    }
}

static void judge_order(reruns *r, const double *setting, const double *error)
{
    const bool by_step = r->knob == KNOB_STEP;
    const fit by = fit_power(setting, error, LEVELS);
    const double claimed = r->command->order > 0 ? r->command->order - ic_tolerance_command_order.value
                                                 : ic_tolerance_command_order.value;
    const double least = by_step ? claimed : ic_tolerance_command_rtol_power.value;
    ic_finding f = ic_finding_of(&order, &r->audit->rows.tracking, by.power, least, "1");
    const char *what = by_step ? "step" : "rtol";
    snprintf(f.origin, sizeof f.origin, "least: %s%s",
             !by_step                ? ""
             : r->command->order > 0 ? "less than the order that it claims, "
                                     : "it must converge: ",
             by_step ? ic_tolerance_command_order.derivation : ic_tolerance_command_rtol_power.derivation);
    snprintf(f.detail, sizeof f.detail, "error %.3g of the scale with %s=%.3g, %.3g with %s=%.3g", error[0],
             what, setting[0], error[LEVELS - 1], what, setting[LEVELS - 1]);
    f.verdict = by.points < 2 || by.power >= least ? IC_FINDING_PASS : IC_FINDING_FAIL;
    if (by.points == 2 && f.verdict == IC_FINDING_FAIL) f.verdict = IC_FINDING_OPEN;
    if (f.verdict == IC_FINDING_FAIL && !r->by_phase) f.cause = IC_MISTAKE_ORDER_LOST;
    ic_findings_add(&r->audit->rows.findings, &f);
    if (f.verdict == IC_FINDING_PASS && by_step && by.points >= 3) blame_steps(r, by.power, error[LEVELS - 1]);
}

static bool judge_convergence(reruns *r)
{
    double setting[LEVELS], error[LEVELS], each[IC_MAX_STATES];
    if (r->knob == KNOB_NONE) {
        open_finding(r, &order, "neither step nor rtol, as asked for, has an effect");
        return true;
    }
    for (int i = 0; i < LEVELS; i++) {
        ic_command_request request = r->request;
        const double step = ldexp(COARSEST * r->request.step, -i);
        if (r->knob == KNOB_STEP) request.step = isfinite(r->t_event) ? step_with(r, step, 0.5) : step;
        /* where the step is only the longest that is allowed, it takes the tolerance with it */
        request.rtol = COARSEST_RTOL * r->request.rtol / pow(FACTOR_RTOL, i);
        setting[i] = r->knob == KNOB_RTOL ? request.rtol : request.step;
        ic_trajectory rows;
        if (!ask(r, &rows, &request)) return true;
        error[i] = difference(r, &rows, each);
        ic_trajectory_close(&rows);
        if (!isfinite(error[i])) {
            open_finding(r, &order, "there is no row between the first event and what follows");
            return true;
        }
    }
    judge_order(r, setting, error);
    return true;
}

/* ---- all of it */

/* Until halfway from the first event to the next; where the first one ends the run, short of it. */
static void choose_end(reruns *r)
{
    const ic_course *course = &r->audit->course;
    const double t_start = r->problem.t_start, end = ic_course_end(course);
    r->t_event = ic_course_first_guard(course);
    r->t_end = end;
    if (isfinite(r->t_event)) r->t_end = r->t_event + 0.5 * (ic_course_next(course, r->t_event) - r->t_event);
    if (!(r->t_end > r->t_event)) r->t_end = t_start + 0.9 * (r->t_event - t_start), r->t_event = INFINITY;
    if (!isfinite(r->t_event) && r->t_end > end) r->t_end = end;
    r->problem.t_end = r->t_end;
    r->problem.t_end_text = NULL;
}

static bool has_failed(const ic_findings *findings, const char *check)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (strcmp(findings->rows[i].check->name, check) == 0 && findings->rows[i].verdict == IC_FINDING_FAIL)
            return true;
    }
    return false;
}

bool ic_audit_reruns(ic_command_audit *audit, const ic_command *command)
{
    reruns r = {
        .audit = audit, .command = command, .problem = *audit->request.problem, .request = audit->request};
    ic_state_scales(&r.problem, r.scale);
    judge_repeat(&r);
    if (r.stopped) return true;
    const bool starts = !has_failed(&audit->rows.findings, "start");
    const bool follows = starts && !has_failed(&audit->rows.findings, "local-defect");
    if (!follows) open_finding(&r, &phase, "rows that do not follow the case at all are to be mended first");
    if (!starts) return true; /* further runs of another problem tell nothing */
    choose_end(&r);
    r.request.problem = &r.problem;
    r.request.samples = RERUN_ROWS;
    find_knob(&r);
    if (!follows) /* by finer steps they may */
        return r.stopped || r.knob != KNOB_STEP || judge_convergence(&r);
    return r.stopped || (judge_phases(&r) && (r.stopped || judge_convergence(&r)));
}
