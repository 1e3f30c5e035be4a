/* SPDX-License-Identifier: MIT */
/*
 * The texts of a law, f = K d^n or any other f(d), its energy, and the drag f(d) a v/v0 or c v,
 * must agree with its force: exact answers and certificates are made from the texts, simulations
 * from the force.
 *
 * A free impact of F = f(d) (1 + a v/v0) rebounds with the speed e v0, where, for every f,
 *
 *     a (1 + e) = ln((1 + a)/(1 - a e)),
 *
 * from m v dv/dd = -F, both sides of which are integrated over compression and restitution.
 */
#include "audit/law/law.h"

#include "audit/common/tolerances.h"
#include "core/random.h"

#include <math.h>
#include <stdio.h>

/* A drag below this fraction of the force counts as zero. */
#define NO_DRAG 1e-9

enum { DEPTHS = 6, HALVINGS = 200 };
static const double rates[] = {-0.5, -0.1, 0.3, 0.9}; /* of v0 */
static const double speeds[] = {1, 0.01, 30};         /* m/s */
/* Drawn speeds at the defaults, and values of each parameter, within so many decades, each with a speed. */
enum { DRAWN_VALUES = 40, MOST_DRAWN = 200 };
#define DECADES 3

/* ---- e of the damping a */

static double solve_restitution(double a)
{
    double low = 0, high = fmin(1, 1 / a);
    if (a == 0) return 1;
    if (!(a > 0)) return NAN;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (a * (1 + middle) - log1p(a) + log1p(-a * middle) > 0) low = middle;
        else high = middle;
    }
    return 0.5 * (low + high);
}

double ic_law_stated_restitution(const ic_law_probe *p, double v0)
{
    double value = NAN;
    if (p->law->restitution != NULL)
        return ic_law_text_value(&value, p->law, p->law->restitution, p->set, 0, v0, NULL) ? value : NAN;
    if (p->law->damping == NULL || !ic_law_text_value(&value, p->law, p->law->damping, p->set, 0, v0, NULL))
        return NAN;
    return solve_restitution(value);
}

/* ---- texts compared with the force */

typedef enum law_part { ELASTIC, ENERGY, DRAG, TEXTS } law_part;

typedef struct study {
    ic_law_probe *probe;

    /* parameters that the texts take for each other; both 0: none */
    size_t exchanged[2];

    ic_law_setting setting;

    /* a parameter is drawn far from its default, where large terms of an energy leave no digits of it */
    bool far_out;
    struct {
        bool measured;
        double off, d, v0;

        /* ratio of the force's value to the text's */
        double least, most;

        ic_law_setting setting;
        char error[160];
    } worst[TEXTS];
} study;

/* `least`: smallest size to which a difference is related. */
static void note_worst(study *s, law_part what, double mine, double stated, double least, double d)
{
    const double size = fmax(fmax(fabs(mine), fabs(stated)), least);
    const double off = mine == stated ? 0 : fabs(mine - stated) / size;
    if (!s->worst[what].measured) s->worst[what].least = INFINITY, s->worst[what].most = -INFINITY;
    if (mine != 0 || stated != 0) {
        s->worst[what].least = fmin(s->worst[what].least, mine / stated);
        s->worst[what].most = fmax(s->worst[what].most, mine / stated);
    }
    if (s->worst[what].measured && (off <= s->worst[what].off || isnan(s->worst[what].off))) return;
    s->worst[what].measured = true;
    s->worst[what].off = off, s->worst[what].d = d, s->worst[what].v0 = s->probe->v0;
    s->worst[what].setting = s->setting;
}

static void exchange(study *s)
{
    double *set = s->probe->set;
    const double kept = set[s->exchanged[0]];
    if (s->exchanged[0] == s->exchanged[1]) return;
    set[s->exchanged[0]] = set[s->exchanged[1]];
    set[s->exchanged[1]] = kept;
}

/* NAN: the text cannot be read; the error is kept. */
static double evaluate_text(study *s, law_part what, const char *source, double d)
{
    double value = NAN;
    ic_error error = {""};
    exchange(s);
    const bool good = ic_law_text_value(&value, s->probe->law, source, s->probe->set, d, s->probe->v0, &error);
    exchange(s);
    if (!good) snprintf(s->worst[what].error, sizeof s->worst[what].error, "%.150s", error.text);
    return value;
}

/* f(d) by the texts; NAN: the law has none. */
static double stated_elastic(study *s, double d)
{
    const ic_law *law = s->probe->law;
    if (law->elastic != NULL) return evaluate_text(s, ELASTIC, law->elastic, d);
    if (law->stiffness == NULL || law->power == NULL) return NAN;
    return evaluate_text(s, ELASTIC, law->stiffness, d) * pow(d, evaluate_text(s, ELASTIC, law->power, d));
}

/* F - F(d, 0), where `rest` is the force at rest. */
static void compare_drag(study *s, double d, double rest)
{
    const ic_law *law = s->probe->law;
    for (size_t i = 0; i < IC_COUNT(rates); i++) {
        const double v = rates[i] * s->probe->v0;
        const double stated = law->dashpot != NULL
                                  ? evaluate_text(s, DRAG, law->dashpot, 0) * v
                                  : rest * evaluate_text(s, DRAG, law->damping, 0) * v / s->probe->v0;
        const double mine = ic_law_probe_force(s->probe, d, v) - rest;
        if (rest + stated <= 0) continue; /* The force is limited to 0. */
        if (fmax(fabs(mine), fabs(stated)) <= NO_DRAG * fabs(rest))
            note_worst(s, DRAG, 0, 0, 0, d); /* both vanish */
        else note_worst(s, DRAG, mine, stated, 0, d);
    }
}

static void compare_texts(study *s)
{
    const ic_law *law = s->probe->law;
    /*
     * Texts of energies may be differences of large terms, which have no correct digit at small d.
     */
    const double whole = ic_law_probe_work(s->probe, s->probe->d0);
    const bool elastic = law->elastic != NULL || (law->stiffness != NULL && law->power != NULL);
    for (int i = 0; i < DEPTHS; i++) {
        const double d = s->probe->d0 * pow(10, -0.5 * i), rest = ic_law_probe_force(s->probe, d, 0);
        if (elastic) note_worst(s, ELASTIC, rest, stated_elastic(s, d), 0, d);
        if (law->energy != NULL && !s->far_out)
            note_worst(s, ENERGY, ic_law_probe_exact_work(s->probe, d),
                       evaluate_text(s, ENERGY, law->energy, d) - evaluate_text(s, ENERGY, law->energy, 0),
                       whole, d);
        if (law->damping != NULL || law->dashpot != NULL) compare_drag(s, d, rest);
    }
}

/* ---- rows */

static void add_row(ic_finding_writer *writer, const study *s, law_part what, ic_mistake_id cause)
{
    static const ic_plugin_check checks[TEXTS] = {[ELASTIC] = IC_CHECK_LAW_TEXT_ELASTIC,
                                                  [ENERGY] = IC_CHECK_LAW_TEXT_ENERGY,
                                                  [DRAG] = IC_CHECK_LAW_TEXT_DAMPING};
    const double off = s->worst[what].off, least = s->worst[what].least, most = s->worst[what].most;
    const ic_law *law = s->probe->law;
    const ic_judged_value m = IC_JUDGED(off, ic_tolerance_law_formula, cause);
    if (!s->worst[what].measured) return;
    ic_writer_set_place(writer, "impact at %g m/s%.50s", s->worst[what].v0,
                        ic_law_setting_text(law, &s->worst[what].setting).text);
    if (s->worst[what].error[0] != '\0')
        ic_write_measured(writer, checks[what], &m, "the text cannot be read: %s", s->worst[what].error);
    else if (cause == IC_MISTAKE_PARAMETERS_EXCHANGED && off > ic_tolerance_law_formula.value)
        ic_write_measured(writer, checks[what], &m,
                          "the force is that of the text with '%.30s' and '%.30s' exchanged",
                          law->parameters[s->exchanged[0]].name, law->parameters[s->exchanged[1]].name);
    else if (!(least <= most)) ic_write_measured(writer, checks[what], &m, "both vanish");
    else if (most - least <= ic_tolerance_law_formula.value * fabs(most))
        ic_write_measured(writer, checks[what], &m, "the force's value is everywhere %.6g times the text's",
                          most);
    else
        ic_write_measured(writer, checks[what], &m,
                          "worst there at d = %.4g m; the force's value is %.6g to %.6g times the text's",
                          s->worst[what].d, least, most);
    ic_writer_set_place(writer, "%s", "");
}

static bool is_good(const study *s)
{
    bool good = true;
    for (int what = 0; what < TEXTS; what++)
        good &= !s->worst[what].measured || s->worst[what].off <= ic_tolerance_law_formula.value;
    return good;
}

/* At all settings and speeds, and at drawn ones, or, in a hurry, until something differs. */
static void compare_all(study *s, bool hurry)
{
    ic_law_setting settings[IC_MOST_LAW_SETTINGS], drawn[MOST_DRAWN];
    ic_law_probe *p = s->probe;
    uint64_t seed = p->seed;
    const size_t n = ic_law_settings(settings, p->law, p->parameters.value), not_finite = p->not_finite;
    for (size_t i = 0; i < n; i++) {
        s->setting = settings[i];
        for (size_t k = 0; k < IC_COUNT(speeds) && !(hurry && !is_good(s)); k++) {
            if (ic_law_probe_set(p, &settings[i], speeds[k])) compare_texts(s);
        }
    }
    const size_t n_drawn =
        ic_law_draw_settings(drawn, MOST_DRAWN, DRAWN_VALUES, DECADES, p->law, p->parameters.value, &seed);
    for (size_t i = 0; i < DRAWN_VALUES + n_drawn && !(hurry && !is_good(s)); i++) {
        s->setting = i < DRAWN_VALUES ? settings[0] : drawn[i - DRAWN_VALUES];
        s->far_out = i >= DRAWN_VALUES;
        if (ic_law_probe_set(p, &s->setting, ic_log_uniform(&seed, speeds[1], speeds[2]))) compare_texts(s);
    }
    ic_law_probe_set(p, &settings[0], 1);
    p->not_finite = not_finite; /* Another check reports these. */
}

/* Two parameters with which the texts are right if one is taken for the other. false: none. */
static bool find_exchanged(ic_law_probe *p, size_t found[2])
{
    for (size_t i = 0; i < p->law->n_parameters; i++) {
        for (size_t j = i + 1; j < p->law->n_parameters; j++) {
            study s = {.probe = p, .exchanged = {i, j}};
            compare_all(&s, true);
            found[0] = i, found[1] = j;
            if (is_good(&s)) return true;
        }
    }
    return false;
}

ic_mistake_id ic_law_check_texts(ic_finding_writer *writer, ic_law_probe *p, bool explained, bool gives)
{
    study s = {.probe = p};
    compare_all(&s, false);
    const bool good = is_good(&s), exchanged = !good && !explained && find_exchanged(p, s.exchanged);
    const ic_mistake_id cause = explained || good ? IC_NO_MISTAKE
                                : exchanged       ? IC_MISTAKE_PARAMETERS_EXCHANGED
                                                  : IC_MISTAKE_CLOSED_FORM_MISTOLD;
    /* the text's drag with the other sign supplies energy: it is the force that is wrong */
    const bool reversed =
        cause == IC_MISTAKE_CLOSED_FORM_MISTOLD && gives &&
        fabs(s.worst[DRAG].least + 1) + fabs(s.worst[DRAG].most + 1) <= ic_tolerance_law_formula.value;
    for (int what = 0; what < TEXTS; what++)
        add_row(writer, &s, (law_part)what, reversed && what == DRAG ? IC_MISTAKE_DAMPING_SIGN : cause);
    return reversed ? IC_MISTAKE_DAMPING_SIGN : cause;
}
