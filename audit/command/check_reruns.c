/* SPDX-License-Identifier: MIT */
/* Further runs of a command: the same request again, the first event at several places of a time
   step, and smaller steps. */
#include "audit/command/command.h"
#include "audit/common/tolerances.h"
#include "core/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The checks, as the table of all of them has them. */
static const ic_audit_check *const comes_back = &ic_plugin_checks[IC_CHECK_COMMAND_COMES_BACK],
                                   *const answers = &ic_plugin_checks[IC_CHECK_COMMAND_ANSWERS],
                                   *const repeats = &ic_plugin_checks[IC_CHECK_COMMAND_REPEATS],
                                   *const phase = &ic_plugin_checks[IC_CHECK_COMMAND_PHASE];

/*
 * Fraction of a state's scale below which errors need not fall. The reference run itself is
 * accurate to 1e-10.
 */
#define ERROR_FLOOR 1e-9
/* The rounding of printed numbers, of the row and of the time, as a multiple of half a digit. */
#define ROUNDING_FLOOR 4.0
/* Power of the step above which an error falls with it, if more slowly than it should. */
#define FALLS 0.3
/* Refinement of the step that distinguishes a spread that falls with the step, or with its
   square, from one that stays. */
#define FINER 4.0

/* Spreads below this many ERROR_FLOORs do not show how they fall. */
#define SEEN 100.0

enum { LEVELS = 5, COARSEST = 4, RERUN_ROWS = 401 };
#define FACTOR_RTOL 10.0
#define COARSEST_RTOL 1e2

typedef enum knob { KNOB_NONE, KNOB_STEP, KNOB_RTOL } knob;

typedef struct reruns {
    ic_command_audit *audit;
    const ic_command *command;

    /* ends just after the first event */
    ic_problem problem;

    /* The problem that the rows follow, and its run: they may differ from the requested one in parameters. */
    ic_problem followed;
    const ic_reference_run *reference;

    /* of this problem */
    ic_command_request request;

    double scale[IC_MAX_STATES];

    /*
     * time of the first event of a guard (INFINITY: it does not occur), and time at which states
     * are compared, s
     */
    double t_event, t_end;

    knob knob;

    /* a run has crashed or returned no rows */
    bool stopped;

    /* impacts depend on their place in a step, so that smaller steps do not help */
    bool by_phase;

    /* what the places of the first event in a step show about its location */
    ic_mistake_id location;
} reruns;

/* ---- runs */

static bool has_failed(const ic_findings *findings, const char *check)
{
    const ic_finding *f = ic_findings_find(findings, check);
    return f != NULL && f->verdict == IC_FINDING_FAIL;
}

/* Runs the command; adds a finding if it fails. */
static bool run_command(reruns *r, ic_trajectory *rows, const ic_command_request *request)
{
    ic_error error = {""};
    ic_mistake_id cause = IC_NO_MISTAKE;
    if (ic_command_ask(rows, r->audit, r->command, request, &cause, &error)) return true;
    ic_finding f =
        ic_finding_of(cause == IC_NO_MISTAKE ? answers : comes_back, &r->audit->rows.tracking, 1, 0, "runs");
    f.cause = cause;
    snprintf(f.origin, sizeof f.origin, "each must end by itself, with rows");
    snprintf(f.detail, sizeof f.detail, "with step=%.6g rtol=%.3g until=%.6g: %.200s", request->step,
             request->rtol, request->problem->t_end, error.text);
    ic_findings_add(&r->audit->rows.findings, &f);
    r->stopped = true;
    return false;
}

size_t ic_command_count_differences(const ic_trajectory *a, const ic_trajectory *b)
{
    const size_t both = a->n < b->n ? a->n : b->n, width = a->n_states * sizeof *a->x;
    size_t differ = a->n + b->n - 2 * both;
    for (size_t i = 0; i < both; i++) {
        differ += a->t[i] != b->t[i] || memcmp(&a->x[i * a->n_states], &b->x[i * b->n_states], width) != 0;
    }
    return differ;
}

/* ---- repetition */

static void check_repeat(reruns *r)
{
    ic_trajectory rows;
    if (!run_command(r, &rows, &r->audit->request)) return;
    const ic_trajectory *first = &r->audit->trajectory;
    const size_t differ = ic_command_count_differences(first, &rows);
    ic_finding f = ic_finding_of(repeats, &r->audit->rows.tracking, (double)differ, 0, "rows");
    snprintf(f.origin, sizeof f.origin, "bit for bit");
    snprintf(f.detail, sizeof f.detail, "%zu of %zu rows differ", differ, first->n);
    if (differ > 0) f.cause = IC_MISTAKE_NOT_REPEATABLE;
    ic_findings_add(&r->audit->rows.findings, &f);
    r->stopped = differ > 0; /* Other differences are then meaningless. */
    ic_trajectory_close(&rows);
}

/* ---- the setting that controls its accuracy */

static bool changes_rows(reruns *r, const ic_trajectory *base, double step, double rtol)
{
    ic_command_request request = r->request;
    ic_trajectory rows;
    request.step = step;
    request.rtol = rtol;
    if (!run_command(r, &rows, &request)) return false;
    const bool changed = ic_command_count_differences(base, &rows) > 0;
    ic_trajectory_close(&rows);
    return changed;
}

static void find_knob(reruns *r)
{
    ic_trajectory base;
    if (!run_command(r, &base, &r->request)) return;
    /* 0.37: rounding to a power of 2 or 10 still gives another step */
    if (changes_rows(r, &base, 0.37 * r->request.step, r->request.rtol)) r->knob = KNOB_STEP;
    else if (!r->stopped && changes_rows(r, &base, r->request.step, 1e-2 * r->request.rtol))
        r->knob = KNOB_RTOL;
    ic_trajectory_close(&base);
}

/* ---- the state at the end of a run */

/* The row that is compared: the last one of the run. */
static size_t compared_row(const reruns *r, const ic_trajectory *rows)
{
    size_t last = rows->n - 1;
    while (last > 0 && rows->t[last] > r->t_end * (1 + 1e-9)) last--;
    return last;
}

/*
 * Differences of the last row from the reference run, divided by the scales. Returns the greatest
 * magnitude; NAN: there is no such row.
 */
static double compare_end(const reruns *r, const ic_trajectory *rows, double *each)
{
    double x[IC_MAX_STATES], greatest = 0;
    const size_t last = compared_row(r, rows);
    /*
     * A command may write rows at its own steps. Without a row after the event there is nothing to
     * compare.
     */
    const double least = isfinite(r->t_event) ? r->t_event : 0.9 * r->t_end;
    if (!(rows->t[last] > least) || !ic_reference_run_state(r->reference, rows->t[last], x)) return NAN;
    for (size_t i = 0; i < rows->n_states; i++) {
        each[i] =
            rows->source[i] == IC_FROM_FILE ? (rows->x[last * rows->n_states + i] - x[i]) / r->scale[i] : 0;
        if (!(fabs(each[i]) <= greatest)) greatest = fabs(each[i]);
    }
    return greatest;
}

/* Replaces good findings of the first run by failures of a further run. */
static void adopt_failures(reruns *r, const ic_findings *found, double step)
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

static bool audit_run(reruns *r, const ic_command_request *request, double *each, double *greatest)
{
    ic_trajectory rows;
    ic_trajectory_audit audit;
    /* The run ends just after its first event, and with it perhaps within an impact. */
    ic_trajectory_options options = r->command->rows;
    options.partial = true;
    if (!run_command(r, &rows, request)) return false;
    *greatest = compare_end(r, &rows, each);
    const bool done = ic_audit_trajectory(&audit, &rows, &r->followed, &options);
    if (done) adopt_failures(r, &audit.findings, request->step);
    ic_trajectory_audit_close(&audit);
    ic_trajectory_close(&rows);
    return done;
}

/* ---- the first event at places of a step */

/* A step with which the first event falls on the part `place` of one of the steps. */
static double step_with(const reruns *r, double step, double place)
{
    const double span = r->t_event - r->problem.t_start;
    return span / (fmax(1, floor(span / step)) + place);
}

/* Errors of each state over the phases. */
typedef struct spread {
    double least[IC_MAX_STATES], most[IC_MAX_STATES], mean[IC_MAX_STATES];

    /* there are rows to compare */
    bool has_rows;
} spread;

/* false: the audit was stopped, or memory ran out. */
static bool sweep_places(reruns *r, spread *s, double step)
{
    const size_t places = r->command->phases;
    ic_command_request request = r->request;
    for (size_t i = 0; i < IC_MAX_STATES; i++) s->least[i] = INFINITY, s->most[i] = -INFINITY, s->mean[i] = 0;
    s->has_rows = true;
    for (size_t k = 0; k < places; k++) {
        double each[IC_MAX_STATES], greatest;
        request.step = step_with(r, step, ((double)k + 0.5) / (double)places);
        if (!audit_run(r, &request, each, &greatest)) return false;
        s->has_rows &= isfinite(greatest);
        for (size_t i = 0; i < r->problem.system->n_states && s->has_rows; i++) {
            s->least[i] = fmin(s->least[i], each[i]);
            s->most[i] = fmax(s->most[i], each[i]);
            s->mean[i] += each[i] / (double)places;
        }
    }
    return true;
}

/* The tolerance of the rows, and the change of the error by the different steps. */
static double accepted_spread(const reruns *r, const spread *s, size_t i)
{
    return r->audit->rows.tracking.accept + ic_tolerance_phase_spread.value * fabs(s->mean[i]);
}

/* Whether the rows show events at the ends of steps; where a force begins smoothly, these have small effects, too. */
static bool is_late_by_steps(const reruns *r)
{
    const ic_finding *times = ic_findings_find(&r->audit->rows.findings, "event-times");
    return times != NULL && times->cause == IC_MISTAKE_NO_EVENT_LOCATION;
}

/* An event at the end of its step is late by a part of the step, one on a chord by a part of its
   square; otherwise the impact itself is wrong. */
static bool explain_spread(reruns *r, ic_finding *f, size_t state)
{
    spread finer;
    if (!sweep_places(r, &finer, r->request.step / FINER)) return r->stopped;
    if (!finer.has_rows) return true;
    const double falls = f->measured / (finer.most[state] - finer.least[state]);
    if (falls < sqrt(FINER)) f->cause = IC_MISTAKE_RESTITUTION_BY_PHASE;
    else if (falls < FINER * sqrt(FINER)) f->cause = IC_MISTAKE_NO_EVENT_LOCATION;
    else f->cause = is_late_by_steps(r) ? IC_MISTAKE_NO_EVENT_LOCATION : IC_MISTAKE_LINEAR_EVENT_LOCATION;
    return true;
}

/*
 * Events that fail although the state after them varies by less than its tolerance: what the spread over the places of
 * a step falls with still shows how they are located, where it exceeds that of smooth errors.
 */
static bool locate_late_events(reruns *r, const ic_finding *phases, const spread *s, size_t state)
{
    const ic_findings *all = &r->audit->rows.findings;
    ic_finding f = *phases;
    const double smooth = ic_tolerance_phase_spread.value * fabs(s->mean[state]) + SEEN * ERROR_FLOOR;
    if (!(f.measured > smooth) || !(has_failed(all, "event-times") || has_failed(all, "events"))) return true;
    if (!explain_spread(r, &f, state)) return false;
    if (f.cause != IC_MISTAKE_RESTITUTION_BY_PHASE) r->location = f.cause;
    return true;
}

static void add_open_finding(reruns *r, const ic_audit_check *check, const char *text)
{
    ic_finding f = ic_finding_of(check, &r->audit->rows.tracking, NAN, NAN, "1");
    f.verdict = IC_FINDING_OPEN;
    snprintf(f.detail, sizeof f.detail, "%s", text);
    ic_findings_add(&r->audit->rows.findings, &f);
}

static bool check_phases(reruns *r)
{
    spread s;
    if (r->knob != KNOB_STEP || !isfinite(r->t_event)) {
        add_open_finding(r, phase,
                         r->knob != KNOB_STEP ? "the requested step has no effect" : "the case has no event");
        return true;
    }
    if (!sweep_places(r, &s, r->request.step)) return r->stopped;
    if (!s.has_rows) {
        add_open_finding(r, phase, "there is no row between the first event and the next one");
        return true;
    }
    size_t i = 0;
    for (size_t k = 1; k < r->problem.system->n_states; k++) {
        if ((s.most[k] - s.least[k]) / accepted_spread(r, &s, k) >
            (s.most[i] - s.least[i]) / accepted_spread(r, &s, i))
            i = k;
    }
    ic_finding f =
        ic_finding_of(phase, &r->audit->rows.tracking, s.most[i] - s.least[i], accepted_spread(r, &s, i), "1");
    snprintf(f.origin, sizeof f.origin, "%g + %s", r->audit->rows.tracking.accept,
             ic_tolerance_amount(&ic_tolerance_phase_spread, ic_tolerance_phase_spread.value).text);
    snprintf(f.detail, sizeof f.detail,
             "%s at t = %.9g s has errors of %.3g to %.3g of its scale, with %zu steps of about %.3g s",
             r->problem.system->states[i].name, r->t_end, s.least[i], s.most[i], r->command->phases,
             r->request.step);
    const bool good =
        f.verdict == IC_FINDING_PASS ? locate_late_events(r, &f, &s, i) : explain_spread(r, &f, i);
    r->by_phase = f.cause == IC_MISTAKE_RESTITUTION_BY_PHASE;
    if (f.verdict == IC_FINDING_FAIL && !r->by_phase) r->location = f.cause;
    ic_findings_add(&r->audit->rows.findings, &f);
    return good;
}

/* ---- smaller steps */

typedef struct order_fit {
    double power;
    size_t points;
} order_fit;

/*
 * Error that the rounding of a run's printed numbers leaves in its compared row, over the states' scales: half a digit
 * of the state and of the time. Other runs may print other digits.
 */
static double rounding_floor(const reruns *r, const ic_trajectory *rows)
{
    double x[IC_MAX_STATES], f[IC_MAX_STATES] = {0}, most = 0;
    size_t *all = malloc(rows->n * sizeof *all);
    if (all == NULL || rows->n < 2 || !ic_reference_run_state(r->reference, r->t_end, x)) {
        free(all);
        return 0;
    }
    for (size_t i = 0; i < rows->n; i++) all[i] = i;
    const ic_clock clock = ic_clock_of(rows, all, rows->n, rows->t[1] - rows->t[0]);
    const double dt = ic_clock_doubt(&clock, rows->t[compared_row(r, rows)]);
    free(all);
    r->problem.variant->modes[r->audit->request.mode_start].flow(f, r->t_end, x, r->problem.par);
    for (size_t j = 0; j < rows->n_states; j++) {
        if (rows->source[j] == IC_FROM_FILE)
            most = fmax(most, (ic_rows_rounding(rows, j) + dt * fabs(f[j])) / r->scale[j]);
    }
    return ROUNDING_FLOOR * most;
}

/* An error with the smallest step that exceeds all others by this factor has another cause than the steps. */
#define GROWN 2.0

/* Errors that all lie within this factor of their floors do not show how they fall. */
#define FAR_ABOVE 10.0

/* Slope of log(error) by least squares, from errors above ERROR_FLOOR and their own floors. */
static order_fit fit_power(const double *setting, const double *error, const double *floor, size_t n)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, m = 0, above = 0;
    for (size_t i = 0; i < n; i++) {
        const double least = fmax(ERROR_FLOOR, floor[i]);
        if (!(error[i] > least)) continue;
        above = fmax(above, error[i] / least);
        const double x = log(setting[i]), y = log(error[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y, m += 1;
    }
    const double spread = m * sxx - sx * sx;
    if (above < FAR_ABOVE) return (order_fit){NAN, 0};
    return (order_fit){spread > 0 ? (m * sxy - sx * sy) / spread : NAN, (size_t)m};
}

/* Whether a check compares rows with the flow of the case, away from events. */
static bool sees_flow(const ic_finding *f)
{
    return strcmp(f->check->name, "local-defect") == 0;
}

/* Whether a check may fail by the steps of a correct integrator. */
static bool depends_on_steps(const ic_finding *f)
{
    static const char *const names[] = {"local-defect", "state-error", "events",     "event-times", "energy",
                                        "restitution",  "momentum",    "parameters", "condition",   "law",
                                        "penetration",  "rows",        "invariants"};
    for (size_t i = 0; i < IC_COUNT(names); i++) {
        if (strcmp(f->check->name, names[i]) == 0) return true;
    }
    return false;
}

/*
 * Where rows follow the case and events are right, a parameter that differs by a little is the error of the steps, seen
 * over many rows: it falls with the step.
 */
static void excuse_parameters(reruns *r, double power)
{
    const ic_findings *all = &r->audit->rows.findings;
    ic_finding *parameters = ic_findings_find(all, "parameters");
    if (!has_failed(all, "parameters") || ic_findings_with(all, IC_FINDING_FAIL) > 1) return;
    parameters->verdict = IC_FINDING_OPEN;
    parameters->cause = IC_NO_MISTAKE;
    ic_finding_append(
        parameters,
        "; this is the error of the steps, which falls with their power %.2g: finer ones would decide", power);
}

/*
 * Wrong rows that approach the reference run with finer steps are those of a correct integrator: the model is that of
 * the case. The place of the first event in a step shows whether its events or its steps are the reason.
 */
static void blame_steps(reruns *r, double power, double finest)
{
    ic_findings *all = &r->audit->rows.findings;
    if (finest < ic_tolerance_command_converged.value) excuse_parameters(r, power);
    for (size_t i = 0; i < all->count && finest < ic_tolerance_command_converged.value; i++) {
        ic_finding *f = &all->rows[i];
        const bool basic = sees_flow(f) || strcmp(f->check->name, "state-error") == 0;
        const bool located = r->location != IC_NO_MISTAKE && !sees_flow(f);
        if (!depends_on_steps(f) || f->verdict != IC_FINDING_FAIL || ic_is_reading(f->cause)) continue;
        if (!located && (!basic || f->cause == IC_MISTAKE_COARSE_STEPS)) {
            /* The error falls, so that no other model explains it. */
            if (f->cause != IC_MISTAKE_NO_EVENT_LOCATION) f->cause = IC_MISTAKE_COARSE_STEPS;
            continue;
        }
        f->cause = located ? r->location : IC_MISTAKE_COARSE_STEPS;
        ic_finding_append(
            f, "%swith finer steps the error falls with the power %.3g of the step, to %.3g of the scale",
            f->detail[0] != '\0' ? "; " : "", power, finest);
    }
}

/* Whether a failed check of the rows explains why the error stays: they follow another problem. */
static bool another_problem(const ic_findings *findings, bool *named)
{
    bool failed = false;
    *named = false;
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL || f->cause == IC_MISTAKE_COARSE_STEPS) continue;
        failed = true;
        *named |= f->cause != IC_NO_MISTAKE;
    }
    return failed;
}

/* Leaves the order open if too few errors can be compared, and says what would decide. */
static void leave_order_open(ic_finding *f, const reruns *r, double rounding)
{
    if (rounding > ERROR_FLOOR) {
        ic_finding_leave_open(
            f,
            "errors below %.2g of the scale are the rounding of the printed numbers: numbers of "
            "17 digits, or a greater --step, would decide",
            rounding);
    } else if (r->command->order > 0) {
        ic_finding_leave_open(f,
                              "errors are below %.2g of the scale with all steps: a greater --step would show "
                              "the claimed order",
                              ERROR_FLOOR);
    }
}

static const ic_audit_check *order_of(const reruns *r)
{
    return &ic_plugin_checks[r->command->order > 0 ? IC_CHECK_COMMAND_CLAIMED_ORDER : IC_CHECK_COMMAND_ORDER];
}

/* The error with the smallest step over the greatest of all others, as far as that can be seen: it is not that of a
   method if it is far above 1. */
static double last_growth(const double *error, const double *rounding)
{
    double most = fmax(SEEN * ERROR_FLOOR, rounding[LEVELS - 1]);
    for (int i = 0; i + 1 < LEVELS; i++) most = fmax(most, error[i]);
    return error[LEVELS - 1] / most;
}

static void add_order(reruns *r, const double *setting, const double *error, const double *rounding)
{
    const bool by_step = r->knob == KNOB_STEP;
    const order_fit by = fit_power(setting, error, rounding, LEVELS);
    const double claimed = r->command->order > 0 ? r->command->order - ic_tolerance_command_order.value
                                                 : ic_tolerance_command_order.value;
    const double least = by_step ? claimed : ic_tolerance_command_rtol_power.value;
    ic_finding f = ic_finding_of(order_of(r), &r->audit->rows.tracking, by.power, least, "1");
    const char *what = by_step ? "step" : "rtol";
    snprintf(f.origin, sizeof f.origin, "least: %s%s",
             !by_step                ? ""
             : r->command->order > 0 ? "less than the claimed order, "
                                     : "it must converge: ",
             by_step ? ic_tolerance_command_order.derivation : ic_tolerance_command_rtol_power.derivation);
    snprintf(f.detail, sizeof f.detail, "error %.3g of the scale with %s=%.3g, %.3g with %s=%.3g", error[0],
             what, setting[0], error[LEVELS - 1], what, setting[LEVELS - 1]);
    f.verdict = by.points < 2 || by.power >= least ? IC_FINDING_PASS : IC_FINDING_FAIL;
    if (last_growth(error, rounding) > GROWN) {
        f.verdict = IC_FINDING_FAIL, f.measured = -log2(last_growth(error, rounding));
        f.cause = IC_MISTAKE_ORDER_LOST;
        ic_finding_append(&f, "; the smallest step has the greatest error");
        ic_findings_add(&r->audit->rows.findings, &f);
        return;
    }
    if (by.points < 2) leave_order_open(&f, r, rounding[0]);
    if (by.points == 2 && f.verdict == IC_FINDING_FAIL) f.verdict = IC_FINDING_OPEN;
    bool named;
    if (f.verdict == IC_FINDING_FAIL && !(by.power > FALLS) &&
        another_problem(&r->audit->rows.findings, &named)) {
        /* The error cannot fall while the rows follow another problem. */
        if (named)
            ic_finding_leave_open(
                &f, "the rows follow another problem, as another check says; it must be corrected first");
    } else if (f.verdict == IC_FINDING_FAIL && !r->by_phase) f.cause = IC_MISTAKE_ORDER_LOST;
    ic_findings_add(&r->audit->rows.findings, &f);
    if (f.verdict == IC_FINDING_PASS && by_step && by.points >= 3) blame_steps(r, by.power, error[LEVELS - 1]);
}

static bool check_convergence(reruns *r)
{
    double setting[LEVELS], error[LEVELS], rounding[LEVELS], each[IC_MAX_STATES];
    if (r->knob == KNOB_NONE) {
        add_open_finding(r, order_of(r), "neither the requested step nor rtol has an effect");
        return true;
    }
    for (int i = 0; i < LEVELS; i++) {
        ic_command_request request = r->request;
        const double step = ldexp(COARSEST * r->request.step, -i);
        if (r->knob == KNOB_STEP) request.step = isfinite(r->t_event) ? step_with(r, step, 0.5) : step;
        /* if the step is only an upper limit, the tolerance must fall too */
        request.rtol = COARSEST_RTOL * r->request.rtol / pow(FACTOR_RTOL, i);
        setting[i] = r->knob == KNOB_RTOL ? request.rtol : request.step;
        ic_trajectory rows;
        if (!run_command(r, &rows, &request)) return true;
        error[i] = compare_end(r, &rows, each);
        rounding[i] = rounding_floor(r, &rows);
        ic_trajectory_close(&rows);
        if (!isfinite(error[i])) {
            add_open_finding(r, order_of(r), "there is no row between the first event and the next one");
            return true;
        }
    }
    add_order(r, setting, error, rounding);
    return true;
}

/* ---- all further runs */

/* Ends halfway between the first event and the next; before the first event if that ends the
   run. */
static void choose_end(reruns *r)
{
    const ic_reference_run *reference = r->reference;
    const double t_start = r->problem.t_start, end = ic_reference_run_end(reference);
    r->t_event = ic_reference_run_first_guard(reference);
    r->t_end = end;
    if (isfinite(r->t_event))
        r->t_end = r->t_event + 0.5 * (ic_reference_run_next(reference, r->t_event) - r->t_event);
    if (!(r->t_end > r->t_event)) r->t_end = t_start + 0.9 * (r->t_event - t_start), r->t_event = INFINITY;
    if (!isfinite(r->t_event) && r->t_end > end) r->t_end = end;
    r->problem.t_end = r->followed.t_end = r->t_end;
    r->problem.t_end_text = r->followed.t_end_text = NULL;
}

/* The places of the first event in a step, judged by the problem with the parameters that the rows follow. */
static bool check_phases_followed(reruns *r)
{
    const ic_followed *f = &r->audit->rows.followed;
    reruns other = *r;
    ic_reference_run reference;
    ic_error ignored;
    other.followed = f->problem;
    bool good = true;
    if (ic_reference_run_open(&reference, &f->problem, &ignored)) {
        other.reference = &reference;
        choose_end(&other);
        other.request.problem = &other.problem;
        good = check_phases(&other);
        r->stopped = other.stopped;
    }
    ic_reference_run_close(&reference);
    return good;
}

bool ic_audit_reruns(ic_command_audit *audit, const ic_command *command)
{
    reruns r = {.audit = audit,
                .command = command,
                .problem = *audit->request.problem,
                .followed = *audit->request.problem,
                .reference = &audit->reference,
                .request = audit->request};
    ic_state_scales(&r.problem, r.scale);
    check_repeat(&r);
    if (r.stopped) return true;
    const bool starts = !has_failed(&audit->rows.findings, "start");
    const bool misread = ic_misread(&audit->rows.findings);
    const bool follows = starts && !misread && !has_failed(&audit->rows.findings, "local-defect");
    /* a parameter is a mistake that is named: the rows show others beside it */
    const bool others = starts && !misread && !follows && audit->rows.followed.par != NULL &&
                        has_failed(&audit->rows.findings, "parameters");
    if (!follows && !others)
        add_open_finding(&r, phase, "the rows do not follow the case at all; this must be corrected first");
    if (!starts || misread) return true; /* Further runs of another problem prove nothing. */
    choose_end(&r);
    r.request.problem = &r.problem;
    r.request.samples = RERUN_ROWS;
    find_knob(&r);
    if (others && !check_phases_followed(&r)) return r.stopped;
    if (!follows) /* With finer steps the rows may follow the case. */
        return r.stopped || r.knob != KNOB_STEP || check_convergence(&r);
    return r.stopped || (check_phases(&r) && (r.stopped || check_convergence(&r)));
}
