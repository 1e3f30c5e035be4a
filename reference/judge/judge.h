/* SPDX-License-Identifier: MIT */
/**
 * Holds a certificate against the text of its case, step by step. The text is read by reference/text, which shares
 * nothing with the translation that certificates rest on; states of elements and kinks that the certificate has are not
 * looked at.
 *
 * Along each step the certificate's rates must satisfy x' in F(t, x), where F is the text's flow; at a condition that stays
 * open over the step, the convex hull of the flows of both sides (Filippov); and with the forces of stops and of
 * friction that sticks, which satisfy complementarity. Events must be those of the text, and no other.
 * docs/decisions/held-against-the-text.md has the demands, and what is left out.
 */
#ifndef IC_REFERENCE_JUDGE_H
#define IC_REFERENCE_JUDGE_H

#include "reference/flow.h"

typedef struct ic_text_judge ic_text_judge;

/** A judge of a problem by a text; NULL: the text of its case. NULL: memory ran out. */
ic_text_judge *ic_text_judge_new(const ic_problem *problem, const char *text);
void ic_text_judge_free(ic_text_judge *judge);

/* The following return IC_OK; IC_UNDECIDED: not confirmed; IC_CONTRADICTED. Then the flow's message states the reason. */

/** Begin with a flow that stands at its start. */
ic_status ic_text_judge_begin(ic_text_judge *judge, ic_flow *f);

/** A step that ends at the place `end` (in [0, 1], a ball), where the set now is. */
ic_status ic_text_judge_step(ic_text_judge *judge, ic_flow *f, const ic_step *step, const arb_t end);

/** An event, which the flow has just followed. */
ic_status ic_text_judge_event(ic_text_judge *judge, ic_flow *f);

/** The end of the run. */
ic_status ic_text_judge_end(ic_text_judge *judge, ic_flow *f, const arb_t t_end);

/** NULL: the judge knows all that the certificate has met; otherwise what it does not know. */
const char *ic_text_judge_ignorance(const ic_text_judge *judge);

#endif
