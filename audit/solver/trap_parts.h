/* SPDX-License-Identifier: MIT */
/**
 * Macros for the functions and tables of a trap. In the functions, x is the state, before the event
 * if there is one.
 */
#ifndef IC_AUDIT_SOLVER_TRAP_PARTS_H
#define IC_AUDIT_SOLVER_TRAP_PARTS_H

#include "audit/solver/traps.h"

#include <string.h>

/** Expressions, one for each state. */
#define IC_TEXTS(...) ((const char *const[]){__VA_ARGS__})

/** static double name_(t, x, par): a guard, a rate. */
#define IC_TRAP_VALUE(name_, value_)                                                                           \
    static double name_(double t, const double *x, const double *par)                                          \
    {                                                                                                          \
        (void)t, (void)x, (void)par;                                                                           \
        return (value_);                                                                                       \
    }

/** A flow: the rates of all states. */
#define IC_TRAP_FLOW(name_, ...)                                                                               \
    static void name_(double *dxdt, double t, const double *x, const double *par)                              \
    {                                                                                                          \
        (void)t, (void)x, (void)par;                                                                           \
        const double rates[] = {__VA_ARGS__};                                                                  \
        memcpy(dxdt, rates, sizeof rates);                                                                     \
    }

/** A jump with one branch: all states after it. */
#define IC_TRAP_JUMP(name_, ...)                                                                               \
    static int name_(double *x_post, double t, const double *x, const double *par)                             \
    {                                                                                                          \
        (void)t, (void)x, (void)par;                                                                           \
        const double after[] = {__VA_ARGS__};                                                                  \
        memcpy(x_post, after, sizeof after);                                                                   \
        return 0;                                                                                              \
    }

/** Fields of a guard, from its name to its linear view (a text or NULL). */
#define IC_TRAP_GUARD(name_, unit_, meaning_, direction_, value_, rate_, linear_)                              \
    .name = (name_), .unit = (unit_), .meaning = (meaning_), .direction = (direction_), .value = (value_),     \
    .rate = (rate_), .linear = (linear_)

/** Fields of a mode with an array of guards. */
#define IC_TRAP_MODE(name_, meaning_, flow_, linear_, guards_)                                                 \
    .name = (name_), .meaning = (meaning_), .flow = (flow_), .linear = (linear_), .guards = (guards_),         \
    .n_guards = IC_COUNT(guards_)

/** Fields of a variant with an array of modes. */
#define IC_TRAP_VARIANT(name_, meaning_, modes_, start_, branches_)                                            \
    .name = (name_), .meaning = (meaning_), .modes = (modes_), .n_modes = IC_COUNT(modes_),                    \
    .start = IC_LINEAR_JUMP(start_, branches_)

/** Fields of a case: its name, and the issue in which the fault was reported. */
#define IC_TRAP_CASE(name_, title_, source_)                                                                   \
    IC_ABI(ic_case), .name = (name_), .title = (title_), .source = (source_)

/** Fields of a case: tables of states, variants and presets. */
#define IC_TRAP_TABLES(states_, variants_, presets_)                                                           \
    .states = (states_), .n_states = IC_COUNT(states_), .variants = (variants_),                               \
    .n_variants = IC_COUNT(variants_), .presets = (presets_), .n_presets = IC_COUNT(presets_)

#define IC_TRAP_PARAMETERS(parameters_) .parameters = (parameters_), .n_parameters = IC_COUNT(parameters_)

/** Fields of a trap: its case, and the table of its runs. */
#define IC_TRAP_RUNS(system_, runs_) .system = &(system_), .runs = (runs_), .n_runs = IC_COUNT(runs_)

/** Fields of a run: a table of its events. */
#define IC_TRAP_EVENTS(table_) .events = (table_), .n_events = IC_COUNT(table_)

#endif
