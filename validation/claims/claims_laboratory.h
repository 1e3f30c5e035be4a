/* SPDX-License-Identifier: MIT */
/** Runs and steady states that measures look at; each is computed once. */
#ifndef IC_VALIDATION_CLAIMS_CLAIMS_LABORATORY_H
#define IC_VALIDATION_CLAIMS_CLAIMS_LABORATORY_H

#include "core/model.h"
#include "validation/studies/steady.h"

/** Longest path with settings: "roller/I/C[phase=pi, k=2e8]". */
#define IC_LONGEST_PATH 128

/** Equidistant samples of a steady state for each period of the forcing. */
#define IC_SAMPLES_PER_PERIOD 2000

/** A problem with what was found out about it. */
typedef struct ic_subject {
    struct ic_subject *next;
    char path[IC_LONGEST_PATH];
    ic_setup setup;
    const ic_solver *solver;
    ic_options options;
    bool sought; /* the steady state was looked for */
    ic_status steady_status;
    ic_steady steady;
    ic_log *run;   /* from the start to the preset's end, sampled; NULL: not made yet */
    ic_log *orbit; /* the steady state over its multiple of the period, sampled; NULL: not made yet */
    ic_problem orbit_problem;
} ic_subject;

typedef struct ic_laboratory {
    ic_subject *first; /* of a list */
} ic_laboratory;

/** Give back all memory. A laboratory starts as {0}. */
void ic_laboratory_close(ic_laboratory *laboratory);

/** Make a problem from a path that may have settings: case/preset[NAME=VALUE, ...]; variant=NAME and until=TIME are two of them. */
bool ic_path_open(ic_setup *setup, const char *path, ic_error *error);

/** Options that claims are judged with; the solver is ic_accurate_solver. */
ic_options ic_trusted_options(const ic_problem *problem);

/** The subject with this path. NULL: `error` says why not. The other functions likewise. */
ic_subject *ic_laboratory_subject(ic_laboratory *laboratory, const char *path, ic_error *error);
const ic_log *ic_subject_run(ic_subject *subject, ic_error *error);
/** The steady state; its multiple is 0 where there is none. */
const ic_steady *ic_subject_steady(ic_subject *subject, ic_error *error);
const ic_log *ic_subject_orbit(ic_subject *subject, ic_error *error);

#endif
