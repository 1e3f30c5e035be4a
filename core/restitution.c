/* SPDX-License-Identifier: MIT */
#include "core/restitution.h"

#include <float.h>
#include <math.h>

/*
 * Newton's method starts from values accurate to a few per cent, and converges quadratically: four
 * iterations are enough.
 */
enum { ITERATIONS = 4 };

/*
 * Below this |x/(2 + x)|, the series of the inverse hyperbolic tangent is summed. After 12 terms
 * its remainder is less than (1/4)^26.
 */
#define SERIES_BELOW 0.25
enum { SERIES_TERMS = 12 };

/*
 * Up to this q, the inverse starts from its series, with an error of 1 % at the limit; beyond it,
 * from the exponential, with an error of 4 % there.
 */
#define SERIES_UP_TO 1.5

/*
 * h(x) = x - ln(1 + x) = x r - 2 r^3 (1/3 + r^2/5 + r^4/7 + ...) with r = x/(2 + x), which avoids
 * cancellation for small x.
 */
static double h(double x)
{
    const double r = x / (2 + x), square = r * r;
    double sum = 0;
    if (fabs(r) > SERIES_BELOW) return x - log1p(x);
    for (int k = SERIES_TERMS - 1; k >= 0; k--) sum = sum * square + 1.0 / (2 * k + 3);
    return x * r - 2 * r * square * sum;
}

/*
 * Solve h(-b) = value for b in (0, 1). For small b start from h(-b) = q^2/2, b = q - q^2/3 + q^3/36
 * + ...; otherwise from 1 - b = exp(-b - value).
 */
static double inverse_of_h(double value)
{
    const double q = sqrt(2 * value);
    if (q > SERIES_UP_TO) {
        double rest = exp(-1 - value); /* 1 - b */
        if (rest < DBL_EPSILON / 2) return 1;
        rest *= exp(rest);
        for (int i = 0; i < ITERATIONS; i++) rest -= rest * (log(rest) + 1 - rest + value) / (1 - rest);
        return 1 - rest;
    }
    double b = q - q * q / 3 + q * q * q / 36;
    /* h'(-b) (-1) = b/(1 - b) */
    for (int i = 0; i < ITERATIONS; i++) b -= (h(-b) - value) * (1 - b) / b;
    return b;
}

double ic_effective_restitution(double a)
{
    if (!(a >= 0)) return NAN;
    if (a < DBL_EPSILON) return 1 - 2 * a / 3;
    return inverse_of_h(h(a)) / a;
}

double ic_velocity_at_peak_force(double a, double n)
{
    if (!(a >= 0) || !(n > 0)) return NAN;
    if (a < DBL_EPSILON) return 0;
    /*
     * f(x) = h(a) - h(x) - n x/(n + 1) decreases and is concave on (0, a): from the left, Newton's
     * method overshoots once and then descends to the root
     */
    const double whole = h(a), slope = n / (n + 1);
    double x = a / (1 + (1 + a) * slope * 2 / a);
    for (int i = 0; i < 50; i++) {
        const double f = whole - h(x) - slope * x, step = f / (x / (1 + x) + slope);
        x += step;
        if (fabs(step) <= DBL_EPSILON * x) break;
    }
    return x / a;
}

double ic_energy_in_spring(double a, double u)
{
    if (a < DBL_EPSILON) return 0.5 * (1 - u) * (1 + u);
    return (h(a) - h(a * u)) / a / a; /* a^2 may overflow */
}

double ic_peak_indentation(double a, double n, double m, double K, double v0)
{
    return pow((n + 1) * m * v0 * v0 * ic_energy_in_spring(a, 0) / K, 1 / (n + 1));
}

double ic_peak_force(double a, double n, double m, double K, double v0)
{
    const double u = ic_velocity_at_peak_force(a, n);
    /* The difference (h(a) - h(a u))/a^2 at the root is n u/((n + 1) a). */
    const double factor = a < DBL_EPSILON ? 0.5 : n * u / ((n + 1) * a);
    return K * pow((n + 1) * m * v0 * v0 * factor / K, n / (n + 1)) * (1 + a * u);
}
