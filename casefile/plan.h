/* SPDX-License-Identifier: MIT */
/**
 * A variant as nodes of the graph, between its text and the tables of the public header. The fields
 * are those of ic_variant, ic_mode, ic_guard and ic_jump, with nodes in the place of functions.
 */
#ifndef IC_CASEFILE_PLAN_H
#define IC_CASEFILE_PLAN_H

#include "casefile/reader.h"

typedef struct ic_plan_branch {
    /* IC_NO_NODE: always */
    ic_node condition;

    /* n_states nodes in the state before */
    ic_node *states;

    /* a number, or IC_SAME_MODE */
    int mode;

    /* indices of guards are those of the mode entered, as planned */
    ic_departure *departures;
    size_t n_departures;
} ic_plan_branch;

typedef struct ic_plan_jump {
    /* the last has no condition */
    ic_plan_branch *branches;
    size_t n;
} ic_plan_jump;

typedef struct ic_plan_guard {
    const char *name, *unit, *meaning;

    int direction;
    ic_onset onset;

    /* of an element: it need not fire where its jump is undefined */
    bool of_element;

    /* enabled: IC_NO_NODE if it always is */
    ic_node value, enabled;

    ic_plan_jump jump;

    /* n == 0: none */
    ic_plan_jump accumulation;
} ic_plan_guard;

typedef struct ic_plan_invariant {
    const char *name, *unit, *meaning;

    int side;

    ic_node value;
} ic_plan_invariant;

typedef struct ic_plan_mode {
    const char *name, *meaning;

    /* false: a mode of another variant, whose number is kept free */
    bool exists;

    bool terminal;

    /* room for IC_MAX_STATES: reading may add states */
    ic_node *flow;

    ic_plan_guard *guards;
    size_t n_guards;

    ic_plan_invariant *invariants;
    size_t n_invariants;

    /* stored, supplied, dissipated; IC_NO_NODE in the first: none */
    ic_node energy[3];

    /* one for each output */
    ic_node *outputs;
} ic_plan_mode;

typedef struct ic_plan_time {
    const char *name, *meaning;

    /* in parameters and n, input 0 */
    ic_node at;

    /* 0: without end */
    int occurrences;

    ic_plan_jump jump;
} ic_plan_time;

typedef struct ic_plan {
    /* by number; IC_PLAN_MODES of them */
    ic_plan_mode *modes;

    ic_plan_jump start;

    ic_plan_time *times;
    size_t n_times;

    size_t n_outputs;
} ic_plan;

/** The most modes of a case. */
enum { IC_PLAN_MODES = 256 };

/** Declare the modes of a variant's text: their numbers mean the same in all variants. */
bool ic_declare_modes(ic_case_reader *r, const ic_yaml *file);

/** Every mode of the variants' files has to be entered in one of their plans, by some way from the start. */
bool ic_plans_reach_modes(ic_case_reader *r, const ic_plan *plans, const ic_yaml *const *files, size_t n);

/** Read the plan of the variant whose text is the reader's root. */
bool ic_plan_read(ic_plan *plan, ic_case_reader *r, ic_output *outputs, size_t n_outputs);

/**
 * Write out the combinations of discrete states as modes, if all of them are affine and few: closed
 * forms and certified answers know affine modes only. Otherwise the plan stays as it is.
 */
bool ic_plan_unfold(ic_plan *plan, ic_case_reader *r);

/** Remove from the state vector what no formula of any of the `n` plans uses: states of elements. */
void ic_plans_prune(ic_case_reader *r, ic_plan *plans, size_t n);

/** Make the tables of a variant, but for its outputs. */
bool ic_plan_emit(const ic_plan *plan, ic_case_reader *r, ic_variant *variant);

/** Make the function at `slot`, and the texts, of an output: nodes by mode, IC_NO_NODE without a value. */
bool ic_plan_emit_output(ic_case_reader *r, const ic_node *nodes, void *slot, const char *const **linear);

#endif
