/* SPDX-License-Identifier: MIT */
/**
 * The event contract in ball arithmetic: follows a hybrid system with a linear view from event to
 * event, and proves for each step that no guard fired earlier. The flow stops where a proof fails;
 * nothing is guessed.
 */
#ifndef IC_REFERENCE_BALL_FLOW_H
#define IC_REFERENCE_BALL_FLOW_H

#include "reference/system.h"

/** State of a guard at the start of a piece. */
typedef struct ic_ball_arming {
    /* sign just after the start */
    int side;

    /* > 0: a zero of this order at the start, by theorem */
    int order;

    /* fires before any time passes */
    bool due;
} ic_ball_arming;

typedef struct ic_ball_flow {
    ic_ball_system system;
    int mode;

    /* current time */
    arb_t t;

    /* current state, dim elements */
    arb_ptr z;

    ic_ball_arming *arming;
    /* guards that have fired at this instant and have not left zero */
    const ic_guard *fired[IC_CHAIN_MAX + 2];
    size_t n_fired;

    /* number of the last event at its instant */
    int chain;

    /* next occurrence of each time event */
    long *next_occurrence;

    /* the last event */
    ic_event_kind kind;
    const char *name;
    int mode_from;

    /* states before it, n elements */
    arb_ptr before;

    char message[256];
} ic_ball_flow;

/**
 * Compiles the problem and places the flow at its start. On failure `message` states the reason;
 * close the flow in any case.
 */
ic_status ic_ball_flow_open(ic_ball_flow *flow, const ic_problem *problem, slong prec);
void ic_ball_flow_close(ic_ball_flow *flow);

/**
 * Follows the system to its next event (*happened) or to t_end. IC_UNDECIDED: `message` states what
 * was not proved.
 */
ic_status ic_ball_flow_next(ic_ball_flow *flow, const arb_t t_end, bool *happened);

#endif
