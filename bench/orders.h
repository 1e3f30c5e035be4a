/* SPDX-License-Identifier: MIT */
/**
 * Observed order of a solver on a problem: the slope of log(error) over log(step), where the step
 * is that of a fixed-step solver, or for an adaptive one the simulated time divided by the number
 * of steps. Only errors well above rounding and small relative to the simulated time count.
 */
#pragma once

#include "bench/cost.h"
#include "bench/statistics.h"

/** Fewest points that determine an order. */
#define IC_ORDER_LEAST_POINTS 3

typedef struct ic_cost_order {
    /* first row of this subject and solver; row->order is the claimed order */
    const ic_cost_row *row;

    /* in natural logarithms; the slope is the order */
    ic_line line;
} ic_cost_order;

/**
 * The order of the subject and solver of row `first`. false: that row is not their first, or they
 * claim no order.
 */
bool ic_cost_order_of(ic_cost_order *order, const ic_cost_results *results, size_t first);
