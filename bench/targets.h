/* SPDX-License-Identifier: MIT */
/**
 * Cost targets of solvers and sweeps: ratios of times that were measured in turns within one run
 * (bench/pairs.h, bench/overhead.h, bench/diagram.h). Each names the class of solver that it is about,
 * and no other solver can meet it.
 */
#pragma once

#include "bench/cost.h"
#include "bench/pairs.h"

enum { IC_TARGETS = IC_PAIR_RULES + 4 };

typedef enum ic_target_verdict {
    IC_TARGET_MET,
    IC_TARGET_MISSED,

    /* the quartiles lie on both sides of the bound */
    IC_TARGET_NOISY,

    /* the other solver has no pair because this program does not include it */
    IC_TARGET_NOT_BUILT,
    IC_TARGET_NOT_MEASURED,
} ic_target_verdict;

/** "met", "missed", "too noisy to say", "not built", "not measured". */
const char *ic_target_verdict_text(ic_target_verdict verdict);

typedef struct ic_target {
    char name[80];

    /* ic_solver_class of the solver that is to meet it */
    const char *class;

    /*
     * median and quartiles, of a target over cases and errors those of its worst pair; NAN where not measured
     */
    double ratio, low, high;
    double bound;

    /* the ratio must be at least the bound; otherwise at most */
    bool at_least;

    ic_target_verdict verdict;

    /* what was compared, and where the worst pair is */
    char detail[320];
} ic_target;

/** Target number `i`. A target over pairs is met if all are, and missed if one is. */
ic_target ic_target_of(const ic_cost_results *results, size_t i);
