/* SPDX-License-Identifier: MIT */
/**
 * I. F. D. Oliveira, R. H. C. Takahashi, An enhancement of the bisection method average performance
 * preserving minmax optimality, ACM Trans. Math. Softw. 47 (2020) 5:1-5:24.
 *
 * To narrow an interval [a, b] with the middle m to 2 epsilon, the next point is found from the
 * root f of the secant through its ends in two steps:
 *
 *     truncation:  t = f moved towards m by delta = k1 (b - a)^k2 (at least 0.8 epsilon), but not beyond m;
 *     projection:  t moved into |t - m| <= r = epsilon 2^(n_half + n0 - j) - (b - a)/2,
 *
 * where bisection would need n_half evaluations, and j have been used. Truncation makes both ends
 * converge; projection bounds the number of evaluations by n_half + n0.
 */
#include "core/bracket.h"
#include "core/numbers.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* k1 = K1/(b0 - a0), k2 and n0 as in the paper's experiments */
#define K1 0.2
#define K2 2.0
#define N0 1.0
/*
 * The projection aims at this fraction of the width, so that rounding does not cost another
 * evaluation.
 */
#define GOAL 0.9
/*
 * Least truncation in widths: once the secant has found the root, one evaluation on each side of it
 * ends the search.
 */
#define LEAST_TRUNCATION 0.4

double ic_narrow_by_bisection(ic_bracketed *f, void *self, double low, double high, int to, double width,
                              double *iterations)
{
    while (high - low > width) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        ++*iterations;
        if (ic_sign(f(self, middle)) == to) high = middle;
        else low = middle;
    }
    return high;
}

/*
 * The next point in [low, high]; y_low and y_high are the values of f there. `most` is the greatest
 * value that r + (high - low)/2 may have at this step.
 */
static double next_itp_point(double low, double high, double y_low, double y_high, double delta, double most)
{
    const double middle = 0.5 * (low + high), r = most - 0.5 * (high - low);
    const double secant = (y_high * low - y_low * high) / (y_high - y_low);
    const double side = ic_sign(middle - secant);
    const double truncated = delta <= fabs(middle - secant) ? secant + side * delta : middle;
    const double projected = fabs(truncated - middle) <= r ? truncated : middle - side * r;
    /* Rounding may have moved the point to an end. */
    return projected > low && projected < high ? projected : middle;
}

double ic_narrow_by_itp(ic_bracketed *f, void *self, double low, double high, int to, double width,
                        double *iterations)
{
    if (!(high - low > width)) return high;
    const double k1 = K1 / (high - low);
    const double goal = GOAL * fmax(width, DBL_EPSILON * fmax(fabs(low), fabs(high)));
    double most = 0.5 * goal * exp2(fmax(0, ceil(log2((high - low) / goal))) + N0);
    double y_low = f(self, low), y_high = f(self, high);
    /* a zero at the start has no side, and the secant would find it again */
    if (y_low == 0) y_low = NAN;
    *iterations += 2;
    for (; high - low > width; most *= 0.5) {
        const double middle = 0.5 * (low + high);
        /* without a bracket a secant does not exist: bisect */
        const bool bracketed = y_low * to <= 0 && y_high * to > 0;
        const double delta = fmax(k1 * pow(high - low, K2), LEAST_TRUNCATION * width);
        const double t = bracketed ? next_itp_point(low, high, y_low, y_high, delta, most) : middle;
        if (middle <= low || middle >= high) break;
        ++*iterations;
        const double y = f(self, t);
        if (ic_sign(y) == to) high = t, y_high = y;
        else low = t, y_low = y;
    }
    return high;
}
