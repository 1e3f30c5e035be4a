/* SPDX-License-Identifier: MIT */
/*
 * All laws against the experiments of Zhang and Sharf as Wang et al. 2018 print them (Tables III to VI): restitution and
 * peak force of a steel ball on two specimens at six speeds.
 *
 * Each law is given c_r = 1 - alpha v0^(1/3), the form of Eqs. (1) and (3), with alpha fitted for each specimen to the least
 * rms relative error of the restitution. The peak force then follows without another parameter, from the elastic data and
 * the derived ball (26.3 mm, solid steel).
 */
#include "core/free_impact.h"
#include "core/parameters.h"
#include "core/registry.h"
#include "core/restitution.h"
#include "validation/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SPEEDS = 6, SPECIMENS = 2, MOST_LAWS = 64, SCAN = 400, GOLDEN_STEPS = 60 };

static const double speeds[SPEEDS] = {0.0938, 0.1500, 0.2060, 0.2989, 0.3910, 0.5000}; /* m/s */

static const struct specimen {
    const char *name;
    double young, poisson; /* Pa, 1 */
    double restitution[SPEEDS];
    double force[SPEEDS]; /* N */
} specimens[SPECIMENS] = {
    {"C1",
     213e9,
     0.29,
     {0.9735, 0.9672, 0.9647, 0.9596, 0.9555, 0.9547},
     {663.0, 1126.9, 1633.6, 2521.4, 3519.7, 4709.6}},
    {"C2",
     205e9,
     0.29,
     {0.9166, 0.8892, 0.8612, 0.8234, 0.7899, 0.7568},
     {660.2, 1076.6, 1533.1, 2447.9, 3303.3, 4364.6}},
};

/* The ball: radius derived (m), steel (Pa, 1, kg/m^3). */
#define RADIUS 0.0263
#define YOUNG 210e9
#define POISSON 0.3
#define DENSITY 7800.0
/* Hertz's power. */
#define POWER 1.5

enum { RANK, LAW, SPECIMEN, ALPHA, RESTITUTION, FORCE };

static const ic_study_column columns[] = {
    [RANK] = {"rank", "1", "by the error of the restitution, within the specimen"},
    [LAW] = {"law", NULL, "contact-force law"},
    [SPECIMEN] = {"specimen", NULL, "of the paper's Table I"},
    [ALPHA] = {"alpha", "s^(1/3)/m^(1/3)", "fitted: c_r = 1 - alpha v0^(1/3)"},
    [RESTITUTION] = {"restitution_error", "1", "rms relative error of the restitution"},
    [FORCE] = {"force_error", "1", "rms relative error of the peak force"},
};

/* a of a law for a coefficient of restitution; NAN: outside its domain. */
static double damping(const ic_law *law, ic_parameters *parameters, double c_r)
{
    char setting[48];
    ic_impact_outcome outcome;
    if (law->n_parameters < 3) return 0; /* elastic */
    snprintf(setting, sizeof setting, "e=%.17g", c_r);
    if (!ic_parameters_set(parameters, setting, NULL) || !ic_parameters_evaluate(parameters, NULL)) return NAN;
    return ic_law_impact(&outcome, law, parameters->value, 1, 1, NULL) ? outcome.damping : NAN;
}

typedef struct fit {
    const ic_law *law;
    const struct specimen *specimen;
    double alpha, restitution, force;
} fit;

static double restitution_error(const fit *f, ic_parameters *parameters, double alpha)
{
    double sum = 0;
    for (int k = 0; k < SPEEDS; k++) {
        const double e = ic_effective_restitution(damping(f->law, parameters, 1 - alpha * cbrt(speeds[k])));
        sum += pow(e / f->specimen->restitution[k] - 1, 2);
    }
    return isnan(sum) ? INFINITY : sqrt(sum / SPEEDS);
}

static double force_error(const fit *f, ic_parameters *parameters, double alpha)
{
    const struct specimen *s = f->specimen;
    const double softness = (1 - s->poisson * s->poisson) / s->young + (1 - POISSON * POISSON) / YOUNG;
    const double K = 4.0 / 3 * sqrt(RADIUS) / softness, m = DENSITY * 4.0 / 3 * acos(-1) * pow(RADIUS, 3);
    double sum = 0;
    for (int k = 0; k < SPEEDS; k++) {
        const double a = damping(f->law, parameters, 1 - alpha * cbrt(speeds[k]));
        sum += pow(ic_peak_force(a, POWER, m, K, speeds[k]) / s->force[k] - 1, 2);
    }
    return sqrt(sum / SPEEDS);
}

/* The least error over alpha: a scan over all that keeps c_r positive, and golden section around its least. */
static void fit_alpha(fit *f, ic_parameters *parameters)
{
    const double golden = 0.5 * (sqrt(5) - 1), most = 1 / cbrt(speeds[SPEEDS - 1]), part = most / SCAN;
    double best = INFINITY, at = 0;
    for (int k = 0; k < SCAN && f->law->n_parameters > 2; k++) {
        const double error = restitution_error(f, parameters, k * part);
        if (error < best) best = error, at = k * part;
    }
    double low = fmax(at - part, 0), high = fmin(at + part, most * (1 - 1e-9));
    for (int i = 0; i < GOLDEN_STEPS; i++) {
        const double c = high - golden * (high - low), d = low + golden * (high - low);
        if (restitution_error(f, parameters, c) < restitution_error(f, parameters, d)) high = d;
        else low = c;
    }
    f->alpha = f->law->n_parameters > 2 ? 0.5 * (low + high) : 0;
    f->restitution = restitution_error(f, parameters, f->alpha);
    f->force = force_error(f, parameters, f->alpha);
}

static bool fit_law(fit *f, ic_study_data *data)
{
    ic_parameters parameters;
    ic_error error;
    const bool good = ic_parameters_open(&parameters, "law", f->law->name, f->law->parameters,
                                         f->law->n_parameters, &error) &&
                      ic_parameters_evaluate(&parameters, &error);
    if (good) fit_alpha(f, &parameters);
    else ic_study_fail(data, "%s", error.text);
    ic_parameters_close(&parameters);
    return good;
}

static void sort(fit *fits, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const fit moving = fits[i];
        size_t k = i;
        for (; k > 0 && fits[k - 1].restitution > moving.restitution; k--) fits[k] = fits[k - 1];
        fits[k] = moving;
    }
}

static void rank(ic_study_data *data, const struct specimen *specimen)
{
    fit fits[MOST_LAWS];
    size_t n = 0;
    for (size_t l = 0; l < ic_law_count && n < MOST_LAWS; l++) {
        if (ic_laws[l]->stiffness == NULL || ic_laws[l]->dashpot != NULL || ic_laws[l]->n_requirements > 0)
            continue;
        fits[n] = (fit){.law = ic_laws[l], .specimen = specimen};
        if (!fit_law(&fits[n++], data)) return;
    }
    if (n < 2) {
        ic_study_fail(data, "there are too few laws to rank");
        return;
    }
    sort(fits, n);
    for (size_t i = 0; i < n; i++) {
        ic_study_number(data, (double)i + 1);
        ic_study_text(data, fits[i].law->name);
        ic_study_text(data, specimen->name);
        ic_study_number(data, fits[i].alpha);
        ic_study_number(data, fits[i].restitution);
        ic_study_number(data, fits[i].force);
    }
    for (size_t i = 0; i < n; i += n - 1) {
        ic_study_finding(data,
                         "%s: %s is %s, restitution to %.2f %% and peak force to %.2f %% (rms), alpha = %.4f.",
                         specimen->name, i == 0 ? "best" : "last", fits[i].law->name, 100 * fits[i].restitution,
                         100 * fits[i].force, fits[i].alpha);
    }
}

static void run(ic_study_data *data)
{
    for (int s = 0; s < SPECIMENS && !data->failed; s++) rank(data, &specimens[s]);
}

const ic_study ic_study_law_ranking = {
    .name = "law-ranking",
    .title = "Contact-force laws against the experiment, one fitted parameter each",
    .question = "Which contact-force law comes nearest to a steel ball on two specimens?",
    .columns = columns,
    .n_columns = IC_COUNT(columns),
    .run = run,
};
