/* SPDX-License-Identifier: MIT */
/*
 * The force of a law is looked at as elastic part and drag,
 *
 *     F(d, v) = f(d) + g(d, v),  f = F(d, 0),     fitted:  f = K d^n,  g = c v,  g = C_1 d v  or  g = a f v/v0,
 *
 * and each registered law is given the K, n, c and C_1 that fit, and the coefficient of restitution
 * that the plugin's law has as a parameter. How a depends on it, and on v0, is what tells laws
 * apart.
 */
#include "audit/law/law_claim.h"

#include "audit/common/tolerances.h"
#include "registry/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define APART 10
/* A power of ten, or a factor such as 2, up to this. */
#define FACTOR 1e-6

enum { ELASTIC = 24, PARAMETERS_MOST = 32, RESTITUTIONS = 5, SPEEDS = 3 };
static const double restitutions[RESTITUTIONS] = {0.15, 0.35, 0.5, 0.7, 0.9};
static const double speeds[SPEEDS] = {0.5, 1, 2};     /* m/s */
static const double parts[] = {0.2, 0.5, 1};          /* of d0 */
static const double rates[] = {-0.8, -0.3, 0.4, 0.9}; /* of v0 */

/* What fits. */
typedef struct fit {
    double K, n;     /* N/m^n, 1 */
    double c, C_1;   /* N s/m, N s/m^2 */
    double a;        /* 1 */
    double residual; /* 1; greatest deviation of the elastic force from K d^n */
    size_t variable; /* number of the parameter that is the restitution; n_parameters: none */
} fit;

static double drag(ic_law_probe *p, double d, double v)
{
    return 0.5 * (ic_law_probe_force(p, d, v) - ic_law_probe_force(p, d, -v));
}

static fit fit_law(ic_law_probe *p)
{
    fit f = {.variable = ic_law_probe_restitution(p)};
    double x = 0, y = 0, xx = 0, xy = 0;
    ic_law_probe_begin(p, 1);
    for (int i = 0; i < ELASTIC; i++) {
        const double s = log(p->d0) + 3.0 * (i - ELASTIC + 1) / ELASTIC,
                     t = log(ic_law_probe_force(p, exp(s), 0));
        x += s / ELASTIC, y += t / ELASTIC, xx += s * s / ELASTIC, xy += s * t / ELASTIC;
    }
    f.n = (xy - x * y) / (xx - x * x);
    if (fabs(f.n - round(2 * f.n) / 2) < 1e-9) f.n = round(2 * f.n) / 2; /* rounding of the sums */
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

/* ---- a registered law with what fits */

typedef struct candidate {
    const ic_law *law;
    double par[PARAMETERS_MOST];
    size_t e; /* number of its restitution; n_parameters: none */
} candidate;

/* false: it has a parameter that nothing says */
static bool give_parameters(candidate *c, const ic_law *law, const fit *f, const ic_law_probe *p)
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
        bool said = same < p->law->n_parameters;
        if (said) c->par[i] = ((const double *)p->par.data)[same];
        for (size_t k = 0; k < IC_COUNT(known); k++) {
            if (strcmp(name, known[k].name) == 0) c->par[i] = known[k].value, said = true;
        }
        if (strcmp(name, "e") == 0) c->e = i;
        if (!said) return false;
    }
    return true;
}

static double candidate_force(const candidate *c, double d, double v, double v0)
{
    const double memory = c->law->remember != NULL ? c->law->remember(v0, c->par) : 0;
    return c->law->force(d, v, memory, c->par);
}

/* The restitution with which a candidate damps as the law does, where that has none: by halving,
   for damping falls with e. */
static double equivalent_restitution(candidate *c, const fit *f, double d)
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

/* A law without drag is every damped one with e = 1: those are not asked. */
#define NO_DRAG 1e-9

/* Greatest deviation in a contact that began at v0, over the greatest force; NAN where either is
   not finite. */
static double deviation(ic_law_probe *p, const candidate *c, double v0)
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

/* The same over all restitutions and speeds. */
static double misfit(ic_law_probe *p, candidate *c, const fit *f)
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
            const double off = deviation(p, c, speeds[s]);
            worst = off <= worst ? worst : off;
        }
    }
    if (varied) par[f->variable] = kept;
    return isnan(worst) ? INFINITY : worst;
}

/* One of several laws with this force is meant for the condition of the plugin's: then the others
   are not asked. */
static bool another_condition(const ic_law *law, const ic_law *mine)
{
    if (law->condition == mine->condition) return false;
    for (size_t i = 0; i < ic_law_count; i++) {
        if (ic_laws[i]->force == law->force && ic_laws[i]->condition == mine->condition) return true;
    }
    return false;
}

/* A law that is another one under another name counts once: under the name that the plugin gives
   it. */
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

void ic_law_classify(ic_sink *sink, ic_law_probe *p)
{
    ic_classification c = {.question = "damping law"};
    const fit f = fit_law(p);
    const bool varied = f.variable < p->law->n_parameters;
    for (size_t i = 0; i < ic_law_count; i++) {
        candidate law;
        if (another_condition(ic_laws[i], p->law) || !give_parameters(&law, ic_laws[i], &f, p)) continue;
        add_candidate(&c, ic_laws[i]->name, misfit(p, &law, &f) / ic_tolerance_law_formula.value, p->law->name);
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
            : "several fit: a parameter for restitution (unit 1, range within [0, 1]) would tell them apart");
    ic_sink_classify(sink, &c);
}

/* ---- against the law whose name it has */

static bool power_of(double ratio, double base)
{
    const double power = log(ratio) / log(base);
    return ratio > 0 && fabs(power) > 0.5 && fabs(power - round(power)) < FACTOR;
}

/* Lengths in mm make K d^n wrong by 1000^n. */
static ic_mistake_id stiffness_cause(double ratio, const fit *f, bool power_is_right)
{
    if (f->residual > ic_tolerance_law_formula.value)
        return IC_NO_MISTAKE; /* no power of d at all: K says nothing */
    if (!power_is_right) return IC_MISTAKE_EXPONENT_WRONG;
    return power_of(ratio, 10) || power_of(ratio, pow(1000, f->n)) ? IC_MISTAKE_UNITS_MIXED
                                                                   : IC_MISTAKE_STIFFNESS_WRONG;
}

/* Least and greatest ratio of the plugin's drag to that of the law it claims to be. */
typedef struct range {
    double least, most;
} range;

static bool is_constant(const range *r)
{
    return r->most - r->least <= FACTOR * fabs(r->most);
}

static bool is_one(const range *r)
{
    return is_constant(r) && fabs(r->most - 1) <= FACTOR;
}

/* Ratios with e; in loading and in unloading alone; with e^2 and sqrt(e) in the place of e. */
enum { BOTH, LOADING, UNLOADING, SQUARED, ROOT, RANGES };

static ic_mistake_id damping_cause(const range r[RANGES])
{
    const double most = r[BOTH].most;
    if (is_one(&r[LOADING]) != is_one(&r[UNLOADING])) return IC_MISTAKE_DAMPING_ONE_SIDED;
    if (is_one(&r[SQUARED]) || is_one(&r[ROOT])) return IC_MISTAKE_RESTITUTION_SQUARED;
    if (!is_constant(&r[BOTH])) return IC_MISTAKE_DAMPING_WRONG;
    if (fabs(most - 2) < FACTOR || fabs(most - 0.5) < FACTOR) return IC_MISTAKE_DAMPING_FACTOR_TWO;
    if (fabs(most + 1) < FACTOR) return IC_MISTAKE_DAMPING_SIGN;
    return power_of(most, 10) ? IC_MISTAKE_UNITS_MIXED : IC_MISTAKE_DAMPING_WRONG;
}

/* The parameter that is the stiffness: of the same name, or in N/m and powers. */
static size_t stiffness_of(const ic_law_probe *p, const char *name)
{
    size_t i = ic_law_probe_named(p, name);
    if (i < p->law->n_parameters) return i;
    for (i = 0; i < p->law->n_parameters; i++) {
        const char *unit = p->law->parameters[i].unit;
        if (unit != NULL && strncmp(unit, "N/m", 3) == 0) break;
    }
    return i;
}

/* The drag of a known law for a rate of either sign is taken from both: it may be clipped on one
   side. */
static void add_ratio(range *r, double drag_of_plugin, double drag_known)
{
    const double ratio = drag_of_plugin / drag_known;
    r->least = fmin(r->least, ratio), r->most = fmax(r->most, ratio);
}

static void add_ratios(range r[RANGES], ic_law_probe *p, candidate *c, double e, double v0)
{
    const double d = 0.5 * p->d0, v = 0.5 * v0, rest = ic_law_probe_force(p, d, 0);
    const double loading = ic_law_probe_force(p, d, v) - rest, unloading = rest - ic_law_probe_force(p, d, -v);
    const double instead[] = {[BOTH] = e, [LOADING] = e, [UNLOADING] = e, [SQUARED] = e * e, [ROOT] = sqrt(e)};
    for (int k = 0; k < RANGES; k++) {
        if (c->e < c->law->n_parameters) c->par[c->e] = instead[k];
        const double at_rest = candidate_force(c, d, 0, v0);
        const double in = candidate_force(c, d, v, v0) - at_rest, out = at_rest - candidate_force(c, d, -v, v0);
        if (k == LOADING) add_ratio(&r[k], loading, in);
        else if (k == UNLOADING) add_ratio(&r[k], unloading, out);
        else add_ratio(&r[k], 0.5 * (loading + unloading), 0.5 * (in + out));
    }
}

static void damping_ranges(range r[RANGES], ic_law_probe *p, candidate *c, const fit *f)
{
    double *par = p->par.data;
    const bool varied = f->variable < p->law->n_parameters && c->e < c->law->n_parameters;
    const double kept = varied ? par[f->variable] : 0;
    for (int k = 0; k < RANGES; k++) r[k] = (range){INFINITY, -INFINITY};
    for (int i = 0; i < (varied ? RESTITUTIONS : 1); i++) {
        if (varied) par[f->variable] = restitutions[i];
        for (int s = 0; s < SPEEDS; s++) {
            ic_law_probe_begin(p, speeds[s]);
            add_ratios(r, p, c, varied ? restitutions[i] : 1, speeds[s]);
        }
    }
    if (varied) par[f->variable] = kept;
}

/* A parameter without unit beside the restitution: it may be the power, by whatever name. */
static bool has_number(const ic_law_probe *p)
{
    for (size_t i = 0; i < p->law->n_parameters; i++) {
        const char *unit = p->law->parameters[i].unit;
        if (unit != NULL && strcmp(unit, "1") == 0 && i != ic_law_probe_restitution(p)) return true;
    }
    return false;
}

/*
 * The power that the law should have: 1, its parameter n, that in the unit of its stiffness, or,
 * where nothing sets it, the default of the law whose name it has. false: something may set it that
 * is not known.
 */
static bool right_power(double *power, const ic_law_probe *p, const ic_law *known)
{
    static const ic_names numbers = {0};
    const size_t named = ic_law_probe_named(p, "n"), stiffness = stiffness_of(p, "K");
    *power = 1;
    if (known->power != NULL && strcmp(known->power, "1") == 0) return true;
    if (named < p->law->n_parameters) {
        *power = ((const double *)p->par.data)[named];
        return true;
    }
    const char *unit = stiffness < p->law->n_parameters ? p->law->parameters[stiffness].unit : NULL;
    if (unit != NULL && strncmp(unit, "N/m^", 4) == 0 && ic_expression_number(power, unit + 4, &numbers, NULL))
        return true;
    if (has_number(p)) return false;
    for (size_t i = 0; i < known->n_parameters; i++) {
        const ic_parameter *q = &known->parameters[i];
        if (strcmp(q->name, "n") == 0) return ic_expression_number(power, q->value, &numbers, NULL);
    }
    return false;
}

/* false: it is wrong, or no power at all */
static bool check_power(ic_sink *sink, ic_law_probe *p, const ic_law *known, const fit *f)
{
    double right = 1;
    if (known->power == NULL || !right_power(&right, p, known)) return true;
    const ic_mistake_id cause =
        f->residual > ic_tolerance_law_formula.value ? IC_NO_MISTAKE : IC_MISTAKE_EXPONENT_WRONG;
    const ic_measured measured = {fabs(f->n - right), ic_tolerance_law_formula.value,
                                  ic_tolerance_law_formula.derivation, cause};
    ic_sink_measure(sink, IC_CHECK_LAW_POWER, &measured, "n = %.6g, and %s with these parameters has %.6g",
                    f->n, known->name, right);
    return measured.value <= ic_tolerance_law_formula.value;
}

static void check_stiffness(ic_sink *sink, ic_law_probe *p, const ic_law *known, const fit *f,
                            bool power_is_right)
{
    const bool linear = known->stiffness != NULL && strcmp(known->stiffness, "k") == 0;
    const size_t i = stiffness_of(p, linear ? "k" : "K");
    if (known->stiffness == NULL && known->elastic != NULL) return;
    if (i == p->law->n_parameters) {
        ic_sink_open(sink, IC_CHECK_LAW_STIFFNESS, NAN, "K = %.6g N/m^n; none of its parameters is in N/m^n",
                     f->K);
        return;
    }
    const double given = ((const double *)p->par.data)[i], ratio = f->K / given;
    const ic_measured measured = {fabs(ratio - 1), ic_tolerance_law_formula.value,
                                  ic_tolerance_law_formula.derivation,
                                  stiffness_cause(ratio, f, power_is_right)};
    ic_sink_measure(sink, IC_CHECK_LAW_STIFFNESS, &measured, "K = %.6g N/m^n, and the parameter %s is %.6g",
                    f->K, p->law->parameters[i].name, given);
}

static void check_damping(ic_sink *sink, ic_law_probe *p, const ic_law *known, const fit *f)
{
    candidate c;
    range r[RANGES];
    if (!give_parameters(&c, known, f, p)) return;
    const size_t given_c = ic_law_probe_named(p, "c");
    for (size_t i = 0; i < known->n_parameters; i++) {
        if (strcmp(known->parameters[i].name, "c") == 0 && given_c < p->law->n_parameters)
            c.par[i] = ((const double *)p->par.data)[given_c];
    }
    if (c.e < known->n_parameters && f->variable == p->law->n_parameters)
        return; /* no restitution to compare at */
    damping_ranges(r, p, &c, f);
    if (isnan(r[BOTH].least) || isinf(r[BOTH].most)) return; /* neither damps */
    const double off = fmax(fabs(r[BOTH].least - 1), fabs(r[BOTH].most - 1));
    const ic_measured measured = {off, ic_tolerance_law_formula.value, ic_tolerance_law_formula.derivation,
                                  damping_cause(r)};
    ic_sink_measure(sink, IC_CHECK_LAW_DAMPING, &measured, "%.6g to %.6g times that of %s", r[BOTH].least,
                    r[BOTH].most, known->name);
}

/* One force may have several laws, each for a condition. */
static void check_condition(ic_sink *sink, const ic_law *known, const ic_law *mine)
{
    bool differs = false;
    for (size_t i = 0; i < ic_law_count; i++)
        differs |= ic_laws[i]->force == known->force && ic_laws[i]->condition != known->condition;
    if (!differs) return;
    const ic_measured measured = {mine->condition != known->condition, 0, "public header, ic_condition",
                                  IC_MISTAKE_ANOTHER_CONDITION};
    ic_sink_measure(sink, IC_CHECK_LAW_CONDITION, &measured, "laws with this force are told apart by it");
}

void ic_law_check_claim(ic_sink *sink, ic_law_probe *p)
{
    const ic_law *known = ic_law_find(p->law->name);
    if (known == NULL) return;
    const fit f = fit_law(p);
    const bool power_is_right = check_power(sink, p, known, &f);
    check_condition(sink, known, p->law);
    check_stiffness(sink, p, known, &f, power_is_right);
    check_damping(sink, p, known, &f);
}
