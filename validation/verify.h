/* SPDX-License-Identifier: MIT */
/** The checks of `impactcheck verify`: every solver on every case against what is known for certain. */
#ifndef IC_VALIDATION_VERIFY_H
#define IC_VALIDATION_VERIFY_H

#include "validation/results.h"

/** What to verify. */
typedef struct ic_selection {
    const char *subjects; /* glob over "case" and "case/preset"; NULL: all */
    const char *solvers;  /* glob over names of solvers; NULL: all */
    bool own;             /* without solvers of other packages */
    bool full;            /* without it, slow checks look at a part only */
    const bool *left_out; /* of the registry's cases, those that contradict themselves; NULL: none */
} ic_selection;

/** A kind of check. */
typedef struct ic_check {
    const char *name;    /* "enclosures" */
    const char *meaning; /* one line */
    void (*run)(ic_results *results, const ic_selection *selection);
    unsigned cost; /* about how many ms each part of it takes, to tell how much is left */
} ic_check;

extern const ic_check *const ic_checks[];
extern const size_t ic_check_count;

/** Whether a case, preset or solver is selected. */
bool ic_selects_preset(const ic_selection *selection, const ic_case *system, const ic_preset *preset);
bool ic_selects_case(const ic_selection *selection, const ic_case *system);
bool ic_selects_solver(const ic_selection *selection, const ic_solver *solver);

/** Whether the selection matches any preset and any solver that exist; false with a message for people if not. */
bool ic_selection_matches(const ic_selection *selection, char *message, size_t size);

/**
 * Whether nothing was judged of a case that is selected, or of a solver on a case where there are rows of it: `what` of `size`
 * characters says of which, and is "" else. Rows that pass, fail or show an erratum are judged.
 */
bool ic_verify_undecided(const ic_results *results, const ic_selection *selection, char *what, size_t size);

/** Run all checks in this process: of each case itself first, of all others only where that is sound. */
void ic_verify(ic_results *results, const ic_selection *selection);

/** Run all checks in so many processes: the same rows in the same order. false: `error` says what has failed. */
bool ic_verify_dealt(ic_results *results, const ic_selection *selection, size_t jobs, ic_error *error);

#endif
