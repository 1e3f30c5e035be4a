/* SPDX-License-Identifier: MIT */
#include "audit/law/law.h"

#include <math.h>
#include <string.h>

enum { ELASTIC = 24 };

static double drag(ic_law_probe *p, double d, double v)
{
    const double unloading = ic_law_probe_force(p, d, -v);
    /* a law may cut its force where it would pull */
    if (unloading <= 0) return ic_law_probe_force(p, d, v) - ic_law_probe_force(p, d, 0);
    return 0.5 * (ic_law_probe_force(p, d, v) - unloading);
}

ic_law_fit ic_law_fit_force(ic_law_probe *probe)
{
    ic_law_fit f = {.variable = ic_law_probe_possible_restitution(probe)};
    double x = 0, y = 0, xx = 0, xy = 0;
    ic_law_probe_begin(probe, 1);
    for (int i = 0; i < ELASTIC; i++) {
        const double s = log(probe->d0) + 3.0 * (i - ELASTIC + 1) / ELASTIC,
                     t = log(ic_law_probe_force(probe, exp(s), 0));
        x += s / ELASTIC, y += t / ELASTIC, xx += s * s / ELASTIC, xy += s * t / ELASTIC;
    }
    f.n = (xy - x * y) / (xx - x * x);
    /* removes the rounding of the sums */
    if (fabs(f.n - round(2 * f.n) / 2) < 1e-9) f.n = round(2 * f.n) / 2;
    f.K = exp(y - f.n * x);
    const double d = 0.5 * probe->d0, v = 0.5;
    f.c = drag(probe, d, v) / v;
    f.C_1 = f.c / d;
    f.a = f.c / ic_law_probe_force(probe, d, 0);
    return f;
}

/* ---- a registered law with the fitted parameters */

bool ic_known_law_set(ic_known_law *known, const ic_law *law, const ic_law_fit *fit, const ic_law_probe *probe)
{
    const struct {
        const char *name;
        double value;
    } fitted[] = {{"K", fit->K}, {"k", fit->K}, {"n", fit->n}, {"c", fit->c}, {"C_1", fit->C_1}, {"e", NAN}};
    bool fits_mass = false;
    *known = (ic_known_law){.law = law, .e = ic_law_parameter(law, "e")};
    if (law->n_parameters > IC_MOST_LAW_PARAMETERS) return false;
    for (size_t i = 0; i < law->n_parameters; i++) {
        const char *name = law->parameters[i].name;
        const size_t same = ic_law_parameter(probe->law, name);
        bool is_known = same < probe->law->n_parameters;
        if (is_known) known->par[i] = ((const double *)probe->par.data)[same];
        for (size_t k = 0; k < IC_COUNT(fitted); k++) {
            if (strcmp(name, fitted[k].name) == 0) known->par[i] = fitted[k].value, is_known = true;
        }
        if (!is_known && strcmp(name, IC_LAW_MASS) == 0) {
            const size_t mass = ic_law_probe_mass(probe);
            fits_mass = mass == probe->law->n_parameters;
            known->par[i] = fits_mass ? 1 : ((const double *)probe->par.data)[mass];
            is_known = true;
        }
        /* a law that begins with d^0 is another one */
        if (!is_known || (strcmp(name, "n") == 0 && !ic_in_range(law->parameters[i].range, known->par[i])))
            return false;
    }
    if (fits_mass) ic_known_law_fit_mass(known, fit, probe);
    return true;
}

void ic_known_law_fit_mass(ic_known_law *known, const ic_law_fit *fit, const ic_law_probe *probe)
{
    const size_t i = ic_law_parameter(known->law, IC_LAW_MASS);
    const double d = 0.5 * probe->d0, v = 0.5, kept = known->par[known->e];
    if (fit->variable < probe->law->n_parameters)
        known->par[known->e] = ((const double *)probe->par.data)[fit->variable];
    else known->par[known->e] = 0.5;
    known->par[i] = 1;
    const double theirs = ic_known_law_force(known, d, v, 1) - ic_known_law_force(known, d, 0, 1),
                 ratio = fit->c * v / theirs;
    known->par[known->e] = kept;
    if (isfinite(ratio) && ratio > 0) known->par[i] = ratio * ratio;
}

double ic_known_law_force(const ic_known_law *known, double d, double v, double v0)
{
    const double memory = known->law->remember != NULL ? known->law->remember(v0, known->par) : 0;
    return known->law->force(d, v, memory, known->par);
}

/* by bisection, because damping decreases with e */
void ic_known_law_set_equivalent_restitution(ic_known_law *known, const ic_law_fit *fit, double d)
{
    double low = 1e-6, high = 1;
    for (int i = 0; i < 60; i++) {
        known->par[known->e] = 0.5 * (low + high);
        const double elastic = ic_known_law_force(known, d, 0, 1);
        const double a = (ic_known_law_force(known, d, 0.5, 1) - elastic) / (0.5 * elastic);
        if (a > fit->a) low = known->par[known->e];
        else high = known->par[known->e];
    }
    known->par[known->e] = high;
}
