/* SPDX-License-Identifier: MIT */
/** Motion along the zero of a kink whose sides both push back to it: sign(v) where a body sticks (Filippov). */
#ifndef IC_CASEFILE_SLIDE_H
#define IC_CASEFILE_SLIDE_H

#include "casefile/reader.h"

typedef struct ic_slide {
    /* rates of the kink's argument on its positive and on its negative side; where they are < 0 and > 0 it slides */
    ic_node up, down;

    /* the flow at the zero, by state */
    ic_node flow[IC_MAX_STATES];
} ic_slide;

/**
 * Find how a flow in which kinks are events slides. false: its rate does not jump there, or not as a
 * multiple of the side, or memory ran out.
 */
bool ic_find_slide(ic_case_reader *r, const ic_kink *kink, const ic_node *flow, ic_slide *slide);

#endif
