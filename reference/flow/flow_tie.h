/* SPDX-License-Identifier: MIT */
/**
 * Guards that cross zero within one ball of time, so that no precision decides which is first.
 *
 * If one of them ends the run, their order does not matter under one condition: if another guard fires first,
 * the next mode has a guard with the same value and the same jump, whose value comes to zero at its rate before
 * any other. The final state is then enclosed for every order. (A bar that sticks until lift-off: its friction
 * cone is then empty.)
 *
 * Infinitely many firings of one guard have a limit that is enclosed where a geometric series bounds what is left of them.
 */
#pragma once

#include "reference/flow/flow.h"

/** Whether a guard of the present mode ends the run in any case. */
bool ic_flow_ends_run(const ic_flow *flow, size_t guard);

/**
 * The guards marked in `simultaneous` cross zero where `box` (n + 1 balls: states and time) encloses the set; guard
 * `ends` ends the run. Widens the box so that it contains the place at which the run ends. false: the order may
 * matter.
 */
bool ic_flow_tie_widen(ic_flow *flow, arb_ptr box, size_t ends, const bool *simultaneous);

/**
 * The flow stands just after a guard with an `accumulation` jump has fired. Encloses the place at which infinitely many
 * firings of this guard alone end in n + 1 balls, and all places until then in n + 1 further ones. false: it is not proved
 * that they end, in this way, before the next time event and the end of the run.
 */
bool ic_flow_enclose_limit(arb_ptr limit, ic_flow *flow);

/** Move the flow to that place, and apply the jump. */
ic_status ic_flow_take_limit(ic_flow *flow, arb_srcptr limit);

/**
 * Whether a guard of the present mode is exactly zero at the time t, wherever the states that move are then: where it
 * depends on the time, and numbers are fractions.
 */
bool ic_flow_vanishes_at(ic_flow *flow, const arb_t t, size_t guard);
