/* SPDX-License-Identifier: MIT */
/**
 * The checks of `impactcheck verify`: every solver on every case is compared with certified
 * answers.
 */
#pragma once

#include "validation/results.h"
#include "validation/selection.h"
#include "validation/subjects.h"

/** A kind of check. */
typedef struct ic_check {
    /* "enclosures" */
    const char *name;

    /* one line */
    const char *meaning;

    /* the check; NULL: `visit` */
    void (*run)(ic_results *results, const ic_selection *selection);

    /* what is done with each selected preset */
    ic_subject_visit *visit;

    /* approximate time of a part, ms, for the progress */
    unsigned cost;
} ic_check;

extern const ic_check *const ic_checks[];
extern const size_t ic_check_count;

/** Their codes, which never change: "IC-V-001". */
extern const char *const ic_check_codes[];

/**
 * Whether a selected case has no judged row, or a solver with rows on a case has none that is
 * judged: `what` of `size` characters names them, otherwise it is "". Rows that pass, fail or show
 * an erratum are judged.
 */
bool ic_verify_undecided(const ic_results *results, const ic_selection *selection, char *what, size_t size);

/** Whether the rows contain a contradiction of a case with itself. */
bool ic_case_contradicts_itself(const ic_results *results, const ic_case *system);

/**
 * Run all checks in this process: first the check of each case itself, then, if it is sound, all
 * others.
 */
void ic_verify(ic_results *results, const ic_selection *selection);

/**
 * Run all checks in `jobs` processes: the same rows in the same order. false: `error` gives the
 * reason.
 */
bool ic_verify_distributed(ic_results *results, const ic_selection *selection, size_t jobs, ic_error *error);
