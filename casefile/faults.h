/* SPDX-License-Identifier: MIT */
/** What is wrong with a case file, and where. */
#ifndef IC_CASEFILE_FAULTS_H
#define IC_CASEFILE_FAULTS_H

#include "casefile/yaml.h"
#include "core/names.h"

typedef struct ic_fault {
    ic_file_place place;

    const char *text;
} ic_fault;

/** The faults of a file, in the order in which they were found. */
typedef struct ic_faults {
    /* of the case: once it has failed, what is read is not what the file says, and no fault of the file is
       added */
    const ic_arena *arena;

    /* of the faults themselves */
    ic_arena texts;

    ic_fault *faults;
    size_t n_faults;
} ic_faults;

/** The most faults that are kept: further ones mostly follow from these. */
enum { IC_FAULTS_KEPT = 20 };

/** Add a fault, composed as by printf. Always false. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool ic_fault_add(ic_faults *faults, ic_file_place place, const char *format, ...);

/** The case needs more memory than there is, or than it may have. Always false. */
bool ic_fault_memory(ic_faults *faults, ic_file_place place);

/** Release the texts. */
void ic_faults_free(ic_faults *faults);

/** The first fault, FILE:LINE:COLUMN: TEXT, and how many follow. */
void ic_faults_error(const ic_faults *faults, const char *file, ic_error *error);

/** "; did you mean 'NAME'?", or "": which of `n` names was probably meant by `wrong`. */
ic_hint ic_meant_hint(const char *wrong, const char *const *names, size_t n);

#endif
