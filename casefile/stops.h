/* SPDX-License-Identifier: MIT */
/** The view of a variant as stops and friction (ic_stops_view): from elements, or from the section `stops`. */
#pragma once

#include "casefile/mechanics.h"
#include "casefile/plan.h"

/**
 * Keep the stops and frictions of a mode as r->stops, with the flow before their forces are added;
 * NULL if the mode has none, or other elements too. false: memory ran out.
 */
bool ic_collect_stops(const ic_mechanics *m, ic_node *flow);

/**
 * Set the view of a plan whose modes have been read. A section `stops` gives it for modes that are
 * written by hand: it acts on the flow of the first mode. Otherwise the elements of the only mode
 * give it, if no other event changes that mode. NULL in the plan: there is no view. false: a fault
 * was added.
 */
bool ic_plan_stops_read(ic_plan *plan, ic_case_reader *r, int first);

/** Make the tables of the view of a variant, or NULL. */
bool ic_stops_emit(const ic_plan *plan, ic_case_reader *r, const ic_stops_view **view);
