/* SPDX-License-Identifier: MIT */
/** What the solvers and sweeps here are meant to cost: measured within one run on one machine, most of it as ratios. */
#ifndef IC_BENCH_TARGETS_H
#define IC_BENCH_TARGETS_H

#include "bench/cost.h"

enum { IC_TARGETS = 8 };

/** The problem of the targets that are about solvers; those about sweeps have the diagram of bench/diagram.h. */
#define IC_TARGET_SUBJECT "roller/III/C"

typedef enum ic_target_verdict {
    IC_TARGET_MET,
    IC_TARGET_MISSED,
    IC_TARGET_NOT_BUILT,    /* the other solver has no row, and this program does not have it */
    IC_TARGET_NOT_MEASURED, /* a row is missing, has no times or is not accurate enough */
} ic_target_verdict;

/** "met", "missed", "not built", "not measured". */
const char *ic_target_verdict_text(ic_target_verdict verdict);

typedef struct ic_target {
    const char *name;
    double ratio;  /* or time, in the unit that the name says; NAN where it was not measured */
    double bound;  /* NAN where it follows from what was not measured */
    bool at_least; /* the ratio is to be at least the bound, else at most */
    ic_target_verdict verdict;
    char detail[240]; /* what was compared */
} ic_target;

/** Target number `i`. */
ic_target ic_target_of(const ic_cost_results *results, size_t i);

/**
 * Time, s, that a solver takes on a subject for an error of event times: on its curve of least time over error, which is straight
 * between rows in logarithms. NAN: none of its rows is as accurate.
 */
double ic_cost_time_at(const ic_cost_results *results, const char *subject, const char *solver, double error);

#endif
