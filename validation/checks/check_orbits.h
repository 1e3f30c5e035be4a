/* SPDX-License-Identifier: MIT */
/** The judgement of one solver's steady state by a certified periodic orbit. */
#ifndef IC_VALIDATION_CHECKS_CHECK_ORBITS_H
#define IC_VALIDATION_CHECKS_CHECK_ORBITS_H

#include "reference/orbit/orbit.h"
#include "validation/results.h"
#include "validation/steady.h"

/** The orbit that was tried last. Begin with {.orbit.status = IC_UNDECIDED}. */
typedef struct ic_judged_orbit {
    ic_orbit orbit;

    /* whether the motion from an orbit that is not proved is certified for its period */
    bool returns;
} ic_judged_orbit;

/** Adds a row. `last` is reused if this solver has come to the same orbit. Clear last->orbit afterwards. */
void ic_orbit_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                    const ic_steady *steady, const char *path, ic_judged_orbit *last);

#endif
