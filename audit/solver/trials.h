/* SPDX-License-Identifier: MIT */
/** The runs on which solvers are audited: the trials of all cases (ic_case.trials). */
#ifndef IC_AUDIT_SOLVER_TRIALS_H
#define IC_AUDIT_SOLVER_TRIALS_H

#include "impactcheck/impactcheck.h"

/** The preset and the end of a trial. */
typedef struct ic_trial_path {
    /* "CASE/PRESET"; "" if there is no such trial */
    char text[128];

    /* of the trial; NULL: the preset's own end */
    const char *until;

    /* a setting; NULL: the trial is not repeated */
    const char *again;
} ic_trial_path;

/** Number of the runs that are compared with an accurate solver. */
size_t ic_audited_preset_count(void);

/** One of them. */
ic_trial_path ic_audited_preset(size_t i);

/** The run that is repeated. */
ic_trial_path ic_repeated_preset(void);

#endif
