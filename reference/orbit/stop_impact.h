/* SPDX-License-Identifier: MIT */
/**
 * The first impact of a flight (stop_flight.h) in ball arithmetic: its time is enclosed by interval
 * Newton, and proved to be the first one.
 */
#pragma once

#include "reference/orbit/stop_flight.h"

/**
 * Encloses the duration of the flight, for each start in the flight's balls: there is no impact
 * earlier, and the speed of impact is positive. false: this is not proved; *reason is a constant text.
 */
bool ic_stop_first_impact(arb_t duration, const ic_stop_flight *flight, const char **reason);
