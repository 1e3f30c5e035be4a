/* SPDX-License-Identifier: MIT */
/** Cases from case files. docs/case-files.md describes the language. */
#ifndef IC_CASEFILE_CASEFILE_H
#define IC_CASEFILE_CASEFILE_H

#include "impactcheck/impactcheck.h"

#include <stdio.h>

/** A case from a file, with everything that its tables point to. */
typedef struct ic_casefile ic_casefile;

/**
 * Read a case from the text of a file. `file` is its name, for messages and for the name of the
 * case. `settings`, n of NAME=VALUE, are parameters on which the sizes of families may depend. NULL:
 * `error` has the first fault, FILE:LINE:COLUMN: TEXT. Release with ic_casefile_free.
 */
ic_casefile *ic_casefile_read(const char *file, const char *bytes, size_t size, const char *const *settings,
                              size_t n_settings, ic_error *error);

/**
 * Let the case's functions be compiled ones in place of interpreted ones, with the same results to the
 * last bit. false: they stay interpreted, and `note`, which may be NULL, says why.
 */
bool ic_casefile_compile(ic_casefile *casefile, ic_error *note);

void ic_casefile_free(ic_casefile *casefile);

/** Receives one fault of a file: FILE:LINE:COLUMN: TEXT. */
typedef void ic_casefile_report(const char *text, void *context);

/**
 * Examine a file: every fault is reported, and how many there are is returned; then `*system` is
 * NULL. Without faults it is the case, as of ic_casefile_find.
 */
size_t ic_casefile_examine(const ic_case **system, const char *path, ic_casefile_report *report, void *context);

/** The case, valid until ic_casefile_free. */
const ic_case *ic_casefile_case(const ic_casefile *casefile);

/**
 * The case of a file, read when it is first asked for and kept until the program ends. NULL: `error`
 * says what is wrong.
 */
const ic_case *ic_casefile_find(const char *path, ic_error *error);

/** Write the case of a file as a C file that exports the constant `symbol`. false: `error` says why. */
bool ic_casefile_emit(FILE *out, const char *symbol, const char *path, ic_error *error);

/**
 * The case for a preset (NULL: the first) and `n` settings NAME=VALUE: another one if the sizes of its
 * families depend on them. A case that is not from a file is returned as it is. NULL: `error` says
 * what is wrong.
 */
const ic_case *ic_casefile_sized(const ic_case *system, const char *preset, const char *const *settings,
                                 size_t n, ic_error *error);

/**
 * The text of a case from a file, as a tree (casefile/yaml.h), and the file's name; NULL: the case is
 * not from a file.
 */
const struct ic_yaml *ic_casefile_text(const ic_case *system, const char **path);

/** The value of a parameter as the file has it, "20 mm", if its unit is not one of the SI; else NULL. */
const char *ic_casefile_written(const ic_case *system, size_t parameter);

/** Whether a state is none of the file's or its elements': a kink, the memory of a contact, the time of a delay. */
bool ic_casefile_state_is_internal(const ic_case *system, size_t state);

/** Length of the name of a case file at the start of FILE.yaml[/PRESET]; 0: the text names none. */
size_t ic_casefile_path(const char *text);

#endif
