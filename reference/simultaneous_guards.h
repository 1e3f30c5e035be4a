/* SPDX-License-Identifier: MIT */
/**
 * Guards that cross within one ball of time, so that no precision decides which is first.
 *
 * If one of them ends the run, their order does not matter under one condition: if another guard
 * fires first, the terminal guard is still present in the next mode and fires within the time that its
 * value needs to vanish at its rate. The final state is then enclosed for every order. (A bar that sticks until
 * lift-off: its friction cone is then empty.)
 */
#ifndef IC_REFERENCE_SIMULTANEOUS_GUARDS_H
#define IC_REFERENCE_SIMULTANEOUS_GUARDS_H

#include "reference/system.h"

/**
 * The guards marked in `simultaneous` cross zero within the ball t, in mode number `mode`; z (dim
 * elements) encloses the state at that time. Widens t and z to contain the time and state at which
 * the run ends, and returns the guard that ends it; -1: none does, or the order may matter.
 */
int ic_simultaneous_end(ic_ball_system *s, arb_t t, arb_ptr z, int mode, const bool *simultaneous);

#endif
