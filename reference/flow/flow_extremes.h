/* SPDX-License-Identifier: MIT */
/** The greatest and least values of the outputs of a case, and of its energy, along a certified flow. */
#pragma once

#include "reference/flow/flow.h"

/**
 * The extremes of one quantity so far, with its limits on both sides of events, but without states between events
 * at one instant.
 */
typedef struct ic_flow_extreme {
    /* what the quantity, and minus it, reaches for certain and does not exceed */
    arf_struct reached[2], admitted[2];

    /* false: it is not enclosed somewhere */
    bool known;

    /* the reason, if it is not known */
    char why[256];
} ic_flow_extreme;

/** Number of quantities: the outputs in turn, then the stored energy, if there is one and no output `energy`. */
size_t ic_flow_extremes_count(const ic_problem *problem);

/** `n` extremes of which nothing is known yet, and the same again. */
ic_flow_extreme *ic_flow_extremes_new(size_t n);
void ic_flow_extremes_reset(ic_flow_extreme *extremes, size_t n);
void ic_flow_extremes_free(ic_flow_extreme *extremes, size_t n);

/** Encloses the greatest and the least value. false: `why` states the reason. */
bool ic_flow_extreme_get(arb_t greatest, arb_t least, ic_flow_extreme *e, slong prec);

/* The flow calls the following; they do nothing if no extremes are followed. */

/** Translate the quantities into terms of the phase, with signs of their own. */
void ic_flow_extremes_translate(const ic_translation *t, ic_flow *f);

/** Whether a quantity cannot be followed in this phase, with the signs that were known when it was made. */
bool ic_flow_extremes_lack_signs(const ic_flow *f);

/** The part of a step's length at which the remainders of quantities are as small as is wanted. Not rigorous. */
double ic_flow_extremes_shorten(const ic_flow *f, const ic_step *step);

/**
 * Take all values along a step to the place `end` (in [0, 1], a ball: each solution of the set ends its step
 * in it).
 */
void ic_flow_extremes_take_step(ic_flow *f, const ic_step *step, const arb_t end);

/** Take the present values, after a jump that no step follows. */
void ic_flow_extremes_take_last(ic_flow *f);
