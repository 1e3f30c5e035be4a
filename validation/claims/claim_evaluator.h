/* SPDX-License-Identifier: MIT */
/** Runs and steady states that measures examine; each is computed once. */
#pragma once

#include "validation/steady.h"
#include "validation/subjects.h"

/** Equidistant samples of a steady state for each period of the forcing. */
#define IC_SAMPLES_PER_PERIOD 2000

/** A problem with its results. */
typedef struct ic_subject {
    struct ic_subject *next;
    char path[IC_LONGEST_PATH];
    ic_setup setup;
    const ic_solver *solver;
    ic_options options;

    /* the steady state was computed */
    bool sought;

    ic_status steady_status;
    ic_steady steady;

    /* from the start to the preset's end, sampled; NULL: not made yet */
    ic_log *run;

    /* the steady state over its multiple of the period, sampled; NULL: not yet computed */
    ic_log *orbit;

    ic_problem orbit_problem;
} ic_subject;

typedef struct ic_claim_evaluator {
    /* First subject of the list. */
    ic_subject *first;
} ic_claim_evaluator;

/** Release all memory. An evaluator starts as {0}. */
void ic_claim_evaluator_close(ic_claim_evaluator *evaluator);

/**
 * The subject with this path. NULL: `error` gives the reason. The same holds for the other
 * functions.
 */
ic_subject *ic_claim_evaluator_subject(ic_claim_evaluator *evaluator, const char *path, ic_error *error);
const ic_log *ic_subject_run(ic_subject *subject, ic_error *error);
/** The steady state; its multiple is 0 if none was found. */
const ic_steady *ic_subject_steady(ic_subject *subject, ic_error *error);
const ic_log *ic_subject_orbit(ic_subject *subject, ic_error *error);
