/* SPDX-License-Identifier: MIT */
/**
 * The event contract for any smooth flow in ball arithmetic: follows a hybrid system given as
 * operations from event to event, and proves for each step that no guard fired earlier. The flow
 * stops where a proof fails; nothing is guessed.
 *
 * The state is a set in the space of the n states and the time (flow_set.h). Events are sections of
 * that space: the set is mapped to the section along the flow, and the time is one of its coordinates.
 *
 * Where a contact begins or ends, a fractional power of a guard's value g is zero in the flow. There
 * the clock is u with u^q = |g|, and
 *
 *     dy/du = q u^(q-1) f(y)/|g|',     dt/du = q u^(q-1)/|g|',
 *
 * in which |g|^(p/q) = u^p is analytic, as long as g' is not 0. The end of contact is u = 0 exactly.
 */
#pragma once

#include "reference/flow/flow_translate.h"

#include <stdbool.h>
#include <stdio.h>

/**
 * Values of a mode whose signs matter: those of its guards, then arguments of operations that are not
 * smooth at zero (max(x, 0), abs(x), fractional powers of x), then the conditions of its guards.
 */
typedef struct ic_mode_values {
    /*
     * operations of the mode's equations, those of conditions, of its quantities, from `first_condition` on
     */
    int *operations;
    size_t n, first_condition;

    /*
     * By guard: the value that is its condition, or 0. Of a condition of several parts: the part on whose
     * sign it depends next.
     */
    size_t *conditions;

    /*
     * By guard: the first value of its condition. Parts joined by `and` or `or` have a value each, from here
     * on.
     */
    size_t *first_parts;

    /* values -u of parts u <= 0, which hold at zero, too; the operation is that of u */
    bool *closed;
} ic_mode_values;

/** A guard, or another value of a mode, where a phase starts, and later. */
typedef struct ic_guard_state {
    /* its sign just after this place */
    int side;

    /* > 0: a zero of this order at this place */
    int order;

    /* fires before any time passes */
    bool due;

    /* its value is zero at this place, by theorem */
    bool zero;

    /* it has crossed zero together with the guard that fired: it fires next */
    bool crossed;
} ic_guard_state;

/** A guard that has fired, and the sign of its value beyond that zero. */
typedef struct ic_fired_guard {
    const ic_guard *guard;
    int to;

    /* a jump of this instant has turned it back, or stopped it */
    bool turned;
} ic_fired_guard;

/** The clock of a phase. */
typedef struct ic_flow_clock {
    /* u^q is the value of this guard times `sign`; guard -1: the clock is the time */
    int guard, sign, q;

    /* u grows */
    bool rises;

    /* u, exact */
    arb_t u;
} ic_flow_clock;

enum { IC_VALUE_NEVER = -1, IC_VALUE_DORMANT = -2, IC_VALUE_HOLDS = -4 };

struct ic_flow_extreme; /* flow_extremes.h */
struct ic_flow_witness;

/** A sign on which the formula of a quantity relies, but not the flow. */
typedef struct ic_flow_sign {
    size_t quantity;
    ic_assumption is;
} ic_flow_sign;

/** The formulas of the mode from one place on. */
typedef struct ic_flow_phase {
    ic_flow_formulas formulas;

    /* the set that the phase starts from, as balls, and whether variables are exact and constant */
    arb_ptr box;
    bool *constant;

    /*
     * The values of ic_mode_values as terms times u^power; IC_VALUE_NEVER: one that does not matter here,
     * IC_VALUE_DORMANT: a guard while its condition is negative, IC_VALUE_HOLDS: a condition that always holds.
     */
    int *values;
    slong *powers;

    /* for a record: values of dormant guards, -1 where they are not known */
    int *dormant;
    size_t n_values;

    /* guards whose signs formulas use */
    bool *used;

    /*
     * Quantities whose extremes are followed as terms; IC_VALUE_NEVER: it has no value, IC_VALUE_DORMANT: it is
     * not known. Their signs are proved in each step.
     */
    int *outputs;
    ic_flow_sign *signs;
    size_t n_signs;

    /* the time minus the time at which to stop */
    int stop;

    /* rate of the clock's base */
    int base_rate;

    /* guards of whose values there are fractional powers */
    ic_root roots[IC_MOST_ROOTS];
    size_t n_roots;
} ic_flow_phase;

typedef struct ic_flow {
    const ic_problem *problem;
    slong n, prec;

    /* parameters */
    arb_ptr par;

    ic_table_numbers tables;

    /* typical sizes of states and time */
    double *sizes;

    /* by state: whether it is exact and rests in this phase, so that it remains exact */
    bool *rests;

    int mode;
    ic_flow_set set;

    /* columns of the derivative with respect to the states at the start; NULL: it is not followed */
    ic_flow_set *columns;

    ic_flow_clock clock;

    /* by mode */
    ic_mode_values *values;

    /* of each value of the present mode */
    ic_guard_state *guards;
    ic_flow_phase phase;
    bool has_phase;

    /* see ic_step_request */
    double shortening;
    slong low_order;
    bool long_steps;

    /* where events come fast, a length of the next step in time, s; infinite at first */
    double likely;

    /* its time */
    arb_t last_event;

    /* values that are further variables in this phase, with their rates */
    size_t further[IC_MOST_ROOTS], n_further;

    /* by value: that of a fractional power's base at which its root was last tried as a clock; 0: never */
    double *root_tried;

    /* when the phase stops */
    arb_t t_stop;

    /* whether the whole set stands at the time `place` */
    bool stands;
    arb_t place;

    /* guards that have fired at this instant and have not left zero */
    ic_fired_guard fired[IC_CHAIN_MAX + 2];
    size_t n_fired;

    /* number of the last event at its instant */
    int chain;

    /* next occurrence of each time event */
    long *next_occurrence;

    /* the last event, and the branch of its jump */
    ic_event_kind kind;
    const ic_branch *branch;
    const char *name;
    int mode_from;

    /* n + 1 balls: states and time before it, and now */
    arb_ptr before, now;

    /* by quantity, borrowed; n 0: extremes are not followed */
    struct ic_flow_extreme *extremes;
    size_t n_extremes;

    /* receives each step; may be NULL */
    const struct ic_flow_witness *witness;

    /* where to record the flow as a proof, or NULL */
    FILE *proof;

    /* of the numbers that are printed (flow_record.h) */
    long digits;

    /* of the record: number of the guard or time event of an event */
    size_t fired_number;

    /* of the record: the jump after which no time has passed */
    const ic_branch *departed;

    /* of the record: a guard that has fired and is still zero, since the jump has changed nothing that it depends on */
    size_t unchanged;

    /* of the record: a guard whose condition has just become zero */
    size_t faded;

    /* of the record: whether it has named the root that is the clock */
    bool root_recorded;

    /* of the record: bits by which the set is thinner in one direction than it is long */
    slong thinness;

    /* of the record: the last step has ended shortly before a crossing */
    bool near_crossing;

    /* of the record: the set is that of an event */
    bool in_event;

    /* the time event that is the next stop; NULL: that is the end of the run */
    const ic_time_event *stop_event;

    /* of the record: time events so far, and in the whole run */
    size_t n_times, most_times;

    /* greatest length of a step with which extremes are enclosed well */
    double extremes_length;

    /* work so far */
    slong steps;

    /* conditions are evaluated where their guards cross zero only: two of them change at one instant */
    bool open_conditions;

    /* a power in the last phase has no root, whatever the precision */
    bool has_no_root;

    /* a guard that was not separated from others ends the run: with IC_FLOW_TIE_BITS they are a tie (flow_tie.h) */
    bool ties_at_end;

    /* the run ends in such a tie, at one of these places, n + 1 balls */
    bool has_tie;
    arb_ptr tie;

    char message[256];
} ic_flow;

/* From this precision on (300 decimal digits), guards that cannot be separated are treated as simultaneous. */
enum { IC_FLOW_TIE_BITS = 1024 };

#define IC_FLOW_TIME_IS_OVER "the time limit is reached"

/** How to follow a flow: `extremes`, `witness`, `proof` and `digits` as in ic_flow. */
typedef struct ic_flow_options {
    struct ic_flow_extreme *extremes;
    size_t n_extremes;
    const struct ic_flow_witness *witness;
    FILE *proof;
    long digits;
} ic_flow_options;

/**
 * Somebody who is told how a flow goes. Each call returns IC_OK; otherwise the flow ends with that status, and its message
 * states the reason.
 */
typedef struct ic_flow_witness {
    void *context;

    /* the flow stands at its start */
    ic_status (*begin)(void *context, ic_flow *f);

    /* the flow has followed an event */
    ic_status (*event)(void *context, ic_flow *f);

    /* the flow has come to its end */
    ic_status (*end)(void *context, ic_flow *f, const arb_t t_end);

    /* a step ends at the place `end` (in [0, 1], a ball), where the set now is */
    ic_status (*step)(void *context, ic_flow *f, const ic_step *step, const arb_t end);
} ic_flow_witness;

/** Place the flow at its start. On failure `message` states the reason; close it in any case. */
ic_status ic_flow_open(ic_flow *flow, const ic_problem *problem, slong prec, const ic_flow_options *options);
void ic_flow_close(ic_flow *flow);

/** A start that is not that of the problem. */
typedef struct ic_flow_start {
    /* states and time; the time is exact */
    const ic_flow_set *set;

    int mode;

    /* guards are zero where they are in this flow, which stands just after an event; NULL: nowhere */
    const struct ic_flow *after;

    /* the derivative with respect to the states is followed; then each of them varies over the set */
    bool derivative;
} ic_flow_start;

/** ic_flow_open at another start. */
ic_status ic_flow_open_at(ic_flow *flow, const ic_problem *problem, const ic_flow_start *at, slong prec);

/** Encloses the derivative of the present states and time with respect to the states at the start: (n + 1) x n. */
void ic_flow_derivative(arb_mat_t derivative, const ic_flow *flow);

/**
 * Follow the system to its next event (*happened) or to t_end. IC_UNDECIDED: `message` states what
 * was not proved.
 */
ic_status ic_flow_next(ic_flow *flow, const arb_t t_end, bool *happened);

/** Quantities of a mode: its stored energy, and outputs from this number on. */
enum { IC_FLOW_STORED_ENERGY = 0, IC_FLOW_OUTPUTS = 3 };

/** The operation of a quantity; negative: there is none. */
int ic_flow_quantity_operation(const ic_mode *mode, size_t number);

/** Encloses a quantity, as ic_flow_output does. */
bool ic_flow_quantity(arb_t value, const ic_problem *problem, size_t number, int mode, const arb_t t,
                      arb_srcptr x, slong prec);

/** Some results of formulas: n from number `first` on; and the number of one that is zero by theorem, or -1. */
typedef struct ic_flow_results {
    const ic_equations *of;
    size_t first, n;
    int zero;
} ic_flow_results;

/**
 * Encloses them at the time t and the states x (balls for all states). false: one of them has no value there, or its sign
 * matters and is not known.
 */
bool ic_flow_enclose(arb_ptr values, const ic_problem *problem, const ic_flow_results *results, const arb_t t,
                     arb_srcptr x, slong prec);

/**
 * Encloses output number `output` of the case in a mode, at the time t and the states x (n balls).
 * false: it has no value there, or is not known as a formula.
 */
bool ic_flow_output(arb_t value, const ic_problem *problem, size_t output, int mode, const arb_t t,
                    arb_srcptr x, slong prec);
