/* SPDX-License-Identifier: MIT */
/** Faults of a case file, and their places. */
#pragma once

#include "casefile/schema.h"
#include "casefile/yaml.h"
#include "core/names.h"

typedef struct ic_fault {
    ic_file_place place;

    const char *text;
} ic_fault;

/** The faults of a file, in the order in which they were found. */
typedef struct ic_faults {
    /*
     * Arena of the case. After it has failed, no further fault is added, because the reader no
     * longer sees the whole file.
     */
    const ic_arena *arena;

    /* Arena of the texts of faults. */
    ic_arena texts;

    ic_fault *faults;
    size_t n_faults;
} ic_faults;

/** Greatest number of faults that are kept. Further ones are mostly consequences of these. */
enum { IC_FAULTS_KEPT = 20 };

/** Add a fault with a text as in printf. Always false. */
__attribute__((format(printf, 3, 4))) bool ic_fault_add(ic_faults *faults, ic_file_place place,
                                                        const char *format, ...);

/** Add a fault: memory ran out, or the case needs more than the limit. Always false. */
bool ic_fault_memory(ic_faults *faults, ic_file_place place);

/** Release the texts of the faults. */
void ic_faults_free(ic_faults *faults);

/** Set `error` to the first fault, FILE:LINE:COLUMN: TEXT, and to the number of further ones. */
void ic_faults_error(const ic_faults *faults, const char *file, ic_error *error);

/** The same with all faults, a line for each, as far as the text of an error goes. */
void ic_faults_error_all(const ic_faults *faults, const char *file, ic_error *error);

/**
 * The hint "; did you mean 'NAME'?" with the one of `n` names that is most similar to `wrong`, or
 * "" if none is.
 */
ic_hint ic_meant_hint(const char *wrong, const char *const *names, size_t n);

/**
 * Whether a text in place of a key and its value, {m:250 g}, lacks the space by which YAML tells
 * them apart. Adds the fault.
 */
bool ic_fault_lacks_space(ic_faults *faults, const ic_yaml *text);

/** The text of a scalar; `otherwise` if the key does not exist. NULL: a fault was added. */
const char *ic_key_text(ic_faults *faults, const ic_yaml *mapping, const char *key, const char *otherwise);

/**
 * Refuse keys of a mapping that its schema does not have, and the lack of those that it needs; or unknown keys only.
 * false: faults were added.
 */
bool ic_known_keys(ic_faults *faults, const ic_yaml *mapping, const ic_schema *schema);
bool ic_only_known_keys(ic_faults *faults, const ic_yaml *mapping, const ic_schema *schema);
