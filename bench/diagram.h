/* SPDX-License-Identifier: MIT */
/**
 * What a bifurcation diagram costs: the roller III under condition D over the damping c, as reports/figures/bifurcation-c.gp has it, of 2000
 * values and 1000 periods, the last 64 of which are kept. It is followed by the engine that a sweep would choose and dealt to threads
 * as a sweep deals it; its rows are put together in memory, and no file is written.
 *
 * Where all of it would take long, a part is measured, of fewer values and periods. Times are told as measured;
 * ic_diagram_scale says how many times as much the whole is.
 */
#ifndef IC_BENCH_DIAGRAM_H
#define IC_BENCH_DIAGRAM_H

#include "bench/cost.h"

/** The whole diagram. */
#define IC_DIAGRAM_SETS 2000.0
#define IC_DIAGRAM_PERIODS 1000.0

/** A diagram of which nothing is measured. */
extern const ic_cost_diagram ic_diagram_none;

/** The parameter sets: roller/III/D, c from the first to the last. */
#define IC_DIAGRAM_PATH "roller/III/D"
#define IC_DIAGRAM_VARY "c=5e4:6e5"

/**
 * Measure it; `whole`: all of it, however long that takes. What cannot be measured stays NAN: `two` where there are no two threads or
 * processors, and all of it where a set could not be followed to its end.
 */
void ic_diagram_measure(ic_cost_diagram *diagram, bool whole);

/** Time so many sets over so many periods, several times. false: a set could not be followed to its end. */
bool ic_diagram_time(ic_cost_diagram *diagram, size_t sets, size_t periods);

/** How many times as much the whole diagram is: sets times periods over those that were measured. */
double ic_diagram_scale(const ic_cost_diagram *diagram);

/** Processor time for an event, s, without what it takes to prepare the sets. */
double ic_diagram_per_event(const ic_cost_diagram *diagram);

/** What one thread takes over twice what two take: 1 where a second one halves the time. */
double ic_diagram_efficiency(const ic_cost_diagram *diagram);

#endif
