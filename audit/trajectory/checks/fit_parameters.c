/* SPDX-License-Identifier: MIT */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"
#include "core/model.h"
#include "core/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Twice the least number of intervals that decide anything. */
enum { LEAST_INTERVALS = 2 * IC_LEAST_INTERVALS };

enum { STEPS = 6 };
/*
 * In tolerances. Smaller deviations are uncertain: noise is known only within a factor, and the errors of a right solver
 * add up in what the rows are most sensitive to.
 */
#define CLEAR 1.5
/* The same for many states, whose noise is followed in a few directions. */
#define CLEAR_OF_MANY 4.0
/* Relative difference of a parameter for slopes. */
#define DELTA 1e-5
/* Relative to a state's range, for such a difference. Smaller effects are errors of the solver. */
#define LEAST_EFFECT (10 * IC_SPAN_ROUNDING)
/*
 * Greatest fraction of the error that a parameter may leave; the remainder may also be noise,
 * within these factors.
 */
#define LEFT 0.5
#define AS_NOISE_LEAST 0.5
#define AS_NOISE_MOST 1.5
/*
 * Least loss, relative to the square of a parameter's deviations, by which it explains noisy rows: 1/2 in theory, less
 * where spans share rows or errors are large.
 */
#define AS_PROMISED 0.1
/* Other parameters are named too if they explain this fraction of what the best one explains. */
#define AS_WELL 0.9
/* Least relative resolution of a parameter that the rows are said to determine. */
#define HARDLY_TOLD 0.1
/* Greatest fraction that the first step may leave if further steps are made. */
#define PROMISING 0.9
/*
 * Errors of more deviations than this are not noise. If a parameter leaves such errors, it is fitted with even weights,
 * relative to the ranges: by the noise, few spans with another mistake could outweigh all others.
 */
#define NO_NOISE 100.0
#define EVEN 1e-6

/* Places, evenly spread, before and after which rows may follow different values. */
enum { PLACES = 8, LEAST_GROUPS = 3 };
/* Tolerances by which the value before or after a place must differ from that of the case. */
#define SURE 2.0

/* Another value that rows follow before a place, or after it. */
typedef struct changed_value {
    /* and its standard deviation */
    double value, deviation;

    /* the value counts as changed if it differs from the case's by more */
    double most;

    /* Part of the loss of its rows that it leaves; LEFT: there is no such value. */
    double left;

    /* the place, s, and on which side of it the rows are */
    double at;
    bool is_before;
} changed_value;

typedef struct fitted_parameter {
    size_t parameter;
    double value, deviation, accepted;
    /* Deviations of the rows that depend on the parameter, before and after the fit. */
    double before, left;
    double loss;

    /* Whether a state that depends on the parameter, and errs by far more than the noise, is no better after the fit. */
    bool is_contradicted;

    /* True if the parameter is wrong and explains the rows. */
    bool is_off;

    changed_value changed;
} fitted_parameter;

typedef struct parameter_search {
    const ic_tracking *k;
    ic_spans spans;

    /* with parameters of its own */
    ic_problem problem;

    double *par;
    ic_predictor predictor;

    /* For each span and state: the end of the case now. */
    double *end;

    /* For each span and state: the row minus that end. */
    double *error;

    /* For each span and state: the change of that end with the parameter. */
    double *slope;

    /* room */
    double *errors;

    ic_slope_point *points;

    /* Loss of the unchanged case. */
    double loss;

    /* Deviation given to all rows, relative to the ranges, beside their own. */
    double even;
} parameter_search;

static double sigma_of(const parameter_search *s, size_t i, size_t j)
{
    const ic_tracking *k = s->k;
    return fmax(s->spans.deviation[i * k->trajectory->n_states + j],
                fmax(IC_SPAN_ROUNDING, s->even) * k->range[j]);
}

/* ---- errors and slopes */

/*
 * Errors for the present parameters. `changed`: these differ from those of the case. Where the
 * events change, the end is kept.
 */
static void find_errors(parameter_search *s, bool changed)
{
    const ic_trajectory *tr = s->k->trajectory;
    const size_t n = tr->n_states;
    for (size_t i = 0; i < s->spans.n; i++) {
        ic_prediction now;
        double *end = &s->end[i * n];
        const double *row = &tr->x[s->spans.spans[i].to * n];
        if (!s->spans.spans[i].good) continue;
        memcpy(end, &s->spans.end[i * n], n * sizeof *end);
        if (changed) {
            ic_span_predict(&now, &s->spans, i, &s->predictor);
            if (ic_span_same_way(&s->spans, i, &now)) memcpy(end, now.x, n * sizeof *end);
        }
        for (size_t j = 0; j < n; j++) s->error[i * n + j] = row[j] - end[j];
    }
}

/* The difference is negative at the greatest value of a parameter. */
static double difference_for(const ic_parameter *parameter, double value)
{
    const double delta = DELTA * (value != 0 ? fabs(value) : 1);
    return ic_in_range(parameter->range, value + delta) ? delta : -delta;
}

/* Slopes at the ends found by find_errors. */
static void find_slopes(parameter_search *s, double *number, double delta)
{
    const size_t n = s->k->trajectory->n_states;
    const double kept = *number;
    for (size_t i = 0; i < s->spans.n; i++) {
        ic_prediction moved;
        double *slope = &s->slope[i * n];
        memset(slope, 0, n * sizeof *slope);
        if (!s->spans.spans[i].good) continue;
        *number = kept + delta;
        ic_span_predict(&moved, &s->spans, i, &s->predictor);
        *number = kept;
        if (!ic_span_same_way(&s->spans, i, &moved)) continue;
        for (size_t j = 0; j < n; j++) {
            const double change = moved.x[j] - s->end[i * n + j];
            if (ic_state_is_measured(s->k, j) && fabs(change) > LEAST_EFFECT * s->k->range[j])
                slope[j] = change / delta;
        }
    }
}

/* Collects the points, of which there are *n_points. */
static ic_fitted_slope solve_slope(parameter_search *s, size_t *n_points)
{
    const size_t n = s->k->trajectory->n_states;
    size_t count = 0;
    for (size_t i = 0; i < s->spans.n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double sigma = sigma_of(s, i, j), slope = s->slope[i * n + j];
            /* rounding of both ends */
            const double rounding = fmax(IC_SPAN_ROUNDING * s->k->range[j], 2 * s->k->rounding[j]),
                         floor = hypot(rounding, s->spans.slack[i * n + j]);
            if (slope == 0) continue;
            s->points[count++] = (ic_slope_point){i, s->error[i * n + j] / sigma, slope / sigma, floor / sigma};
        }
    }
    *n_points = count;
    return ic_robust_slope(s->points, count, s->spans.shared);
}

/* The loss after a change of the parameter. Single large errors count little more than others. */
static double loss_after(const parameter_search *s, double change)
{
    const size_t n = s->k->trajectory->n_states;
    double sum = 0;
    for (size_t i = 0; i < s->spans.n; i++) {
        for (size_t j = 0; j < n && s->spans.spans[i].good; j++) {
            const double z = (s->error[i * n + j] - s->slope[i * n + j] * change) / sigma_of(s, i, j);
            sum += ic_state_is_measured(s->k, j) ? log1p(z * z) : 0;
        }
    }
    return sum;
}

/* ---- one parameter */

/*
 * Change of a parameter that moves some state by its range within a typical time. The accuracy
 * needed of a parameter that is near 0 does not follow from its value.
 */
static double natural_scale(const parameter_search *s)
{
    const size_t n = s->k->trajectory->n_states;
    double greatest = 0;
    for (size_t i = 0; i < s->spans.n; i++) {
        for (size_t j = 0; j < n; j++) greatest = fmax(greatest, fabs(s->slope[i * n + j]) / s->k->range[j]);
    }
    return s->spans.seconds / ic_time_scale(s->k->problem) / greatest;
}

/* The median error of a state, in deviations, in spans in which it depends on the parameter, after a change of this. */
static double median_error(parameter_search *s, size_t j, double change)
{
    const size_t n = s->k->trajectory->n_states;
    size_t count = 0;
    for (size_t i = 0; i < s->spans.n; i++) {
        const double slope = s->slope[i * n + j];
        if (slope != 0) s->errors[count++] = fabs(s->error[i * n + j] - slope * change) / sigma_of(s, i, j);
    }
    return count > 0 ? ic_audit_median(s->errors, count) : 0;
}

static bool is_contradicted(parameter_search *s, double change)
{
    for (size_t j = 0; j < s->k->trajectory->n_states; j++) {
        const double left = median_error(s, j, change);
        if (left > NO_NOISE && !(left < LEFT * median_error(s, j, 0))) return true;
    }
    return false;
}

/* Part of the loss before or after a place that a parameter's value leaves there; 1: its range excludes it. */
static double loss_left(parameter_search *s, size_t p, const changed_value *c)
{
    const ic_trajectory *tr = s->k->trajectory;
    const size_t n = tr->n_states;
    const double kept = s->par[p];
    double loss[2] = {0, 0};
    if (!ic_parameter_may_be(&s->problem.system->parameters[p], kept, c->value)) return 1;
    for (int changed = 1; changed >= 0; changed--) { /* the errors of the case stay */
        s->par[p] = changed ? c->value : kept;
        find_errors(s, changed);
        for (size_t i = 0; i < s->spans.n; i++) {
            const bool before = tr->t[s->spans.spans[i].first.from] < c->at;
            for (size_t j = 0; j < n && s->spans.spans[i].good && before == c->is_before; j++) {
                const double z = s->error[i * n + j] / sigma_of(s, i, j);
                loss[changed] += s->slope[i * n + j] != 0 ? log1p(z * z) : 0;
            }
        }
    }
    return loss[1] / loss[0];
}

/* Seeks a value that differs from the case's in a part of rows without noise, while the others follow the case. */
static changed_value find_change(parameter_search *s, size_t p, size_t count, double accepted)
{
    changed_value found = {.left = LEFT};
    const ic_trajectory *tr = s->k->trajectory;
    if (ic_noise_shows(s->k)) return found;
    for (size_t place = 1, cut = 0; place < PLACES; place++) {
        const size_t span = place * s->spans.n / PLACES;
        while (cut < count && s->points[cut].group < span) cut++;
        const ic_fitted_slope sides[] = {ic_robust_slope(s->points, cut, s->spans.shared),
                                         ic_robust_slope(s->points + cut, count - cut, s->spans.shared)};
        for (int side = 0; side < 2; side++) {
            const ic_fitted_slope *own = &sides[side], *other = &sides[1 - side];
            changed_value c = {.value = s->par[p] + own->value,
                               .deviation = own->deviation,
                               .most = SURE * fmax(ic_tolerance_noise.value * own->deviation, accepted),
                               .at = tr->t[s->spans.spans[span].first.from],
                               .is_before = side == 0};
            /* the other rows must exclude the value as well */
            const double doubt = ic_tolerance_noise.value * other->deviation;
            const bool other_follows_case = fabs(other->value) <= fmax(doubt, accepted) &&
                                            doubt < fabs(own->value) && other->before < LEFT * own->before;
            if (!(fabs(own->value) > c.most) || !(own->n >= LEAST_GROUPS) || !other_follows_case) continue;
            c.left = loss_left(s, p, &c);
            if (c.left < found.left) found = c;
        }
    }
    return found;
}

/* Fits one parameter with the present weights. false: it has no effect on the rows. */
static bool fit_weighted(fitted_parameter *f, parameter_search *s, size_t p)
{
    double *number = &s->par[p];
    const double kept = *number, even = s->even;
    *f = (fitted_parameter){.parameter = p};
    for (int step = 0; step < STEPS; step++) {
        size_t count;
        find_errors(s, step > 0);
        find_slopes(s, number, difference_for(&s->problem.system->parameters[p], *number));
        const ic_fitted_slope slope = solve_slope(s, &count);
        if (step == 0) {
            if (!isfinite(slope.value)) break;
            f->is_contradicted = is_contradicted(s, slope.value);
            f->before = slope.before;
            f->accepted = s->k->accept * fmax(fabs(kept), natural_scale(s));
            f->changed = find_change(s, p, count, f->accepted);
        }
        if (!isfinite(slope.value)) break;
        f->value = *number + slope.value;
        f->deviation = slope.deviation;
        f->left = slope.scatter;
        s->even = 0; /* Losses are compared. */
        f->loss = loss_after(s, slope.value);
        s->even = even;
        if (fabs(slope.value) < 0.1 * f->accepted || !(slope.scatter < PROMISING * f->before)) break;
        *number = f->value;
    }
    *number = kept;
    return isfinite(f->deviation) && f->deviation > 0;
}

/* Fits one parameter. false: it has no effect on the rows. */
static bool fit_parameter(fitted_parameter *f, parameter_search *s, size_t p)
{
    fitted_parameter evenly;
    const bool found = fit_weighted(f, s, p);
    if (!found || f->left < NO_NOISE) return found;
    s->even = EVEN;
    if (fit_weighted(&evenly, s, p) && evenly.left < LEFT * evenly.before && evenly.deviation < f->deviation)
        *f = evenly;
    s->even = 0;
    return true;
}

static double tolerance_of(const fitted_parameter *f)
{
    return fmax(ic_tolerance_noise.value * f->deviation, f->accepted);
}

/* A value with the other sign than the case's may be out of the range. */
#define REVERSED 0.01

bool ic_parameter_may_be(const ic_parameter *parameter, double given, double value)
{
    return ic_in_range(parameter->range, value) || fabs(value + given) < REVERSED * fabs(given);
}

/* A body that is so many times as heavy hardly moves: a force on it is missing, and the mass is not the cause. */
#define IMMOVABLE 30.0

bool ic_parameter_is_no_mass(const ic_parameter *parameter, double given, double value)
{
    return strcmp(parameter->unit, "kg") == 0 && (value <= 0 || value > IMMOVABLE * given);
}

/* A parameter is not told if its deviation exceeds this part of its value, and that of the case's value. */
#define VAGUE 0.5
#define VAGUE_OF_CASE 0.05

/*
 * Whether the rows determine a parameter: many parameters can explain few rows, and its uncertainty
 * must be below its size.
 */
static bool may_be_told(const parameter_search *s, const fitted_parameter *f)
{
    const double value = fabs(s->problem.par[f->parameter]);
    if (f->deviation > VAGUE * fabs(f->value) && f->deviation > VAGUE_OF_CASE * value) return false;
    if (ic_parameter_is_no_mass(&s->problem.system->parameters[f->parameter], value, f->value)) return false;
    return s->k->n_intervals >= LEAST_INTERVALS && (value == 0 || tolerance_of(f) < value);
}

static bool parameter_explains_rows(const parameter_search *s, const fitted_parameter *f)
{
    if (!may_be_told(s, f)) return false;
    /* The noise of many states is followed in a few directions, and known only within a factor. */
    const bool many = ic_has_many_states(s->k);
    if (many && ic_noise_hides(s->k)) return false;
    /* a value that serves the span which tells most, and no other, explains nothing */
    if (f->left < LEFT * f->before && f->loss < s->loss) return true;
    /* a slope that is linear only near the case's value, as in noisy rows, promises more than the parameter explains */
    const double off = (f->value - s->par[f->parameter]) / f->deviation;
    if (s->loss - f->loss < AS_PROMISED * off * off) return false;
    return !many && ic_noise_shows(s->k) && f->left > AS_NOISE_LEAST && f->left < AS_NOISE_MOST;
}

static size_t fit_parameters_singly(parameter_search *s, fitted_parameter *all, ic_parameter_fits *fits,
                                    const char *only)
{
    const ic_case *system = s->problem.system;
    const bool many = ic_has_many_states(s->k);
    const double clear = many && ic_noise_shows(s->k) ? CLEAR_OF_MANY : CLEAR;
    size_t count = 0;
    for (size_t p = 0; p < system->n_parameters; p++) {
        const ic_parameter *parameter = &system->parameters[p];
        fitted_parameter *f = &all[count];
        if (parameter->range[0] == '{' || ic_parameter_repeats(system->parameters, p)) continue;
        if (only != NULL && strcmp(only, parameter->name) != 0) continue;
        if (!fit_parameter(f, s, p)) continue;
        /* A coefficient of restitution is one if it explains the velocities of all bodies. */
        if (f->is_contradicted && ic_parameter_is_restitution(parameter->name, &s->problem)) continue;
        f->is_off = fabs(f->value - s->par[p]) > clear * tolerance_of(f) &&
                    ic_parameter_may_be(parameter, s->par[p], f->value) && parameter_explains_rows(s, f);
        fits->rows[count++] = (ic_parameter_fit){.name = parameter->name,
                                                 .unit = parameter->unit,
                                                 .case_value = s->par[p],
                                                 .value = f->value,
                                                 .deviation = f->deviation,
                                                 .smallest = tolerance_of(f),
                                                 .parameter = p};
    }
    fits->count = count;
    return count;
}

/* ---- descriptions */

int ic_parameter_fit_digits(const ic_parameter_fit *fit)
{
    const double digits = ceil(log10(fabs(fit->value) / fit->deviation));
    return digits > 2 ? (digits < 15 ? (int)digits : 15) : 2;
}

void ic_parameter_fit_append(ic_finding *finding, const ic_parameter_fit *fit, const char *before)
{
    ic_finding_append(finding, "%s%s = %.*g +- %.1g, not %.15g", before, fit->name,
                      ic_parameter_fit_digits(fit), fit->value, fit->deviation, fit->case_value);
}

/*
 * Whether a parameter is a coefficient of restitution, from the contact view. Contact laws and
 * impacts call it e.
 */
bool ic_parameter_is_restitution(const char *name, const ic_problem *problem)
{
    const ic_contact_view *view = problem->system->contact;
    if (problem->variant->law != NULL || problem->system->impact != NULL) return strcmp(name, "e") == 0;
    return view != NULL && view->restitution != NULL && strcmp(name, view->restitution) == 0;
}

static ic_mistake_id mistake_of(const ic_parameter_fit *fit, const ic_problem *problem)
{
    if (!ic_parameter_is_restitution(fit->name, problem)) return IC_MISTAKE_PARAMETER_WRONG;
    return ic_restitution_mistake(fit->value, fit->case_value, fit->smallest);
}

/* Distance of a value from the case's, in tolerances. */
static double fit_distance(const ic_parameter_fit *fit)
{
    return fabs(fit->value - fit->case_value) / fit->smallest;
}

/* The parameter that explains most; `count` if none is wrong. */
static size_t best_of(const fitted_parameter *all, size_t count)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        if (all[i].is_off && (best == count || all[i].loss < all[best].loss)) best = i;
    }
    return best;
}

/* In an impact on a law only the force over the mass acts. */
static void name_force_over_mass(ic_finding *f, const ic_parameter_fit *fit, const ic_problem *problem)
{
    if (problem->variant->free_impact == NULL || strcmp(fit->name, problem->variant->free_impact->mass) != 0)
        return;
    ic_finding_append(
        f, ", or a force (a stiffness, with its damping) of %.5g times the case's: they act by %s/K alone",
        fit->case_value / fit->value, fit->name);
}

static void name_parameters(ic_finding *f, const parameter_search *s, const fitted_parameter *all,
                            const ic_parameter_fits *fits, size_t best)
{
    ic_parameter_fit_append(f, &fits->rows[best], "the rows follow ");
    name_force_over_mass(f, &fits->rows[best], s->k->problem);
    if (f->cause == IC_MISTAKE_RESTITUTION_SQUARED)
        ic_finding_append(f, ": %s the case's",
                          ic_restitution_power(fits->rows[best].value, fits->rows[best].case_value,
                                               fits->rows[best].smallest));
    for (size_t i = 0; i < fits->count; i++) {
        const bool as_well = s->loss - all[i].loss >= AS_WELL * (s->loss - all[best].loss);
        if (i == best || !all[i].is_off || !as_well) continue;
        ic_parameter_fit_append(f, &fits->rows[i], ", or ");
        if (ic_parameter_is_restitution(fits->rows[best].name, s->k->problem))
            f->cause = IC_MISTAKE_PARAMETER_WRONG;
    }
}

static size_t worst_of(const ic_parameter_fits *fits)
{
    size_t worst = 0;
    for (size_t i = 1; i < fits->count; i++) {
        if (fit_distance(&fits->rows[i]) > fit_distance(&fits->rows[worst])) worst = i;
    }
    return worst;
}

/* The parameter whose other value leaves least; `count` if none has one. */
static size_t changed_of(const fitted_parameter *all, size_t count)
{
    size_t least = count;
    for (size_t i = 0; i < count; i++) {
        if (all[i].changed.left < (least < count ? all[least].changed.left : LEFT)) least = i;
    }
    return least;
}

static void name_change(ic_finding *f, const fitted_parameter *changed, const ic_parameter_fit *fit)
{
    const changed_value *c = &changed->changed;
    const ic_parameter_fit as = {
        .name = fit->name, .value = c->value, .deviation = c->deviation, .case_value = fit->case_value};
    f->verdict = IC_FINDING_FAIL;
    f->cause = IC_MISTAKE_PARAMETER_CHANGES;
    f->measured = fabs(c->value - fit->case_value);
    f->tolerance = c->most;
    ic_finding_describe(f, "%s about t = %.3g s ", c->is_before ? "until" : "from", c->at);
    ic_parameter_fit_append(f, &as, "the rows follow ");
}

static bool says_something(const ic_parameter_fits *fits)
{
    for (size_t i = 0; i < fits->count; i++) {
        if (fits->rows[i].smallest < HARDLY_TOLD * fabs(fits->rows[i].case_value)) return true;
    }
    return false;
}

static ic_finding judge_fits(const parameter_search *s, const fitted_parameter *all,
                             const ic_parameter_fits *fits)
{
    const size_t best = fits->best, changed = changed_of(all, fits->count);
    const size_t at = best < fits->count ? best : changed < fits->count ? changed : worst_of(fits);
    const ic_parameter_fit *fit = fits->count > 0 ? &fits->rows[at] : NULL;
    ic_finding f =
        ic_finding_of(&ic_row_check_parameters, s->k, fit != NULL ? fabs(fit->value - fit->case_value) : NAN,
                      fit != NULL ? fit->smallest : NAN, fit != NULL ? fit->unit : "1");
    ic_finding_set_origin(&f, "%g deviations of the fit, at least %g of the parameter's own scale",
                          ic_tolerance_noise.value, s->k->accept);
    if (best < fits->count) {
        f.cause = mistake_of(fit, s->k->problem);
        name_parameters(&f, s, all, fits, best);
    } else if (changed < fits->count) {
        name_change(&f, &all[changed], fit);
    } else if (!says_something(fits)) {
        ic_finding_leave_open(&f,
                              "these rows do not determine any parameter; longer or more accurate ones would");
    } else if (f.verdict == IC_FINDING_FAIL) {
        ic_finding_leave_open(&f, "no single parameter explains the rows; nearest is %s = %.6g", fit->name,
                              fit->value);
    } else {
        ic_finding_describe(
            &f,
            "all %zu parameters that the rows determine agree with the case; the nearest to its tolerance is %s, at %.2g %% of it",
            fits->count, fit->name, 100 * fit_distance(fit));
    }
    return f;
}

/* ---- all of it */

static bool open_search(parameter_search *s, const ic_tracking *k)
{
    *s = (parameter_search){.k = k, .problem = *k->problem};
    s->par = ic_own_parameters(&s->problem);
    if (s->par == NULL || !ic_spans_open(&s->spans, k)) return false;
    const size_t n = s->spans.n * k->trajectory->n_states;
    s->end = calloc(3 * n + 1, sizeof *s->end);
    s->points = calloc(n + 1, sizeof *s->points);
    s->errors = calloc(s->spans.n + 1, sizeof *s->errors);
    if (s->errors == NULL || s->end == NULL || s->points == NULL) return false;
    s->error = s->end + n, s->slope = s->error + n;
    if (!ic_predictor_open(&s->predictor, &s->problem, s->problem.variant)) return false;
    s->predictor.rtol = IC_SPAN_RTOL;
    find_errors(s, false);
    s->loss = loss_after(s, 0);
    return true;
}

static void close_search(parameter_search *s)
{
    ic_spans_close(&s->spans);
    free(s->par);
    free(s->end);
    free(s->points);
    free(s->errors);
}

/* Reason for which nothing is fitted; NULL: parameters can be fitted. */
static const char *find_obstacle(const ic_tracking *k)
{
    if (ic_has_source(k, IC_FROM_DIFFERENCES))
        return "velocities from differences do not determine any parameter; columns with velocities would";
    return k->n_intervals < IC_LEAST_INTERVALS ? "too few rows can be followed; at least nine would decide"
                                               : NULL;
}

bool ic_fit_parameters(ic_parameter_fits *fits, const ic_tracking *k, const char *only)
{
    parameter_search s;
    const size_t parameters = k->problem->system->n_parameters;
    const char *why = find_obstacle(k);
    *fits = (ic_parameter_fits){.finding = ic_finding_of(&ic_row_check_parameters, k, NAN, NAN, "1")};
    if (why != NULL) {
        ic_finding_leave_open(&fits->finding, "%s", why);
        return true;
    }
    fitted_parameter *all = calloc(parameters + 1, sizeof *all);
    fits->rows = calloc(parameters + 1, sizeof *fits->rows);
    const bool good = open_search(&s, k) && all != NULL && fits->rows != NULL;
    if (good) {
        fit_parameters_singly(&s, all, fits, only);
        fits->best = best_of(all, fits->count);
        fits->finding = judge_fits(&s, all, fits);
    }
    close_search(&s);
    free(all);
    return good;
}

bool ic_parameter_fits_exclude(const ic_parameter_fits *fits, const char *name, double change)
{
    for (size_t i = 0; i < fits->count && fits->finding.verdict == IC_FINDING_PASS; i++) {
        const ic_parameter_fit *fit = &fits->rows[i];
        /* The fit itself may be off by as much. */
        if (strcmp(fit->name, name) == 0) return fabs(change) > 2 * fit->smallest;
    }
    return false;
}

void ic_parameter_fits_close(ic_parameter_fits *fits)
{
    free(fits->rows);
    *fits = (ic_parameter_fits){0};
}
