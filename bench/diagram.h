/* SPDX-License-Identifier: MIT */
/**
 * Cost of a bifurcation diagram: the roller III under condition D over the damping c, as on the
 * page of costs, with 2000 values and 1000 periods, the last 64 of which are
 * kept. It uses the method that a sweep would choose, distributed to threads as in a sweep; its
 * rows are assembled in memory, and no file is written.
 *
 * Where the whole diagram would take long, a part with fewer values and periods is measured. One
 * thread, two threads and the floor are timed in turns, and their ratios have quartiles; of times, the
 * least counts.
 */
#pragma once

#include "bench/cost.h"

/** The whole diagram. */
#define IC_DIAGRAM_SETS 2000.0
#define IC_DIAGRAM_PERIODS 1000.0

/** The parameter sets: roller/III/D, c from the first to the last. */
#define IC_DIAGRAM_PATH "roller/III/D"
#define IC_DIAGRAM_VARY "c=5e4:6e5"

/**
 * Measures the diagram and the floor; `whole`: all of it, however long that takes. A quantity that
 * cannot be measured stays NAN: `two` and `gain` without two threads or processors, and everything if a
 * set could not be followed to its end.
 */
void ic_diagram_measure(ic_cost_diagram *diagram, ic_cost_floor *floor, bool whole);

/**
 * Times this many sets over this many periods, several times. false: a set could not be followed to
 * its end.
 */
bool ic_diagram_time(ic_cost_diagram *diagram, ic_cost_floor *floor, size_t sets, size_t periods);
