/* SPDX-License-Identifier: MIT */
/*
 * The force of a law is split into its elastic part and drag,
 *
 *     F(d, v) = f(d) + g(d, v),  f = F(d, 0),     fitted:  f = K d^n,  g = c v,  g = C_1 d v  or  g = a f v/v0,
 *
 * and each registered law gets the fitted K, n, c and C_1, and the coefficient of restitution that
 * is a parameter of the plugin's law. Laws differ in how a depends on that coefficient and on v0.
 */
#include "audit/law/law_claim.h"

#include "audit/common/tolerances.h"
#include "registry/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define APART 10
/* Accepted relative error of a power of ten, or of a factor such as 2. */
#define FACTOR 1e-6

enum { ELASTIC = 24, PARAMETERS_MOST = 32, RESTITUTIONS = 5, SPEEDS = 3 };
static const double restitutions[RESTITUTIONS] = {0.15, 0.35, 0.5, 0.7, 0.9};
static const double speeds[SPEEDS] = {0.5, 1, 2};     /* m/s */
static const double parts[] = {0.2, 0.5, 1};          /* of d0 */
static const double rates[] = {-0.8, -0.3, 0.4, 0.9}; /* of v0 */

/* The fitted law. */
typedef struct force_fit {
    /* N/m^n, 1 */
    double K, n;

    /* N s/m, N s/m^2 */
    double c, C_1;

    /* 1 */
    double a;

    /* greatest deviation of the elastic force from K d^n, 1 */
    double residual;

    /* index of the parameter that is the restitution; n_parameters: none */
    size_t variable;
} force_fit;

static double drag(ic_law_probe *p, double d, double v)
{
    return 0.5 * (ic_law_probe_force(p, d, v) - ic_law_probe_force(p, d, -v));
}

static force_fit fit_law(ic_law_probe *p)
{
    force_fit f = {.variable = ic_law_probe_restitution(p)};
    double x = 0, y = 0, xx = 0, xy = 0;
    ic_law_probe_begin(p, 1);
    for (int i = 0; i < ELASTIC; i++) {
        const double s = log(p->d0) + 3.0 * (i - ELASTIC + 1) / ELASTIC,
                     t = log(ic_law_probe_force(p, exp(s), 0));
        x += s / ELASTIC, y += t / ELASTIC, xx += s * s / ELASTIC, xy += s * t / ELASTIC;
    }
    f.n = (xy - x * y) / (xx - x * x);
    /* removes the rounding of the sums */
    if (fabs(f.n - round(2 * f.n) / 2) < 1e-9) f.n = round(2 * f.n) / 2;
    f.K = exp(y - f.n * x);
    for (int i = 0; i < ELASTIC; i++) {
        const double at = p->d0 * exp(3.0 * (i - ELASTIC + 1) / ELASTIC);
        f.residual = fmax(f.residual, fabs(ic_law_probe_force(p, at, 0) / (f.K * pow(at, f.n)) - 1));
    }
    const double d = 0.5 * p->d0, v = 0.5;
    f.c = drag(p, d, v) / v;
    f.C_1 = f.c / d;
    f.a = f.c / ic_law_probe_force(p, d, 0);
    return f;
}

/* ---- a registered law with the fitted parameters */

typedef struct candidate {
    const ic_law *law;
    double par[PARAMETERS_MOST];

    /* index of its restitution; n_parameters: none */
    size_t e;
} candidate;

/* false: the law has a parameter whose value is unknown */
static bool set_parameters(candidate *c, const ic_law *law, const force_fit *f, const ic_law_probe *p)
{
    const struct {
        const char *name;
        double value;
    } known[] = {{"K", f->K}, {"k", f->K}, {"n", f->n}, {"c", f->c}, {"C_1", f->C_1}, {"e", NAN}};
    *c = (candidate){.law = law, .e = law->n_parameters};
    if (law->n_parameters > PARAMETERS_MOST) return false;
    for (size_t i = 0; i < law->n_parameters; i++) {
        const char *name = law->parameters[i].name;
        const size_t same = ic_law_probe_named(p, name);
        bool is_known = same < p->law->n_parameters;
        if (is_known) c->par[i] = ((const double *)p->par.data)[same];
        for (size_t k = 0; k < IC_COUNT(known); k++) {
            if (strcmp(name, known[k].name) == 0) c->par[i] = known[k].value, is_known = true;
        }
        if (strcmp(name, "e") == 0) c->e = i;
        if (!is_known) return false;
    }
    return true;
}

static double candidate_force(const candidate *c, double d, double v, double v0)
{
    const double memory = c->law->remember != NULL ? c->law->remember(v0, c->par) : 0;
    return c->law->force(d, v, memory, c->par);
}

/*
 * The restitution with which the damping of a candidate equals that of a law without this
 * parameter. It is found by bisection, because damping decreases with e.
 */
static double equivalent_restitution(candidate *c, const force_fit *f, double d)
{
    double low = 1e-6, high = 1;
    for (int i = 0; i < 60; i++) {
        c->par[c->e] = 0.5 * (low + high);
        const double elastic = candidate_force(c, d, 0, 1);
        const double a = (candidate_force(c, d, 0.5, 1) - elastic) / (0.5 * elastic);
        if (a > f->a) low = c->par[c->e];
        else high = c->par[c->e];
    }
    return high;
}

/* A law without drag equals every damped law with e = 1: damped laws are not candidates. */
#define NO_DRAG 1e-9

/*
 * Greatest deviation in a contact that began at v0, divided by the greatest force; NAN if either
 * force is not finite.
 */
static double measure_deviation(ic_law_probe *p, const candidate *c, double v0)
{
    double worst = 0;
    ic_law_probe_begin(p, v0);
    for (size_t i = 0; i < IC_COUNT(parts) * IC_COUNT(rates); i++) {
        const double d = parts[i % IC_COUNT(parts)] * p->d0, v = rates[i / IC_COUNT(parts)] * v0;
        const double off = fabs(ic_law_probe_force(p, d, v) - candidate_force(c, d, v, v0)) / p->F0;
        worst = off <= worst ? worst : off;
    }
    return worst;
}

/* The greatest deviation over all restitutions and speeds. */
static double measure_misfit(ic_law_probe *p, candidate *c, const force_fit *f)
{
    double *par = p->par.data, worst = 0;
    const bool varied = f->variable < p->law->n_parameters;
    const double kept = varied ? par[f->variable] : 0;
    if (!varied && c->e < c->law->n_parameters && fabs(f->a) < NO_DRAG) return INFINITY;
    const double equivalent =
        varied || c->e == c->law->n_parameters ? 0 : equivalent_restitution(c, f, 0.5 * p->d0);
    for (int r = 0; r < (varied ? RESTITUTIONS : 1); r++) {
        if (varied) par[f->variable] = restitutions[r];
        if (c->e < c->law->n_parameters) c->par[c->e] = varied ? restitutions[r] : equivalent;
        for (int s = 0; s < SPEEDS; s++) {
            const double off = measure_deviation(p, c, speeds[s]);
            worst = off <= worst ? worst : off;
        }
    }
    if (varied) par[f->variable] = kept;
    return isnan(worst) ? INFINITY : worst;
}

/* Whether another law with the same force has the condition of the plugin's law: then this one
   is not a candidate. */
static bool has_other_condition(const ic_law *law, const ic_law *mine)
{
    if (law->condition == mine->condition) return false;
    for (size_t i = 0; i < ic_law_count; i++) {
        if (ic_laws[i]->force == law->force && ic_laws[i]->condition == mine->condition) return true;
    }
    return false;
}

/* A law with several names counts once, under the name that the plugin uses. */
static void add_candidate(ic_classification *c, const char *name, double value, const char *mine)
{
    for (size_t i = 0; i < c->count; i++) {
        if (!(value < INFINITY) || c->candidates[i].misfit != value) continue;
        if (strcmp(name, mine) == 0)
            snprintf(c->candidates[i].name, sizeof c->candidates[i].name, "%.*s",
                     (int)sizeof c->candidates[i].name - 1, name);
        return;
    }
    ic_classification_add(c, name, value);
}

void ic_law_classify(ic_finding_writer *writer, ic_law_probe *p)
{
    ic_classification c = {.question = "damping law"};
    const force_fit f = fit_law(p);
    const bool varied = f.variable < p->law->n_parameters;
    for (size_t i = 0; i < ic_law_count; i++) {
        candidate law;
        if (has_other_condition(ic_laws[i], p->law) || !set_parameters(&law, ic_laws[i], &f, p)) continue;
        add_candidate(&c, ic_laws[i]->name, measure_misfit(p, &law, &f) / ic_tolerance_law_formula.value,
                      p->law->name);
    }
    ic_classification_decide(&c, 1, APART);
    const bool none = c.count == 0 || c.candidates[0].misfit > 1;
    snprintf(
        c.detail, sizeof c.detail,
        "fitted: K = %.6g N/m^n, n = %.6g, drag at half depth %.4g of the elastic force per v/v0; %s", f.K, f.n,
        f.a,
        none        ? "none of these"
        : c.decided ? "misfit 1 is a deviation of 1e-6 of the greatest force"
        : varied
            ? "several fit"
            : "several fit: a parameter for restitution (unit 1, range within [0, 1]) would distinguish them");
    ic_write_classification(writer, &c);
}

/* ---- comparison with the law of the same name */

static bool is_power_of(double ratio, double base)
{
    const double power = log(ratio) / log(base);
    return ratio > 0 && fabs(power) > 0.5 && fabs(power - round(power)) < FACTOR;
}

/* Lengths in mm change K d^n by a factor of 1000^n. */
static ic_mistake_id stiffness_cause(double ratio, const force_fit *f, bool power_is_right)
{
    if (f->residual > ic_tolerance_law_formula.value)
        return IC_NO_MISTAKE; /* The force is not a power of d, so that K has no meaning. */
    if (!power_is_right) return IC_MISTAKE_EXPONENT_WRONG;
    return is_power_of(ratio, 10) || is_power_of(ratio, pow(1000, f->n)) ? IC_MISTAKE_UNITS_MIXED
                                                                         : IC_MISTAKE_STIFFNESS_WRONG;
}

/* Least and greatest ratio of the plugin's drag to that of the law with its name. */
typedef struct value_range {
    double least, most;
} value_range;

static bool is_one(const value_range *r)
{
    return r->most - r->least <= FACTOR * fabs(r->most) && fabs(r->most - 1) <= FACTOR;
}

/* Ratios with e; for loading alone and for unloading alone; with e^2 and sqrt(e) instead of e. */
enum { BOTH, LOADING, UNLOADING, SQUARED, ROOT, RANGES };

static ic_mistake_id damping_cause(const value_range r[RANGES])
{
    const double most = r[BOTH].most;
    if (is_one(&r[LOADING]) != is_one(&r[UNLOADING])) return IC_MISTAKE_DAMPING_ONE_SIDED;
    if (is_one(&r[SQUARED]) || is_one(&r[ROOT])) return IC_MISTAKE_RESTITUTION_SQUARED;
    if (most - r[BOTH].least > FACTOR * fabs(most)) return IC_MISTAKE_DAMPING_WRONG;
    if (fabs(most - 2) < FACTOR || fabs(most - 0.5) < FACTOR) return IC_MISTAKE_DAMPING_FACTOR_TWO;
    if (fabs(most + 1) < FACTOR) return IC_MISTAKE_DAMPING_SIGN;
    return is_power_of(most, 10) ? IC_MISTAKE_UNITS_MIXED : IC_MISTAKE_DAMPING_WRONG;
}

/* Index of the stiffness: the parameter of this name, or the first one in N/m or N/m^n. */
static size_t find_stiffness(const ic_law_probe *p, const char *name)
{
    size_t i = ic_law_probe_named(p, name);
    if (i < p->law->n_parameters) return i;
    for (i = 0; i < p->law->n_parameters; i++) {
        const char *unit = p->law->parameters[i].unit;
        if (unit != NULL && strncmp(unit, "N/m", 3) == 0) break;
    }
    return i;
}

/* The drag of both signs of the rate is averaged: a law may clip it on one side. */
static void add_ratios(value_range r[RANGES], ic_law_probe *p, candidate *c, double e, double v0)
{
    const double d = 0.5 * p->d0, v = 0.5 * v0, rest = ic_law_probe_force(p, d, 0);
    const double loading = ic_law_probe_force(p, d, v) - rest, unloading = rest - ic_law_probe_force(p, d, -v);
    const double instead[] = {[BOTH] = e, [LOADING] = e, [UNLOADING] = e, [SQUARED] = e * e, [ROOT] = sqrt(e)};
    for (int k = 0; k < RANGES; k++) {
        if (c->e < c->law->n_parameters) c->par[c->e] = instead[k];
        const double at_rest = candidate_force(c, d, 0, v0);
        const double in = candidate_force(c, d, v, v0) - at_rest, out = at_rest - candidate_force(c, d, -v, v0);
        const double ratio = k == LOADING     ? loading / in
                             : k == UNLOADING ? unloading / out
                                              : (0.5 * (loading + unloading)) / (0.5 * (in + out));
        r[k].least = fmin(r[k].least, ratio), r[k].most = fmax(r[k].most, ratio);
    }
}

static void measure_ranges(value_range r[RANGES], ic_law_probe *p, candidate *c, const force_fit *f)
{
    double *par = p->par.data;
    const bool varied = f->variable < p->law->n_parameters && c->e < c->law->n_parameters;
    const double kept = varied ? par[f->variable] : 0;
    for (int k = 0; k < RANGES; k++) r[k] = (value_range){INFINITY, -INFINITY};
    for (int i = 0; i < (varied ? RESTITUTIONS : 1); i++) {
        if (varied) par[f->variable] = restitutions[i];
        for (int s = 0; s < SPEEDS; s++) {
            ic_law_probe_begin(p, speeds[s]);
            add_ratios(r, p, c, varied ? restitutions[i] : 1, speeds[s]);
        }
    }
    if (varied) par[f->variable] = kept;
}

/*
 * The power that the law should have: 1; its parameter n; the power in the unit of its stiffness;
 * or, if none of these determines it, the default of the law of the same name. false: an unknown
 * parameter may determine it.
 */
static bool find_right_power(double *power, const ic_law_probe *p, const ic_law *known)
{
    static const ic_names numbers = {0};
    const size_t named = ic_law_probe_named(p, "n"), stiffness = find_stiffness(p, "K");
    *power = 1;
    if (known->power != NULL && strcmp(known->power, "1") == 0) return true;
    if (named < p->law->n_parameters) {
        *power = ((const double *)p->par.data)[named];
        return true;
    }
    const char *unit = stiffness < p->law->n_parameters ? p->law->parameters[stiffness].unit : NULL;
    if (unit != NULL && strncmp(unit, "N/m^", 4) == 0 && ic_expression_number(power, unit + 4, &numbers, NULL))
        return true;
    /* a parameter without unit may be the power */
    for (size_t i = 0; i < p->law->n_parameters; i++) {
        const char *of = p->law->parameters[i].unit;
        if (of != NULL && strcmp(of, "1") == 0 && i != ic_law_probe_restitution(p)) return false;
    }
    for (size_t i = 0; i < known->n_parameters; i++) {
        const ic_parameter *q = &known->parameters[i];
        if (strcmp(q->name, "n") == 0) return ic_expression_number(power, q->value, &numbers, NULL);
    }
    return false;
}

/* false: the power is wrong, or the force is not a power of d */
static bool check_power(ic_finding_writer *writer, ic_law_probe *p, const ic_law *known, const force_fit *f)
{
    double right = 1;
    if (known->power == NULL || !find_right_power(&right, p, known)) return true;
    const ic_mistake_id cause =
        f->residual > ic_tolerance_law_formula.value ? IC_NO_MISTAKE : IC_MISTAKE_EXPONENT_WRONG;
    const ic_judged_value measured = {fabs(f->n - right), ic_tolerance_law_formula.value,
                                      ic_tolerance_law_formula.derivation, cause};
    ic_write_measured(writer, IC_CHECK_LAW_POWER, &measured, "n = %.6g; %s with these parameters has %.6g",
                      f->n, known->name, right);
    return measured.value <= ic_tolerance_law_formula.value;
}

static void check_stiffness(ic_finding_writer *writer, ic_law_probe *p, const ic_law *known, const force_fit *f,
                            bool power_is_right)
{
    const bool linear = known->stiffness != NULL && strcmp(known->stiffness, "k") == 0;
    const size_t i = find_stiffness(p, linear ? "k" : "K");
    if (known->stiffness == NULL && known->elastic != NULL) return;
    if (i == p->law->n_parameters) {
        ic_write_open(writer, IC_CHECK_LAW_STIFFNESS, NAN, "K = %.6g N/m^n; the law has no parameter in N/m^n",
                      f->K);
        return;
    }
    const double given = ((const double *)p->par.data)[i], ratio = f->K / given;
    const ic_judged_value measured = {fabs(ratio - 1), ic_tolerance_law_formula.value,
                                      ic_tolerance_law_formula.derivation,
                                      stiffness_cause(ratio, f, power_is_right)};
    ic_write_measured(writer, IC_CHECK_LAW_STIFFNESS, &measured, "K = %.6g N/m^n; the parameter %s is %.6g",
                      f->K, p->law->parameters[i].name, given);
}

static void check_damping(ic_finding_writer *writer, ic_law_probe *p, const ic_law *known, const force_fit *f)
{
    candidate c;
    value_range r[RANGES];
    if (!set_parameters(&c, known, f, p)) return;
    const size_t given_c = ic_law_probe_named(p, "c");
    for (size_t i = 0; i < known->n_parameters; i++) {
        if (strcmp(known->parameters[i].name, "c") == 0 && given_c < p->law->n_parameters)
            c.par[i] = ((const double *)p->par.data)[given_c];
    }
    if (c.e < known->n_parameters && f->variable == p->law->n_parameters)
        return; /* There is no restitution at which to compare. */
    measure_ranges(r, p, &c, f);
    if (isnan(r[BOTH].least) || isinf(r[BOTH].most)) return; /* Neither law has damping. */
    const double off = fmax(fabs(r[BOTH].least - 1), fabs(r[BOTH].most - 1));
    const ic_judged_value measured = {off, ic_tolerance_law_formula.value, ic_tolerance_law_formula.derivation,
                                      damping_cause(r)};
    ic_write_measured(writer, IC_CHECK_LAW_DAMPING, &measured, "%.6g to %.6g times that of %s", r[BOTH].least,
                      r[BOTH].most, known->name);
}

/* One force may have several laws, each for a condition. */
static void check_condition(ic_finding_writer *writer, const ic_law *known, const ic_law *mine)
{
    bool differs = false;
    for (size_t i = 0; i < ic_law_count; i++)
        differs |= ic_laws[i]->force == known->force && ic_laws[i]->condition != known->condition;
    if (!differs) return;
    const ic_judged_value measured = {mine->condition != known->condition, 0, "public header, ic_condition",
                                      IC_MISTAKE_ANOTHER_CONDITION};
    ic_write_measured(writer, IC_CHECK_LAW_CONDITION, &measured, "laws with this force differ in it");
}

void ic_law_check_claim(ic_finding_writer *writer, ic_law_probe *p)
{
    const ic_law *known = ic_law_find(p->law->name);
    if (known == NULL) return;
    const force_fit f = fit_law(p);
    const bool power_is_right = check_power(writer, p, known, &f);
    check_condition(writer, known, p->law);
    check_stiffness(writer, p, known, &f, power_is_right);
    check_damping(writer, p, known, &f);
}
