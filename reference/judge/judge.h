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
#pragma once

#include "reference/flow/certify.h"

/**
 * ic_certify, with the certificate held against a text; NULL: the text of its case. `judged` of the certificate
 * tells the outcome. What is not confirmed is IC_UNDECIDED, and what is contradicted IC_CONTRADICTED.
 */
void ic_certify_judged(ic_certificate *certificate, const ic_problem *problem,
                       const ic_certify_options *options, const char *text);

/** How far the rates of a run's case are from those of a text, at the places that its log has. */
typedef struct ic_defect {
    /* Greatest difference of a rate, a part of its size, at the time t, s; NAN: nothing was judged. */
    double greatest, t;

    /* the state whose rate it is; NULL: there is none */
    const char *state;

    /* places that were judged, and that could not be */
    size_t judged, undecided;

    /* IC_OK, or IC_CONTRADICTED: a rate, or the state of an element, is another one than that of the text */
    ic_status status;

    /* the contradiction, or the reason for which nothing was judged; empty if neither */
    char reason[256];
} ic_defect;

/**
 * Holds the case's functions, as solvers call them, against a text (NULL: that of the case) at states of a run: at most
 * 64 of its samples, both sides of its events, and its end, evenly chosen. The run's states of elements are taken as they are where
 * the text leaves them open.
 */
void ic_judge_defect(ic_defect *defect, const ic_log *log, const char *text);
