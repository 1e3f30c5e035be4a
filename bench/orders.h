/* SPDX-License-Identifier: MIT */
/**
 * The order that a solver shows on a problem: the slope of log(error) over log(step), where the step is that of a fixed-step solver, and
 * for an adaptive one the time that was run over the number of steps. Only errors count that stand clear of rounding and are
 * small against the time that was run.
 */
#ifndef IC_BENCH_ORDERS_H
#define IC_BENCH_ORDERS_H

#include "bench/cost.h"
#include "bench/statistics.h"

/** Fewest points that fix an order. */
#define IC_ORDER_LEAST_POINTS 3

typedef struct ic_cost_order {
    const ic_cost_row *row; /* the first of its subject and solver; row->order is the claim */
    ic_line line;           /* in natural logarithms; slope: the order */
} ic_cost_order;

/** The order of the subject and solver of row `first`. false: that row is not their first, or they have no order to claim. */
bool ic_cost_order_of(ic_cost_order *order, const ic_cost_results *results, size_t first);

#endif
