/* SPDX-License-Identifier: MIT */
#include "audit/law/law.h"

#include "audit/common/tolerances.h"
#include "casefile/dimension.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A drag is compared to the tolerance times this part of the whole force, at least: it is a difference of forces. */
#define LEAST_DRAG 1e-6

enum { SPEEDS = 5, DEPTHS = 11, RATES = 6, HEIGHTS = 3 };
static const double speeds[SPEEDS] = {1, 0.01, 0.1, 10, 30};                                   /* m/s */
static const double depths[DEPTHS] = {1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9, 1.2, 3, 10}; /* of d0 */
static const double rates[RATES] = {-0.9, -0.3, -0.02, 0.02, 0.3, 0.9};                        /* of v0 */
static const double heights[HEIGHTS] = {0.05, 0.3, 0.7}; /* of the reach */

/* Drawn speeds at the defaults, and values of each parameter, each with a speed; each with a depth and two rates. */
enum { DRAWN_SPEEDS = 96, DRAWN_VALUES = 64, DRAWN_RATES = 2 };
/* A parameter with a unit is drawn within so many decades of its default. */
#define DECADES 3

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

double ic_law_unit_power(const ic_law_probe *p, size_t i)
{
    static const ic_names numbers = {0};
    const char *unit = p->law->parameters[i].unit;
    double power = strcmp(unit, "N/m") == 0 ? 1 : NAN;
    if (strncmp(unit, "N/m^", strlen("N/m^")) != 0) return power;
    const size_t named = ic_law_parameter(p->law, unit + strlen("N/m^"));
    if (named < p->law->n_parameters) return p->set[named];
    ic_expression_number(&power, unit + strlen("N/m^"), &numbers, NULL);
    return power;
}

/* The power that the unit of the stiffness gives, as a number; NAN: none. */
static double power_by_unit(const ic_law_probe *p)
{
    double power = NAN;
    for (size_t i = 0; i < p->law->n_parameters && isnan(power); i++) power = ic_law_unit_power(p, i);
    return power;
}

/* The default of a parameter of a law, if it is a number; NAN: none. */
static double default_of(const ic_law *law, const char *name)
{
    static const ic_names numbers = {0};
    double value = NAN;
    const size_t i = ic_law_parameter(law, name);
    if (i < law->n_parameters) ic_expression_number(&value, law->parameters[i].value, &numbers, NULL);
    return value;
}

/* Whether the plugin's law has a parameter without unit that may be the power. */
static bool may_have_power(const ic_law_pair *c)
{
    const ic_law *law = c->p->law;
    for (size_t i = 0; i < law->n_parameters; i++) {
        if (strcmp(law->parameters[i].unit, "1") == 0 && i != c->fit.variable) return true;
    }
    return false;
}

/* A value for a parameter that the plugin's law does not have; NAN: it is not known. */
static double constant_of(ic_law_pair *c, const char *name)
{
    const double power = power_by_unit(c->p);
    if (strcmp(name, "n") == 0 && isnan(power) && may_have_power(c)) {
        c->fitted[IC_ELASTIC] = c->fitted[IC_DRAG] = true;
        return c->fit.n;
    }
    if (strcmp(name, "n") == 0 && isnan(power) && ic_law_claimed(c->p->law) == NULL) return c->fit.n;
    if (strcmp(name, "n") == 0) return isnan(power) ? default_of(c->known.law, name) : power;
    if (strcmp(name, "K") == 0 || strcmp(name, "k") == 0) return c->fit.K;
    if (strcmp(name, "c") == 0) return c->fit.c;
    if (strcmp(name, IC_LAW_MASS) == 0) return 1; /* until it is fitted */
    return strcmp(name, "C_1") == 0 ? c->fit.C_1 : NAN;
}

static void copy_parameters(ic_law_pair *c, const double *from)
{
    for (size_t i = 0; i < c->known.law->n_parameters; i++) {
        if (c->source[i] < c->p->law->n_parameters) c->known.par[i] = from[c->source[i]];
    }
}

/* Whether two units may be of one quantity: N/m^n of any n, and units that cannot be read, may. */
static bool may_be_alike(const char *a, const char *b)
{
    ic_unit of[2];
    size_t offset = 0;
    ic_error error;
    if (!ic_unit_read(&of[0], a, NULL, NULL, &offset, &error) ||
        !ic_unit_read(&of[1], b, NULL, NULL, &offset, &error))
        return true;
    return ic_dimensions_equal(&of[0].dimension, &of[1].dimension);
}

/*
 * The plugin's parameter of the name and the unit of a registered law's. Where another quantity has the name, as the
 * spring constant c of Modelica, the first one of the unit: d, N s/m. n_parameters: none.
 */
static size_t find_alike(const ic_law *law, const ic_parameter *wanted)
{
    const size_t none = law->n_parameters, named = ic_law_parameter(law, wanted->name);
    if (named == none || may_be_alike(law->parameters[named].unit, wanted->unit)) return named;
    for (size_t i = 0; i < none; i++) {
        if (strcmp(wanted->unit, "1") != 0 && may_be_alike(law->parameters[i].unit, wanted->unit)) return i;
    }
    return none;
}

/* Finds the plugin's parameter for each of the registered law: by name, or by its unit. NULL: all; else the missing one. */
static const char *find_sources(ic_law_pair *c)
{
    ic_law_probe *p = c->p;
    const ic_law *law = c->known.law;
    bool lacks_mass = false, lacks_e = false;
    for (size_t i = 0; i < law->n_parameters; i++) {
        const char *name = law->parameters[i].name;
        size_t source = find_alike(p->law, &law->parameters[i]);
        if (source == p->law->n_parameters && (strcmp(name, "K") == 0 || strcmp(name, "k") == 0))
            source = find_unit(p, "N/m");
        if (source == p->law->n_parameters && strcmp(name, IC_LAW_MASS) == 0) source = ic_law_probe_mass(p);
        if (source == p->law->n_parameters && strcmp(name, "e") == 0) source = c->fit.variable;
        c->source[i] = source;
        if (source < p->law->n_parameters) continue;
        if (i == c->known.e) lacks_e = true;
        else c->known.par[i] = constant_of(c, name);
        lacks_mass = lacks_mass || strcmp(name, IC_LAW_MASS) == 0;
        if (isnan(c->known.par[i])) return name;
        c->fitted[IC_DRAG] |= strcmp(name, "n") != 0;
        c->fitted[IC_ELASTIC] |= strcmp(name, "K") == 0 || strcmp(name, "k") == 0;
    }
    copy_parameters(c, p->par.data);
    /* without both, one is enough: e for 1 kg */
    if (lacks_e) ic_known_law_set_equivalent_restitution(&c->known, &c->fit, 0.5 * p->d0);
    else if (lacks_mass) ic_known_law_fit_mass(&c->known, &c->fit, p);
    return NULL;
}

/* Whether a setting varies a parameter that the registered law has, too. */
static bool is_shared(const ic_law_pair *c, const ic_law_setting *setting)
{
    bool shared = setting->parameter == c->p->law->n_parameters;
    for (size_t i = 0; i < c->known.law->n_parameters; i++)
        shared = shared || c->source[i] == setting->parameter;
    return shared;
}

static void take_parameters(ic_law_pair *c, size_t setting)
{
    copy_parameters(c, c->p->set);
    memcpy(c->par[setting], c->known.par, sizeof c->known.par);
}

const char *ic_law_pair_open(ic_law_pair *c, ic_law_probe *p, const ic_law *known)
{
    *c = (ic_law_pair){.p = p, .known = {.law = known, .e = ic_law_parameter(known, "e")}};
    c->fit = ic_law_fit_force(p);
    uint64_t seed = p->seed;
    c->n_fixed = ic_law_settings(c->settings, p->law, p->parameters.value);
    c->n_settings =
        c->n_fixed + ic_law_draw_settings(c->settings + c->n_fixed, IC_MOST_PAIR_SETTINGS - c->n_fixed,
                                          DRAWN_VALUES, DECADES, p->law, p->parameters.value, &seed);
    return find_sources(c);
}

void ic_law_pair_close(ic_law_pair *c)
{
    for (int part = 0; part < IC_FORCE_PARTS; part++) free(c->part[part].list);
}

/* ---- samples */

static void add_sample(ic_force_samples *s, ic_force_sample added)
{
    s->list[s->n++] = added;
}

static void add_samples(ic_law_pair *c, size_t setting, double d, const double *of_v0, size_t n)
{
    ic_law_probe *p = c->p;
    const double rest = ic_law_probe_force(p, d, 0), their_rest = ic_known_law_force(&c->known, d, 0, p->v0);
    if (!isfinite(their_rest) || !(fabs(their_rest) > 0)) return;
    const double elastic = fabs(their_rest);
    if (setting == 0 || !c->fitted[IC_ELASTIC])
        add_sample(&c->part[IC_ELASTIC],
                   (ic_force_sample){setting, d, 0, p->v0, rest, their_rest, elastic, rest});
    for (size_t i = 0; i < n && (setting == 0 || !c->fitted[IC_DRAG]); i++) {
        const double v = of_v0[i] * p->v0, force = ic_known_law_force(&c->known, d, v, p->v0);
        /* where it would pull, the contact is over, and laws cut their force or not */
        if (!isfinite(force) || (force <= 0 && c->known.law->condition != IC_CONDITION_A)) continue;
        const double theirs = force - their_rest, mine = ic_law_probe_force(p, d, v),
                     size = fmax(fabs(theirs), LEAST_DRAG * fmax(elastic, fabs(mine)));
        add_sample(&c->part[IC_DRAG], (ic_force_sample){setting, d, v, p->v0, mine - rest, theirs, size, mine});
    }
}

/* Above the surface a law acts that says how high. */
static void add_samples_above(ic_law_pair *c, size_t setting)
{
    ic_law_probe *p = c->p;
    const ic_law *known = c->known.law;
    if (known->reach == NULL || (setting != 0 && c->fitted[IC_DRAG])) return;
    const double reach = known->reach(p->v0, c->known.par);
    for (int i = 0; reach < 0 && i < HEIGHTS; i++) {
        const double d = heights[i] * reach, v = 0.9 * p->v0,
                     theirs = ic_known_law_force(&c->known, d, v, p->v0), mine = ic_law_probe_force(p, d, v);
        if (theirs > 0)
            add_sample(&c->part[IC_DRAG], (ic_force_sample){setting, d, v, p->v0, mine, theirs, theirs, mine});
    }
}

/* At a drawn speed, depth and rates. */
static void add_drawn(ic_law_pair *c, size_t setting, double v0, uint64_t *seed)
{
    const double depth = ic_log_uniform(seed, depths[0], depths[DEPTHS - 1]),
                 of_v0[DRAWN_RATES] = {ic_uniform(seed, -1, 0), ic_uniform(seed, 0, 1)};
    if (!is_shared(c, &c->settings[setting]) || !ic_law_probe_set(c->p, &c->settings[setting], v0)) return;
    take_parameters(c, setting);
    add_samples(c, setting, depth * c->p->d0, of_v0, DRAWN_RATES);
}

bool ic_law_pair_collect(ic_law_pair *c)
{
    const size_t most = c->n_fixed * SPEEDS * DEPTHS + DRAWN_SPEEDS + c->n_settings;
    uint64_t seed = c->p->seed;
    c->part[IC_ELASTIC].list = calloc(most + 1, sizeof(ic_force_sample));
    c->part[IC_DRAG].list = calloc(most * (RATES + 1) + 1, sizeof(ic_force_sample));
    if (c->part[IC_ELASTIC].list == NULL || c->part[IC_DRAG].list == NULL) return false;
    for (size_t i = 0; i < c->n_fixed; i++) {
        if (!is_shared(c, &c->settings[i])) continue;
        for (int k = 0; k < SPEEDS; k++) {
            if (!ic_law_probe_set(c->p, &c->settings[i], speeds[k])) continue;
            take_parameters(c, i);
            for (int j = 0; j < DEPTHS; j++) add_samples(c, i, depths[j] * c->p->d0, rates, RATES);
            add_samples_above(c, i);
        }
    }
    const double least = speeds[1], most_speed = speeds[SPEEDS - 1],
                 step = pow(most_speed / least, 1. / DRAWN_SPEEDS);
    for (size_t i = 0; i < DRAWN_SPEEDS; i++)
        add_drawn(c, 0, least * pow(step, ic_uniform(&seed, (double)i, (double)i + 1)), &seed);
    for (size_t i = c->n_fixed; i < c->n_settings; i++)
        add_drawn(c, i, ic_log_uniform(&seed, least, most_speed), &seed);
    ic_law_probe_set(c->p, &c->settings[0], 1);
    take_parameters(c, 0);
    return true;
}

double ic_force_off(const ic_force_sample *s)
{
    return s->mine == s->theirs ? 0 : fabs(s->mine - s->theirs) / s->size;
}

bool ic_force_right(const ic_force_sample *s)
{
    return ic_force_off(s) <= ic_tolerance_law_formula.value;
}

bool ic_forces_right(const ic_force_samples *s)
{
    bool right = true;
    for (size_t i = 0; i < s->n; i++) right = right && ic_force_right(&s->list[i]);
    return right;
}

bool ic_law_pair_varies(const ic_law_pair *c, ic_force_part part, size_t i)
{
    const ic_force_samples *s = &c->part[part];
    bool varies = false;
    for (size_t k = 0; k < s->n && !varies; k++)
        varies = s->list[k].setting > 0 && c->settings[s->list[k].setting].parameter == c->source[i];
    return varies;
}

const char *ic_law_pair_name(const ic_law_pair *c, size_t i)
{
    return c->source[i] < c->p->law->n_parameters ? c->p->law->parameters[c->source[i]].name
                                                  : c->known.law->parameters[i].name;
}
