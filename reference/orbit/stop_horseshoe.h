/* SPDX-License-Identifier: MIT */
/** A horseshoe of the impact map of an oscillator with a hard stop (stop_map.h), to be proved by horseshoe.h. */
#pragma once

#include "reference/orbit/horseshoe.h"
#include "reference/orbit/stop_map.h"

extern const ic_stop_parameters ic_stop_horseshoe_parameters;

/**
 * Two sets, each of which covers both. Flights from the first one last about two periods of the forcing, those from the second
 * one about three.
 */
extern const ic_graph ic_stop_horseshoe;

/** Bits that suffice, and the weight of the cone conditions. */
enum { IC_STOP_HORSESHOE_BITS = 96, IC_STOP_HORSESHOE_WEIGHT = 4 };
