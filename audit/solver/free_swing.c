/* SPDX-License-Identifier: MIT */
#include "audit/solver/solver.h"

#include <math.h>

/* ---- straight lines */

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

/* place of the mark that the mass never passes, m */
#define OUT_OF_REACH (-2.0)
/* From this part of the run on, its errors are as good as those at the end. */
#define LATE 0.75

ic_free_swing ic_free_swing_of(const ic_solver *solver, const ic_options *options, double until)
{
    ic_solver_run r = ic_solver_run_of(solver, ic_probe_mark(OUT_OF_REACH, +1, until), options);
    const ic_sample end = ic_log_end(r.log);
    const bool solved = r.status == IC_OK && r.damage == 0 && end.x != NULL;
    const ic_free_swing swing = {solved, (double)ic_probe_oscillator_precision().flows,
                                 solved ? hypot(end.x[0] - cos(until), end.x[1] + sin(until)) : NAN,
                                 ic_probe_oscillator_own_error(LATE * until)};
    ic_solver_run_free(&r);
    return swing;
}
