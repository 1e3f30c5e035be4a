/* SPDX-License-Identifier: MIT */
/**
 * Overhead of reaching a case through the registry: one loop, Runge-Kutta of order 4 with Henon's
 * step onto events, on the roller under condition C, is compiled twice. By hand, its equations are
 * compiled into the loop; through the registry, it calls the flows, guards, rates and jumps of the
 * case's tables. The third timing is the solver rk4_henon with everything that the event contract
 * requires: every crossing of the cubic, simultaneous guards, accumulation, disarming.
 */
#pragma once

#include "bench/cost.h"

/** Result of one loop; all must agree. */
typedef struct ic_overhead_run {
    double t, x[5];
    size_t events;
} ic_overhead_run;

enum { IC_OVERHEAD_BY_HAND, IC_OVERHEAD_REGISTRY, IC_OVERHEAD_SOLVER, IC_OVERHEAD_LOOPS };

/** End of the roller's run, s. */
#define IC_OVERHEAD_UNTIL "1/2"

/** Opens the data of the loops; NULL: memory ran out or the case is missing. */
typedef struct ic_overhead ic_overhead;
ic_overhead *ic_overhead_open(void);
void ic_overhead_close(ic_overhead *overhead);

ic_overhead_run ic_overhead_loop(ic_overhead *overhead, int which);

/** Times all three alternately. A quantity that cannot be measured stays NAN. */
void ic_overhead_measure(ic_cost_overhead *result);
