/* SPDX-License-Identifier: MIT */
/** A case and a solver outside the library. */
#pragma once

#include <impactcheck/impactcheck.h>

/** A mass on a spring that hits a wall repeatedly: rattle.c. */
extern const ic_case rattle;

/** The midpoint rule with bisection: midpoint.c. */
extern const ic_solver midpoint;
