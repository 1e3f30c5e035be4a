/* SPDX-License-Identifier: MIT */
/** The parts of reference/flow/flow.h: phases, jumps, and the way from event to event. */
#pragma once

#include "reference/flow/flow.h"

/** Open a flow that is not placed at a start: parameters, sizes. On failure `message` states the reason; close it. */
ic_status ic_flow_prepare(ic_flow *f, const ic_problem *problem, slong prec, const ic_flow_options *options);

/** Set the message, with the time reached. Returns IC_UNDECIDED. */
ic_status ic_flow_undecided(ic_flow *f, const char *format, ...);

const ic_mode *ic_flow_mode(const ic_flow *f);

/** The guard with a value of the present mode; NULL: it is another value. */
const ic_guard *ic_flow_guard(const ic_flow *f, size_t value);

/** Whether two guards, of one mode or of two, are one guard for the event contract: name and value function. */
bool ic_flow_same_guard(const ic_guard *a, const ic_guard *b);

/** A guard among those that have fired at this instant; NULL: it has not. */
const ic_fired_guard *ic_flow_fired(const ic_flow *f, const ic_guard *guard);

/** The typical time of a problem as the case states it: that of its variant, if it has its own. May be NULL. */
const char *ic_flow_time_scale(const ic_problem *problem);

/** Encloses an expression in parameters and n, which may be NULL. false: see message. */
bool ic_flow_number(arb_t value, ic_flow *f, const char *text, const long *n);

/** The middle of a ball, rounded. */
double ic_flow_middle(const arb_t x);

/** ic_flow_set_map for the flow's set; and the derivative by the states at the start, if it is followed. */
void ic_flow_map(ic_flow *f, arb_srcptr image, const arb_mat_t derivative);
ic_status ic_flow_follow_derivative(ic_flow *f);
void ic_flow_derivative_clear(ic_flow *f);

/* ---- phases */

/**
 * Make the formulas of the mode from the present set on with the present clock, and arm its guards
 * (`guards`): `zero` flags are given; `branch`, which may be NULL, declares departures. Where a
 * contact begins, the clock becomes the root of its guard.
 */
ic_status ic_flow_phase_begin(ic_flow *f, const ic_branch *branch);

/** Make the formulas again for another clock; the guards keep their sides. */
ic_status ic_flow_phase_resume(ic_flow *f);
void ic_flow_phase_clear(ic_flow *f);

/** Let the phase watch the time t_stop. */
void ic_flow_phase_stop_at(ic_flow *f);

/** Add the term that is zero where a term has an exact value, for the steps to come. */
int ic_flow_phase_watch(ic_flow *f, int term, const arb_t value);

/* ---- jumps */

/** Begin an event, which may be another one at the same instant. */
ic_status ic_flow_begin_event(ic_flow *f, ic_event_kind kind, const char *name, bool same_instant);

/**
 * Apply a jump and begin the phase after it. `fired` is the guard of the mode that fired, or NULL;
 * at a start `from_states` is false: the jump does not depend on the states.
 */
ic_status ic_flow_jump(ic_flow *f, const ic_jump *jump, const ic_guard *fired, bool from_states);

/** The first guard that has crossed zero together with the one that fired; -1: none. */
int ic_flow_crossed_too(const ic_flow *f);

/* ---- steps */

/** Follow the mode to its next event (*happened) or to t_stop (*stopped). */
ic_status ic_flow_advance(ic_flow *f, bool *happened, bool *stopped);
