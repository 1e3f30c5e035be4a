/* SPDX-License-Identifier: MIT */
/*
 * Which transition condition (Jonsson, Bathelt & Broman 2005: A, B, C, C* or D) a trajectory
 * follows, for cases with a variant for each (ic_contact_view). For each condition an observer
 * follows the rows: its state is that of the row, its mode and compression follow from the rows
 * before. Where two conditions predict different next rows, the rows decide. The misfit of a
 * candidate is the worst, over its rivals, of the median defect at the rows that separate the two;
 * defects where no condition is in doubt have a misfit of 1.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CONDITIONS = 4 };
/*
 * C and C* lead to the same motion unless the body turns back below the surface. Then the body
 * falls through under C, and no condition fits. C* stands for both, because it needs no memory and
 * is therefore not affected by noise.
 */
enum { A, B, C_STAR, D };
static const ic_condition conditions[CONDITIONS] = {IC_CONDITION_A, IC_CONDITION_B, IC_CONDITION_C_STAR,
                                                    IC_CONDITION_D};
static const char *const names[CONDITIONS] = {"A", "B", "C = C*", "D"};

/*
 * Distance of two predictions, in deviations, from which on they count as different; least number
 * of rows that must separate two conditions.
 */
#define DIFFERENT 4
enum { LEAST_ROWS = 4 };
/* Rounding of a file with 9 digits. */
#define FLOOR 1e-9
/* Fraction of the range from which on noise is taken into account. */
#define SHOWS 1e-7
/*
 * The first condition must be nearer to the rows than the second in more rows than by chance, by
 * this many deviations, unless the second deviates by more than any noise.
 */
#define SURE 4
#define NO_NOISE 30
/* Misfit up to which noise explains a condition: medians of few rows exceed 1. */
#define BY_NOISE 1.5
/* median of the length of a standard normal vector in the plane over sqrt 2: sqrt(ln 2) */
#define PLANE_MEDIAN 0.83255461

/*
 * If close rows are too noisy, rows that are farther apart may decide, because a wrong force then
 * acts for longer. If the errors of a program exceed the noise, it may still follow a condition to
 * within a fraction of the states' ranges, which is then reported.
 */
enum { STRIDES = 5 };
static const double floors[] = {FLOOR, 1e-4, 1e-3, 1e-2};

/* The conditions as observers of the rows. */
typedef struct observers {
    const ic_tracking *k;
    const ic_contact_view *view;

    /* the states of the body on which the contact acts, and the state that D remembers */
    ic_moving body;
    size_t compression;

    /* derivative of the force by position, N/m */
    double stiffness;

    /* derivative of the force by velocity, N s/m */
    double damping;

    /* Only `from` and `to` are set. */
    ic_interval *intervals;

    size_t n;

    /* Least scale of defects, relative to the ranges. */
    double floor;

    /* One observer for each condition. */
    ic_predictor *predictors;

    /* predicted position and velocity: condition after condition, an element for each interval;
       NAN: none */
    double *x, *v;

    /*
     * In the same order, the change of predictions caused by noise in the choice of the mode and in
     * the memory of D.
     */
    double *dx, *dv;

    /* Noise of position and velocity, from the defects without doubt; 0: not visible. */
    double noise[2];

    /* scale of defects in position and velocity where the mode is certain */
    double scale[2];
} observers;

/* ---- rows in which the mode is certain */

static double force_at(const observers *all, size_t row)
{
    const ic_trajectory *tr = all->k->trajectory;
    return ic_contact_force(all->k->problem, tr->t[row], &tr->x[row * tr->n_states]);
}

static double gap_at(const observers *all, size_t row)
{
    const ic_trajectory *tr = all->k->trajectory;
    return ic_contact_gap(all->k->problem, tr->t[row], &tr->x[row * tr->n_states]);
}

/*
 * The mode at a row: contact if the body is below the surface and pushed, free if it is above and
 * would be pulled. -1: in doubt.
 */
static int mode_without_doubt(const observers *all, size_t row)
{
    const double *noise = all->k->noise;
    const double gap = gap_at(all, row), margin = DIFFERENT * noise[all->body.x], force = force_at(all, row);
    const double force_margin =
        DIFFERENT * hypot(all->stiffness * noise[all->body.x], all->damping * noise[all->body.v]);
    if (gap < -margin && force > force_margin) return all->view->contact;
    return gap > margin && force < -force_margin ? all->view->free : -1;
}

/* ---- following the rows under one condition */

typedef struct observer {
    /* -1: not known yet */
    int mode;

    /* m */
    double compression;
} observer;

/*
 * Set the mode at a row: for A, B and C* it follows from the row alone; D remembers. Noise may have
 * carried a row across a guard unnoticed.
 */
static void settle_mode(observer *o, const observers *all, size_t condition, size_t row)
{
    const double gap = gap_at(all, row), force = force_at(all, row);
    const double noise = DIFFERENT * all->k->noise[all->body.x];
    const int sure = mode_without_doubt(all, row), contact = all->view->contact, apart = all->view->free;
    if (condition == A) o->mode = gap < 0 ? contact : apart;
    else if (condition == B) o->mode = force > 0 ? contact : apart;
    else if (condition == C_STAR) o->mode = gap < 0 && force > 0 ? contact : apart;
    else if (o->mode < 0 || (o->mode == contact && gap > noise)) o->mode = sure; /* the force ends below the surface */
    else if (o->mode == contact && force <= 0) o->mode = apart, o->compression = -gap;
    else if (gap + o->compression < (sure == contact ? 0 : -noise)) o->mode = contact;
    if (o->mode == contact) o->compression = -gap;
    else if (condition != D) o->compression = 0;
}

/*
 * Other observers within the noise: the other mode near a guard; a memory larger or smaller by the
 * noise.
 */
static size_t list_doubts(observer *others, const observer *o, const observers *all, size_t condition,
                          size_t row)
{
    const double gap = gap_at(all, row), noise = DIFFERENT * all->noise[0];
    const double force_noise = DIFFERENT * hypot(all->stiffness * all->noise[0], all->damping * all->noise[1]);
    const int contact = all->view->contact, apart = all->view->free;
    const bool at_surface = fabs(gap) < noise, at_force = fabs(force_at(all, row)) < force_noise;
    const bool at_element = fabs(gap + o->compression) < 2 * noise;
    const bool doubt = condition == A   ? at_surface
                       : condition == B ? at_force
                                        : at_surface || at_force || (condition == D && at_element);
    size_t n = 0;
    if (!(noise > 0)) return 0;
    if (doubt) others[n++] = (observer){o->mode == contact ? apart : contact, condition == D ? -gap : 0};
    for (int side = -1; condition == D && o->mode == apart && side <= 1; side += 2)
        others[n++] = (observer){apart, o->compression + side * noise};
    return n;
}

static ic_prediction predict_as(const observers *all, size_t condition, const ic_interval *interval,
                                const observer *o, bool guards)
{
    const ic_trajectory *tr = all->k->trajectory;
    double x[IC_MAX_STATES];
    ic_prediction p;
    memcpy(x, &tr->x[interval->from * tr->n_states], tr->n_states * sizeof *x);
    x[all->compression] = o->compression;
    ic_predict(&p, &all->predictors[condition], guards, tr->t[interval->from], x, o->mode, tr->t[interval->to]);
    return p;
}

/* Adds what another prediction of interval `at` shows of the noise. */
static void add_doubt(observers *all, size_t at, const ic_prediction *p, ic_prediction other)
{
    if (!other.good) return;
    all->dx[at] = fmax(all->dx[at], fabs(other.x[all->body.x] - p->x[all->body.x]));
    all->dv[at] = fmax(all->dv[at], fabs(other.x[all->body.v] - p->x[all->body.v]));
}

static void observe_rows(observers *all, size_t condition)
{
    observer o = {.mode = -1};
    for (size_t i = 0; i < all->n; i++) {
        const ic_interval *interval = &all->intervals[i];
        const size_t at = condition * all->n + i;
        observer others[3];
        all->x[at] = all->v[at] = NAN;
        all->dx[at] = all->dv[at] = 0;
        if (i > 0 && all->intervals[i - 1].to != interval->from) o = (observer){.mode = -1};
        settle_mode(&o, all, condition, interval->from);
        if (o.mode < 0) continue;
        const size_t n = list_doubts(others, &o, all, condition, interval->from);
        const ic_prediction p = predict_as(all, condition, interval, &o, true);
        const observer from = o;
        o = p.good ? (observer){p.mode, p.x[all->compression]} : (observer){.mode = -1};
        if (!p.good) continue;
        all->x[at] = p.x[all->body.x], all->v[at] = p.x[all->body.v];
        for (size_t j = 0; j < n; j++) add_doubt(all, at, &p, predict_as(all, condition, interval, &others[j], true));
        /* noise says on which side of an event a row is that lies at it */
        if (p.events > 0 && list_doubts(others, &o, all, condition, interval->to) > 0)
            add_doubt(all, at, &p, predict_as(all, condition, interval, &from, false));
    }
}

/* ---- defects */

static double row_defect(const observers *all, size_t condition, size_t i)
{
    const ic_trajectory *tr = all->k->trajectory;
    const double *x = &tr->x[all->intervals[i].to * tr->n_states];
    const size_t at = condition * all->n + i;
    return hypot((all->x[at] - x[all->body.x]) / all->scale[0], (all->v[at] - x[all->body.v]) / all->scale[1]) /
           sqrt(2);
}

static double prediction_distance(const observers *all, size_t a, size_t b, size_t i)
{
    const size_t n = all->n;
    return hypot((all->x[a * n + i] - all->x[b * n + i]) / all->scale[0],
                 (all->v[a * n + i] - all->v[b * n + i]) / all->scale[1]);
}

/* Scales: deviations of defects without doubt, the greater of contact and flight. */
static bool find_scales(observers *all)
{
    const ic_tracking *k = all->k;
    const size_t n = all->n;
    double *values = malloc((n + 1) * sizeof *values);
    if (values == NULL) return false;
    const int modes[] = {all->view->contact, all->view->free};
    for (int which = 0; which < 2; which++) {
        const double *predicted = which == 0 ? all->x : all->v;
        const size_t state = which == 0 ? all->body.x : all->body.v;
        all->scale[which] = all->floor * k->range[state];
        for (size_t m = 0; m < IC_COUNT(modes); m++) {
            size_t count = 0;
            for (size_t i = 0; i < n; i++) {
                const size_t from = all->intervals[i].from, to = all->intervals[i].to;
                if (mode_without_doubt(all, from) != modes[m] || mode_without_doubt(all, to) != modes[m] ||
                    isnan(predicted[i]))
                    continue;
                values[count++] = fabs(predicted[i] - k->trajectory->x[to * k->trajectory->n_states + state]);
            }
            if (count >= LEAST_ROWS)
                all->scale[which] = fmax(all->scale[which], ic_audit_median(values, count) / IC_NORMAL_MEDIAN);
        }
    }
    free(values);
    return true;
}

/*
 * Rows that must separate two conditions: one in two hundred, since noise near a guard separates a
 * few.
 */
static size_t rows_required(const observers *all)
{
    return all->n / 200 > LEAST_ROWS ? all->n / 200 : LEAST_ROWS;
}

/* Whether noise makes a prediction uncertain, of any condition: all are judged by the same rows. */
static bool in_doubt(const observers *all, size_t i)
{
    bool doubt = false;
    for (size_t at = i; at < CONDITIONS * all->n && !doubt; at += all->n)
        doubt = hypot(all->dx[at] / all->scale[0], all->dv[at] / all->scale[1]) > 1;
    return doubt;
}

/* Median defect of a where a and b differ; NAN: too few rows. */
static double misfit_against(const observers *all, size_t a, size_t b, double *values)
{
    size_t count = 0;
    for (size_t i = 0; i < all->n; i++) {
        const double distance = prediction_distance(all, a, b, i);
        if (in_doubt(all, i)) continue;
        if (!(distance > DIFFERENT)) continue; /* NAN: one of them does not know its mode */
        values[count++] = row_defect(all, a, i);
    }
    return count >= rows_required(all) ? ic_audit_median(values, count) / PLANE_MEDIAN : NAN;
}

/* Sign test: whether a is nearer than b in more of the rows that separate them than by chance. */
static bool mostly_nearer(const observers *all, size_t a, size_t b)
{
    double count = 0, nearer = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (in_doubt(all, i) || !(prediction_distance(all, a, b, i) > DIFFERENT))
            continue;
        count += 1;
        nearer += row_defect(all, a, i) < row_defect(all, b, i);
    }
    return 2 * nearer - count >= SURE * sqrt(count);
}

static size_t condition_named(const char *name)
{
    size_t a = 0;
    while (a + 1 < CONDITIONS && strcmp(names[a], name) != 0) a++;
    return a;
}

/* ---- the result */

static bool fill_candidates(ic_classification *c, const observers *all)
{
    double *values = malloc((all->n + 1) * sizeof *values);
    double misfit[CONDITIONS] = {0};
    if (values == NULL) return false;
    for (size_t a = 0; a < CONDITIONS; a++) {
        for (size_t b = 0; b < CONDITIONS; b++) {
            const double m = a != b ? misfit_against(all, a, b, values) : NAN;
            if (!isnan(m)) misfit[a] = fmax(misfit[a], m);
        }
    }
    free(values);
    c->count = 0;
    for (size_t a = 0; a < CONDITIONS; a++) ic_classification_add(c, names[a], misfit[a]);
    ic_classification_decide(c, ic_tolerance_condition_misfit.value, ic_tolerance_condition_apart.value);
    /* the first is not separated from any other, or noise explains the second as well */
    if (c->candidates[0].misfit == 0 || c->candidates[1].misfit < BY_NOISE) c->decided = false;
    for (size_t i = 1; i < c->count && c->decided; i++) {
        if (c->candidates[i].misfit >= NO_NOISE) continue;
        c->decided =
            mostly_nearer(all, condition_named(c->candidates[0].name), condition_named(c->candidates[i].name));
    }
    return true;
}

static void explain_condition(ic_classification *c, const observers *all)
{
    const double first = c->candidates[0].misfit, second = c->candidates[1].misfit;
    const double spacing = all->k->spacing * (double)(all->intervals[0].stride);
    if (first == 0 && second == 0) {
        snprintf(c->detail, sizeof c->detail,
                 "the conditions do not differ in these rows: rows with lift-off and touch-down would decide");
    } else if (first > ic_tolerance_condition_misfit.value) {
        snprintf(c->detail, sizeof c->detail, "no condition fits; intervals of %.3g s", spacing);
    } else if (!c->decided) {
        int n = snprintf(c->detail, sizeof c->detail,
                         "%s and %s are too close; less noise, or more rows, would separate them",
                         c->candidates[0].name, c->candidates[1].name);
        for (size_t i = 2; i < c->count && n > 0 && (size_t)n < sizeof c->detail; i++) {
            if (c->candidates[i].misfit <
                ic_tolerance_condition_apart.value * ic_tolerance_condition_misfit.value)
                continue;
            n += snprintf(c->detail + n, sizeof c->detail - (size_t)n, "; it is not %s", c->candidates[i].name);
        }
    } else {
        snprintf(c->detail, sizeof c->detail,
                 "over intervals of %.3g s, to noise and %.1g of the ranges; the runner-up is %s", spacing,
                 all->floor, c->candidates[1].name);
    }
}

/* ---- all strides */

/* Contiguous intervals over `stride` tracked rows each. */
static void lay_intervals(observers *all, size_t stride, size_t most)
{
    const ic_tracking *k = all->k;
    all->n = 0;
    for (size_t i = 0; i + stride < k->n_rows && all->n < most; i += stride)
        all->intervals[all->n++] =
            (ic_interval){.from = k->rows[i], .to = k->rows[i + stride], .stride = stride};
}

/* Classify with the first floor that decides at this stride, if it is below the previous one. */
static bool improve_classification(ic_classification *best, double *best_floor, observers *all)
{
    for (size_t f = 0; f < IC_COUNT(floors) && floors[f] < *best_floor; f++) {
        ic_classification c = *best;
        all->floor = floors[f];
        if (!find_scales(all) || !fill_candidates(&c, all)) return false;
        explain_condition(&c, all);
        if (c.decided) *best_floor = floors[f];
        const bool fits =
            c.candidates[0].misfit > 0 && c.candidates[0].misfit <= ic_tolerance_condition_misfit.value;
        const bool fitted = best->count > 0 && best->candidates[0].misfit > 0 &&
                            best->candidates[0].misfit <= ic_tolerance_condition_misfit.value;
        if (c.decided || best->count == 0 || (!best->decided && fits && !fitted)) *best = c;
    }
    return true;
}

/* Observes first without noise, which gives the noise, and then with it. */
static bool observe_conditions(observers *all)
{
    const ic_tracking *k = all->k;
    all->noise[0] = all->noise[1] = 0;
    all->floor = FLOOR;
    for (size_t a = 0; a < CONDITIONS; a++) observe_rows(all, a);
    if (!find_scales(all)) return false;
    const double noise[2] = {fmin(k->noise[all->body.x], all->scale[0]),
                             fmin(k->noise[all->body.v], all->scale[1])};
    if (!(noise[0] > SHOWS * k->range[all->body.x])) return true;
    memcpy(all->noise, noise, sizeof noise);
    for (size_t a = 0; a < CONDITIONS; a++) observe_rows(all, a);
    return true;
}

static bool classify_strides(ic_classification *c, observers *all, size_t most)
{
    double floor = INFINITY;
    for (size_t i = 0; i < STRIDES && floor > FLOOR; i++) {
        lay_intervals(all, (size_t)1 << i, most);
        if (all->n < LEAST_ROWS) break;
        if (!observe_conditions(all)) return false;
        if (!improve_classification(c, &floor, all)) return false;
    }
    return true;
}

static bool open_predictors(observers *all)
{
    const ic_problem *problem = all->k->problem;
    for (size_t a = 0; a < CONDITIONS; a++) {
        const ic_variant *variant =
            ic_variant_find(problem->system, problem->system->contact->conditions[conditions[a]]);
        if (variant == NULL || !ic_predictor_open(&all->predictors[a], problem, variant)) return false;
    }
    return true;
}

/* Derivative by a state of the contact force, which is affine in it. */
static double force_by(const ic_problem *problem, size_t state)
{
    double x[IC_MAX_STATES] = {0};
    const double before = ic_contact_force(problem, problem->t_start, x);
    x[state] = 1;
    return ic_contact_force(problem, problem->t_start, x) - before;
}

bool ic_condition_is_asked_for(const char *candidate, const ic_problem *problem)
{
    const char *const *variants = problem->system->contact->conditions, *asked = problem->variant->name;
    for (size_t a = 0; a < CONDITIONS; a++) {
        if (strcmp(candidate, names[a]) != 0) continue;
        return strcmp(variants[conditions[a]], asked) == 0 ||
               (a == C_STAR && strcmp(variants[IC_CONDITION_C], asked) == 0);
    }
    return false;
}

bool ic_classify_condition(ic_classification *c, const ic_tracking *k)
{
    const ic_case *system = k->problem->system;
    const ic_contact_view *view = system->contact;
    ic_moving body;
    if (view == NULL || view->conditions == NULL || k->problem->variant->law != NULL || k->n_intervals == 0 ||
        !ic_contact_body(&body, k->problem))
        return true;
    const size_t n = k->n_intervals;
    observers all = {.k = k,
                     .view = view,
                     .body = body,
                     .compression = ic_state_find(system, view->compression),
                     .stiffness = force_by(k->problem, body.x),
                     .damping = force_by(k->problem, body.v),
                     .predictors = calloc(CONDITIONS, sizeof *all.predictors),
                     .intervals = calloc(n, sizeof *all.intervals),
                     .x = malloc(4 * n * CONDITIONS * sizeof *all.x)};
    const bool memory = all.predictors != NULL && all.intervals != NULL && all.x != NULL;
    if (memory)
        all.v = all.x + n * CONDITIONS, all.dx = all.v + n * CONDITIONS, all.dv = all.dx + n * CONDITIONS;
    *c = (ic_classification){.question = "transition condition"};
    snprintf(c->subject, sizeof c->subject, "%s", system->name);
    const bool good = memory && open_predictors(&all) && classify_strides(c, &all, n);
    free(all.predictors);
    free(all.intervals);
    free(all.x);
    return good;
}
