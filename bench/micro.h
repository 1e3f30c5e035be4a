/* SPDX-License-Identifier: MIT */
/**
 * Small things to be timed: each contact-force law, each rigid impact map, the location of a root, a run of each solver, and the loops of
 * bench/overhead.h. What is timed is C; a program that times (bench/benchmarks.cpp) only calls `run`.
 */
#ifndef IC_BENCH_MICRO_H
#define IC_BENCH_MICRO_H

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A number that is told beside the time. */
typedef struct ic_micro_counter {
    const char *name; /* "flow_calls" */
    double value;     /* NAN: not measured */
} ic_micro_counter;

enum { IC_MICRO_MOST_COUNTERS = 6 };

typedef struct ic_micro {
    char name[128]; /* "law/force/hertz" */
    /* once; the result keeps a compiler from leaving it out */
    double (*run)(void *self);
    void *self;
    ic_micro_counter counters[IC_MICRO_MOST_COUNTERS];
    size_t n_counters;
} ic_micro;

typedef struct ic_micro_list {
    ic_micro *items;
    size_t count, capacity;
} ic_micro_list;

/** All of them; `full`: runs on every preset, not on those alone that stand for their cases. false: `error` says why not. */
bool ic_micro_open(ic_micro_list *list, bool full, ic_error *error);
void ic_micro_close(ic_micro_list *list);

#ifdef __cplusplus
}
#endif

#endif
