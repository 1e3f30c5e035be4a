/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include "audit/common/explain.h"
#include "core/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points that a function must have; of these, the part that its neighbours must give. */
enum { LEAST_POINTS = 30 };
#define PART_GIVEN 0.8
/* Values of interpolation by six and by four points that differ by more are not used. */
#define ROUGH 1e-7
/* Slow impacts keep less of their e, and fast ones lose less: those are made plastic. */
#define NO_REBOUND 0.01

double ic_impact_curve_argument(ic_curve_argument argument, const ic_impact *p, double given)
{
    switch (argument) {
    case IC_CURVE_OF_APPROACH: return fabs(p->v[1]);
    case IC_CURVE_OF_SLIP: return p->v[0] != 0 ? fabs(p->v[0]) : NAN;
    default: return given;
    }
}

/* ---- closed forms: Y = a + b X, with X of x and Y of y */

static double itself(double x)
{
    return x;
}
static double square(double x)
{
    return x * x;
}
static double inverse(double x)
{
    return 1 / x;
}
static double inverse_square(double x)
{
    return 1 / (x * x);
}
static double inverse_root(double x)
{
    return 1 / sqrt(x);
}

/* First those of means of two bodies: arithmetic, geometric, harmonic. */
static const struct {
    double (*X)(double x), (*Y)(double y), (*y)(double Y);

    /* a, b and the name of the coefficient, in this order where it is in the text as well */
    const char *text;
} forms[] = {
    {itself, itself, itself, "%.4g %+.4g %s"},
    {itself, square, sqrt, "sqrt(%.4g %+.4g %s)"},
    {inverse, inverse, inverse, "1/(%.4g %+.4g/%s)"},
    {inverse_square, inverse_square, inverse_root, "1/sqrt(%.4g %+.4g/%s^2)"},
    {square, itself, itself, "%.4g %+.4g %s^2"},
    {square, square, sqrt, "sqrt(%.4g %+.4g %s^2)"},
    {sqrt, itself, itself, "%.4g %+.4g sqrt(%s)"},
    {log, log, exp, "exp(%.4g %+.4g ln %s)"},
    {itself, log, exp, "exp(%.4g %+.4g %s)"},
};

static double form_at(int form, double a, double b, double x)
{
    return forms[form].y(a + b * forms[form].X(x));
}

static bool is_same(double y, double z)
{
    return fabs(y - z) <= IC_SAME_NUMBER * fmax(1, fmax(fabs(y), fabs(z)));
}

static bool has_form(ic_impact_curve *c, int form)
{
    const size_t i = c->count / 4, k = c->count - 1 - c->count / 4;
    const double X = forms[form].X(c->x[i]), Z = forms[form].X(c->x[k]);
    const double Y = forms[form].Y(c->y[i]);
    c->b = (forms[form].Y(c->y[k]) - Y) / (Z - X), c->a = Y - c->b * X;
    if (fabs(c->a) < 1e-9) c->a = 0; /* rounding */
    for (size_t j = 0; j < c->count; j++) {
        if (!is_same(c->y[j], form_at(form, c->a, c->b, c->x[j]))) return false;
    }
    return true;
}

/* ---- interpolation */

/* Neville's scheme on n points from the first one on, at most eight. */
static double interpolate(const double *x, const double *y, size_t n, double at)
{
    double q[8];
    memcpy(q, y, n * sizeof *q);
    for (size_t k = 1; k < n; k++) {
        for (size_t i = 0; i + k < n; i++)
            q[i] = ((at - x[i + k]) * q[i] + (x[i] - at) * q[i + 1]) / (x[i] - x[i + k]);
    }
    return q[0];
}

/* Of three points on each side; NAN: the two inner ones on each side give another value. */
static double between(const double *x, const double *y, double at)
{
    const double six = interpolate(x, y, 6, at), four = interpolate(x + 1, y + 1, 4, at);
    return fabs(six - four) <= ROUGH * fmax(1e-3, fabs(six)) ? six : NAN;
}

static double interpolated(const ic_impact_curve *c, double at)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (c->x[middle] < at) low = middle + 1;
        else high = middle;
    }
    if (low < c->count && c->x[low] == at) return c->y[low];
    return low >= 3 && low + 3 <= c->count ? between(c->x + low - 3, c->y + low - 3, at) : NAN;
}

/* Whether neighbours give the points between them, where these are close enough to tell. */
static bool is_function(const ic_impact_curve *c)
{
    size_t told = 0, given = 0;
    for (size_t i = 3; i + 3 < c->count; i++) {
        double x[6], y[6];
        for (size_t k = 0; k < 6; k++) {
            const size_t j = i - 3 + k + (k > 2);
            x[k] = c->x[j], y[k] = c->y[j];
        }
        const double value = between(x, y, c->x[i]);
        const bool known = isfinite(value);
        told += known, given += known && is_same(value, c->y[i]);
    }
    return told >= LEAST_POINTS && 3 * told >= c->count && (double)given >= PART_GIVEN * (double)told;
}

/* ---- all of it */

typedef struct point {
    double x, y;
} point;

/* By increasing x; one point of each x. false: memory ran out, or one x has two values. */
static bool sort_points(ic_impact_curve *c)
{
    point *points = malloc(IC_CURVE_POINTS * sizeof *points);
    size_t n = 0, other = 0;
    if (points == NULL) return false;
    for (size_t i = 0; i < c->count; i++) points[i] = (point){c->x[i], c->y[i]};
    qsort(points, c->count, sizeof *points, ic_compare_numbers);
    for (size_t i = 0; i < c->count; i++) {
        const bool new = n == 0 || points[i].x > c->x[n - 1];
        other += !new && !is_same(points[i].y, c->y[n - 1]);
        if (new) c->x[n] = points[i].x, c->y[n++] = points[i].y;
    }
    free(points);
    c->count = n;
    return 20 * other <= n;
}

/* Pieces on which it is a number, or the given coefficient times one: limits and steps, which other changes know. */
static bool is_simpler(const ic_impact_curve *c)
{
    size_t simple = 0;
    for (size_t i = 1; i < c->count; i++) {
        const bool is_factor =
            c->argument == IC_CURVE_OF_COEFFICIENT && is_same(c->y[i] * c->x[i - 1], c->y[i - 1] * c->x[i]);
        simple += is_factor || is_same(c->y[i], c->y[i - 1]);
    }
    return 10 * simple >= 9 * c->count;
}

bool ic_impact_curve_fit(ic_impact_curve *c)
{
    c->form = -1;
    if (c->count < LEAST_POINTS || !sort_points(c) || c->count < LEAST_POINTS || is_simpler(c)) return false;
    for (size_t form = 0; form < IC_COUNT(forms); form++) {
        if (has_form(c, (int)form)) {
            c->form = (int)form;
            return true;
        }
    }
    return is_function(c);
}

double ic_impact_curve_at(const ic_impact_curve *c, const ic_impact *p, double given)
{
    const double x = ic_impact_curve_argument(c->argument, p, given);
    const double y = c->form >= 0 ? form_at(c->form, c->a, c->b, x) : interpolated(c, x);
    return c->argument == IC_CURVE_OF_COEFFICIENT ? y : given * y;
}

ic_mistake_id ic_impact_curve_mistake(const ic_impact_curve *c, ic_mistake_id other)
{
    enum { MEANS = 3, SINE = 3 };
    const bool of_friction = other == IC_MISTAKE_FRICTION_WRONG;
    if (c->argument == IC_CURVE_OF_APPROACH && !of_friction && c->y[0] < NO_REBOUND &&
        c->y[c->count - 1] > 1 - NO_REBOUND)
        return IC_MISTAKE_RESTITUTION_THRESHOLD;
    if (c->argument != IC_CURVE_OF_COEFFICIENT) return IC_MISTAKE_NOT_INVARIANT;
    if (!of_friction || c->form < 0) return other;
    /* mu/sqrt(1 + mu^2) is the sine of the angle whose tangent is mu */
    if (c->form == SINE && is_same(c->a, 1) && is_same(c->b, 1)) return IC_MISTAKE_FRICTION_ANGLE;
    return c->form < MEANS ? IC_MISTAKE_FRICTION_MIXED : other;
}

void ic_impact_curve_describe(char *text, size_t size, const ic_impact_curve *c, const char *name)
{
    static const char *const arguments[] = {NULL, "|v_y|", "|v_x|"};
    const bool of_itself = c->argument == IC_CURVE_OF_COEFFICIENT;
    const char *argument = of_itself ? name : arguments[c->argument];
    const size_t i = c->count / 4, k = c->count - 1 - c->count / 4;
    int used = snprintf(text, size, "the %s in effect is %.4g%s at %s = %.4g, %.4g%s at %.4g", name, c->y[i],
                        of_itself ? "" : " times the given one", argument, c->x[i], c->y[k],
                        of_itself ? "" : " times it", c->x[k]);
    if (c->form < 0 || used < 0 || (size_t)used >= size) return;
    char form[80];
    snprintf(form, sizeof form, forms[c->form].text, c->a, c->b, argument);
    snprintf(text + used, size - (size_t)used, ": %s", form);
}
