/* SPDX-License-Identifier: MIT */
/*
 * State error: the distance of the rows from the case's own run from the first row on, through at
 * most two events, before chaos can amplify it. Small local defects accumulate here.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"
#include "core/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A first row that is nearer to the start of the case than this fraction of a state's scale counts
 * as that start.
 */
#define AT_START 1e-3
/* Least uncertainty of a row, relative to a state's range, as in audit/trajectory/track/noisy_start.c. */
#define ROUNDING 1e-9
/* Length of the reference run in typical times, unless events end it sooner. */
#define HORIZON 6.0
/* Distance from an event, in typical times, within which a row may be on its other side. */
#define BESIDE 2e-3
/*
 * Relative tolerance, a hundredth of the uncertainty of a row; greatest work for a few typical
 * times.
 */
#define RTOL 1e-11
#define MOST_STEPS 20000

enum { MOST_ROWS = 400, EVENTS = 2 };

/* The reference run from a start, at the chosen rows. */
typedef struct reference_run {
    /* n_rows of n_states */
    double *x;

    /* Times of the events, s. */
    double t_events[EVENTS + 1];

    /* Their variances caused by the noise of the first row, s^2. */
    double t_square[EVENTS + 1];

    /* True if one more event ends it, at t_events[EVENTS]. */
    bool ends;

    /* n_rows: number of rows reached. */
    size_t n_events, n_rows;
} reference_run;

typedef struct view {
    const ic_tracking *k;
    size_t *rows, n_rows;
    double t_end;
} view;

/* ---- choice of rows */

static bool choose_rows(view *v, const ic_tracking *k)
{
    const double t0 = k->trajectory->t[k->rows[0]];
    size_t n = 0;
    *v = (view){.k = k, .t_end = t0 + HORIZON * k->time_scale};
    while (n < k->n_rows && k->trajectory->t[k->rows[n]] <= v->t_end) n++;
    const size_t stride = n / MOST_ROWS + 1;
    v->rows = malloc((n / stride + 2) * sizeof *v->rows);
    for (size_t i = stride; i < n && v->rows != NULL; i += stride) v->rows[v->n_rows++] = k->rows[i];
    /* An event just after the last row, which may be on its other side, belongs to the run. */
    const double near = fmax(1.01 * k->spacing, BESIDE * k->time_scale);
    if (v->n_rows > 0) v->t_end = fmin(v->t_end, k->trajectory->t[v->rows[v->n_rows - 1]]) + near;
    return v->rows != NULL;
}

/* ---- the reference run */

/* Follow the rows from one state to the next event; false: the prediction failed. */
static bool follow_rows(reference_run *c, const view *v, double *t, double *x, int mode, double until)
{
    const size_t n = v->k->trajectory->n_states;
    ic_prediction p;
    for (; c->n_rows < v->n_rows && v->k->trajectory->t[v->rows[c->n_rows]] <= until; c->n_rows++) {
        const double next = v->k->trajectory->t[v->rows[c->n_rows]];
        if (next > *t) {
            ic_predict(&p, &v->k->predictor, false, *t, x, mode, next);
            if (!p.good) return false;
            memcpy(x, p.x, n * sizeof *x);
            *t = next;
        }
        memcpy(&c->x[c->n_rows * n], x, n * sizeof *x);
    }
    return true;
}

/* Follow the rows through the events of a log, at most EVENTS. */
static void follow_log(reference_run *c, const view *v, const ic_log *log, const double *start, int mode)
{
    const size_t n = v->k->trajectory->n_states;
    const ic_sample end = ic_log_end(log);
    double x[IC_MAX_STATES], t = v->k->trajectory->t[v->k->rows[0]];
    memcpy(x, start, n * sizeof *x);
    for (size_t i = 0; i < ic_log_event_count(log); i++) {
        const ic_event event = ic_log_event_at(log, i);
        if (!follow_rows(c, v, &t, x, mode, event.t)) return;
        const bool moves = event.mode_from != event.mode_to || event.kind != IC_EVENT_GUARD ||
                           memcmp(event.x_pre, event.x_post, n * sizeof *x) != 0;
        if (moves && c->n_events == EVENTS) {
            c->t_events[EVENTS] = event.t;
            c->ends = true;
            return;
        }
        if (moves) c->t_events[c->n_events++] = event.t;
        memcpy(x, event.x_post, n * sizeof *x);
        t = event.t;
        mode = event.mode_to;
    }
    follow_rows(c, v, &t, x, mode, end.t);
}

/* Makes the reference run. false: memory ran out. */
static bool follow_case(reference_run *c, const view *v, const double *start, int mode)
{
    const ic_options options = {.rtol = RTOL, .max_steps = MOST_STEPS};
    ic_problem problem = v->k->predictor.guarded;
    problem.t_start = v->k->trajectory->t[v->k->rows[0]];
    problem.t_end = v->t_end;
    problem.x_start = start;
    problem.mode_start = mode;
    *c = (reference_run){.x = malloc((v->n_rows * v->k->trajectory->n_states + 1) * sizeof *c->x)};
    ic_log *log = ic_log_new(&problem);
    if (log != NULL && c->x != NULL) {
        v->k->predictor.solver->solve(log, &problem, &options);
        follow_log(c, v, log, start, mode);
    }
    const bool good = log != NULL && c->x != NULL;
    ic_log_free(log);
    return good;
}

/* Number of events, including the one that ends the run. */
static size_t events_of(const reference_run *c)
{
    return c->n_events + (c->ends ? 1 : 0);
}

/* ---- effect of the noise of the first row */

/*
 * Add squares of deviations at each row and state by noise of the first row, which an exact start does not have. false:
 * memory ran out.
 */
static bool add_sensitivities(double *square, const view *v, reference_run *middle, const double *start,
                              int mode, bool is_exact, size_t *n_rows)
{
    const ic_tracking *k = v->k;
    const size_t n = k->trajectory->n_states;
    double moved[IC_MAX_STATES];
    *n_rows = middle->n_rows;
    for (size_t j = 0; j < n; j++) {
        if (k->trajectory->source[j] == IC_FROM_TRACKING) continue;
        for (int side = -1; side <= 1; side += 2) {
            reference_run c;
            memcpy(moved, start, n * sizeof *moved);
            moved[j] += side * fmax(is_exact ? 0 : k->noise[j], ROUNDING * k->range[j]);
            if (!follow_case(&c, v, moved, mode)) {
                free(c.x);
                return false;
            }
            if (c.n_rows < *n_rows) *n_rows = c.n_rows;
            for (size_t i = 0; i < events_of(&c) && i < events_of(middle); i++)
                middle->t_square[i] +=
                    0.5 * (c.t_events[i] - middle->t_events[i]) * (c.t_events[i] - middle->t_events[i]);
            for (size_t i = 0; i < *n_rows * n; i++)
                square[i] += 0.5 * (c.x[i] - middle->x[i]) * (c.x[i] - middle->x[i]);
            free(c.x);
        }
    }
    return true;
}

/* ---- the error */

typedef struct error {
    /* Greatest error relative to its tolerance, and that tolerance, relative to the ranges. */
    double most, tolerance;

    /* Time of this error, s. */
    double t_most;

    /* Time at which the tolerance is first exceeded, s; NAN: never. */
    double t_left;

    /* Time of the last row used, s. */
    double t_last;

    size_t state, rows, events;

    /* True if noise of the first row hides the error in later rows. */
    bool hidden;
} error;

static bool beside_event(const view *v, const reference_run *c, size_t row)
{
    const double t = v->k->trajectory->t[v->rows[row]];
    const double near = fmax(1.01 * v->k->spacing, BESIDE * v->k->time_scale);
    for (size_t i = 0; i < events_of(c); i++) {
        if (fabs(t - c->t_events[i]) <= near + ic_tolerance_noise.value * sqrt(c->t_square[i])) return true;
    }
    return false;
}

static bool is_lost(const ic_tracking *k, const double *square)
{
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (ic_tolerance_noise.value * sqrt(square[j]) > ic_tolerance_state_error_hides.value * k->range[j])
            return true;
    }
    return false;
}

static void compare_rows(error *e, const view *v, const reference_run *c, const double *square, size_t n_rows)
{
    const ic_trajectory *tr = v->k->trajectory;
    const size_t n = tr->n_states;
    const double accepted = ic_tolerance_state_error.value * v->k->accept;
    *e = (error){.t_left = NAN, .tolerance = accepted, .events = c->n_events};
    for (size_t row = 0; row < n_rows; row++) {
        if (beside_event(v, c, row)) continue;
        e->hidden = is_lost(v->k, &square[row * n]);
        if (e->hidden) return;
        e->rows++;
        e->t_last = tr->t[v->rows[row]];
        for (size_t j = 0; j < n; j++) {
            const double range = v->k->range[j], noise = v->k->noise[j];
            if (tr->source[j] == IC_FROM_TRACKING || !(range > 0)) continue;
            const double off = fabs(tr->x[v->rows[row] * n + j] - c->x[row * n + j]) / range;
            const double tolerance =
                accepted + ic_tolerance_noise.value * sqrt(square[row * n + j] + noise * noise) / range;
            if (off > tolerance && isnan(e->t_left)) e->t_left = e->t_last;
            if (!(off * e->tolerance > e->most * tolerance)) continue;
            e->most = off, e->tolerance = tolerance, e->t_most = e->t_last, e->state = j;
        }
    }
}

/* Whether the first row is the start of the case but for noise, which `start` and *mode receive. */
static bool starts_as_case(double *start, int *mode, const ic_tracking *k)
{
    const ic_problem *problem = k->problem;
    double scale[IC_MAX_STATES];
    memset(start, 0, IC_MAX_STATES * sizeof *start);
    ic_state_scales(problem, scale);
    const ic_jump *jump = &problem->variant->start;
    const int taken = jump->apply(start, problem->t_start, NULL, problem->par);
    bool starts = taken != IC_NO_START;
    *mode = starts ? jump->branches[taken].mode : -1;
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        const double off = k->trajectory->x[k->rows[0] * k->trajectory->n_states + j] - start[j];
        if (k->trajectory->source[j] == IC_FROM_FILE &&
            fabs(off) > AT_START * scale[j] + ic_tolerance_noise.value * k->noise[j])
            starts = false;
    }
    return starts;
}

/* The mode in which noisy rows start at the case's own start, which `start` receives; -1: they do not. */
static int mode_of_start(double *start, const ic_tracking *k)
{
    int mode;
    const bool at_start = ic_noise_shows(k) && k->trajectory->t[k->rows[0]] == k->problem->t_start;
    return at_start && starts_as_case(start, &mode, k) ? mode : -1;
}

/* The error if the first row is in a given mode. false: memory ran out. */
static bool measure_error(error *e, const view *v, int mode)
{
    const ic_tracking *k = v->k;
    const size_t n = k->trajectory->n_states;
    double start[IC_MAX_STATES];
    ic_interval first = k->intervals[0];
    reference_run c;
    size_t n_rows = 0;
    first.mode = mode;
    /* noise may carry the first row across a guard that the start is beside */
    const bool is_exact = mode_of_start(start, k) == mode;
    if (!is_exact) ic_interval_state(start, k, &first);
    double *square = calloc(v->n_rows * n + 1, sizeof *square);
    bool good = follow_case(&c, v, start, mode) && square != NULL;
    good = good && add_sensitivities(square, v, &c, start, mode, is_exact, &n_rows);
    if (good) compare_rows(e, v, &c, square, n_rows);
    free(square);
    free(c.x);
    return good;
}

/* ---- the check */

/* Reason for which the first row cannot start a run; NULL: it can. */
static const char *find_obstacle(const ic_tracking *k)
{
    const ic_problem *problem = k->problem;
    double start[IC_MAX_STATES];
    bool remembers = false;
    int mode;
    if (k->n_intervals == 0 || problem->system->impact != NULL)
        return "the velocities of an impact are judged separately";
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        const ic_column_source source = k->trajectory->source[j];
        if (source == IC_FROM_DIFFERENCES || source == IC_FROM_MODEL)
            return "a derived or reconstructed start is too inaccurate";
        remembers |= source == IC_FROM_TRACKING;
    }
    return remembers && !starts_as_case(start, &mode, k)
               ? "the memory of the contact at the first row is not in the file"
               : NULL;
}

/* Reason for which no row was compared. */
static const char *without_rows(const error *e)
{
    return e->hidden ? "noise of the first row hides the error at once"
                     : "no row until the third event lies apart from the events; closer rows would decide";
}

static void add_finding(ic_findings *findings, const ic_tracking *k, const error *e, const char *why)
{
    const bool open = why != NULL || e->rows == 0;
    ic_finding f =
        ic_finding_of(&ic_row_check_state_error, k, open ? NAN : e->most, open ? NAN : e->tolerance, "1");
    ic_finding_set_origin(&f, "%s in both rows", ic_accuracy_origin(&ic_tolerance_state_error, k->accept).text);
    if (open) {
        ic_finding_leave_open(&f, "%s", why != NULL ? why : without_rows(e));
    } else {
        ic_finding_describe(&f, "%s at t = %.9g s; %zu rows over %zu events, to t = %.9g s",
                            k->problem->system->states[e->state].name, e->t_most, e->rows, e->events,
                            e->t_last);
        if (f.verdict == IC_FINDING_FAIL)
            ic_finding_append(&f, "; beyond its tolerance from t = %.9g s on", e->t_left);
    }
    ic_findings_add(findings, &f);
}

void ic_audit_state_error(ic_findings *findings, const ic_tracking *k)
{
    const char *why = find_obstacle(k);
    error e = {0}, other;
    view v = {0};
    bool good = true;
    if (why == NULL) {
        double start[IC_MAX_STATES];
        const int known = mode_of_start(start, k), modes = known < 0 ? (int)k->problem->variant->n_modes : 0;
        const int mode = known < 0 ? k->intervals[0].mode : known;
        good = choose_rows(&v, k) && measure_error(&e, &v, mode);
        /* The mode at the start may be uncertain; the run nearest to the rows counts. */
        for (int m = 0; good && m < modes && e.most > e.tolerance; m++) {
            if (m == mode || k->problem->variant->modes[m].terminal) continue;
            good = measure_error(&other, &v, m);
            if (good && other.rows > 0 && other.most * e.tolerance < e.most * other.tolerance) e = other;
        }
    }
    free(v.rows);
    findings->no_memory |= !good;
    if (good) add_finding(findings, k, &e, why);
}
