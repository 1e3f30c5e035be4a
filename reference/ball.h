/* SPDX-License-Identifier: MIT */
/**
 * Ball arithmetic by Arb, either the separate library (FLINT 2) or part of FLINT 3. The build sets
 * the include path.
 */
#ifndef IC_REFERENCE_BALL_H
#define IC_REFERENCE_BALL_H

#include <arb.h>
#include <mag.h>

#endif
