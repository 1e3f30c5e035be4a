/* SPDX-License-Identifier: MIT */
#include "audit/law/law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Accepted relative error of a fitted power of ten, or of a factor such as 2. */
#define FACTOR 1e-6

/* in a metre per second */
#define KILOMETRES_PER_HOUR 3.6

/* ---- the changed law */

static void change_parameter(double *par, const ic_force_change *c)
{
    double *of = &par[c->i];
    switch (c->kind) {
    case IC_FORCE_FIXED: *of = c->x; break;
    case IC_FORCE_AT_MOST: *of = fmin(*of, c->x); break;
    case IC_FORCE_AT_LEAST: *of = fmax(*of, c->x); break;
    case IC_FORCE_SCALED: *of *= c->x; break;
    case IC_FORCE_POWER: *of = pow(*of, c->x); break;
    case IC_FORCE_EXCHANGED: {
        const double kept = *of;
        *of = par[c->j], par[c->j] = kept;
        break;
    }
    default: break;
    }
}

static double change_depth(double d, const ic_force_change *c)
{
    if (c->kind == IC_FORCE_DEPTH_SCALED) return d * c->x;
    if (c->kind == IC_FORCE_SHIFTED) return d - c->x;
    if (c->kind == IC_FORCE_DEPTH_LIMIT) return fmin(d, c->x);
    return c->kind == IC_FORCE_THRESHOLD && d <= c->x ? 0 : d;
}

static double change_speed(double v0, const ic_force_change *c)
{
    if (c->kind == IC_FORCE_SPEED_SHIFTED) return v0 + c->x;
    if (c->kind == IC_FORCE_SPEED_FIXED) return c->x;
    if (c->kind == IC_FORCE_SPEED_LEAST) return fmax(v0, c->x);
    return c->kind == IC_FORCE_SPEED_MOST ? fmin(v0, c->x) : v0;
}

static double change_rate(double v, const ic_force_change *c)
{
    if (c->side * v < 0) return v;
    if (c->kind == IC_FORCE_RATE_MOST) return fmin(fmax(v, -c->x), c->x);
    return c->kind == IC_FORCE_RATE_LEAST ? copysign(fmax(fabs(v), c->x), v) : v;
}

static double factor_of(const ic_force_change *c, size_t setting, double d, double v, double v0)
{
    switch (c->kind) {
    case IC_FORCE_FACTOR: return c->x;
    case IC_FORCE_SIDES: return v > 0 ? c->x : v < 0 ? c->y : 1;
    case IC_FORCE_FACTORS: return c->table[setting];
    case IC_FORCE_DEPTH_POWER: return c->y * pow(d, c->x);
    case IC_FORCE_RATE_POWER: return v == 0 ? 1 : c->y * pow(fabs(v) / v0, c->x);
    case IC_FORCE_SPEED_POWER: return pow(v0, c->x);
    default: return 1;
    }
}

static double force_of_part(const ic_known_law *law, ic_force_part part, double d, double v, double v0)
{
    const double rest = ic_known_law_force(law, d, 0, v0);
    return part == IC_ELASTIC ? rest : ic_known_law_force(law, d, v, v0) - rest;
}

/* The part of another law: its elastic force, or its drag as a part of the elastic force at hand. */
static double force_of_other(const ic_force_change *c, const ic_known_law *mine, ic_force_part part, double d,
                             double v, double v0)
{
    ic_known_law other = *c->other;
    for (size_t i = 0; i < other.law->n_parameters; i++) {
        if (c->other_source[i] < mine->law->n_parameters) other.par[i] = mine->par[c->other_source[i]];
    }
    const double force = force_of_part(&other, part, d, v, v0);
    return part == IC_ELASTIC
               ? force
               : force / ic_known_law_force(&other, d, 0, v0) * ic_known_law_force(mine, d, 0, v0);
}

static double part_of_model(const ic_force_model *m, ic_force_part part, size_t setting, double d, double v,
                            double v0)
{
    ic_known_law law = {.law = m->pair->known.law, .e = m->pair->known.e};
    const ic_force_change *other = NULL;
    const unsigned bit = 1U << part;
    const double at = d;
    double factor = 1, added = 0;
    memcpy(law.par, m->pair->par[setting], law.law->n_parameters * sizeof *law.par);
    for (size_t k = 0; k < m->n; k++) {
        const ic_force_change *c = &m->of[k];
        if ((c->on & bit) == 0) continue;
        factor *= factor_of(c, setting, d, v, v0);
        change_parameter(law.par, c);
        if (c->kind == IC_FORCE_ADDED) added += part == IC_ELASTIC ? c->x : c->x * v;
        d = change_depth(d, c), v0 = change_speed(v0, c), v = change_rate(v, c);
        if (c->kind == IC_FORCE_OTHER_LAW) other = c;
    }
    if (at > 0 && d <= 0) return 0;
    return added + factor * (other != NULL ? force_of_other(other, &law, part, d, v, v0)
                                           : force_of_part(&law, part, d, v, v0));
}

double ic_force_model_whole(const ic_force_model *m, size_t setting, double d, double v, double v0)
{
    double force = part_of_model(m, IC_ELASTIC, setting, d, v, v0);
    if (v != 0) force += part_of_model(m, IC_DRAG, setting, d, v, v0);
    for (size_t k = 0; k < m->n; k++) {
        if (m->of[k].kind == IC_FORCE_LIMIT) force = fmin(force, m->of[k].x);
        if (m->of[k].kind == IC_FORCE_CUT_ABOVE && d < 0) force = 0;
    }
    return force;
}

double ic_force_model_sample(const ic_force_model *m, ic_force_part part, const ic_force_sample *s)
{
    const double whole = ic_force_model_whole(m, s->setting, s->d, s->v, s->v0);
    if (part == IC_ELASTIC || s->d < 0) return whole;
    return whole - ic_force_model_whole(m, s->setting, s->d, 0, s->v0);
}

/* ---- names and words */

/* Whether a ratio is a power of a number, up to rounding. */
static bool is_power_of(double ratio, double base)
{
    const double power = log(ratio) / log(base);
    return ratio > 0 && fabs(power) > 0.5 && fabs(power - round(power)) < FACTOR;
}

static bool is_about(double value, double wanted)
{
    return fabs(value - wanted) < FACTOR * fmax(fabs(wanted), FACTOR);
}

static ic_mistake_id factor_mistake(const ic_law_pair *pair, double x, ic_force_part part)
{
    if (part == IC_ELASTIC) {
        if (is_about(x, -1)) return IC_MISTAKE_SIGN_REVERSED;
        return is_power_of(x, 10) || is_power_of(x, pow(1000, pair->fit.n)) ? IC_MISTAKE_UNITS_MIXED
                                                                            : IC_MISTAKE_STIFFNESS_WRONG;
    }
    if (is_about(x, -1)) return IC_MISTAKE_DAMPING_SIGN;
    if (is_about(x, 2) || is_about(x, 0.5)) return IC_MISTAKE_DAMPING_FACTOR_TWO;
    return is_power_of(x, 10) || is_power_of(x, KILOMETRES_PER_HOUR) ? IC_MISTAKE_UNITS_MIXED
                                                                     : IC_MISTAKE_DAMPING_WRONG;
}

static const struct {
    ic_mistake_id mistake[IC_FORCE_PARTS];
    const char *words;
} changes[IC_FORCE_CHANGE_KINDS] = {
#define IC_FORCE_CHANGE(kind_, elastic_, drag_, words_)                                                        \
    [IC_FORCE_##kind_] = {{IC_MISTAKE_##elastic_, IC_MISTAKE_##drag_}, words_},
#include "audit/law/law_changes.def"
};

/* Some numbers have a mistake of their own. */
ic_mistake_id ic_force_change_mistake(const ic_law_pair *pair, const ic_force_change *c, ic_force_part part)
{
    const bool decimal = is_power_of(c->x, 10);
    if (c->kind == IC_FORCE_FACTOR) return factor_mistake(pair, c->x, part);
    if ((c->kind == IC_FORCE_SCALED || c->kind == IC_FORCE_DEPTH_SCALED) && decimal)
        return IC_MISTAKE_UNITS_MIXED;
    if (c->kind == IC_FORCE_RATE_POWER && c->x <= -1 + FACTOR) return IC_MISTAKE_FORCE_JUMPS;
    if (c->kind == IC_FORCE_POWER && c->i == pair->known.e)
        return is_about(c->x, 2) || is_about(c->x, 0.5) ? IC_MISTAKE_RESTITUTION_SQUARED
                                                        : IC_MISTAKE_RESTITUTION_WRONG;
    return changes[c->kind].mistake[part];
}

/* The power of v0 in the registered law's drag at the defaults. */
static double speed_power(const ic_law_pair *pair)
{
    const ic_force_model plain = {.pair = pair};
    const double d = pair->p->d0, slow = part_of_model(&plain, IC_DRAG, 0, d, 0.1, 1),
                 fast = part_of_model(&plain, IC_DRAG, 0, d, 0.1, 2);
    return log(fast / slow) / log(2);
}

/* Names of the parameters at whose settings a table differs from the defaults. */
static void list_varying(char text[80], const ic_law_pair *pair, const double *table)
{
    size_t last = pair->p->law->n_parameters;
    text[0] = '\0';
    for (size_t k = 1; k < pair->n_settings; k++) {
        const size_t i = pair->settings[k].parameter;
        if (!(fabs(table[k] - table[0]) > FACTOR * fabs(table[0])) || i == last) continue;
        last = i;
        ic_text_append(text, 80, "%s'%.20s'", text[0] != '\0' ? ", " : "", pair->p->law->parameters[i].name);
    }
}

/* Where the words of a kind do not say it best. */
static const char *words_of(const ic_law_pair *pair, const ic_force_change *c, ic_force_part part)
{
    const bool drag = part == IC_DRAG;
    if (c->kind == IC_FORCE_FACTOR && c->x == 0) return "{what} is missing";
    if (c->kind == IC_FORCE_SIDES && c->x == 1 && c->y == 0) return "{what} is missing in unloading";
    if (c->kind == IC_FORCE_ADDED && drag) return "a dashpot of {x} N s/m is added";
    if (c->kind == IC_FORCE_DEPTH_POWER && drag) return "{what} grows with another power of d, by {x}";
    if (c->kind == IC_FORCE_SPEED_POWER && fabs(speed_power(pair) + c->x) < FACTOR)
        return "v0 has no effect on {what}: it has v0^0 where the law has v0^{v_law}";
    return changes[c->kind].words;
}

/* The value of a name in the words. */
static void fill_in(char value[80], const char *name, size_t length, const ic_law_pair *pair,
                    const ic_force_change *c, ic_force_part part)
{
    const char *force = c->on == IC_ON_BOTH  ? "the force"
                        : part == IC_ELASTIC ? "the elastic force"
                                             : "the drag";
    const struct {
        const char *name, *text;
        double number;
    } known[] = {
        {"what", force, 0},
        {"where", c->on == IC_ON_DRAG ? " in the drag" : "", 0},
        {"side",
         c->side == 0  ? ""
         : c->side > 0 ? " in loading"
                       : " in unloading",
         0},
        {"other", c->other != NULL ? c->other->law->name : "", 0},
        {"x", NULL, c->x},
        {"y", NULL, c->y},
        {"n", NULL, pair->fit.n},
        {"n_law", NULL, pair->fit.n - c->x},
    };
    value[0] = '\0';
    for (size_t i = 0; i < IC_COUNT(known); i++) {
        if (strlen(known[i].name) != length || strncmp(name, known[i].name, length) != 0) continue;
        if (known[i].text != NULL) snprintf(value, 80, "%.79s", known[i].text);
        else snprintf(value, 80, "%.6g", known[i].number);
        return;
    }
    if (name[0] == 'i' || name[0] == 'j')
        snprintf(value, 80, "'%.40s'", ic_law_pair_name(pair, name[0] == 'i' ? c->i : c->j));
    else if (name[0] == 'v') snprintf(value, 80, "%.4g", speed_power(pair) + (length == 1 ? c->x : 0));
    else list_varying(value, pair, c->table);
}

void ic_force_change_words(char text[IC_FORCE_WORDS], const ic_law_pair *pair, const ic_force_change *c,
                           ic_force_part part)
{
    const char *rest = words_of(pair, c, part);
    text[0] = '\0';
    while (rest != NULL && *rest != '\0') {
        const char *open = strchr(rest, '{'), *close = open != NULL ? strchr(open, '}') : NULL;
        char value[80] = "";
        if (close != NULL) fill_in(value, open + 1, (size_t)(close - open - 1), pair, c, part);
        ic_text_append(text, IC_FORCE_WORDS, "%.*s%s",
                       (int)(close != NULL ? open - rest : (ptrdiff_t)strlen(rest)), rest, value);
        rest = close != NULL ? close + 1 : NULL;
    }
}
