/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"

#include <math.h>

static bool is_on_grid(const ic_clock *c, double t)
{
    const double steps = (t - c->start) / c->step;
    return fabs(steps - nearbyint(steps)) * c->step <= 0.01 * ic_clock_rounding(c, t);
}

ic_clock ic_clock_of(const ic_trajectory *tr, const size_t *rows, size_t n, double step)
{
    ic_clock c = {.digits = ic_digits_of(tr->t, tr->n, 1)};
    const double unit = pow(10, c.digits.decimals);
    size_t on_grid = 0;
    if (c.digits.significant == 0 || n == 0) return c;
    c.start = tr->t[rows[0]];
    c.step = nearbyint(step * unit) / unit;
    /* rows that are not followed lie between: of a step that has more digits, some are on a grid by rounding */
    const double skipped = n > 1 ? nearbyint((double)(rows[n - 1] - rows[0]) / (double)(n - 1)) : 1;
    if (fmod(nearbyint(c.step * unit), fmax(skipped, 1)) != 0) c.step = 0;
    for (size_t i = 0; c.step > 0 && i < n; i++) on_grid += is_on_grid(&c, tr->t[rows[i]]);
    if (2 * on_grid <= n) c.step = 0;
    return c;
}

double ic_clock_rounding(const ic_clock *c, double t)
{
    return ic_digits_rounding(&c->digits, t);
}

double ic_clock_doubt(const ic_clock *c, double t)
{
    return c->rows_are_exact || (c->step > 0 && is_on_grid(c, t)) ? 0 : ic_clock_rounding(c, t);
}
