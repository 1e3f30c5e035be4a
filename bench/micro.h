/* SPDX-License-Identifier: MIT */
/**
 * Small functions to be timed: each contact-force law, each rigid impact map, and the location of a
 * root. All timed code is C; the timing program (bench/benchmarks.cpp) only calls `run`.
 */
#pragma once

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ic_micro {
    /* "law/force/hertz" */
    char name[128];

    /* Calls the function once. Using the result keeps the compiler from removing the call. */
    double (*run)(void *self);
    void *self;

    /* of the location of a root; NAN: of something else */
    double iterations;
} ic_micro;

typedef struct ic_micro_list {
    ic_micro *items;
    size_t count, capacity;
} ic_micro_list;

/** All items. false: `error` states why not. */
bool ic_micro_open(ic_micro_list *list, ic_error *error);
void ic_micro_close(ic_micro_list *list);

#ifdef __cplusplus
}
#endif
