/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/classify_condition.h"
#include "audit/trajectory/noise.h"
#include "registry/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONDITIONS = 4, X2 = 0, V2 = 1, X_F = 4, CONTACT = 0, FLIGHT = 1 };
/* C and C* move alike, unless the roller turns back below the ground: then C falls, and nothing fits. C* needs no memory, so that noise
 * does no harm to it, and stands for both. */
enum { A, B, C_STAR, D };
static const char *const conditions[CONDITIONS] = {"A", "B", "C*", "D"};
static const char *const names[CONDITIONS] = {"A", "B", "C = C*", "D"};

/* A first candidate may have this misfit: medians of a handful of normal defects stay below it. The second one must have IC_CONDITION_APART times that. */
#define FITS 3
/* Predictions count as different from this many deviations on, and as many rows must tell two conditions apart. */
#define DIFFERENT 4
enum { LEAST_ROWS = 4 };
/* Rounding of a file with 9 digits. */
#define FLOOR 1e-9
/* Noise of so much of the range is noise. */
#define SHOWS 1e-7
/* The first must be nearer than the second in more rows than chance gives by so many deviations, unless the second is as far off as no
 * noise is. */
#define SURE 4
#define NO_NOISE 30
/* median of the length of a standard normal vector in the plane over sqrt 2: sqrt(ln 2) */
#define PLANE_MEDIAN 0.83255461

/*
 * Where rows that are close tell nothing for their noise, those further apart may: a wrong force acts for longer. And where a code's own
 * errors stand out of the noise, it may still follow a condition to a part of the states' ranges, which is then told.
 */
enum { STRIDES = 5 };
static const double floors[] = {FLOOR, 1e-4, 1e-3, 1e-2};

/* What the conditions say of the rows. */
typedef struct observers {
    const ic_tracking *k;
    ic_interval *intervals; /* `from` and `to` alone */
    size_t n;
    double floor;             /* of the scale, in ranges */
    ic_predictor *predictors; /* one for each condition */
    double *x2, *v2; /* predictions: condition after condition, an element for each interval; NAN: none */
    double *dx2,
        *dv2; /* how far predictions move within the noise of what decides the mode, and of D's memory; likewise */
    double noise[2]; /* of x2 and v2, by the defects where nothing is in doubt; 0: none that shows */
    double scale[2]; /* of defects in x2 and v2 where all is certain */
} observers;

/* ---- rows without doubt */

static double element_force(const ic_tracking *k, size_t row)
{
    const ic_trajectory *tr = k->trajectory;
    return k->problem->system->outputs[0].value(tr->t[row], &tr->x[row * tr->n_states], CONTACT,
                                                k->problem->par);
}

/* Contact where the soil is pressed and pushes, flight where the roller is above it and the element would pull. -1: in doubt. */
static int mode_without_doubt(const ic_tracking *k, size_t row)
{
    const double x2 = k->trajectory->x[row * k->trajectory->n_states + X2], margin = DIFFERENT * k->noise[X2];
    const double *par = k->problem->par;
    const double force = element_force(k, row);
    const double force_margin =
        DIFFERENT * hypot(par[9] * k->noise[X2], par[10] * k->noise[V2]); /* k and c of the case */
    if (x2 < -margin && force > force_margin) return CONTACT;
    return x2 > margin && force < -force_margin ? FLIGHT : -1;
}

/* ---- one condition along the rows */

typedef struct observer {
    int mode; /* -1: not known yet */
    double x_f;
} observer;

/* Modes of A, B and C* are a matter of the row alone; D remembers. Noise may have carried a row across a guard unseen. */
static void settle(observer *o, const ic_tracking *k, size_t condition, size_t row)
{
    const double x2 = k->trajectory->x[row * k->trajectory->n_states + X2], force = element_force(k, row);
    const double noise = DIFFERENT * k->noise[X2];
    const int sure = mode_without_doubt(k, row);
    if (condition == A) o->mode = x2 < 0 ? CONTACT : FLIGHT;
    else if (condition == B) o->mode = force > 0 ? CONTACT : FLIGHT;
    else if (condition == C_STAR) o->mode = x2 < 0 && force > 0 ? CONTACT : FLIGHT;
    else if (o->mode < 0) o->mode = sure;
    else if (o->mode == CONTACT && force <= 0) o->mode = FLIGHT, o->x_f = -x2;
    else if (x2 + o->x_f < (sure == CONTACT ? 0 : -noise)) o->mode = CONTACT;
    if (o->mode == CONTACT) o->x_f = -x2;
    else if (condition != D) o->x_f = 0;
}

/* What noise may make of an observer: the other mode, where a guard is within it; a memory that is as much more or less. */
static size_t doubts(observer *others, const observer *o, const observers *all, size_t condition, size_t row)
{
    const ic_tracking *k = all->k;
    const double x2 = k->trajectory->x[row * k->trajectory->n_states + X2], noise = DIFFERENT * all->noise[0];
    const double *par = k->problem->par;
    const double force_noise =
        DIFFERENT * hypot(par[9] * all->noise[0], par[10] * all->noise[1]); /* k and c of the case */
    const bool at_surface = fabs(x2) < noise, at_force = fabs(element_force(k, row)) < force_noise;
    const bool at_element = fabs(x2 + o->x_f) < 2 * noise;
    const bool doubt = condition == A   ? at_surface
                       : condition == B ? at_force
                                        : at_surface || at_force || (condition == D && at_element);
    size_t n = 0;
    if (!(noise > 0)) return 0;
    if (doubt) others[n++] = (observer){o->mode == CONTACT ? FLIGHT : CONTACT, condition == D ? -x2 : 0};
    for (int side = -1; condition == D && o->mode == FLIGHT && side <= 1; side += 2)
        others[n++] = (observer){FLIGHT, o->x_f + side * noise};
    return n;
}

static ic_prediction predict_as(const observers *all, size_t condition, const ic_interval *interval,
                                const observer *o)
{
    const ic_trajectory *tr = all->k->trajectory;
    double x[IC_MAX_STATES];
    ic_prediction p;
    memcpy(x, &tr->x[interval->from * tr->n_states], tr->n_states * sizeof *x);
    x[X_F] = o->x_f;
    ic_predict(&p, &all->predictors[condition], true, tr->t[interval->from], x, o->mode, tr->t[interval->to]);
    return p;
}

static void observe(observers *all, size_t condition)
{
    const ic_tracking *k = all->k;
    observer o = {.mode = -1};
    for (size_t i = 0; i < all->n; i++) {
        const ic_interval *interval = &all->intervals[i];
        const size_t at = condition * all->n + i;
        observer others[3];
        all->x2[at] = all->v2[at] = NAN;
        all->dx2[at] = all->dv2[at] = 0;
        if (i > 0 && all->intervals[i - 1].to != interval->from) o = (observer){.mode = -1};
        settle(&o, k, condition, interval->from);
        if (o.mode < 0) continue;
        const size_t n = doubts(others, &o, all, condition, interval->from);
        const ic_prediction p = predict_as(all, condition, interval, &o);
        o = p.good ? (observer){p.mode, p.x[X_F]} : (observer){.mode = -1};
        if (!p.good) continue;
        all->x2[at] = p.x[X2], all->v2[at] = p.x[V2];
        for (size_t j = 0; j < n; j++) {
            const ic_prediction q = predict_as(all, condition, interval, &others[j]);
            if (!q.good) continue;
            all->dx2[at] = fmax(all->dx2[at], fabs(q.x[X2] - p.x[X2]));
            all->dv2[at] = fmax(all->dv2[at], fabs(q.x[V2] - p.x[V2]));
        }
    }
}

/* ---- defects */

static double defect(const observers *all, size_t condition, size_t i)
{
    const ic_trajectory *tr = all->k->trajectory;
    const double *x = &tr->x[all->intervals[i].to * tr->n_states];
    const size_t at = condition * all->n + i;
    return hypot((all->x2[at] - x[X2]) / all->scale[0], (all->v2[at] - x[V2]) / all->scale[1]) / sqrt(2);
}

static double apart(const observers *all, size_t a, size_t b, size_t i)
{
    const size_t n = all->n;
    return hypot((all->x2[a * n + i] - all->x2[b * n + i]) / all->scale[0],
                 (all->v2[a * n + i] - all->v2[b * n + i]) / all->scale[1]);
}

/* Deviations of defects where nothing is in doubt, of contact and of flight: the greater of both. */
static bool find_scales(observers *all)
{
    const ic_tracking *k = all->k;
    const size_t n = all->n;
    double *values = malloc((n + 1) * sizeof *values);
    if (values == NULL) return false;
    for (int state = 0; state < 2; state++) {
        const double *predicted = state == 0 ? all->x2 : all->v2;
        all->scale[state] = all->floor * k->range[state == 0 ? X2 : V2];
        for (int mode = CONTACT; mode <= FLIGHT; mode++) {
            size_t count = 0;
            for (size_t i = 0; i < n; i++) {
                const size_t from = all->intervals[i].from, to = all->intervals[i].to;
                if (mode_without_doubt(k, from) != mode || mode_without_doubt(k, to) != mode ||
                    isnan(predicted[i]))
                    continue;
                values[count++] = fabs(predicted[i] -
                                       k->trajectory->x[to * k->trajectory->n_states + (state == 0 ? X2 : V2)]);
            }
            if (count >= LEAST_ROWS)
                all->scale[state] = fmax(all->scale[state], ic_audit_median(values, count) / IC_NORMAL_MEDIAN);
        }
    }
    free(values);
    return true;
}

/* Rows that must tell two conditions apart: one in two hundred, since noise beside a guard makes a few. */
static size_t enough(const observers *all)
{
    return all->n / 200 > LEAST_ROWS ? all->n / 200 : LEAST_ROWS;
}

/* Whether noise leaves open what a condition says of an interval. */
static bool in_doubt(const observers *all, size_t condition, size_t i)
{
    const size_t at = condition * all->n + i;
    return hypot(all->dx2[at] / all->scale[0], all->dv2[at] / all->scale[1]) > 1;
}

/* Median defect of a where a and b differ; NAN where too few rows tell. */
static double misfit_against(const observers *all, size_t a, size_t b, double *values)
{
    size_t count = 0;
    for (size_t i = 0; i < all->n; i++) {
        const double distance = apart(all, a, b, i);
        if (in_doubt(all, a, i) || in_doubt(all, b, i)) continue;
        if (!(distance > DIFFERENT)) continue; /* NAN: one of them does not know its mode */
        values[count++] = defect(all, a, i);
    }
    return count >= enough(all) ? ic_audit_median(values, count) / PLANE_MEDIAN : NAN;
}

/* Whether a is nearer than b in more of the rows that tell them apart than chance gives: the sign test. */
static bool mostly_nearer(const observers *all, size_t a, size_t b)
{
    double count = 0, nearer = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (in_doubt(all, a, i) || in_doubt(all, b, i) || !(apart(all, a, b, i) > DIFFERENT)) continue;
        count += 1;
        nearer += defect(all, a, i) < defect(all, b, i);
    }
    return 2 * nearer - count >= SURE * sqrt(count);
}

static size_t condition_named(const char *name)
{
    size_t a = 0;
    while (a + 1 < CONDITIONS && strcmp(names[a], name) != 0) a++;
    return a;
}

/* ---- the answer */

static bool fill(ic_classification *c, const observers *all)
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
    for (size_t a = 0; a < CONDITIONS; a++) c->candidates[c->count++] = (ic_candidate){names[a], misfit[a]};
    ic_classification_decide(c, FITS, IC_CONDITION_APART);
    if (c->candidates[0].misfit == 0) c->decided = false; /* told from none */
    for (size_t i = 1; i < c->count && c->decided; i++) {
        if (c->candidates[i].misfit >= NO_NOISE) continue;
        c->decided =
            mostly_nearer(all, condition_named(c->candidates[0].name), condition_named(c->candidates[i].name));
    }
    return true;
}

static void explain(ic_classification *c, const observers *all)
{
    const double first = c->candidates[0].misfit, second = c->candidates[1].misfit;
    const double spacing = all->k->spacing * (double)(all->intervals[0].stride);
    if (first == 0 && second == 0) {
        snprintf(c->detail, sizeof c->detail,
                 "the conditions do not differ in these rows: rows with lift-off and touch-down are needed");
    } else if (first > FITS) {
        snprintf(c->detail, sizeof c->detail, "none of them fits; intervals of %.3g s", spacing);
    } else if (!c->decided) {
        int n = snprintf(c->detail, sizeof c->detail,
                         "%s and %s are too close: less noise, or more rows, would tell them apart",
                         c->candidates[0].name, c->candidates[1].name);
        for (size_t i = 2; i < c->count && n > 0 && (size_t)n < sizeof c->detail; i++) {
            if (c->candidates[i].misfit < IC_CONDITION_APART * FITS) continue;
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

/* The first floor that decides at this stride, if it is below that of what was found before. */
static bool improve(ic_classification *best, double *best_floor, observers *all)
{
    for (size_t f = 0; f < IC_COUNT(floors) && floors[f] < *best_floor; f++) {
        ic_classification c = *best;
        all->floor = floors[f];
        if (!find_scales(all) || !fill(&c, all)) return false;
        explain(&c, all);
        if (c.decided) *best_floor = floors[f];
        const bool fits = c.candidates[0].misfit > 0 && c.candidates[0].misfit <= FITS;
        const bool fitted =
            best->count > 0 && best->candidates[0].misfit > 0 && best->candidates[0].misfit <= FITS;
        if (c.decided || best->count == 0 || (!best->decided && fits && !fitted)) *best = c;
    }
    return true;
}

/* First as if there were no noise, which tells it; then with what it leaves in doubt. */
static bool observe_all(observers *all)
{
    const ic_tracking *k = all->k;
    all->noise[0] = all->noise[1] = 0;
    all->floor = FLOOR;
    for (size_t a = 0; a < CONDITIONS; a++) observe(all, a);
    if (!find_scales(all)) return false;
    const double noise[2] = {fmin(k->noise[X2], all->scale[0]), fmin(k->noise[V2], all->scale[1])};
    if (!(noise[0] > SHOWS * k->range[X2])) return true;
    memcpy(all->noise, noise, sizeof noise);
    for (size_t a = 0; a < CONDITIONS; a++) observe(all, a);
    return true;
}

static bool run(ic_classification *c, observers *all, size_t most)
{
    double floor = INFINITY;
    for (size_t i = 0; i < STRIDES && floor > FLOOR; i++) {
        lay_intervals(all, (size_t)1 << i, most);
        if (all->n < LEAST_ROWS) break;
        if (!observe_all(all)) return false;
        if (!improve(c, &floor, all)) return false;
    }
    return true;
}

static bool open_predictors(observers *all)
{
    const ic_problem *problem = all->k->problem;
    for (size_t a = 0; a < CONDITIONS; a++) {
        const ic_variant *variant = ic_variant_find(problem->system, conditions[a]);
        if (variant == NULL || !ic_predictor_open(&all->predictors[a], problem, variant)) return false;
    }
    return true;
}

bool ic_classify_condition(ic_classification *c, const ic_tracking *k)
{
    const ic_case *system = k->problem->system;
    if (strcmp(system->name, "roller") != 0 || k->problem->variant->law != NULL || k->n_intervals == 0)
        return true;
    const size_t n = k->n_intervals;
    observers all = {.k = k,
                     .predictors = calloc(CONDITIONS, sizeof *all.predictors),
                     .intervals = calloc(n, sizeof *all.intervals),
                     .x2 = malloc(n * CONDITIONS * sizeof *all.x2),
                     .v2 = malloc(n * CONDITIONS * sizeof *all.v2),
                     .dx2 = malloc(n * CONDITIONS * sizeof *all.dx2),
                     .dv2 = malloc(n * CONDITIONS * sizeof *all.dv2)};
    *c = (ic_classification){.question = "transition condition"};
    snprintf(c->subject, sizeof c->subject, "%s", system->name);
    const bool memory = all.predictors != NULL && all.intervals != NULL && all.x2 != NULL && all.v2 != NULL &&
                        all.dx2 != NULL && all.dv2 != NULL;
    const bool good = memory && open_predictors(&all) && run(c, &all, n);
    free(all.predictors);
    free(all.intervals);
    free(all.x2);
    free(all.v2);
    free(all.dx2);
    free(all.dv2);
    return good;
}
