/* SPDX-License-Identifier: MIT */
#include "audit/law/law_changes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Accepted relative error of a fitted power of ten, or of a factor such as 2. */
#define FACTOR 1e-6

/* in a metre per second */
#define KILOMETRES_PER_HOUR 3.6

/* ---- the changed law */

static double limit(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

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
    if (c->kind == IC_FORCE_RATE_MOST) return limit(v, -c->x, c->x);
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

ic_mistake_id ic_force_change_mistake(const ic_law_pair *pair, const ic_force_change *c, ic_force_part part)
{
    const ic_mistake_id vague = part == IC_ELASTIC ? IC_MISTAKE_STIFFNESS_WRONG : IC_MISTAKE_DAMPING_WRONG;
    switch (c->kind) {
    case IC_FORCE_FACTOR: return factor_mistake(pair, c->x, part);
    case IC_FORCE_SIDES: return IC_MISTAKE_DAMPING_ONE_SIDED;
    case IC_FORCE_FIXED:
    case IC_FORCE_AT_MOST:
    case IC_FORCE_AT_LEAST: return IC_MISTAKE_PARAMETER_IGNORED;
    case IC_FORCE_SCALED: return is_power_of(c->x, 10) ? IC_MISTAKE_UNITS_MIXED : IC_MISTAKE_PARAMETER_WRONG;
    case IC_FORCE_POWER:
        if (c->i != pair->known.e) return vague;
        return is_about(c->x, 2) || is_about(c->x, 0.5) ? IC_MISTAKE_RESTITUTION_SQUARED
                                                        : IC_MISTAKE_RESTITUTION_WRONG;
    case IC_FORCE_EXCHANGED: return IC_MISTAKE_PARAMETERS_EXCHANGED;
    case IC_FORCE_OTHER_LAW: return IC_MISTAKE_MISLABELLED;
    case IC_FORCE_DEPTH_POWER: return part == IC_ELASTIC ? IC_MISTAKE_EXPONENT_WRONG : vague;
    case IC_FORCE_RATE_POWER: return c->x <= -1 + FACTOR ? IC_MISTAKE_FORCE_JUMPS : vague;
    case IC_FORCE_ADDED: return part == IC_ELASTIC ? IC_MISTAKE_FORCE_JUMPS : vague;
    case IC_FORCE_DEPTH_SCALED: return is_power_of(c->x, 10) ? IC_MISTAKE_UNITS_MIXED : vague;
    case IC_FORCE_SHIFTED: return IC_MISTAKE_ORIGIN_SHIFTED;
    case IC_FORCE_DEPTH_LIMIT:
    case IC_FORCE_LIMIT: return IC_MISTAKE_FORCE_LIMITED;
    case IC_FORCE_THRESHOLD: return IC_MISTAKE_FORCE_JUMPS;
    case IC_FORCE_SPEED_LEAST:
    case IC_FORCE_SPEED_MOST:
    case IC_FORCE_RATE_MOST:
    case IC_FORCE_RATE_LEAST: return IC_MISTAKE_SPEED_LIMITED;
    case IC_FORCE_CUT_ABOVE: return IC_MISTAKE_ANOTHER_CONDITION;
    default: return vague;
    }
}

static const char *side_words(const ic_force_change *c)
{
    return c->side == 0 ? "" : c->side > 0 ? " in loading" : " in unloading";
}

/* The power of v0 in the registered law's drag at the defaults. */
static double speed_power(const ic_law_pair *pair)
{
    const ic_force_model plain = {.pair = pair};
    const double d = pair->p->d0, slow = part_of_model(&plain, IC_DRAG, 0, d, 0.1, 1),
                 fast = part_of_model(&plain, IC_DRAG, 0, d, 0.1, 2);
    return log(fast / slow) / log(2);
}

static void parameter_words(char text[IC_FORCE_WORDS], const ic_law_pair *pair, const ic_force_change *c,
                            const char *where)
{
    const char *name = ic_law_pair_name(pair, c->i);
    switch (c->kind) {
    case IC_FORCE_FIXED:
        snprintf(text, IC_FORCE_WORDS, "'%.40s' has no effect%s, as if it were %.6g", name, where, c->x);
        break;
    case IC_FORCE_AT_MOST:
    case IC_FORCE_AT_LEAST:
        snprintf(text, IC_FORCE_WORDS, "'%.40s' has no effect%s %s %.6g", name, where,
                 c->kind == IC_FORCE_AT_MOST ? "above" : "below", c->x);
        break;
    case IC_FORCE_SCALED:
        snprintf(text, IC_FORCE_WORDS, "'%.40s' is taken as %.6g times its value%s", name, c->x, where);
        break;
    case IC_FORCE_POWER:
        snprintf(text, IC_FORCE_WORDS, "'%.40s' is taken to the power %.6g%s", name, c->x, where);
        break;
    default:
        snprintf(text, IC_FORCE_WORDS, "'%.40s' and '%.40s' are exchanged%s", name,
                 ic_law_pair_name(pair, c->j), where);
        break;
    }
}

/* Names of the parameters at whose settings a table differs from the defaults. */
static void list_varying(char text[80], const ic_law_pair *pair, const double *table)
{
    size_t last = pair->p->law->n_parameters, used = 0;
    text[0] = '\0';
    for (size_t k = 1; k < pair->n_settings; k++) {
        const size_t i = pair->settings[k].parameter;
        if (!(fabs(table[k] - table[0]) > FACTOR * fabs(table[0])) || i == last) continue;
        last = i;
        if (used < 80)
            used += (size_t)snprintf(text + used, 80 - used, "%s'%.20s'", used > 0 ? ", " : "",
                                     pair->p->law->parameters[i].name);
    }
}

static void factor_words(char text[IC_FORCE_WORDS], const ic_law_pair *pair, const ic_force_change *c,
                         const char *what)
{
    if (c->kind == IC_FORCE_FACTORS) {
        char names[80];
        list_varying(names, pair, c->table);
        snprintf(text, IC_FORCE_WORDS, "%s is %.6g to %.6g times the law's, depending on %s", what, c->x, c->y,
                 names);
    } else if (c->kind == IC_FORCE_SIDES && c->x == 1 && c->y == 0) {
        snprintf(text, IC_FORCE_WORDS, "%s is missing in unloading", what);
    } else if (c->kind == IC_FORCE_SIDES) {
        snprintf(text, IC_FORCE_WORDS, "%s is %.6g times the law's in loading, and %.6g times in unloading",
                 what, c->x, c->y);
    } else if (c->x == 0) snprintf(text, IC_FORCE_WORDS, "%s is missing", what);
    else snprintf(text, IC_FORCE_WORDS, "%s is %.6g times the law's", what, c->x);
}

static void power_words(char text[IC_FORCE_WORDS], const ic_law_pair *pair, const ic_force_change *c,
                        const char *what, ic_force_part part)
{
    if (c->kind == IC_FORCE_SPEED_POWER) {
        const double law = speed_power(pair), has = law + c->x;
        if (fabs(has) < FACTOR)
            snprintf(text, IC_FORCE_WORDS, "v0 has no effect on %s: it has v0^0 where the law has v0^%.4g",
                     what, law);
        else snprintf(text, IC_FORCE_WORDS, "%s has v0^%.4g where the law has v0^%.4g", what, has, law);
    } else if (c->kind == IC_FORCE_RATE_POWER) {
        snprintf(text, IC_FORCE_WORDS, "%s grows with v^%.4g more than the law's", what, c->x);
    } else if (part == IC_ELASTIC) {
        snprintf(text, IC_FORCE_WORDS, "%s grows with d^%.6g where the law has d^%.6g", what, pair->fit.n,
                 pair->fit.n - c->x);
    } else {
        snprintf(text, IC_FORCE_WORDS, "%s grows with another power of d, by %.6g", what, c->x);
    }
}

void ic_force_change_words(char text[IC_FORCE_WORDS], const ic_law_pair *pair, const ic_force_change *c,
                           ic_force_part part)
{
    const char *what = c->on == IC_ON_BOTH  ? "the force"
                       : part == IC_ELASTIC ? "the elastic force"
                                            : "the drag",
               *where = c->on == IC_ON_DRAG ? " in the drag" : "";
    switch (c->kind) {
    case IC_FORCE_FACTOR:
    case IC_FORCE_SIDES:
    case IC_FORCE_FACTORS: factor_words(text, pair, c, what); break;
    case IC_FORCE_ADDED:
        snprintf(text, IC_FORCE_WORDS,
                 part == IC_ELASTIC ? "%.6g N are added" : "a dashpot of %.6g N s/m is added", c->x);
        break;
    case IC_FORCE_DEPTH_SCALED:
        snprintf(text, IC_FORCE_WORDS, "%s takes the depth as %.6g times its value", what, c->x);
        break;
    case IC_FORCE_SPEED_SHIFTED: snprintf(text, IC_FORCE_WORDS, "v0 is taken as v0 + %.6g m/s", c->x); break;
    case IC_FORCE_FIXED:
    case IC_FORCE_AT_MOST:
    case IC_FORCE_AT_LEAST:
    case IC_FORCE_SCALED:
    case IC_FORCE_POWER:
    case IC_FORCE_EXCHANGED: parameter_words(text, pair, c, where); break;
    case IC_FORCE_OTHER_LAW:
        snprintf(text, IC_FORCE_WORDS, "%s is that of '%.40s'", what, c->other->law->name);
        break;
    case IC_FORCE_DEPTH_POWER:
    case IC_FORCE_RATE_POWER:
    case IC_FORCE_SPEED_POWER: power_words(text, pair, c, what, part); break;
    case IC_FORCE_SHIFTED: snprintf(text, IC_FORCE_WORDS, "the depth is counted from %.6g m", c->x); break;
    case IC_FORCE_DEPTH_LIMIT: snprintf(text, IC_FORCE_WORDS, "the depth is limited to %.6g m", c->x); break;
    case IC_FORCE_THRESHOLD: snprintf(text, IC_FORCE_WORDS, "there is no force up to d = %.6g m", c->x); break;
    case IC_FORCE_LIMIT: snprintf(text, IC_FORCE_WORDS, "the force is limited to %.6g N", c->x); break;
    case IC_FORCE_SPEED_FIXED:
        snprintf(text, IC_FORCE_WORDS, "v0 has no effect, as if it were %.6g m/s", c->x);
        break;
    case IC_FORCE_SPEED_LEAST:
    case IC_FORCE_SPEED_MOST:
        snprintf(text, IC_FORCE_WORDS, "v0 is at %s %.6g m/s",
                 c->kind == IC_FORCE_SPEED_LEAST ? "least" : "most", c->x);
        break;
    case IC_FORCE_RATE_MOST:
    case IC_FORCE_RATE_LEAST:
        snprintf(text, IC_FORCE_WORDS, "the rate is at %s %.6g m/s%s",
                 c->kind == IC_FORCE_RATE_MOST ? "most" : "least", c->x, side_words(c));
        break;
    case IC_FORCE_CUT_ABOVE:
        snprintf(text, IC_FORCE_WORDS, "there is no force above the surface, where the law still pushes");
        break;
    default: text[0] = '\0'; break;
    }
}
