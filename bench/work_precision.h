/* SPDX-License-Identifier: MIT */
/** Every solver of the registry on the cases of the registry, with one tolerance or step after another. */
#ifndef IC_BENCH_WORK_PRECISION_H
#define IC_BENCH_WORK_PRECISION_H

#include "bench/cost.h"
#include "core/model.h"

typedef struct ic_cost_request {
    const char *subjects; /* glob over "case" and "case/preset"; NULL: all */
    const char *solvers;  /* glob over names; NULL: all */
    bool own;             /* without those of other packages */
    bool full;            /* every preset, and finer settings; else what stands for each case */
    bool timed;           /* else errors and work alone, which are the same in each run */
    /* called before each row, for progress; may be NULL */
    void (*watch)(const char *subject, const char *solver);
} ic_cost_request;

/** Add the rows, and the calibration and, of all subjects and solvers, what is measured beside them, if timed. false: `error` says why not. */
bool ic_cost_measure(ic_cost_results *results, const ic_cost_request *request, ic_error *error);

/** Whether a preset stands for its case, in runs that are not full. */
bool ic_cost_represents(const ic_case *system, const ic_preset *preset);

/** Settings of a solver for a problem, from coarse to fine; returns how many, at most `most`. */
size_t ic_cost_settings(double *settings, size_t most, const ic_solver *solver, const ic_problem *problem,
                        bool full);

/** Options with a setting. */
ic_options ic_cost_options(const ic_solver *solver, const ic_problem *problem, double setting);

#endif
