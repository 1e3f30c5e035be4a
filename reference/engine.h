/* SPDX-License-Identifier: MIT */
/**
 * The event contract in ball arithmetic: a hybrid system with a linear view is followed from event to event, and at each
 * step it is proved that no guard fired earlier. What cannot be proved stops the engine; nothing is guessed.
 */
#ifndef IC_REFERENCE_ENGINE_H
#define IC_REFERENCE_ENGINE_H

#include "reference/system.h"

/** What is known of a guard at the start of a piece. */
typedef struct ic_ball_arming {
    int side;  /* sign just after the start */
    int order; /* > 0: a zero of this order at the start, by theorem */
    bool due;  /* fires before any time passes */
} ic_ball_arming;

typedef struct ic_engine {
    ic_ball_system system;
    int mode;
    arb_t t;     /* now */
    arb_ptr z;   /* now, dim */
    arb_ptr phi; /* dz/dx_0 at fixed t, dim x n by columns; NULL: not wanted */
    ic_ball_arming *arming;
    /* guards that have fired at this instant and not left zero */
    const ic_guard *fired[IC_CHAIN_MAX + 2];
    size_t n_fired;
    int chain;             /* number of the last event at its instant */
    long *next_occurrence; /* of each time event */
    /* what happened last */
    ic_event_kind kind;
    const char *name;
    int mode_from;
    arb_ptr before; /* state before, n */
    char message[256];
} ic_engine;

/** Compile and place at the start of the problem. On failure `message` says why; close in any case. */
ic_status ic_engine_open(ic_engine *engine, const ic_problem *problem, slong prec, bool with_derivative);
void ic_engine_close(ic_engine *engine);

/** Replace the state (n balls), mode and time of the start, and derivatives by the identity; arms the guards anew. */
ic_status ic_engine_place(ic_engine *engine, arb_srcptr x, int mode, const arb_t t);

/**
 * Follow the system to its next event or to t_end. *happened tells which. IC_UNDECIDED: `message` says what could not
 * be proved.
 */
ic_status ic_engine_next(ic_engine *engine, const arb_t t_end, bool *happened);

#endif
