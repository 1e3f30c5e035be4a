/* SPDX-License-Identifier: MIT */
/** The judgement of one solver's steady state by a certified periodic orbit. */
#ifndef IC_VALIDATION_CHECKS_CHECK_ORBITS_H
#define IC_VALIDATION_CHECKS_CHECK_ORBITS_H

#include "reference/orbit.h"
#include "validation/results.h"
#include "validation/steady.h"

/** Adds a row. `orbit` is the orbit that was proved last; it is reused if it is that of this solver. */
void ic_orbit_judge(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                    const ic_steady *steady, const char *path, ic_orbit *orbit);

#endif
