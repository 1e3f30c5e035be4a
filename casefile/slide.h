/* SPDX-License-Identifier: MIT */
/**
 * Motion along the zero of a kink whose sides both push back to it (Filippov): a sticking body at
 * sign(v).
 */
#pragma once

#include "casefile/reader.h"

typedef struct ic_slide {
    /*
     * Rates of the kink's argument on its positive and on its negative side. It slides where up < 0
     * < down.
     */
    ic_node up, down;

    /* The rate of the argument, if it has no jump: it slides where this is 0, and up and down are second rates. */
    ic_node rate;

    /* The flow along the zero, by state. */
    ic_node flow[IC_MAX_STATES];
} ic_slide;

/**
 * Find the flow along the zero of a kink. false: neither the rate of its argument nor its second rate jumps there, or
 * memory ran out.
 */
bool ic_find_slide(ic_case_reader *r, const ic_kink *kink, const ic_node *flow, ic_slide *slide);

/** A node where a side that is 0 has a value between -1 and 1: the mean of both sides. */
ic_node ic_with_side(ic_case_reader *r, ic_node node, ic_node side, ic_node value);

/** a/b, without a division by zero where b vanishes for some sides: the rate does not jump there. */
ic_node ic_quotient(ic_case_reader *r, ic_node a, ic_node b);

/**
 * Set `up` and `down` of a slide that was found, by a flow that contains those along the zeros of other kinks. false:
 * memory ran out.
 */
bool ic_rates_of_sides(ic_case_reader *r, const ic_kink *kink, const ic_node *flow, ic_slide *slide);
