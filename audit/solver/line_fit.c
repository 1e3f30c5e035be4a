/* SPDX-License-Identifier: MIT */
#include "audit/solver/solver.h"

#include <math.h>

void ic_line_fit_add(ic_line_fit *f, double x, double y)
{
    f->x += x, f->y += y, f->xx += x * x, f->xy += x * y, f->n++;
}

double ic_line_fit_slope(const ic_line_fit *f)
{
    const double n = (double)f->n;
    return (f->xy - f->x * f->y / n) / (f->xx - f->x * f->x / n);
}

double ic_line_fit_slope_of(const ic_line_fit *f, size_t least)
{
    return f->n < least ? INFINITY : ic_line_fit_slope(f);
}
