/* SPDX-License-Identifier: MIT */
/**
 * Two solvers at equal error, timed alternately.
 *
 * The error is that of event times: IC_PAIR_LEVELS times a second, or times the length of the run
 * where that is shorter. Each solver has the coarsest tolerance, of four for each factor of ten, with
 * at most this error; of a peer's other settings (ic_solver_tunings) the fastest counts. Then both are
 * timed in turns, A B, B A, A B, ..., so that what slows the machine slows both, and the ratio is the
 * median of the ratios of neighbours, with its quartiles.
 */
#pragma once

#include "bench/answers.h"
#include "bench/cost.h"
#include "bench/settings.h"

/** The problem on which the closed form is compared. */
#define IC_PAIR_SUBJECT "roller/III/C"

enum { IC_PAIR_LEVELS = 4 };
extern const double ic_pair_levels[IC_PAIR_LEVELS];

/** Which solvers are compared. */
typedef struct ic_pair_rule {
    const char *solver;

    /* "": the fastest of the other general solvers of the program */
    const char *peer;

    /* compared at the error of the peer's most accurate setting, on IC_PAIR_SUBJECT alone */
    bool at_best;

    /* by how much the solver is to be faster, at least */
    double wanted;
} ic_pair_rule;

enum { IC_PAIR_RULES = 5 };
extern const ic_pair_rule ic_pair_rules[IC_PAIR_RULES];

/** Returns whether a pair belongs to a comparison. */
bool ic_pair_is_of(const ic_cost_pair *pair, const ic_pair_rule *rule);

/**
 * How a pair relates to the factor that is wanted: 1, or -1, if its quartiles are on the same side;
 * otherwise 0. A solver that does not reach the error has -1.
 */
int ic_pair_judge(const ic_cost_pair *pair, double wanted);

/** Measures the pairs of one preset that the request selects. false: memory ran out. */
bool ic_pairs_measure(ic_cost_results *results, const ic_cost_request *request, const char *path,
                      const ic_problem *problem, const ic_answer *answer);
