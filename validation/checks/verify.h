/* SPDX-License-Identifier: MIT */
/**
 * The checks of `impactcheck verify`: every solver on every case against what is known for certain.
 */
#ifndef IC_VALIDATION_CHECKS_VERIFY_H
#define IC_VALIDATION_CHECKS_VERIFY_H

#include "validation/results.h"
#include "validation/selection.h"

/** A kind of check. */
typedef struct ic_check {
    /* "enclosures" */
    const char *name;

    /* one line */
    const char *meaning;

    void (*run)(ic_results *results, const ic_selection *selection);

    /* about how many ms each part of it takes, to tell how much is left */
    unsigned cost;
} ic_check;

extern const ic_check *const ic_checks[];
extern const size_t ic_check_count;

/**
 * Whether nothing was judged of a case that is selected, or of a solver on a case where there are
 * rows of it: `what` of `size` characters says of which, and is "" else. Rows that pass, fail or
 * show an erratum are judged.
 */
bool ic_verify_undecided(const ic_results *results, const ic_selection *selection, char *what, size_t size);

/** Whether the rows say that a case contradicts itself. */
bool ic_case_contradicts_itself(const ic_results *results, const ic_case *system);

/**
 * Run all checks in this process: of each case itself first, of all others only where that is
 * sound.
 */
void ic_verify(ic_results *results, const ic_selection *selection);

/**
 * Run all checks in so many processes: the same rows in the same order. false: `error` says what
 * has failed.
 */
bool ic_verify_dealt(ic_results *results, const ic_selection *selection, size_t jobs, ic_error *error);

#endif
