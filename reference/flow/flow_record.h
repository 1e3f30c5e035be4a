/* SPDX-License-Identifier: MIT */
/**
 * The record of a flow as a proof (docs/proof-format.md): what was found by search, step by step, so that
 * another program can check it. Sets are made a little larger and shorter to write; the flow goes on with
 * these. All functions do nothing if the flow has no record (ic_flow, `proof`).
 */
#pragma once

#include "reference/flow/flow_parts.h"

/** What is zero where a step ends. */
typedef enum ic_flow_crossing_kind {
    IC_CROSSES_GUARD,
    IC_CROSSES_TIME,
    IC_CROSSES_VALUE,
    IC_CROSSES_ROOT
} ic_flow_crossing_kind;

typedef struct ic_flow_crossing {
    ic_flow_crossing_kind kind;

    /* number of the guard, or of another value of the mode */
    size_t value;

    /* the place in the step, from the centre, a little wider than proved */
    arb_srcptr s;

    /* the same for the whole set: the end of the search */
    arb_srcptr s_all;

    /* the root that becomes the clock there, and its value; or NULL */
    const ic_root *root;
    double u;
} ic_flow_crossing;

/** Begin with the problem. IC_UNSUPPORTED: it has no place in a proof, see `message`. */
ic_status ic_flow_record_problem(ic_flow *f);

/** A step to the part `end` of its length, or to a crossing before. */
ic_status ic_flow_record_step(ic_flow *f, const ic_step *step, double end, const ic_flow_crossing *crossing);

/** The jump that follows. */
void ic_flow_record_jump(ic_flow *f, int branch);

/** The set after a step or a jump. */
void ic_flow_record_set(ic_flow *f);

/** The numbers that are printed for an event, and at the end. */
void ic_flow_record_printed(ic_flow *f, arb_srcptr y);

/** The end of the run. */
void ic_flow_record_end(ic_flow *f);
