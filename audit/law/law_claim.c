/* SPDX-License-Identifier: MIT */
/*
 * A law under a registered name must have the force of that law with the same parameters: at all settings, at speeds
 * from 0.01 to 30 m/s, from the touch to ten times the depth of a free impact, in loading and in unloading. The
 * elastic force and the drag F(d, v) - F(d, 0) are compared apart. Which forces differ, and by what ratio, shows the
 * mistake.
 */
#include "audit/law/law_claim.h"

#include "audit/common/tolerances.h"
#include "audit/law/law_fit.h"
#include "registry/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Accepted relative error of a power of ten, or of a factor such as 2. */
#define FACTOR 1e-6
/* A drag is compared to the tolerance times this part of the elastic force, at least. */
#define LEAST_DRAG 1e-6

/* in a metre per second */
#define KILOMETRES_PER_HOUR 3.6

enum { SPEEDS = 5, DEPTHS = 11, RATES = 6 };
static const double speeds[SPEEDS] = {1, 0.01, 0.1, 10, 30};                                   /* m/s */
static const double depths[DEPTHS] = {1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9, 1.2, 3, 10}; /* of d0 */
static const double rates[RATES] = {-0.9, -0.3, -0.02, 0.02, 0.3, 0.9};                        /* of v0 */

/* Two forces at one place, N. */
typedef struct sample {
    size_t setting;
    double d, v, v0;

    /* elastic force or drag: of the plugin's law, and of the registered one */
    double mine, theirs;

    /* that to which a difference is relative; and the registered law's force, with or without drag */
    double size, force;
} sample;

typedef enum law_part { ELASTIC, DRAG, PARTS } law_part;

typedef struct samples {
    sample *list;
    size_t n;
} samples;

typedef struct claim {
    ic_law_probe *p;
    ic_known_law known;
    ic_law_fit fit;

    /* the plugin's parameter with the value of each parameter of the registered law; n_parameters: a constant */
    size_t source[IC_LAW_PARAMETERS_MOST];

    /* a parameter has a fitted value, which belongs to the defaults: other settings say nothing */
    bool fitted[PARTS];

    ic_law_setting settings[IC_LAW_SETTINGS_MOST];
    size_t n_settings;
    samples part[PARTS];
} claim;

/* ---- parameters */

/* Index of the first parameter whose unit begins so; n_parameters: none. */
static size_t find_unit(const ic_law_probe *p, const char *unit)
{
    size_t i = 0;
    while (i < p->law->n_parameters &&
           (p->law->parameters[i].unit == NULL || strncmp(p->law->parameters[i].unit, unit, strlen(unit)) != 0))
        i++;
    return i;
}

/* The power that the unit of the stiffness gives, N/m^n; NAN: none. */
static double power_by_unit(const ic_law_probe *p)
{
    static const ic_names numbers = {0};
    const size_t i = find_unit(p, "N/m^");
    double power = NAN;
    if (i < p->law->n_parameters)
        ic_expression_number(&power, p->law->parameters[i].unit + strlen("N/m^"), &numbers, NULL);
    return power;
}

/* The default of a parameter of a law, if it is a number; NAN: none. */
static double default_of(const ic_law *law, const char *name)
{
    static const ic_names numbers = {0};
    double value = NAN;
    for (size_t i = 0; i < law->n_parameters; i++) {
        if (strcmp(law->parameters[i].name, name) == 0)
            ic_expression_number(&value, law->parameters[i].value, &numbers, NULL);
    }
    return value;
}

/* Whether the plugin's law has a parameter without unit that may be the power. */
static bool may_have_power(const claim *c)
{
    const ic_law *law = c->p->law;
    for (size_t i = 0; i < law->n_parameters; i++) {
        if (strcmp(law->parameters[i].unit, "1") == 0 && i != c->fit.variable) return true;
    }
    return false;
}

/* A value for a parameter that the plugin's law does not have; NAN: it is not known. */
static double constant_of(claim *c, const char *name)
{
    const double power = power_by_unit(c->p);
    if (strcmp(name, "n") == 0 && isnan(power) && may_have_power(c)) {
        c->fitted[ELASTIC] = c->fitted[DRAG] = true;
        return c->fit.n;
    }
    if (strcmp(name, "n") == 0) return isnan(power) ? default_of(c->known.law, name) : power;
    if (strcmp(name, "K") == 0 || strcmp(name, "k") == 0) return c->fit.K;
    if (strcmp(name, "c") == 0) return c->fit.c;
    if (strcmp(name, IC_LAW_MASS) == 0) return 1; /* until it is fitted */
    return strcmp(name, "C_1") == 0 ? c->fit.C_1 : NAN;
}

static void take_parameters(claim *c, const double *from)
{
    for (size_t i = 0; i < c->known.law->n_parameters; i++) {
        if (c->source[i] < c->p->law->n_parameters) c->known.par[i] = from[c->source[i]];
    }
}

/* Finds the plugin's parameter for each of the registered law: by name, or by its unit. NULL: all; else the missing one. */
static const char *find_sources(claim *c)
{
    ic_law_probe *p = c->p;
    const ic_law *law = c->known.law;
    bool lacks_mass = false;
    for (size_t i = 0; i < law->n_parameters; i++) {
        const char *name = law->parameters[i].name;
        size_t source = ic_law_probe_named(p, name);
        if (source == p->law->n_parameters && (strcmp(name, "K") == 0 || strcmp(name, "k") == 0))
            source = find_unit(p, "N/m");
        if (source == p->law->n_parameters && strcmp(name, IC_LAW_MASS) == 0) source = ic_law_probe_mass(p);
        if (source == p->law->n_parameters && strcmp(name, "e") == 0) source = c->fit.variable;
        c->source[i] = source;
        if (source < p->law->n_parameters) continue;
        if (i == c->known.e) ic_known_law_set_equivalent_restitution(&c->known, &c->fit, 0.5 * p->d0);
        else c->known.par[i] = constant_of(c, name);
        lacks_mass = lacks_mass || strcmp(name, IC_LAW_MASS) == 0;
        if (isnan(c->known.par[i])) return name;
        c->fitted[DRAG] |= strcmp(name, "n") != 0;
        c->fitted[ELASTIC] |= strcmp(name, "K") == 0 || strcmp(name, "k") == 0;
    }
    if (lacks_mass) {
        take_parameters(c, p->par.data);
        ic_known_law_fit_mass(&c->known, &c->fit, p);
    }
    return NULL;
}

/* Whether a setting varies a parameter that the registered law has, too. */
static bool is_shared(const claim *c, const ic_law_setting *setting)
{
    bool shared = setting->parameter == c->p->law->n_parameters;
    for (size_t i = 0; i < c->known.law->n_parameters; i++)
        shared = shared || c->source[i] == setting->parameter;
    return shared;
}

/* ---- samples */

static void add_sample(samples *s, const sample *added)
{
    s->list[s->n++] = *added;
}

static void add_samples(claim *c, size_t setting, double d)
{
    ic_law_probe *p = c->p;
    const double rest = ic_law_probe_force(p, d, 0), their_rest = ic_known_law_force(&c->known, d, 0, p->v0);
    if (!isfinite(their_rest) || !(fabs(their_rest) > 0)) return;
    const double elastic = fabs(their_rest);
    if (setting == 0 || !c->fitted[ELASTIC])
        add_sample(&c->part[ELASTIC], &(sample){setting, d, 0, p->v0, rest, their_rest, elastic, elastic});
    for (int i = 0; i < RATES && (setting == 0 || !c->fitted[DRAG]); i++) {
        const double v = rates[i] * p->v0, force = ic_known_law_force(&c->known, d, v, p->v0);
        /* where it would pull, the contact is over, and laws cut their force or not */
        if (!isfinite(force) || (force <= 0 && c->known.law->condition != IC_CONDITION_A)) continue;
        const double theirs = force - their_rest, mine = ic_law_probe_force(p, d, v) - rest,
                     size = fmax(fabs(theirs), LEAST_DRAG * elastic);
        add_sample(&c->part[DRAG],
                   &(sample){setting, d, v, p->v0, mine, theirs, size, fmax(fabs(force), elastic)});
    }
}

/* Collects all samples. false: memory ran out. */
static bool collect(claim *c)
{
    const size_t most = c->n_settings * SPEEDS * DEPTHS;
    c->part[ELASTIC].list = calloc(most + 1, sizeof(sample));
    c->part[DRAG].list = calloc(most * RATES + 1, sizeof(sample));
    if (c->part[ELASTIC].list == NULL || c->part[DRAG].list == NULL) return false;
    for (size_t i = 0; i < c->n_settings; i++) {
        if (!is_shared(c, &c->settings[i])) continue;
        for (int k = 0; k < SPEEDS; k++) {
            if (!ic_law_probe_set(c->p, &c->settings[i], speeds[k])) continue;
            take_parameters(c, c->p->set);
            for (int j = 0; j < DEPTHS; j++) add_samples(c, i, depths[j] * c->p->d0);
        }
    }
    ic_law_probe_set(c->p, &c->settings[0], 1);
    take_parameters(c, c->p->set);
    return true;
}

static double off(const sample *s)
{
    return fabs(s->mine - s->theirs) / s->size;
}

static bool is_right(const sample *s)
{
    return off(s) <= ic_tolerance_law_formula.value;
}

/* ---- which forces differ */

typedef double key(const sample *s);

static double depth_of(const sample *s)
{
    return s->d;
}

static double force_of(const sample *s)
{
    return fabs(s->force);
}

static double rate_of(const sample *s)
{
    return fabs(s->v);
}

static double impact_speed_of(const sample *s)
{
    return s->v0;
}

/* Ranges of a key among the samples at the defaults. */
typedef struct key_range {
    double right_least, right_most, wrong_least, wrong_most;
} key_range;

static key_range range_of(const samples *s, key *of)
{
    key_range r = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t i = 0; i < s->n; i++) {
        const sample *at = &s->list[i];
        if (at->setting != 0) continue;
        const double x = of(at);
        double *least = is_right(at) ? &r.right_least : &r.wrong_least,
               *most = is_right(at) ? &r.right_most : &r.wrong_most;
        *least = fmin(*least, x), *most = fmax(*most, x);
    }
    return r;
}

/* Whether forces differ exactly from some value of the key on. */
static bool differs_above(const samples *s, key *of)
{
    const key_range r = range_of(s, of);
    return r.right_most < r.wrong_least && r.right_least <= r.right_most;
}

static bool differs_below(const samples *s, key *of)
{
    const key_range r = range_of(s, of);
    return r.right_least > r.wrong_most && r.right_least <= r.right_most;
}

/* Whether they differ outside of a range of the key, and nowhere within. */
static bool differs_outside(const samples *s, key *of)
{
    const key_range r = range_of(s, of);
    if (!(r.right_least <= r.right_most)) return false;
    for (size_t i = 0; i < s->n; i++) {
        const sample *at = &s->list[i];
        if (at->setting == 0 && !is_right(at) && of(at) >= r.right_least && of(at) <= r.right_most)
            return false;
    }
    return true;
}

static bool differs_at_defaults(const samples *s)
{
    bool differs = false;
    for (size_t i = 0; i < s->n; i++) differs = differs || (s->list[i].setting == 0 && !is_right(&s->list[i]));
    return differs;
}

/* The common ratio of the forces at the defaults, of all rates or those of one sign; NAN: they have none. */
static double common_ratio(const samples *s, int side)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        const sample *at = &s->list[i];
        if (at->setting != 0 || side * at->v < 0 || fabs(at->theirs) < at->size) continue;
        const double ratio = at->mine / at->theirs;
        least = fmin(least, ratio), most = fmax(most, ratio);
    }
    return most - least <= FACTOR * fmax(fabs(most), FACTOR) ? 0.5 * (least + most) : NAN;
}

/* Whether the ratio of the elastic forces is a power of the depth. */
static bool is_another_power(const samples *s)
{
    double x = 0, y = 0, power = NAN, worst = 0;
    bool first = true;
    for (size_t i = 0; i < s->n; i++) {
        const sample *at = &s->list[i];
        const double ratio = at->mine / at->theirs;
        if (at->setting != 0) continue;
        if (!(ratio > 0)) return false;
        if (first) x = log(at->d), y = log(ratio), first = false;
        else if (isnan(power)) power = (log(ratio) - y) / (log(at->d) - x);
        else worst = fmax(worst, fabs(log(ratio) - y - power * (log(at->d) - x)));
    }
    return fabs(power) > FACTOR && worst < FACTOR;
}

/* Whether the drag is that of another restitution: e^power in place of e. */
static bool is_power_of_restitution(claim *c, double power)
{
    const samples *s = &c->part[DRAG];
    if (c->known.e == c->known.law->n_parameters || c->source[c->known.e] == c->p->law->n_parameters)
        return false;
    for (size_t i = 0; i < s->n; i++) {
        const sample *at = &s->list[i];
        if (i == 0 || at->setting != at[-1].setting || at->v0 != at[-1].v0) {
            ic_law_probe_set(c->p, &c->settings[at->setting], at->v0);
            take_parameters(c, c->p->set);
            c->known.par[c->known.e] = pow(c->known.par[c->known.e], power);
        }
        const double theirs = ic_known_law_force(&c->known, at->d, at->v, at->v0) -
                              ic_known_law_force(&c->known, at->d, 0, at->v0);
        if (isfinite(theirs) && !(fabs(at->mine - theirs) <= ic_tolerance_law_formula.value * at->size))
            return false;
    }
    return true;
}

static bool is_power_of(double ratio, double base)
{
    const double power = log(ratio) / log(base);
    return ratio > 0 && fabs(power) > 0.5 && fabs(power - round(power)) < FACTOR;
}

/* ---- causes */

/* Where forces are right at the defaults: the parameter at which they first differ; n_parameters: none. */
static size_t wrong_parameter(const claim *c, law_part part)
{
    const samples *s = &c->part[part];
    for (size_t i = 0; i < s->n; i++) {
        if (!is_right(&s->list[i])) return c->settings[s->list[i].setting].parameter;
    }
    return c->p->law->n_parameters;
}

static ic_mistake_id elastic_cause(const claim *c)
{
    const samples *s = &c->part[ELASTIC];
    if (!differs_at_defaults(s)) return IC_MISTAKE_PARAMETER_IGNORED;
    const double ratio = common_ratio(s, 0);
    if (fabs(ratio + 1) < FACTOR) return IC_MISTAKE_SIGN_REVERSED;
    if (!isnan(ratio))
        return is_power_of(ratio, 10) || is_power_of(ratio, pow(1000, c->fit.n)) ? IC_MISTAKE_UNITS_MIXED
                                                                                 : IC_MISTAKE_STIFFNESS_WRONG;
    if (differs_above(s, force_of) || differs_above(s, depth_of)) return IC_MISTAKE_FORCE_LIMITED;
    return is_another_power(s) ? IC_MISTAKE_EXPONENT_WRONG : IC_MISTAKE_STIFFNESS_WRONG;
}

static ic_mistake_id drag_cause(claim *c)
{
    const samples *s = &c->part[DRAG];
    const double ratio = common_ratio(s, 0), loading = common_ratio(s, 1), unloading = common_ratio(s, -1);
    if (!differs_at_defaults(s)) return IC_MISTAKE_PARAMETER_IGNORED;
    if (isnan(ratio) && !isnan(loading) && !isnan(unloading)) return IC_MISTAKE_DAMPING_ONE_SIDED;
    if (fabs(ratio + 1) < FACTOR) return IC_MISTAKE_DAMPING_SIGN;
    if (is_power_of_restitution(c, 2) || is_power_of_restitution(c, 0.5)) return IC_MISTAKE_RESTITUTION_SQUARED;
    if (fabs(ratio - 2) < FACTOR || fabs(ratio - 0.5) < FACTOR) return IC_MISTAKE_DAMPING_FACTOR_TWO;
    if (is_power_of(ratio, 10) || is_power_of(ratio, KILOMETRES_PER_HOUR)) return IC_MISTAKE_UNITS_MIXED;
    if (differs_outside(s, impact_speed_of) || differs_above(s, rate_of) || differs_below(s, rate_of))
        return IC_MISTAKE_SPEED_LIMITED;
    return differs_above(s, force_of) ? IC_MISTAKE_FORCE_LIMITED : IC_MISTAKE_DAMPING_WRONG;
}

/* Whether the drag is off as the elastic force is: then one mistake explains both. */
static bool follows_elastic(const claim *c)
{
    const samples *e = &c->part[ELASTIC], *s = &c->part[DRAG];
    for (size_t i = 0, k = 0; i < s->n; i++) {
        const sample *at = &s->list[i];
        while (k < e->n &&
               (e->list[k].setting != at->setting || e->list[k].v0 != at->v0 || e->list[k].d != at->d))
            k++;
        if (k == e->n) return false;
        const double ratio = e->list[k].mine / e->list[k].theirs;
        if (!(fabs(at->mine - ratio * at->theirs) <=
              ic_tolerance_law_formula.value * at->size * fmax(fabs(ratio), 1)))
            return false;
    }
    return true;
}

/* ---- rows */

static void describe_setting(char text[80], const claim *c, size_t setting)
{
    const ic_law_setting *at = &c->settings[setting];
    text[0] = '\0';
    if (at->parameter < c->p->law->n_parameters)
        snprintf(text, 80, ", with %.40s = %.6g", c->p->law->parameters[at->parameter].name, at->value);
}

static void add_row(ic_finding_writer *writer, const claim *c, law_part part, ic_mistake_id cause)
{
    static const ic_plugin_check checks[PARTS] = {IC_CHECK_LAW_STIFFNESS, IC_CHECK_LAW_DAMPING};
    const samples *s = &c->part[part];
    size_t worst = 0, wrong = 0;
    char setting[80];
    if (s->n == 0) return;
    for (size_t i = 0; i < s->n; i++) {
        wrong += is_right(&s->list[i]) ? 0 : 1;
        if (!(off(&s->list[i]) <= off(&s->list[worst]))) worst = i;
    }
    const sample *at = &s->list[worst];
    const size_t parameter = wrong_parameter(c, part);
    const ic_judged_value m = {off(at), ic_tolerance_law_formula.value, ic_tolerance_law_formula.derivation,
                               cause};
    describe_setting(setting, c, at->setting);
    ic_writer_set_place(writer, "impact at %g m/s%.50s", at->v0, setting);
    ic_write_measured(
        writer, checks[part], &m,
        "%zu of %zu forces differ%s%.40s%s; worst at d = %.6g m, v = %.6g m/s: %.9g N where '%.40s' has %.9g N",
        wrong, s->n, cause == IC_MISTAKE_PARAMETER_IGNORED ? ", all with other values of '" : "",
        cause == IC_MISTAKE_PARAMETER_IGNORED ? c->p->law->parameters[parameter].name : "",
        cause == IC_MISTAKE_PARAMETER_IGNORED ? "'" : "", at->d, at->v, at->mine, c->known.law->name,
        at->theirs);
    ic_writer_set_place(writer, "%s", "");
}

/* One force may have several laws, each for a condition. */
static bool check_condition(ic_finding_writer *writer, const ic_law *known, const ic_law *mine)
{
    bool differs = false;
    for (size_t i = 0; i < ic_law_count; i++)
        differs |= ic_laws[i]->force == known->force && ic_laws[i]->condition != known->condition;
    if (!differs) return true;
    const ic_judged_value measured = {mine->condition != known->condition, 0, "public header, ic_condition",
                                      IC_MISTAKE_ANOTHER_CONDITION};
    ic_write_measured(writer, IC_CHECK_LAW_CONDITION, &measured, "laws with this force differ in it");
    return mine->condition == known->condition;
}

/* Whether two names belong to one force. */
static bool are_one(const ic_law *a, const ic_law *b)
{
    return a->force == b->force && a->remember == b->remember;
}

/* A limit acts on the sum of elastic force and drag: what lies beyond it says nothing about the drag. */
static void drop_limited(claim *c)
{
    const samples *e = &c->part[ELASTIC];
    samples *s = &c->part[DRAG];
    if (elastic_cause(c) != IC_MISTAKE_FORCE_LIMITED) return;
    key *of = differs_above(e, force_of) ? force_of : depth_of;
    const double limit = range_of(e, of).right_most;
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (of(&s->list[i]) <= limit) s->list[kept++] = s->list[i];
    }
    s->n = kept;
}

static bool all_right(const samples *s)
{
    bool right = true;
    for (size_t i = 0; i < s->n; i++) right = right && is_right(&s->list[i]);
    return right;
}

/* The cause of a part, from what is known of the whole law and from its samples. */
static ic_mistake_id choose_cause(claim *c, law_part part, const ic_law_claim_causes *known)
{
    if (known->whole != IC_NO_MISTAKE) return known->whole;
    if (known->single) return IC_MISTAKE_SINGLE_PRECISION;
    const ic_mistake_id own = part == ELASTIC ? elastic_cause(c) : drag_cause(c);
    /* the damping of one law may be half of that of another */
    const bool simple = own == IC_MISTAKE_DAMPING_FACTOR_TWO || own == IC_MISTAKE_RESTITUTION_SQUARED ||
                        own == IC_MISTAKE_DAMPING_SIGN;
    if (!simple && known->fits != NULL && !are_one(known->fits, c->known.law)) return IC_MISTAKE_MISLABELLED;
    const bool vague = isnan(common_ratio(&c->part[part], 0)) &&
                       (own == IC_MISTAKE_STIFFNESS_WRONG || own == IC_MISTAKE_DAMPING_WRONG ||
                        own == IC_MISTAKE_FORCE_LIMITED);
    return vague && known->shape != IC_NO_MISTAKE ? known->shape : own;
}

static bool compare(ic_finding_writer *writer, claim *c, const ic_law_claim_causes *known)
{
    if (!all_right(&c->part[ELASTIC])) drop_limited(c);
    const bool right[PARTS] = {all_right(&c->part[ELASTIC]), all_right(&c->part[DRAG])};
    /* one mistake may explain both */
    const bool alone = right[ELASTIC] || !follows_elastic(c);
    add_row(writer, c, ELASTIC, right[ELASTIC] ? IC_NO_MISTAKE : choose_cause(c, ELASTIC, known));
    add_row(writer, c, DRAG, !right[DRAG] && alone ? choose_cause(c, DRAG, known) : IC_NO_MISTAKE);
    return right[ELASTIC] && right[DRAG];
}

bool ic_law_check_claim(ic_finding_writer *writer, ic_law_probe *p, const ic_law_claim_causes *causes)
{
    claim c = {.p = p, .known.law = ic_law_find(p->law->name)};
    if (c.known.law == NULL || c.known.law->n_parameters > IC_LAW_PARAMETERS_MOST) return true;
    bool good = check_condition(writer, c.known.law, p->law);
    c.fit = ic_law_fit_force(p);
    c.known.e = c.known.law->n_parameters;
    for (size_t i = 0; i < c.known.law->n_parameters; i++) {
        if (strcmp(c.known.law->parameters[i].name, "e") == 0) c.known.e = i;
    }
    const size_t not_finite = p->not_finite;
    c.n_settings = ic_law_settings(c.settings, p->law, p->parameters.value);
    const char *missing = find_sources(&c);
    if (missing != NULL) {
        ic_write_open(
            writer, IC_CHECK_LAW_STIFFNESS, NAN,
            "'%s' has a parameter '%s', and this law has none of this name: give it one, or another name to the law",
            c.known.law->name, missing);
    } else if (collect(&c)) {
        good = compare(writer, &c, causes) && good;
    }
    p->not_finite = not_finite; /* places that no contact reaches */
    free(c.part[ELASTIC].list);
    free(c.part[DRAG].list);
    return good;
}
