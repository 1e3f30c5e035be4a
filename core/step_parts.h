/* SPDX-License-Identifier: MIT */
/** What the files of step events share: core/step_search.c, core/step_prediction.c and core/step_landing.c. */
#pragma once

#include "core/step_events.h"

/** A guard that is so many times as large as it varies needs no pieces, and fewer probes (ic_step_find_event). */
#define IC_STEP_FAR 4

/** Least length of a part of a step that is searched, in widths of an instant. */
enum { IC_STEP_SHORTEST_SEARCH = 16 };

/**
 * Most Newton corrections of a landing. Each one roughly squares the error; at a zero of higher
 * order every second one does.
 */
enum { IC_STEP_MOST_CORRECTIONS = 8 };

/**
 * Root in [low, high] of the polynomial through `values` at nodes of equal distance, to `width`: Newton's
 * method on the polynomial with divided differences c. In units of the distance, u,
 *
 *     p = c_0 + u (c_1 + (u - 1) (c_2 + (u - 2) ...)).
 *
 * Where it leads out of the bracket, the bracket is halved. It ends where rounding stops it. `to`: the side
 * beyond the root.
 */
double ic_polynomial_root(const double *values, int degree, double low, double high, int to, double width);

/** Value of guard i at a time within a step, by the interpolant. Counted as work. */
double ic_step_guard_value(const ic_phase *phase, const ic_step *step, size_t i, double t);
