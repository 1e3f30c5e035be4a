/* SPDX-License-Identifier: MIT */
/** Problems of the case rotating-beam for the reference: its names, its parameters, its states. */
#ifndef IC_REFERENCE_BEAM_CASE_H
#define IC_REFERENCE_BEAM_CASE_H

#include "reference/beam.h"

/**
 * What a problem is to the reference, with the very doubles that a solver gets. false: `message` says why it has no answer: another
 * case, a law whose series are not made, a start of its own.
 */
bool ic_beam_problem_of(ic_beam_problem *beam, const ic_problem *problem, char *message, size_t size);

/** Whether a case is the one that this reference is for. */
bool ic_beam_is(const ic_case *system);

/** Index in a state of the case of state i of reference/beam_series.h. */
size_t ic_beam_state_of(slong i);

/**
 * ic_beam_reference for a problem of the case, at parameters that are exact where problem->par_text gives them. IC_UNSUPPORTED also
 * where ic_beam_problem_of is false; IC_INVALID: a text is wrong.
 */
void ic_beam_reference_of(ic_beam_answer *answer, const ic_problem *problem, long digits);

#endif
