/* SPDX-License-Identifier: MIT */
/*
 * Finds the contact-force law that a free impact follows, from positions and velocities alone.
 *
 * A free impact is not chaotic, so that all its rows are fitted at once: for each law the time and
 * the speed of the touch are fitted. S is the sum of squares of the residuals in d and v, in
 * deviations of the best law. If the rows follow law j with independent normal noise, the chance
 * that another one has an S smaller by s or more is at most that of sqrt(s) deviations, however
 * near both are:
 *
 *     S_j - S_i = 2 <n, D> - |D|^2,  D the difference of both laws, n the noise:  P(S_j - S_i >= s) <= P(z >= sqrt(s)).
 *
 * If the residuals of the best law look like noise, S of the second must therefore exceed S of the
 * best by 25. Otherwise they contain errors of an integrator, and the second must be three times
 * as far off.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"
#include "core/model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the problem on another law */

enum { MOST_SETTINGS = 48, SETTING = 64 };

/*
 * Settings "NAME=VALUE": those of the case's parameters, and those that the law shares with the
 * requested one.
 */
static size_t settings_for(char text[MOST_SETTINGS][SETTING], const ic_problem *problem, const ic_case *base,
                           const ic_law *law)
{
    const ic_case *system = problem->system;
    size_t count = 0;
    for (size_t i = 0; i < system->n_parameters && count < MOST_SETTINGS; i++) {
        const char *name = system->parameters[i].name;
        bool wanted = i < base->n_parameters;
        for (size_t j = 0; !wanted && j < law->n_parameters; j++)
            wanted = strcmp(law->parameters[j].name, name) == 0;
        if (!wanted || ic_parameter_repeats(system->parameters, i)) continue;
        snprintf(text[count++], SETTING, "%s=%.17g", name, problem->par[i]);
    }
    return count;
}

bool ic_law_setup_open(ic_setup *setup, const ic_problem *problem, const ic_law *law)
{
    const ic_case *base = ic_case_find(problem->system->name);
    char text[MOST_SETTINGS][SETTING], path[96];
    const char *settings[MOST_SETTINGS];
    ic_error ignored;
    *setup = (ic_setup){0};
    if (base == NULL) return false;
    const size_t n = settings_for(text, problem, base, law);
    for (size_t i = 0; i < n; i++) settings[i] = text[i];
    snprintf(path, sizeof path, "%s/%s", base->name, base->presets[0].name);
    const ic_request request = {.path = path, .settings = settings, .n_settings = n, .variant = law->name};
    return ic_setup_open(setup, &request, &ignored);
}

enum { D, V, PER_ROW, MOST_ROWS = 1000, LEAST_IN_CONTACT = 3, ROUNDS = 6 };
/* Accuracy, relative to the ranges, to which a law is identified if no noise is visible. */
#define COARSEST 1e-2
#define FINEST 1e-6
#define FARTHER 25.0
/*
 * Greatest correlation of neighbouring residuals, in its deviations, for which they count as
 * independent.
 */
#define CORRELATED 3.3
/* Laws count as equal if they differ by less than this fraction of the ranges. */
#define THE_SAME 1e-7
/* Part of the residuals of the nearest law that another size of the force may leave; relative size that is named. */
#define FORCE_LEFT 0.05
#define FORCE_OFF 1e-3

/* The fitted rows. */
typedef struct rows {
    size_t n;

    /* n numbers each. */
    double *t, *d, *v;

    double scale[PER_ROW];
    bool has_velocity;

    /* Initial values of the fit, s, s, m/s. */
    double quarter, touch, v0;
} rows;

/* A fitted law. */
typedef struct fitted_law {
    ic_curve_law law;
    const char *name;
    /* The mistake that rows of this law have; IC_NO_MISTAKE: it is the requested law. */
    ic_mistake_id mistake;

    /* s, m/s */
    double touch, v0;

    /* Unweighted, of each column. */
    double S[PER_ROW];

    /* The residuals, PER_ROW n numbers. */
    double *left;

    /* Holds the parameters. */
    ic_setup setup;

    bool good;
} fitted_law;

enum { VARIATIONS = 4, MOST_LAWS = IC_MOST_CANDIDATES };

/* ---- rows */

static bool open_rows(rows *r, const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    const size_t n = tr->n_states;
    double deepest = 0;
    *r = (rows){.t = malloc(MOST_ROWS * sizeof *r->t),
                .d = malloc(MOST_ROWS * sizeof *r->d),
                .v = malloc(MOST_ROWS * sizeof *r->v)};
    if (r->t == NULL || r->d == NULL || r->v == NULL) return false;
    r->quarter = k->time_scale / 2;
    size_t first = tr->n;
    for (size_t i = 0; i < tr->n; i++) deepest = fmax(deepest, tr->x[i * n + D]);
    for (size_t i = tr->n; i-- > 0;) {
        if (tr->x[i * n + D] > 0.03 * deepest) first = i;
    }
    if (first == tr->n) return true;
    r->v0 = fabs(tr->x[first * n + V]) > 0 ? fabs(tr->x[first * n + V]) : 1;
    r->touch = tr->t[first] - tr->x[first * n + D] / r->v0;
    const double from = r->touch - r->quarter, to = r->touch + 8 * r->quarter;
    size_t inside = 0;
    for (size_t i = 0; i < tr->n; i++) inside += tr->t[i] >= from && tr->t[i] <= to;
    const size_t stride = inside / MOST_ROWS + 1;
    for (size_t i = 0, seen = 0; i < tr->n && r->n < MOST_ROWS; i++) {
        if (tr->t[i] < from || tr->t[i] > to || seen++ % stride != 0) continue;
        r->t[r->n] = tr->t[i], r->d[r->n] = tr->x[i * n + D], r->v[r->n++] = tr->x[i * n + V];
    }
    r->has_velocity = tr->source[V] != IC_FROM_DIFFERENCES;
    r->scale[D] = k->range[D], r->scale[V] = k->range[V];
    return true;
}

static void close_rows(rows *r)
{
    free(r->t);
    free(r->d);
    free(r->v);
}

static size_t rows_in_contact(const rows *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->n; i++) count += r->d[i] > 0;
    return count;
}

/* ---- the motion under one law */

static void find_residuals(double *left, const ic_curve *curve, const rows *r, double touch)
{
    for (size_t i = 0; i < r->n; i++) {
        double d, v;
        ic_curve_at(curve, r->t[i] - touch, &d, &v);
        left[PER_ROW * i + D] = r->d[i] - d;
        left[PER_ROW * i + V] = r->has_velocity ? r->v[i] - v : 0;
    }
}

static double weighted_sum(const double *left, const rows *r)
{
    double sum = 0;
    assert(left != NULL);
    for (size_t i = 0; i < PER_ROW * r->n; i++)
        sum += left[i] * left[i] / (r->scale[i % PER_ROW] * r->scale[i % PER_ROW]);
    return sum;
}

/* Fits time and speed of the touch by the Gauss-Newton method. `work` has 3 PER_ROW n numbers. */
static void fit_law(fitted_law *f, ic_curve *curve, const rows *r, double *work)
{
    const size_t n = PER_ROW * r->n;
    double *moved[2] = {work, work + n}, least = INFINITY;
    const double longest = r->t[r->n - 1] - f->touch + r->quarter;
    f->good = false;
    if (f->left == NULL) return;
    for (int round = 0; round < ROUNDS; round++) {
        const double delta[2] = {1e-5 * r->quarter, 1e-5 * f->v0};
        if (!ic_curve_follow(curve, &f->law, f->v0 + delta[1], r->quarter, longest)) return;
        find_residuals(moved[1], curve, r, f->touch);
        if (!ic_curve_follow(curve, &f->law, f->v0, r->quarter, longest)) return;
        find_residuals(moved[0], curve, r, f->touch + delta[0]);
        find_residuals(f->left, curve, r, f->touch);
        const double now = weighted_sum(f->left, r);
        f->good = isfinite(now);
        if (!f->good || round + 1 == ROUNDS || now > (1 - 1e-10) * least) break;
        least = now;
        double a = 0, b = 0, c = 0, p = 0, q = 0;
        for (size_t i = 0; i < n; i++) {
            const double w = 1 / (r->scale[i % PER_ROW] * r->scale[i % PER_ROW]);
            const double x = (moved[0][i] - f->left[i]) / delta[0], y = (moved[1][i] - f->left[i]) / delta[1];
            a += w * x * x, b += w * x * y, c += w * y * y, p -= w * x * f->left[i], q -= w * y * f->left[i];
        }
        const double determinant = a * c - b * b;
        if (!(determinant > 1e-12 * a * c)) break; /* the rows do not determine both */
        f->touch += fmax(-r->quarter, fmin(r->quarter, (c * p - b * q) / determinant));
        f->v0 *= fmax(0.5, fmin(2, 1 + (a * q - b * p) / determinant / f->v0));
    }
    f->S[D] = f->S[V] = 0;
    for (size_t i = 0; i < n; i++) f->S[i % PER_ROW] += f->left[i] * f->left[i];
}

/* ---- the laws, with the parameters of the problem */

static bool open_law(fitted_law *f, const ic_problem *problem, const ic_law *law, double damping)
{
    const ic_case *base = ic_case_find(problem->system->name);
    *f = (fitted_law){.name = law->name, .mistake = IC_MISTAKE_ANOTHER_LAW};
    f->law = (ic_curve_law){.law = law, .damping = damping};
    const ic_problem *own = problem;
    if (law != problem->variant->law) {
        if (!ic_law_setup_open(&f->setup, problem, law)) return false;
        own = &f->setup.problem;
    }
    f->law.par = own->par + base->n_parameters;
    for (size_t i = 0; i < base->n_parameters; i++) {
        if (strcmp(base->parameters[i].name, own->variant->free_impact->mass) == 0) f->law.mass = own->par[i];
    }
    return true;
}

static const struct variation {
    double damping;
    const char *name;
    ic_mistake_id mistake;
} variations[VARIATIONS] = {
    {0, "elastic part alone", IC_MISTAKE_ANOTHER_LAW},
    {2, "damping times 2", IC_MISTAKE_DAMPING_FACTOR_TWO},
    {0.5, "damping times 1/2", IC_MISTAKE_DAMPING_FACTOR_TWO},
    {-1, "damping reversed", IC_MISTAKE_DAMPING_SIGN},
};

/* The requested law comes first, so that an identical one of another name is skipped. */
static size_t open_laws(fitted_law *all, const ic_problem *problem, size_t n_rows)
{
    size_t n = 0;
    const ic_law *asked = problem->variant->law;
    for (size_t i = 0; i < 1 + ic_law_count + VARIATIONS && n < MOST_LAWS; i++) {
        const bool variation = i > ic_law_count;
        const ic_law *law = i == 0 || variation ? asked : ic_laws[i - 1];
        if (!variation && i > 0 && law == asked) continue;
        const struct variation *v = variation ? &variations[i - 1 - ic_law_count] : NULL;
        if (!open_law(&all[n], problem, law, variation ? v->damping : 1)) continue;
        if (variation) all[n].name = v->name, all[n].mistake = v->mistake;
        if (i == 0) all[n].mistake = IC_NO_MISTAKE;
        all[n].left = malloc((PER_ROW * n_rows + 1) * sizeof *all[n].left);
        n++;
    }
    return n;
}

static bool same_as_before(const fitted_law *all, size_t i, const rows *r, const double *range)
{
    for (size_t j = 0; j < i; j++) {
        double off = 0;
        if (!all[j].good || all[j].left == NULL || all[i].left == NULL) continue;
        for (size_t m = 0; m < PER_ROW * r->n; m++)
            off = fmax(off, fabs(all[i].left[m] - all[j].left[m]) / range[m % PER_ROW]);
        if (off < THE_SAME) return true;
    }
    return false;
}

/* ---- the result */

/* Whether neighbouring residuals are independent, as noise is. */
static bool is_white(const fitted_law *f, const rows *r)
{
    assert(f->left != NULL);
    for (int k = 0; k < (r->has_velocity ? 2 : 1); k++) {
        double with_next = 0, square = 0;
        for (size_t i = 0; i < r->n; i++) {
            const double here = f->left[PER_ROW * i + (size_t)k];
            square += here * here;
            if (i + 1 < r->n) with_next += here * f->left[PER_ROW * (i + 1) + (size_t)k];
        }
        if (fabs(with_next) > CORRELATED / sqrt((double)r->n) * square) return false;
    }
    return true;
}

static size_t best_of(const fitted_law *all, size_t n, const rows *r)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        const double S = all[i].good ? weighted_sum(all[i].left, r) : INFINITY;
        if (S < least) least = S, best = i;
    }
    return best;
}

/* Weights a second fit with the deviations of the best law. */
static void reweigh_rows(rows *r, const fitted_law *best, const double *range)
{
    for (int k = 0; k < PER_ROW; k++) r->scale[k] = fmax(sqrt(best->S[k] / (double)r->n), FINEST * range[k]);
}

typedef struct law_decision {
    size_t best;
    bool white, fits;

    /* Accuracy of the rows, relative to the ranges. */
    double known;
} law_decision;

static law_decision decide_law(ic_classification *c, const fitted_law *all, size_t n, const rows *r,
                               const double *range)
{
    law_decision v = {.best = best_of(all, n, r)};
    const fitted_law *best = &all[v.best];
    const double residuals = (r->has_velocity ? 2 : 1) * (double)r->n, freedom = residuals - 2;
    v.white = freedom >= 8 && is_white(best, r);
    for (int k = 0; k < (r->has_velocity ? 2 : 1); k++)
        v.known = fmax(v.known, sqrt(best->S[k] / (double)r->n) / range[k]);
    v.fits = best->good && (v.white || v.known <= COARSEST);
    const double unit = sqrt(weighted_sum(best->left, r) / fmax(1, freedom)) * (1 + 8 / fmax(1, freedom));
    c->count = 0;
    for (size_t i = 0; i < n; i++) {
        if (!all[i].good || same_as_before(all, i, r, range)) continue;
        const double off = sqrt(weighted_sum(all[i].left, r) / fmax(1, freedom));
        ic_classification_add(c, all[i].name, v.fits ? off / fmax(unit, 1e-300) : fmax(off, 1));
    }
    ic_classification_decide(c, 1.0 + 1e-9, 1);
    const double first = c->candidates[0].misfit, second = c->count > 1 ? c->candidates[1].misfit : INFINITY;
    const bool apart = second >= ic_tolerance_law_misfit.value * first ||
                       (v.white && (second * second - first * first) * fmax(1, freedom) >= FARTHER);
    c->decided = v.fits && apart;
    return v;
}

/*
 * Factor by which the damping of the requested law must be multiplied to explain the rows; NAN:
 * none does.
 */
static double damping_in_effect(const fitted_law *asked, ic_curve *curve, const rows *r, double *work,
                                double known)
{
    enum { PLACES = 12, SEARCHES = 3 };
    fitted_law trial = *asked;
    double low = 0, high = 4, best = NAN, least = INFINITY;
    for (int search = 0; search < SEARCHES; search++) {
        const double width = (high - low) / PLACES;
        for (int i = 0; i <= PLACES; i++) {
            trial.law.damping = low + i * width;
            trial.touch = r->touch, trial.v0 = r->v0;
            fit_law(&trial, curve, r, work);
            const double S = trial.good ? weighted_sum(trial.left, r) : INFINITY;
            if (S < least) least = S, best = trial.law.damping;
        }
        low = fmax(0, best - width), high = best + width;
    }
    const double off = sqrt(least / (PER_ROW * (double)r->n));
    return off * ic_tolerance_law_misfit.value < known ? best : NAN;
}

/* The requested law with another size of its force, damped in loading, in unloading, or in both. */
typedef struct force_in_effect {
    /* NAN: it does not explain the rows. */
    double factor;

    int side;
} force_in_effect;

/* Greatest size of the force, over that of the case. */
#define MOST_FACTOR 4.0

static force_in_effect find_force(const fitted_law *asked, ic_curve *curve, const rows *r, double *work,
                                  double known)
{
    enum { PLACES = 16, SEARCHES = 8 };
    force_in_effect best = {.factor = 1};
    double least = INFINITY;
    for (int side = -1; side <= 1; side++) {
        fitted_law trial = *asked;
        double low = -log(MOST_FACTOR), high = log(MOST_FACTOR), centre = 0, own = INFINITY;
        trial.law.side = side;
        for (int search = 0; search < SEARCHES; search++) {
            const double width = (high - low) / PLACES;
            for (int i = 0; i <= PLACES; i++) {
                const double at = low + i * width;
                trial.law.mass = asked->law.mass / exp(at);
                trial.touch = r->touch, trial.v0 = r->v0;
                fit_law(&trial, curve, r, work);
                const double S = trial.good ? weighted_sum(trial.left, r) : INFINITY;
                if (S < own) own = S, centre = at;
            }
            low = centre - width, high = centre + width;
        }
        if (own < least) least = own, best = (force_in_effect){exp(centre), side};
    }
    if (!(sqrt(least / (PER_ROW * (double)r->n)) < FORCE_LEFT * known)) best.factor = NAN;
    return best;
}

static void name_force(ic_finding *f, const force_in_effect *force, const char *law)
{
    static const char *const sides[] = {"damped in unloading only", "", "damped in loading only"};
    if (isnan(force->factor)) return;
    f->verdict = IC_FINDING_FAIL;
    f->measured = f->tolerance = NAN;
    f->cause = force->side == 0 ? IC_MISTAKE_PARAMETER_WRONG : IC_MISTAKE_DAMPING_ONE_SIDED;
    ic_finding_describe(f, "%s%s%s explains the rows", law, force->side == 0 ? "" : ", ",
                        sides[force->side + 1]);
    if (fabs(force->factor - 1) > FORCE_OFF)
        ic_finding_append(f, " with %.5g times its force: a stiffness, or the reciprocal of a mass",
                          force->factor);
}

static void explain_law(ic_classification *c, const law_decision *v, const rows *r)
{
    const size_t inside = rows_in_contact(r);
    if (!v->fits) {
        snprintf(c->detail, sizeof c->detail,
                 "none of these: the residuals of the nearest, %s, are %.2g of the ranges and are not noise",
                 c->candidates[0].name, v->known);
    } else if (!c->decided) {
        snprintf(
            c->detail, sizeof c->detail,
            "%s and %s differ too little for %zu rows in contact and %s of %.1g of the ranges: a smaller one, or "
            "more rows, would decide",
            c->candidates[0].name, c->candidates[1].name, inside, v->white ? "noise" : "errors", v->known);
    } else {
        snprintf(c->detail, sizeof c->detail,
                 "by %zu rows in contact, to %s of %.1g of the ranges; the runner-up is %s", inside,
                 v->white ? "noise" : "errors", fmax(v->known, FINEST), c->candidates[1].name);
    }
}

static void add_finding(ic_findings *findings, const ic_classification *c, const ic_tracking *k,
                        const fitted_law *all, size_t n, const law_decision *v, double damping,
                        const force_in_effect *force)
{
    double own = NAN;
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->candidates[i].name, all[0].name) == 0) own = c->candidates[i].misfit;
    }
    ic_finding f = ic_finding_of(&ic_row_check_law, k, own, ic_tolerance_law_misfit.value, "1");
    ic_finding_set_origin(&f, "%s", ic_tolerance_law_misfit.derivation);
    f.verdict = v->fits ? IC_FINDING_OPEN : IC_FINDING_FAIL;
    ic_finding_describe(&f, "%s", c->detail);
    if (c->decided) {
        f.verdict =
            v->best == 0 || strcmp(c->candidates[0].name, all[0].name) == 0 ? IC_FINDING_PASS : IC_FINDING_FAIL;
        for (size_t i = 0; f.verdict == IC_FINDING_FAIL && i < n; i++) {
            if (strcmp(all[i].name, c->candidates[0].name) == 0) f.cause = all[i].mistake;
        }
        if (f.verdict == IC_FINDING_FAIL) ic_finding_describe(&f, "the rows follow %s", c->candidates[0].name);
    }
    if (!isnan(damping)) {
        f.verdict = IC_FINDING_FAIL;
        f.cause = IC_MISTAKE_PARAMETER_WRONG;
        ic_finding_describe(&f, "with %.4g times its damping %s explains the rows", damping, all[0].name);
    }
    name_force(&f, force, all[0].name);
    ic_findings_add(findings, &f);
}

/* Fits all laws, twice: rows are weighed again with the best one. */
static void fit_laws(fitted_law *all, size_t n, ic_curve *curve, rows *r, double *work, const double *range)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n; i++) {
            if (pass == 0) all[i].touch = r->touch, all[i].v0 = r->v0;
            fit_law(&all[i], curve, r, work);
        }
        if (pass == 0) reweigh_rows(r, &all[best_of(all, n, r)], range);
    }
}

static bool judge_laws(ic_findings *findings, ic_classification *c, const ic_tracking *k, rows *r,
                       fitted_law *all, size_t n)
{
    double *work = malloc((2 * (size_t)PER_ROW * r->n + 1) * sizeof *work);
    ic_curve curve;
    bool memory = ic_curve_open(&curve) && work != NULL;
    for (size_t i = 0; i < n; i++) memory = memory && all[i].left != NULL;
    if (memory) {
        fit_laws(all, n, &curve, r, work, k->range);
        const law_decision v = decide_law(c, all, n, r, k->range);
        explain_law(c, &v, r);
        const double best = sqrt(weighted_sum(all[v.best].left, r) / (PER_ROW * (double)r->n));
        double damping = NAN;
        if (!c->decided && all[0].good && v.known > 1e-4 && !v.white)
            damping = damping_in_effect(&all[0], &curve, r, work, best);
        force_in_effect force = {.factor = NAN};
        if (v.best != 0 && all[0].good && v.known > 3 * FINEST && isnan(damping))
            force = find_force(&all[0], &curve, r, work, best);
        if (!isnan(force.factor)) {
            c->decided = false;
            snprintf(c->detail, sizeof c->detail,
                     "none of these: %s with another size of its force, or damped otherwise", all[0].name);
        }
        if (!isnan(damping) || !isnan(force.factor)) fit_law(&all[0], &curve, r, work);
        add_finding(findings, c, k, all, n, &v, damping, &force);
    }
    ic_curve_close(&curve);
    free(work);
    return memory;
}

bool ic_classify_law(ic_findings *findings, ic_classification *c, const ic_tracking *k)
{
    rows r;
    fitted_law *all = calloc(MOST_LAWS, sizeof *all);
    bool good = all != NULL && open_rows(&r, k);
    *c = (ic_classification){.question = "contact-force law"};
    snprintf(c->subject, sizeof c->subject, "%s", k->problem->system->name);
    if (good && rows_in_contact(&r) < LEAST_IN_CONTACT) {
        ic_finding f = ic_finding_of(&ic_row_check_law, k, NAN, ic_tolerance_law_misfit.value, "1");
        ic_finding_leave_open(&f, "fewer than %d rows in contact", LEAST_IN_CONTACT);
        ic_findings_add(findings, &f);
    } else if (good) {
        const size_t n = open_laws(all, k->problem, r.n);
        good = judge_laws(findings, c, k, &r, all, n);
        for (size_t i = 0; i < n; i++) {
            free(all[i].left);
            if (all[i].setup.par != NULL) ic_setup_close(&all[i].setup);
        }
    }
    if (all != NULL) close_rows(&r);
    free(all);
    return good && !findings->no_memory;
}
