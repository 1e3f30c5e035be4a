/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_coefficient.h"

#include <math.h>
#include <stdio.h>

double ic_coefficient_of(const ic_coefficient *k, double x)
{
    switch (k->use) {
    case IC_COEFFICIENT_REVERSED: return -x;
    case IC_COEFFICIENT_NONE: return 0;
    case IC_COEFFICIENT_SQUARED: return x * x;
    case IC_COEFFICIENT_ROOT: return sqrt(x);
    case IC_COEFFICIENT_CONSTANT: return k->c;
    case IC_COEFFICIENT_FACTOR: return k->c * x;
    case IC_COEFFICIENT_AT_MOST: return fmin(x, k->c);
    case IC_COEFFICIENT_AT_LEAST: return fmax(x, k->c);
    case IC_COEFFICIENT_GEOMETRIC: return sqrt(k->c * x);
    case IC_COEFFICIENT_MEAN: return (k->c + x) / 2;
    case IC_COEFFICIENT_RIGHT:
    case IC_COEFFICIENT_UNKNOWN: break;
    }
    return x;
}

/* The parameter with which the function gives this pair. */
static double parameter_of(ic_coefficient_use use, const ic_coefficient_pair *pair)
{
    const double x = pair->given, y = pair->effective;
    if (use == IC_COEFFICIENT_FACTOR) return x > 0 ? y / x : NAN;
    if (use == IC_COEFFICIENT_GEOMETRIC) return x > 0 && y > 0 ? y * y / x : NAN;
    return use == IC_COEFFICIENT_MEAN ? 2 * y - x : y;
}

/* in tolerances; `worst`: the pair, or NULL */
static double misfit_of(const ic_coefficient *k, const ic_coefficient_pair *pairs, size_t n, size_t *worst)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        const double off = fabs(pairs[i].effective - ic_coefficient_of(k, pairs[i].given)) / pairs[i].tolerance;
        if (off <= most) continue;
        most = off;
        if (worst != NULL) *worst = i;
    }
    return most;
}

ic_coefficient ic_coefficient_find(const ic_coefficient_pair *pairs, size_t n)
{
    ic_coefficient found = {.use = IC_COEFFICIENT_RIGHT};
    size_t worst = 0;
    const double off = misfit_of(&found, pairs, n, &worst);
    for (int use = IC_COEFFICIENT_RIGHT; use < IC_COEFFICIENT_UNKNOWN; use++) {
        double best = INFINITY;
        for (size_t i = 0; i < n; i++) {
            const ic_coefficient tried = {.use = (ic_coefficient_use)use,
                                          .c = parameter_of((ic_coefficient_use)use, &pairs[i])};
            const double misfit = isnan(tried.c) ? INFINITY : misfit_of(&tried, pairs, n, NULL);
            if (!(misfit < best)) continue;
            best = misfit;
            found = tried;
        }
        if (best <= 1) break;
        found.use = IC_COEFFICIENT_UNKNOWN;
    }
    found.off = off;
    found.worst = worst;
    return found;
}

void ic_coefficient_describe(char *text, size_t size, const ic_coefficient *k, const char *x)
{
    switch (k->use) {
    case IC_COEFFICIENT_RIGHT: snprintf(text, size, "%s", x); break;
    case IC_COEFFICIENT_REVERSED: snprintf(text, size, "-%s", x); break;
    case IC_COEFFICIENT_NONE: snprintf(text, size, "0"); break;
    case IC_COEFFICIENT_SQUARED: snprintf(text, size, "%s^2", x); break;
    case IC_COEFFICIENT_ROOT: snprintf(text, size, "sqrt(%s)", x); break;
    case IC_COEFFICIENT_CONSTANT: snprintf(text, size, "%.3g", k->c); break;
    case IC_COEFFICIENT_FACTOR: snprintf(text, size, "%.3g %s", k->c, x); break;
    case IC_COEFFICIENT_AT_MOST: snprintf(text, size, "%s, at most %.3g", x, k->c); break;
    case IC_COEFFICIENT_AT_LEAST: snprintf(text, size, "%s, at least %.3g", x, k->c); break;
    case IC_COEFFICIENT_GEOMETRIC: snprintf(text, size, "sqrt(%.3g %s)", k->c, x); break;
    case IC_COEFFICIENT_MEAN: snprintf(text, size, "(%s + %.3g)/2", x, k->c); break;
    case IC_COEFFICIENT_UNKNOWN: snprintf(text, size, "no known function of %s", x); break;
    }
}
