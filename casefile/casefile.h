/* SPDX-License-Identifier: MIT */
/** Cases that are read from files. docs/case-files.md describes the language. */
#pragma once

#include "impactcheck/impactcheck.h"

#include <stdio.h>

/** A case from a file, with everything to which its tables point. */
typedef struct ic_casefile ic_casefile;

/**
 * Read a case from the text of a file. `file` is its name, which messages and the name of the case
 * use. `settings` (n texts NAME=VALUE) set parameters on which sizes of families may depend. NULL:
 * `error` has the first fault, FILE:LINE:COLUMN: TEXT. Release with ic_casefile_free.
 */
ic_casefile *ic_casefile_read(const char *file, const char *bytes, size_t size, const char *const *settings,
                              size_t n_settings, ic_error *error);

/**
 * Replace the interpreted functions of a case by compiled ones, which give the same results to the
 * last bit. false: they remain interpreted, and `note`, which may be NULL, gives the reason.
 */
bool ic_casefile_compile(ic_casefile *casefile, ic_error *note);

void ic_casefile_free(ic_casefile *casefile);

/**
 * The case as read again from its text, with all formulas of a variant as operations with exact
 * numbers (ic_jump.equations, ic_mode.quantities). `settings` (n texts NAME=VALUE) set parameters on which
 * sizes of families may depend. It is kept until the program ends. NULL: `error` gives the reason.
 */
const ic_case *ic_casefile_exact(const ic_case *system, const char *variant, const char *const *settings,
                                 size_t n, ic_error *error);

/** Whether a parameter is the number of parts of a family, for a case from a text that has been read. */
bool ic_casefile_is_size(const ic_case *system, size_t parameter);

/** Parameters and states at the start by which a case is differentiated. */
typedef struct ic_casefile_directions {
    /* NAME */
    const char *const *names;
    size_t n;

    /* NAME=VALUE: parameters that do not follow from others, whatever the text says */
    const char *const *settings;
    size_t n_settings;
} ic_casefile_directions;

/**
 * The case with further states for a variant: the derivatives of its states at a fixed time, X_by_NAME, and that of the
 * time of the last event, t_by_NAME, name by name, after those of the case. All solvers that need no closed form solve it. NULL:
 * `error` gives the reason. Release with ic_casefile_free.
 */
ic_casefile *ic_casefile_derived(const ic_case *system, const char *variant,
                                 const ic_casefile_directions *directions, ic_error *error);

/** A kind of change of a text, of which there may be many, and the name of the number of some. */
typedef enum ic_alteration {
    /* a term of a sum, or a whole definition, is 0 */
    IC_ALTER_TERM,

    /* a parameter is 0 in impacts and definitions; its name is what was changed */
    IC_ALTER_IMPACT,

    /* a parameter has a value of its own, the number, in one formula of an element or event */
    IC_ALTER_PARAMETER,

    /* a state, or 1, times the number is added to the rate of a velocity, in SI units */
    IC_ALTER_ADDED,

    /* the condition of an element `contact` */
    IC_ALTER_CONDITION,

    /* terms with a damping, whose name is what was changed, act in one direction alone, or not on events */
    IC_ALTER_ONE_SIDED,

    /* a state in place of another one of its unit */
    IC_ALTER_STATE,

    /* max(0, F) is F, or F in where(..., F, 0) is max(0, F); the same with min */
    IC_ALTER_CLIP,

    /* abs(F) is F, or sign(F) is 1 */
    IC_ALTER_SIGN,

    /* sign(F) is tanh(F/number), and so is that of an element `friction` */
    IC_ALTER_FRICTION
} ic_alteration;
#define IC_ALTERED_NUMBER "altered_number"

/** What was changed: the part of a formula, its name ("v1"), and the section of the file, NULL: nothing. */
typedef struct ic_altered {
    char part[80], name[40];
    const char *section;
} ic_altered;

/** From this place on, changes of condition, clip and products of velocities are made wherever they are alike. */
#define IC_ALTERED_EVERYWHERE 1000000

/**
 * The case of a text with change number `place` of a kind. NULL: `altered->section` is NULL if there is none, and the
 * changed text has a fault otherwise. Release with ic_casefile_free.
 */
ic_casefile *ic_casefile_altered(const ic_case *system, ic_alteration kind, size_t place, ic_altered *altered);

/** Receives one fault of a file: FILE:LINE:COLUMN: TEXT. */
typedef void ic_casefile_report(const char *text, void *context);

/**
 * Examine a file: report every fault and return their number. `*system` is NULL if there are
 * faults, otherwise the case as ic_casefile_find returns it.
 */
size_t ic_casefile_examine(const ic_case **system, const char *path, ic_casefile_report *report, void *context);

/** The case, valid until ic_casefile_free. */
const ic_case *ic_casefile_case(const ic_casefile *casefile);

/**
 * The case of a file. The file is read at the first request, and the case kept until the program
 * ends. NULL: `error` gives the reason.
 */
const ic_case *ic_casefile_find(const char *path, ic_error *error);

/**
 * Write the case of a file as a C file that exports the constant `symbol`. false: `error` gives the
 * reason.
 */
bool ic_casefile_emit(FILE *out, const char *symbol, const char *path, ic_error *error);

/**
 * The case for a preset (NULL: the first) and `n` settings NAME=VALUE. It is another case if the
 * sizes of families depend on these; that of a built-in case is read from its text, unless the built-in
 * case contains all sizes. A case without a text is returned unchanged. NULL: `error` gives the reason.
 */
const ic_case *ic_casefile_sized(const ic_case *system, const char *preset, const char *const *settings,
                                 size_t n, ic_error *error);

/**
 * The text of a case from a file as a tree (casefile/yaml.h), and the name of the file. NULL: the
 * case is not from a file.
 */
const struct ic_yaml *ic_casefile_text(const ic_case *system, const char **path);

/**
 * The value of a parameter as written in the file, "20 mm", if its unit is not an SI unit;
 * otherwise NULL.
 */
const char *ic_casefile_written(const ic_case *system, size_t parameter);

/**
 * Whether a state is internal, which means that neither the file nor an element declares it: the
 * side of a kink, the memory of a contact, the time of a delay.
 */
bool ic_casefile_state_is_internal(const ic_case *system, size_t state);

/**
 * Length of the file name at the start of FILE.yaml[/PRESET]; 0: the text does not begin with one.
 */
size_t ic_casefile_path(const char *text);
