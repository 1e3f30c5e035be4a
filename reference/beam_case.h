/* SPDX-License-Identifier: MIT */
/** Converts problems of the case rotating-beam for the beam reference: parameters and states. */
#ifndef IC_REFERENCE_BEAM_CASE_H
#define IC_REFERENCE_BEAM_CASE_H

#include "reference/beam.h"

/**
 * Converts a problem to the beam reference's form, with exactly the doubles that a solver receives.
 * false: `message` states why the reference does not apply: another case, a law without series, or
 * a start state of its own.
 */
bool ic_beam_problem_of(ic_beam_problem *beam, const ic_problem *problem, char *message, size_t size);

/** Returns whether this reference serves the case. */
bool ic_beam_is(const ic_case *system);

/** Index in a state of the case of state i of reference/beam_series.h. */
size_t ic_beam_state_of(slong i);

/**
 * Calls ic_beam_reference for a problem of the case, with exact parameters where problem->par_text
 * provides them. IC_UNSUPPORTED also where ic_beam_problem_of returns false; IC_INVALID: a
 * parameter's text is malformed.
 */
void ic_beam_reference_of(ic_beam_answer *answer, const ic_problem *problem, long digits);

#endif
