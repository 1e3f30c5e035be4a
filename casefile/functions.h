/* SPDX-License-Identifier: MIT */
/** The functions of a case, as nodes of a graph, before they become C functions. */
#pragma once

#include "casefile/graph.h"
#include "impactcheck/impactcheck.h"

/** Types of functions, as in the public header. */
typedef enum ic_function_kind {
    /* void (double *dxdt, double t, const double *x, const double *par): n nodes */
    IC_FUNCTION_FLOW,

    /* double (double t, const double *x, const double *par): one node */
    IC_FUNCTION_VALUE,

    /* int (double *x_post, double t, const double *x_pre, const double *par): given by branches */
    IC_FUNCTION_JUMP,

    /* double (double t, const double *x, int mode, const double *par): a node for each mode */
    IC_FUNCTION_OUTPUT,

    /* double (int n, const double *par): one node, in which input 0 is n */
    IC_FUNCTION_TIME,

    /*
     * void (ic_impact *impact, const double *par): a node for each number of the struct, in the
     * order of its fields
     */
    IC_FUNCTION_IMPACT,

    /*
     * void (double *coordinates, double t, const double *x, int mode, const double *par): a branch
     * for each mode, whose `states` are the coordinates
     */
    IC_FUNCTION_SKETCH,
} ic_function_kind;

/** One outcome of a jump, or the sketch in one mode. */
typedef struct ic_function_branch {
    /* The branch is taken if this is > 0; IC_NO_NODE: always. */
    ic_node condition;

    /* State after the jump, or coordinates: n nodes. */
    const ic_node *states;
} ic_function_branch;

typedef struct ic_function {
    ic_function_kind kind;

    /* Results of FLOW, VALUE, OUTPUT and TIME. For OUTPUT, IC_NO_NODE in modes without a value. */
    const ic_node *nodes;
    size_t n_nodes;

    /* Branches of a JUMP or a SKETCH. */
    const ic_function_branch *branches;
    size_t n_branches, n_states;

    /* Address of the function pointer that is set to this function. */
    void *slot;
} ic_function;

typedef struct ic_functions {
    ic_function *functions;
    size_t n;
} ic_functions;

/** The closures through which the interpreted functions are called. */
typedef struct ic_closures ic_closures;

/**
 * Make every function callable by interpretation and set the pointers. NULL: memory ran out, or the
 * system forbids closures; `error` gives the reason. Release with ic_closures_free, after the last
 * call.
 */
ic_closures *ic_functions_interpret(const ic_functions *functions, const ic_graph *graph, ic_error *error);

void ic_closures_free(ic_closures *closures);
