/* SPDX-License-Identifier: MIT */
/**
 * Small functions to be timed: each contact-force law, each rigid impact map, the location of a
 * root, a run of each solver, and the loops of bench/overhead.h. All timed code is C; the timing
 * program (bench/benchmarks.cpp) only calls `run`.
 */
#ifndef IC_BENCH_MICRO_H
#define IC_BENCH_MICRO_H

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A number that is reported with the time. */
typedef struct ic_micro_counter {
    /* "flow_calls" */
    const char *name;

    /* NAN: not measured. */
    double value;
} ic_micro_counter;

enum { IC_MICRO_MOST_COUNTERS = 6 };

typedef struct ic_micro {
    /* "law/force/hertz" */
    char name[128];

    /* Calls the function once. Using the result keeps the compiler from removing the call. */
    double (*run)(void *self);
    void *self;
    ic_micro_counter counters[IC_MICRO_MOST_COUNTERS];
    size_t n_counters;
} ic_micro;

typedef struct ic_micro_list {
    ic_micro *items;
    size_t count, capacity;
} ic_micro_list;

/**
 * All items; `full`: runs on every preset instead of one representative of each case. false:
 * `error` states why not.
 */
bool ic_micro_open(ic_micro_list *list, bool full, ic_error *error);
void ic_micro_close(ic_micro_list *list);

#ifdef __cplusplus
}
#endif

#endif
