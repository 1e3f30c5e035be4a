/* SPDX-License-Identifier: MIT */
/**
 * Cost targets of the solvers and sweeps, measured within one run on one machine, mostly as ratios.
 */
#ifndef IC_BENCH_TARGETS_H
#define IC_BENCH_TARGETS_H

#include "bench/cost.h"

enum { IC_TARGETS = 8 };

/** The problem of the solver targets; sweep targets use the diagram of bench/diagram.h. */
#define IC_TARGET_SUBJECT "roller/III/C"

typedef enum ic_target_verdict {
    IC_TARGET_MET,
    IC_TARGET_MISSED,

    /* the other solver has no row because this program does not include it */
    IC_TARGET_NOT_BUILT,

    /* a row is missing, has no times or is not accurate enough */
    IC_TARGET_NOT_MEASURED,
} ic_target_verdict;

/** "met", "missed", "not built", "not measured". */
const char *ic_target_verdict_text(ic_target_verdict verdict);

typedef struct ic_target {
    const char *name;

    /* or a time, in the unit in the name; NAN where not measured */
    double ratio;

    /* NAN where it depends on a missing measurement */
    double bound;

    /* the ratio must be at least the bound; otherwise at most */
    bool at_least;

    ic_target_verdict verdict;

    /* the quantity that was compared */
    char detail[240];
} ic_target;

/** Target number `i`. */
ic_target ic_target_of(const ic_cost_results *results, size_t i);

/**
 * Time, s, that a solver needs on a subject for an error of event times: on its curve of least time
 * over error, straight between rows in logarithms. NAN: no row is as accurate.
 */
double ic_cost_time_at(const ic_cost_results *results, const char *subject, const char *solver, double error);

#endif
