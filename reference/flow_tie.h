/* SPDX-License-Identifier: MIT */
/**
 * Guards that cross zero within one ball of time, so that no precision decides which is first.
 *
 * If one of them ends the run, their order does not matter under one condition: if another guard fires first,
 * the next mode has a guard with the same value and the same jump, whose value comes to zero at its rate before
 * any other. The final state is then enclosed for every order. (A bar that sticks until lift-off: its friction
 * cone is then empty.)
 */
#ifndef IC_REFERENCE_FLOW_TIE_H
#define IC_REFERENCE_FLOW_TIE_H

#include "reference/flow.h"

/** Whether a guard of the present mode ends the run in any case. */
bool ic_flow_ends_run(const ic_flow *flow, size_t guard);

/**
 * The guards marked in `simultaneous` cross zero where `box` (n + 1 balls: states and time) encloses the set; guard
 * `ends` ends the run. Widens the box so that it contains the place at which the run ends. false: the order may
 * matter.
 */
bool ic_flow_tie_widen(ic_flow *flow, arb_ptr box, size_t ends, const bool *simultaneous);

/**
 * Whether a guard of the present mode is exactly zero at the time t, wherever the states that move are then: where it
 * depends on the time, and numbers are fractions.
 */
bool ic_flow_vanishes_at(ic_flow *flow, const arb_t t, size_t guard);

#endif
