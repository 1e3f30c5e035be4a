/* SPDX-License-Identifier: MIT */
/**
 * A plan is a variant in an intermediate form: its text has been read into nodes of the graph, and
 * its tables have not been made yet. The fields correspond to those of ic_variant, ic_mode,
 * ic_guard and ic_jump, with nodes instead of functions.
 */
#pragma once

#include "casefile/reader.h"

typedef struct ic_plan_branch {
    /* The branch is taken if this is > 0; IC_NO_NODE: always. */
    ic_node condition;

    /* State after the jump: n_states nodes, which are formulas in the state before it. */
    ic_node *states;

    /* Number of the next mode, or IC_SAME_MODE. */
    int mode;

    /* Departures; the index of a guard counts the guards of the plan's next mode. */
    ic_departure *departures;
    size_t n_departures;
} ic_plan_branch;

typedef struct ic_plan_jump {
    /* Branches; the last one has no condition. */
    ic_plan_branch *branches;
    size_t n;
} ic_plan_jump;

typedef struct ic_plan_guard {
    const char *name, *unit, *meaning;

    int direction;
    ic_onset onset;

    /* True for a guard of an element: it does not fire where its jump is undefined. */
    bool of_element;

    /* `enabled` is IC_NO_NODE if the guard is always enabled. */
    ic_node value, enabled;

    ic_plan_jump jump;

    /* n is 0 if the guard has no such jump. */
    ic_plan_jump accumulation;
} ic_plan_guard;

typedef struct ic_plan_invariant {
    const char *name, *unit, *meaning;

    int side;

    ic_node value;
} ic_plan_invariant;

typedef struct ic_plan_mode {
    const char *name, *meaning;

    /* False if only other variants have a mode of this number. */
    bool exists;

    bool terminal;

    /* Array of IC_MAX_STATES nodes: states may be added while the plan is read. */
    ic_node *flow;

    ic_plan_guard *guards;
    size_t n_guards;

    ic_plan_invariant *invariants;
    size_t n_invariants;

    /*
     * Stored energy, supplied power, dissipated power; IC_NO_NODE in the first if the mode has no
     * energy balance.
     */
    ic_node energy[3];

    /* A node for each output, and then for each coordinate of the sketch. */
    ic_node *outputs;
} ic_plan_mode;

typedef struct ic_plan_time {
    const char *name, *meaning;

    /*
     * Time of an occurrence: a formula in the parameters and the number n of the occurrence (input
     * 0).
     */
    ic_node at;

    /* Number of occurrences; 0: no limit. */
    int occurrences;

    ic_plan_jump jump;
} ic_plan_time;

/** A stop or friction of the view that time stepping uses (ic_stops_view), as nodes. */
typedef struct ic_plan_stop {
    const char *name;
    bool friction;

    /* Gap or slip, and its rate. For friction both are the slip. */
    ic_node value, velocity;

    ic_node restitution;

    /* in place of a restitution: the greatest forces of friction */
    ic_node kinetic, sticking;

    /* Arrays of IC_MAX_STATES nodes. */
    ic_node *gradient, *push;

    /* index of the discrete state, or -1 */
    int state;

    /* number of the mode in which the stop is pressed, or -1 */
    int rest;
} ic_plan_stop;

/** That view: stops first. */
typedef struct ic_plan_stops {
    int mode;

    ic_node *flow;

    ic_plan_stop *stops;
    size_t n;

    /* n values for each mode number, or NULL. */
    int *combinations;
} ic_plan_stops;

typedef struct ic_plan {
    /* Modes by number: IC_PLAN_MODES of them. */
    ic_plan_mode *modes;

    ic_plan_jump start;

    ic_plan_time *times;
    size_t n_times;

    /* NULL: the variant consists of more than one flow, stops and friction. */
    ic_plan_stops *stops;

    /* n_values: outputs and coordinates of the sketch. */
    size_t n_outputs, n_values;
} ic_plan;

/** Greatest number of modes of a case. */
enum { IC_PLAN_MODES = 256 };

/** Declare the modes of a variant. Mode numbers are the same in all variants. */
bool ic_declare_modes(ic_case_reader *r, const ic_yaml *file);

/**
 * Check that a run can reach every mode of the files of the variants from the start of some
 * variant. false: a fault was added.
 */
bool ic_plans_reach_modes(ic_case_reader *r, const ic_plan *plans, const ic_yaml *const *files, size_t n);

/** Read the plan of the variant whose text is `root`. */
bool ic_plan_read(ic_plan *plan, ic_case_reader *r, ic_output *outputs, size_t n_outputs);

/**
 * Replace discrete states by modes, one for each combination of their values, if all these modes
 * are affine and few. Closed forms and certified answers require affine modes. Otherwise the plan
 * does not change.
 */
bool ic_plan_unfold(ic_plan *plan, ic_case_reader *r);

/** Remove from the state vector those states of elements that no formula of the `n` plans uses. */
void ic_plans_prune(ic_case_reader *r, ic_plan *plans, size_t n);

/** Make the tables of a variant, except those of its outputs. */
bool ic_plan_emit(const ic_plan *plan, ic_case_reader *r, ic_variant *variant);

/**
 * Make the function at `slot` and the texts of an output. `nodes` are its values by mode,
 * IC_NO_NODE in a mode without a value.
 */
bool ic_plan_emit_output(ic_case_reader *r, const ic_node *nodes, void *slot, const char *const **linear);
