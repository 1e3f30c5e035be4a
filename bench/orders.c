/* SPDX-License-Identifier: MIT */
#include "bench/orders.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 32 };

/* An error above this fraction of the mean time between events is not small. */
#define LARGEST_ERROR 1e-2

static bool on_same_curve(const ic_cost_row *a, const ic_cost_row *b)
{
    return strcmp(a->subject, b->subject) == 0 && strcmp(a->solver, b->solver) == 0;
}

static double mean_step_of(const ic_cost_row *row)
{
    return strcmp(row->control, "step") == 0 ? row->setting : row->simulated / row->work.steps;
}

static bool is_informative(const ic_cost_row *row)
{
    return row->error > row->noise && row->error < LARGEST_ERROR * row->simulated / fmax(row->events, 1) &&
           mean_step_of(row) > 0 && isfinite(mean_step_of(row));
}

bool ic_cost_order_of(ic_cost_order *order, const ic_cost_results *results, size_t first)
{
    double x[MOST_POINTS] = {0}, y[MOST_POINTS] = {0};
    size_t n = 0;
    const ic_cost_row *row = &results->rows[first];
    if (row->order == 0 || strcmp(row->control, "none") == 0) return false;
    for (size_t i = 0; i < first; i++) {
        if (on_same_curve(&results->rows[i], row)) return false;
    }
    for (size_t i = first; i < results->count && n < MOST_POINTS; i++) {
        const ic_cost_row *other = &results->rows[i];
        if (!on_same_curve(other, row) || !is_informative(other)) continue;
        x[n] = log(mean_step_of(other));
        y[n++] = log(other->error);
    }
    *order = (ic_cost_order){row, ic_line_fit(x, y, n)};
    if (n < IC_ORDER_LEAST_POINTS) order->line.slope = order->line.residual = NAN;
    return true;
}
