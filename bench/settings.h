/* SPDX-License-Identifier: MIT */
/**
 * The request for a benchmark: cases, solvers, kinds of measurement; and the steps and tolerances that it gives to
 * each solver.
 */
#pragma once

#include "core/model.h"

typedef struct ic_cost_request {
    /* glob over "case" and "case/preset"; NULL: all */
    const char *subjects;

    /* glob over solver names; NULL: all */
    const char *solvers;

    /* excludes solvers of other packages */
    bool own;

    /* every preset, and finer settings; otherwise one representative of each case */
    bool full;

    /* measures times as well; otherwise errors and work alone, which are the same in each run */
    bool timed;

    /* measures no rows, but only pairs of solvers (bench/pairs.h) and what targets need */
    bool ratios;

    /* called before each row, for progress; may be NULL */
    void (*watch)(const char *subject, const char *solver);
} ic_cost_request;

/**
 * Settings of a solver for a problem, from coarse to fine; returns their number, at most `most`.
 */
size_t ic_cost_settings(double *settings, size_t most, const ic_solver *solver, const ic_problem *problem,
                        bool full);

/** Greatest distance, s, of events that may change places in a run with this step or tolerance. */
double ic_cost_tie(const ic_solver *solver, const ic_problem *problem, double setting);

ic_options ic_cost_options(const ic_solver *solver, const ic_problem *problem, double setting);
