/* SPDX-License-Identifier: MIT */
/**
 * What it costs that a case is reached through the registry: one loop, Runge-Kutta of order 4 with Henon's step onto events, on the
 * roller under condition C, compiled twice. By hand, its equations stand before it and are compiled into it; through the registry,
 * it calls the flows, guards, rates and jumps that the case's tables point to. Beside it, the solver rk4_henon with all that the event
 * contract asks of it: every crossing that the cubic shows, ties, accumulation, disarming.
 */
#ifndef IC_BENCH_OVERHEAD_H
#define IC_BENCH_OVERHEAD_H

#include "bench/cost.h"

/** What one loop computed: all must agree. */
typedef struct ic_overhead_run {
    double t, x[5];
    size_t events;
} ic_overhead_run;

enum { IC_OVERHEAD_BY_HAND, IC_OVERHEAD_REGISTRY, IC_OVERHEAD_SOLVER, IC_OVERHEAD_LOOPS };

/** The time to which the roller is followed, s. */
#define IC_OVERHEAD_UNTIL "1/2"

/** Opens what the loops need; NULL: memory ran out or the case is not there. */
typedef struct ic_overhead ic_overhead;
ic_overhead *ic_overhead_open(void);
void ic_overhead_close(ic_overhead *overhead);

/** Run a loop. */
ic_overhead_run ic_overhead_loop(ic_overhead *overhead, int which);

/** Time all three in turns. What cannot be measured stays NAN. */
void ic_overhead_measure(ic_cost_overhead *result);

#endif
