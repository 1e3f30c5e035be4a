/* SPDX-License-Identifier: MIT */
/**
 * The impact map of an oscillator with a hard stop (stop_flight.h), and its derivative, in ball
 * arithmetic: from the phase omega t of an impact and the speed just after it to those of the next
 * impact. Phases are not reduced: the difference is omega times the duration of the flight.
 */
#pragma once

#include "reference/orbit/planar_map.h"
#include "reference/orbit/stop_flight.h"

enum { IC_STOP_PHASE, IC_STOP_SPEED };

/**
 * Encloses the next impact for every start in the box (2 balls). It is proved that each start has a next impact, that it
 * is the first one, and that the stop is hit with a positive speed: so the map is smooth in the box. false: this is not
 * proved; *reason is a constant text.
 */
bool ic_stop_map(arb_ptr next, const ic_stop_oscillator *of, arb_srcptr start, const char **reason);

/**
 * Encloses the derivatives of the map at all starts in a box whose next impact lies in the box `next`, as a product of two
 * matrices (2 x 2 each), outer times inner: `inner` is the change of x and x' at the time of the next impact, and `outer`
 * what follows from it for that impact. Where these are multiplied with vectors first, what cancels does so before it is
 * divided by the speed.
 */
void ic_stop_derivative(arb_mat_t outer, arb_mat_t inner, const ic_stop_oscillator *of, arb_srcptr start,
                        arb_srcptr next);

/** The same as a map of the plane, which borrows the oscillator. */
ic_planar_map ic_stop_planar_map(const ic_stop_oscillator *of);
