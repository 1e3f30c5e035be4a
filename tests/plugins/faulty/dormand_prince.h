/* SPDX-License-Identifier: MIT */
/*
 * Dormand and Prince's pair of order 5(4) with the interpolant of order 4, for event_base.h: one
 * step is computed, and all states within it are interpolated.
 */
#include "tests/plugins/faulty/event_place.h"

#ifndef TABLEAU_ERROR /* added to a coefficient of the fourth stage, and taken from another */
#define TABLEAU_ERROR 0
#endif
#ifndef ESTIMATE_ERROR /* added to a coefficient of the error's estimate */
#define ESTIMATE_ERROR 0
#endif
#ifndef CONTROLLED /* of n states: those whose error is controlled */
#define CONTROLLED(n) (n)
#endif
#ifndef REJECTS
#define REJECTS true
#endif
#ifndef HIGHER_TERMS /* factor of the terms of order 3 and 4 of the interpolant */
#define HIGHER_TERMS 1
#endif
#ifndef LAST_TERM /* factor of the term of order 4; without it the interpolant is Hermite's cubic */
#define LAST_TERM 1
#endif
#ifndef FIRST_STEP /* tried first, s */
#define FIRST_STEP (4 * s->h)
#endif
#ifndef LITTLE /* part of the greatest state; smaller states have no smaller tolerance */
#define LITTLE 1e-6
#endif
#ifndef KEEPS_LAST_STAGE /* the last stage of a step is the first of the next, whatever lies between them */
#define KEEPS_LAST_STAGE false
#endif

typedef struct stages {
    double t, h, x[IC_MAX_STATES], x1[IC_MAX_STATES], k[7][IC_MAX_STATES];
    const ic_mode *mode;
} stages;

static stages kept;

static void compute_stages(stages *d, const place *s, double h)
{
    static const double c[] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
    static const double a[7][6] = {{0},
                                   {0.2},
                                   {3.0 / 40, 9.0 / 40},
                                   {44.0 / 45, -56.0 / 15 - TABLEAU_ERROR, 32.0 / 9 + TABLEAU_ERROR},
                                   {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                   {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                   {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    const bool first = d->mode == NULL || s->t == s->problem->t_start, same = d->t == s->t;
    if (KEEPS_LAST_STAGE && !first && !same) memcpy(d->k[0], d->k[6], sizeof d->k[0]);
    d->t = s->t, d->h = h, d->mode = s->mode;
    memcpy(d->x, s->x, sizeof d->x);
    for (int i = 0; i < 7; i++) {
        for (size_t j = 0; j < s->n; j++) {
            d->x1[j] = s->x[j];
            for (int m = 0; m < i; m++) d->x1[j] += h * a[i][m] * d->k[m][j];
        }
        if (i > 0 || first || !KEEPS_LAST_STAGE)
            s->mode->flow(d->k[i], s->t + c[i] * h, d->x1, s->problem->par);
    }
}

static inline bool is_kept(const place *s, double h)
{
    return kept.mode == s->mode && kept.t == s->t && h <= kept.h &&
           memcmp(kept.x, s->x, s->n * sizeof *s->x) == 0;
}

/* x after the time h, in the kept step or in a new one. */
static inline void dormand_prince(double *x, const place *s, double h)
{
    static const double d[] = {-12715105075.0 / 11282082432.0,  0,
                               87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                               701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                               69997945.0 / 29380423.0};
    if (!is_kept(s, h)) compute_stages(&kept, s, h);
    const double u = kept.h > 0 ? h / kept.h : 0, w = 1 - u;
    for (size_t j = 0; j < s->n; j++) {
        const double change = kept.x1[j] - kept.x[j], first = kept.h * kept.k[0][j] - change;
        double last = 0;
        for (int i = 0; i < 7; i++) last += kept.h * d[i] * kept.k[i][j];
        x[j] = kept.x[j] +
               u * (change + w * (first + HIGHER_TERMS * u *
                                              (change - kept.h * kept.k[6][j] - first + LAST_TERM * w * last)));
        if (u == 1) x[j] = kept.x1[j];
    }
}

/* s; a step with a small error, at most `longest` */
static inline double dormand_prince_step(place *s, double longest)
{
    static const double e[] = {
        71.0 / 57600 + ESTIMATE_ERROR, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -0.025};
    double h = fmin(s->t > s->problem->t_start ? 4 * s->h : FIRST_STEP, longest);
    for (int trial = 0; trial < 200; trial++) {
        double worst = 0, greatest = DBL_MIN / DBL_EPSILON;
        for (size_t j = 0; j < s->n; j++) greatest = fmax(greatest, s->size[j]);
        compute_stages(&kept, s, h);
        for (size_t j = 0; j < CONTROLLED(s->n); j++) {
            double error = 0;
            for (int i = 0; i < 7; i++) error += h * e[i] * kept.k[i][j];
            const double size = fmax(fabs(s->x[j]), fabs(kept.x1[j])) + s->size[j] + LITTLE * greatest;
            worst = isfinite(error) ? fmax(worst, fabs(error) / (s->rtol * size)) : INFINITY;
            if (isinf(worst)) break;
        }
        if (worst <= 1) break;
        if (!REJECTS && isfinite(worst)) { /* only the next one is shorter */
            s->h = 0.25 * h * fmax(0.1, 0.9 * pow(worst, -0.2));
            return h;
        }
        h *= isfinite(worst) ? fmax(0.1, 0.9 * pow(worst, -0.2)) : 0.1;
    }
    s->h = h;
    return h;
}
