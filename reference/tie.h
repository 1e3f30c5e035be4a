/* SPDX-License-Identifier: MIT */
/**
 * Guards that cross within one ball of time, so that no precision tells which is first.
 *
 * Where one of them ends the run, that need not matter: if another fires first, the one that ends the run is still there
 * in the mode that it leads to, and follows within the time that its value takes to vanish at its rate. The state at which
 * the run ends is then enclosed whichever came first. (A bar that sticks until lift-off: its friction cone is empty then.)
 */
#ifndef IC_REFERENCE_TIE_H
#define IC_REFERENCE_TIE_H

#include "reference/system.h"

/**
 * Let the guards marked in `tied` cross zero within the ball t, in mode number `mode`, with z (dim elements) enclosing the
 * state then. Widen t and z until they hold the time and the state at which the run ends, and return the guard that ends
 * it; -1: none does, or the order may matter.
 */
int ic_tie_that_ends(ic_ball_system *system, arb_t t, arb_ptr z, int mode, const bool *tied);

#endif
