/* SPDX-License-Identifier: MIT */
#include "validation/studies/power_law.h"

#include <math.h>
#include <stdbool.h>

/* Two points always lie on a line. */
enum { LEAST_POINTS = 3 };

static bool counts(double x, double y)
{
    return x > 0 && y > 0 && isfinite(x) && isfinite(y);
}

static void take_band(ic_power_law *law, const double *x, const double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!counts(x[i], y[i])) continue;
        const double ratio = y[i] / (law->factor * pow(x[i], law->exponent));
        law->lowest = fmin(law->lowest, ratio); /* of NAN and a number: the number */
        law->highest = fmax(law->highest, ratio);
    }
}

ic_power_law ic_power_law_fit(const double *x, const double *y, size_t n)
{
    ic_power_law law = {.exponent = NAN, .factor = NAN, .lowest = NAN, .highest = NAN};
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        if (!counts(x[i], y[i])) continue;
        law.n++;
        mean_x += log(x[i]);
        mean_y += log(y[i]);
    }
    if (law.n < LEAST_POINTS) return law;
    mean_x /= (double)law.n;
    mean_y /= (double)law.n;
    for (size_t i = 0; i < n; i++) {
        if (!counts(x[i], y[i])) continue;
        xx += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
        xy += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
    }
    if (!(xx > 0)) return law;
    law.exponent = xy / xx;
    law.factor = exp(mean_y - law.exponent * mean_x);
    take_band(&law, x, y, n);
    return law;
}
