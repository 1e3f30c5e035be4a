/* SPDX-License-Identifier: MIT */
/*
 * The prescribed coefficient of restitution of a contact-force law, and the one in effect: exact
 * curves.
 *
 * Laws with a parameter e are given it. A linear law is given c = 2 zeta sqrt(k m) with zeta = -ln
 * e/sqrt(pi^2 + ln^2 e), which is made for a contact that ends at d = 0 (condition A); a contact
 * that ends at F = 0 gives more back.
 */
#include "core/free_impact.h"
#include "core/names.h"
#include "core/parameters.h"
#include "registry/registry.h"
#include "validation/studies/study.h"

#include <math.h>
#include <stdio.h>

/* e = 0.01, 0.02, ..., 1 */
enum { PARTS = 100, MOST_LAWS = 64 };

/* Error that a user would consider wrong; this number is ours. */
#define WRONG 0.05
/*
 * Difference of curves that counts as rounding: those of one formula, or of one formula in two
 * forms, by root finding and by closed forms.
 */
#define SAME 1e-12

enum { LAW, CURVE, E_IN, DAMPING, E_OUT, ERROR };

static const ic_study_column columns[] = {
    [LAW] = {"law", NULL, "contact-force law"},
    [CURVE] = {"curve", NULL, "the first law that has the same e_out for every e_in"},
    [E_IN] = {"e_in", "1", "prescribed coefficient of restitution"},
    [DAMPING] = {"a", "1", "damping that the law derives from e_in; zeta of a linear law"},
    [E_OUT] = {"e_out", "1", "coefficient of restitution of a free impact"},
    [ERROR] = {"error", "1", "e_out - e_in"},
};

/* A law at work on the mass m = 1 kg at v0 = 1 m/s, which do not matter. */
typedef struct law_curve {
    const ic_law *law, *same;
    ic_impact_outcome outcome[PARTS];
} law_curve;

static double e_at(int i)
{
    return (i + 1.0) / PARTS;
}

/* ---- curves */

/* c for e, where k = 1 N/m and m = 1 kg */
static double dashpot(double e)
{
    const double pi = acos(-1), loss = -log(e);
    return 2 * loss / sqrt(pi * pi + loss * loss);
}

static bool outcome_at(ic_impact_outcome *outcome, ic_parameters *parameters, const ic_law *law, int i,
                       ic_error *error)
{
    char settings[64];
    if (law->dashpot != NULL) snprintf(settings, sizeof settings, "k=1, c=%.17g", dashpot(e_at(i)));
    else snprintf(settings, sizeof settings, "e=%d/%d", i + 1, PARTS);
    return ic_parameters_set_list(parameters, settings, error) && ic_parameters_evaluate(parameters, error) &&
           ic_law_impact(outcome, law, parameters->value, 1, 1, error);
}

static bool compute_curve(law_curve *c, ic_error *error)
{
    ic_parameters parameters;
    bool good =
        ic_parameters_open(&parameters, "law", c->law->name, c->law->parameters, c->law->n_parameters, error);
    for (int i = 0; i < PARTS && good; i++) good = outcome_at(&c->outcome[i], &parameters, c->law, i, error);
    ic_parameters_close(&parameters);
    return good;
}

static bool curves_coincide(const law_curve *a, const law_curve *b)
{
    for (int i = 0; i < PARTS; i++) {
        if (fabs(a->outcome[i].restitution - b->outcome[i].restitution) > SAME) return false;
    }
    return true;
}

static void add_rows(ic_study_data *data, const law_curve *c)
{
    for (int i = 0; i < PARTS; i++) {
        const double e = e_at(i), out = c->outcome[i].restitution;
        ic_study_text(data, c->law->name);
        ic_study_text(data, c->same->name);
        IC_STUDY_NUMBERS(data, e, c->outcome[i].damping, out, out - e);
    }
}

/* ---- findings */

static void find_law(ic_study_data *data, const law_curve *c)
{
    double worst = 0, worst_at = 0, wrong_below = 0;
    for (int i = 0; i < PARTS; i++) {
        const double e = e_at(i), off = c->outcome[i].restitution - e;
        if (fabs(off) > fabs(worst)) worst = off, worst_at = e;
        if (fabs(off) > WRONG) wrong_below = e;
    }
    if (fabs(worst) <= SAME) {
        ic_study_finding(data,
                         "%s: the restitution in effect equals the prescribed one, to rounding, for every e.",
                         c->law->name);
        return;
    }
    const double loss = (1 - c->outcome[PARTS - 2].restitution) * PARTS; /* at e = 0.99 */
    ic_study_finding(
        data,
        "%s: at most %+.3f off, at e = %.2f; %s%.2f; for e -> 1 energy losses are %.3f of what they "
        "should be.",
        c->law->name, worst, worst_at,
        wrong_below > 0 ? "more than 0.05 off up to e = " : "never more than 0.05 off, down to e = ",
        wrong_below > 0 ? wrong_below : e_at(0), loss);
}

static void find_groups(ic_study_data *data, const law_curve *curves, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char names[256];
        size_t length = (size_t)snprintf(names, sizeof names, "%s", curves[i].law->name), others = 0;
        for (size_t k = i + 1; k < n && length < sizeof names; k++) {
            if (curves[k].same != curves[i].law) continue;
            length += (size_t)snprintf(names + length, sizeof names - length, ", %s", curves[k].law->name);
            others++;
        }
        if (others > 0) ic_study_finding(data, "The same curve: %s.", names);
    }
}

/* ---- all laws with a prescribed restitution and a closed form */

static size_t collect_curves(ic_study_data *data, law_curve *curves)
{
    size_t n = 0;
    for (size_t l = 0; l < ic_law_count && n < MOST_LAWS; l++) {
        const ic_law *law = ic_laws[l];
        if (!ic_law_is_solved(law) || !(ic_law_parameter(law, "e") < law->n_parameters || law->dashpot != NULL))
            continue;
        law_curve *c = &curves[n++];
        *c = (law_curve){.law = law};
        if (!compute_curve(c, &data->error)) {
            data->failed = true;
            return 0;
        }
        for (size_t k = 0; c->same == NULL; k++) {
            if (curves_coincide(c, &curves[k])) c->same = curves[k].same != NULL ? curves[k].same : law;
        }
    }
    return n;
}

static void run_study(ic_study_data *data)
{
    static law_curve curves[MOST_LAWS];
    const size_t n = collect_curves(data, curves);
    for (size_t i = 0; i < n; i++) add_rows(data, &curves[i]);
    for (size_t i = 0; i < n; i++) find_law(data, &curves[i]);
    find_groups(data, curves, n);
}

IC_STUDY_TABLE(law_restitution, "law-restitution",
               "Contact-force laws: prescribed restitution and restitution in effect",
               "Does a contact-force law lead to the coefficient of restitution that is prescribed?");
