/* SPDX-License-Identifier: MIT */
/**
 * The parameters that rows follow if several differ from those of the case: the one that explains most is changed, the
 * rows are followed again, and so on.
 */
#ifndef IC_AUDIT_TRAJECTORY_CHECKS_FOLLOWED_H
#define IC_AUDIT_TRAJECTORY_CHECKS_FOLLOWED_H

#include "audit/trajectory/checks/fit_parameters.h"

/** More parameters would explain any rows. */
enum { IC_FOLLOWED_MOST = 4 };

typedef struct ic_followed {
    /* The case with these parameters; `par` is owned. NULL: nothing was changed. */
    ic_problem problem;
    double *par;

    /* The changed parameters, in the order of their discovery. */
    ic_parameter_fit changed[IC_FOLLOWED_MOST];
    size_t n_changed;

    /* Share of the intervals that are unexplained, before and now. */
    double before, now;

    /* True if the processor time for seeking was used up. */
    bool cut;
} ic_followed;

/**
 * Changes parameters of the case one after the other, beginning with the best of `fits`, as long as each explains
 * more. Close the result in any case.
 */
void ic_follow_parameters(ic_followed *followed, const ic_tracking *k, const ic_parameter_fits *fits,
                          const ic_trajectory_options *options);
void ic_followed_close(ic_followed *followed);

/** Whether two of the changed parameters have each the value of the other. */
bool ic_followed_exchanges(const ic_followed *followed);

/** Describe the changed parameters: "k1 = 0.4 +- 1e-9, not 1.9, and k2 = ...". */
void ic_followed_append(ic_finding *finding, const ic_followed *followed);

#endif
