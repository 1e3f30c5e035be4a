/* SPDX-License-Identifier: MIT */
/**
 * Many parameter sets of one problem: what is asked of each, and the engines that answer.
 *
 * A lane is one parameter set. It is followed from the start over skip + keep periods T; of the last `keep` it fills one row each:
 *
 *     strobe   row i: all states, and the mode, at the end of kept period i:  t = t_start + (skip + 1 + i) T
 *     output   row i: least and greatest value of one output in kept period i, both ends included, one-sided limits at events too
 *     peak     one row: the greatest value of each output over all kept periods
 *
 * T is the period of the forcing; where a case has none, the preset's end is the end of the first period. A run that a terminal mode
 * ends stays where it ended: periods after it repeat its last state, and have no extremes (NAN). A lane that stops for another
 * reason has NAN, and the mode IC_NO_MODE, in the rows that it did not reach.
 *
 * An engine may leave a lane that departs from the path it is made for: it sets IC_UNSUPPORTED there, and the lane is solved from
 * the start by the plan's solver (ic_lanes_by_solver). What it gives for a lane must not depend on the lanes beside it: files
 * are the same whatever the number of threads.
 */
#ifndef IC_SWEEP_LANES_H
#define IC_SWEEP_LANES_H

#include "impactcheck/impactcheck.h"

#include <signal.h>

typedef enum ic_record_kind { IC_RECORD_STROBE, IC_RECORD_OUTPUT, IC_RECORD_PEAK } ic_record_kind;

/** Mode of a row that was not reached, and of rows of other records than strobe. */
#define IC_NO_MODE 255

/** Room for what was wrong with a lane. */
#define IC_LANE_WHY 256

/** What is asked of every lane. */
typedef struct ic_sweep_plan {
    const ic_problem
        *problem; /* that of one lane: system, variant, t_start; other lanes differ in parameters and t_end */
    const ic_solver *solver;                     /* serves every lane that an engine leaves */
    ic_options options;                          /* of that solver: accuracy */
    double (*period)(const ic_problem *problem); /* T of a lane, s */
    size_t skip, keep;                           /* periods; keep >= 1 */
    ic_record_kind record;
    size_t output;    /* of IC_RECORD_OUTPUT: its index */
    size_t n_columns; /* of a row */
    /* where not NULL: once it is not zero, an engine may return at once, and nothing that it was given counts */
    const volatile sig_atomic_t *stop;
} ic_sweep_plan;

/** One parameter set. The driver fills what it is; an engine, what came out. */
typedef struct ic_lane {
    const double *par;         /* problem->par */
    const ic_problem *problem; /* the lane's own; t_end = t_start + (skip + keep) T */
    double period;             /* T, s */
    size_t n_rows;             /* keep; 1 for IC_RECORD_PEAK */
    double *rows;              /* n_rows x n_columns */
    unsigned char *modes;      /* one for each row */
    ic_status status; /* IC_UNSUPPORTED: left to the plan's solver; IC_INVALID on entry: to be passed over */
    double events;    /* how many, on the whole way */
    char why[IC_LANE_WHY]; /* where the status is not IC_OK: what was wrong, for people, or "" */
} ic_lane;

/**
 * Solve lanes. Whatever becomes of a lane is its status; what is returned is IC_OK, or IC_UNSUPPORTED where the engine cannot
 * serve this plan at all, or IC_NO_MEMORY. Called by several threads at once.
 */
typedef ic_status ic_lane_engine(const ic_sweep_plan *plan, ic_lane *lanes, size_t n_lanes);

/** An engine, as it is registered in sweep/engines.c. */
typedef struct ic_engine {
    const char *name;                          /* "batch" */
    const char *title;                         /* one line */
    const char *stands_in_for;                 /* name of the solver whose lanes it takes; NULL: any solver's */
    bool (*serves)(const ic_sweep_plan *plan); /* whether it can do anything for a plan */
    ic_lane_engine *solve;
} ic_engine;

extern const ic_engine *const ic_engines[];
extern const size_t ic_engine_count;

/** The first registered engine that serves the plan; "scalar" if none does. */
const ic_engine *ic_engine_for(const ic_sweep_plan *plan);
const ic_engine *ic_engine_find(const char *name);

/** Whether an engine is for the plan's solver and can do anything for the plan. */
bool ic_engine_serves(const ic_engine *engine, const ic_sweep_plan *plan);

/** The engine "scalar": any registered solver, lane after lane; serves every plan and leaves no lane. */
ic_lane_engine ic_lanes_by_solver;

/** Columns of a row, and rows of a lane, by what is recorded of this problem. */
size_t ic_record_columns(ic_record_kind record, const ic_problem *problem);
size_t ic_record_rows(ic_record_kind record, size_t keep);

/** Every row of a lane not reached: NAN and IC_NO_MODE. */
void ic_lane_clear(const ic_sweep_plan *plan, ic_lane *lane);

/** The period of the forcing; for a case without, from the start to the end of the problem. */
double ic_sweep_period(const ic_problem *problem);

/**
 * Solve lanes with an engine, and what it leaves with the plan's solver. Adds the number of those to *n_left. IC_OK or IC_NO_MEMORY.
 */
ic_status ic_lanes_solve(const ic_sweep_plan *plan, ic_lane_engine *engine, ic_lane *lanes, size_t n_lanes,
                         size_t *n_left);

#endif
