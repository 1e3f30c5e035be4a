/* SPDX-License-Identifier: MIT */
/*
 * What a law says of itself, f = K d^n or any other f(d), its energy, and the drag f(d) a v/v0 or c
 * v, must be what its force does: exact answers and certificates are made from the texts,
 * simulations from the force.
 *
 * A free impact of F = f(d) (1 + a v/v0) leaves with the speed e v0, where, whatever f is,
 *
 *     a (1 + e) = ln((1 + a)/(1 - a e)),
 *
 * from m v dv/dd = -F, both sides of which are integrated over compression and restitution.
 */
#include "audit/law/law_texts.h"

#include "audit/common/tolerances.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the force: a drag that is smaller is none. */
#define NO_DRAG 1e-9

enum { PARAMETERS_MOST = 64, DEPTHS = 6, HALVINGS = 200 };
static const double rates[] = {-0.5, -0.1, 0.3, 0.9}; /* of v0 */
static const double speeds[] = {1, 0.01, 30};         /* m/s */

bool ic_law_text(double *value, const ic_law_probe *p, const char *text, double d, double v0, ic_error *error)
{
    const size_t n = p->law->n_parameters;
    ic_parameter table[PARAMETERS_MOST + 2];
    double values[PARAMETERS_MOST + 2];
    if (n > PARAMETERS_MOST) {
        ic_error_set(error, "more than %d parameters", PARAMETERS_MOST);
        return false;
    }
    memcpy(table, p->law->parameters, n * sizeof *table);
    memcpy(values, p->set, n * sizeof *values);
    table[n] = (ic_parameter){.name = "v0"}, values[n] = v0;
    table[n + 1] = (ic_parameter){.name = "d"}, values[n + 1] = d;
    const ic_case named = {.parameters = table, .n_parameters = n + 2};
    const ic_names names = {.system = &named, .par = values};
    return ic_expression_number(value, text, &names, error);
}

/* ---- e of the damping a */

static double imbalance(double a, double e)
{
    return a * (1 + e) - log1p(a) + log1p(-a * e);
}

static double restitution_of(double a)
{
    double low = 0, high = fmin(1, 1 / a);
    if (a == 0) return 1;
    if (!(a > 0)) return NAN;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (imbalance(a, middle) > 0) low = middle;
        else high = middle;
    }
    return 0.5 * (low + high);
}

double ic_law_restitution_told(const ic_law_probe *p, double v0)
{
    double value = NAN;
    if (p->law->restitution != NULL)
        return ic_law_text(&value, p, p->law->restitution, 0, v0, NULL) ? value : NAN;
    if (p->law->damping == NULL || !ic_law_text(&value, p, p->law->damping, 0, v0, NULL)) return NAN;
    return restitution_of(value);
}

/* ---- texts against the force */

typedef enum told { ELASTIC, ENERGY, DRAG, TEXTS } told;

typedef struct study {
    ic_law_probe *probe;
    ic_law_setting setting;
    struct {
        bool measured;
        double off, d, v0;
        double least, most; /* of the force's over the text's */
        ic_law_setting setting;
        char error[160];
    } worst[TEXTS];
} study;

/* `least`: size below which a difference is no part of it. */
static void note(study *s, told what, double mine, double text, double least, double d)
{
    const double size = fmax(fmax(fabs(mine), fabs(text)), least);
    const double off = mine == text ? 0 : fabs(mine - text) / size;
    if (!s->worst[what].measured) s->worst[what].least = INFINITY, s->worst[what].most = -INFINITY;
    s->worst[what].least = fmin(s->worst[what].least, mine / text);
    s->worst[what].most = fmax(s->worst[what].most, mine / text);
    if (s->worst[what].measured && (off <= s->worst[what].off || isnan(s->worst[what].off))) return;
    s->worst[what].measured = true;
    s->worst[what].off = off, s->worst[what].d = d, s->worst[what].v0 = s->probe->v0;
    s->worst[what].setting = s->setting;
}

/* NAN, and the error kept, where the text cannot be read. */
static double value_of(study *s, told what, const char *text, double d)
{
    double value = NAN;
    ic_error error = {""};
    if (!ic_law_text(&value, s->probe, text, d, s->probe->v0, &error))
        snprintf(s->worst[what].error, sizeof s->worst[what].error, "%.150s", error.text);
    return value;
}

/* f(d) by the texts; NAN: there is none. */
static double elastic_told(study *s, double d)
{
    const ic_law *law = s->probe->law;
    if (law->elastic != NULL) return value_of(s, ELASTIC, law->elastic, d);
    if (law->stiffness == NULL || law->power == NULL) return NAN;
    return value_of(s, ELASTIC, law->stiffness, d) * pow(d, value_of(s, ELASTIC, law->power, d));
}

/* F - F(d, 0) by the texts, where f(d) is the force at rest; what is cut to 0 is not asked. */
static double drag_told(study *s, double rest, double v)
{
    const ic_law *law = s->probe->law;
    if (law->dashpot != NULL) return value_of(s, DRAG, law->dashpot, 0) * v;
    return rest * value_of(s, DRAG, law->damping, 0) * v / s->probe->v0;
}

static void hold_drag(study *s, double d, double rest)
{
    for (size_t i = 0; i < IC_COUNT(rates); i++) {
        const double v = rates[i] * s->probe->v0, text = drag_told(s, rest, v);
        const double mine = ic_law_probe_force(s->probe, d, v) - rest;
        if (rest + text <= 0) continue;
        if (fmax(fabs(mine), fabs(text)) <= NO_DRAG * fabs(rest)) note(s, DRAG, 1, 1, 0, d);
        else note(s, DRAG, mine, text, 0, d);
    }
}

static void hold(study *s)
{
    const ic_law *law = s->probe->law;
    /* texts of energies may be differences of large terms: at small d no digit is left of them */
    const double whole = ic_law_probe_work(s->probe, s->probe->d0);
    const bool elastic = law->elastic != NULL || (law->stiffness != NULL && law->power != NULL);
    for (int i = 0; i < DEPTHS; i++) {
        const double d = s->probe->d0 * pow(10, -0.5 * i), rest = ic_law_probe_force(s->probe, d, 0);
        if (elastic) note(s, ELASTIC, rest, elastic_told(s, d), 0, d);
        if (law->energy != NULL)
            note(s, ENERGY, ic_law_probe_work(s->probe, d),
                 value_of(s, ENERGY, law->energy, d) - value_of(s, ENERGY, law->energy, 0), whole, d);
        if (law->damping != NULL || law->dashpot != NULL) hold_drag(s, d, rest);
    }
}

/* ---- rows */

static void tell(ic_sink *sink, const study *s, told what)
{
    static const ic_plugin_check checks[TEXTS] = {[ELASTIC] = IC_CHECK_LAW_TEXT_ELASTIC,
                                                  [ENERGY] = IC_CHECK_LAW_TEXT_ENERGY,
                                                  [DRAG] = IC_CHECK_LAW_TEXT_DAMPING};
    const double off = s->worst[what].off, least = s->worst[what].least, most = s->worst[what].most;
    const ic_law *law = s->probe->law;
    const ic_law_setting *at = &s->worst[what].setting;
    const ic_measured m = {off, ic_tolerance_law_formula.value, ic_tolerance_law_formula.derivation,
                           IC_MISTAKE_CLOSED_FORM_MISTOLD};
    if (!s->worst[what].measured) return;
    if (at->parameter < law->n_parameters)
        ic_sink_place(sink, "impact at %g m/s, with %.30s = %.6g", s->worst[what].v0,
                      law->parameters[at->parameter].name, at->value);
    else ic_sink_place(sink, "impact at %g m/s", s->worst[what].v0);
    if (s->worst[what].error[0] != '\0')
        ic_sink_measure(sink, checks[what], &m, "the text cannot be read: %s", s->worst[what].error);
    else if (most - least <= ic_tolerance_law_formula.value * fabs(most))
        ic_sink_measure(sink, checks[what], &m, "that of the force is %.6g times that of the text, everywhere",
                        most);
    else
        ic_sink_measure(sink, checks[what], &m,
                        "worst there at d = %.4g m; that of the force is %.6g to %.6g times that of the text",
                        s->worst[what].d, least, most);
    ic_sink_place(sink, "%s", "");
}

bool ic_law_check_texts(ic_sink *sink, ic_law_probe *p)
{
    ic_law_setting settings[IC_LAW_SETTINGS_MOST];
    study s = {.probe = p};
    bool good = true;
    const size_t n = ic_law_settings(settings, p->law, p->parameters.value), not_finite = p->not_finite;
    for (size_t i = 0; i < n; i++) {
        s.setting = settings[i];
        for (size_t k = 0; k < IC_COUNT(speeds); k++) {
            if (ic_law_probe_set(p, &settings[i], speeds[k])) hold(&s);
        }
    }
    ic_law_probe_set(p, &settings[0], 1);
    p->not_finite = not_finite; /* told already, with what it is asked for there */
    for (int what = 0; what < TEXTS; what++) {
        tell(sink, &s, (told)what);
        good &= !s.worst[what].measured || s.worst[what].off <= ic_tolerance_law_formula.value;
    }
    return good;
}
