/* SPDX-License-Identifier: MIT */
/**
 * A case that was read from a text, and the cases that are kept. A text is read in one pass (casefile.c); cases are kept
 * by path and settings, and with exact numbers (kept.c); of some there are other sizes (sizes.c).
 */
#pragma once

#include "casefile/casefile.h"
#include "casefile/compile.h"
#include "casefile/reader.h"

struct ic_casefile {
    /* A change of the text before it is read. */
    ic_alteration change;

    /* Its number among those of its kind. */
    size_t place;

    /* Receives what was changed; NULL: nothing is changed. */
    ic_altered *altered;

    /* Along which the case is differentiated, or NULL. */
    const ic_casefile_directions *directions;

    ic_arena arena;
    ic_graph graph;
    ic_faults faults;
    ic_functions functions;
    ic_closures *closures;

    /* The text of the whole file. */
    const ic_yaml *text;

    /* The compiled functions, or NULL. */
    ic_compiled *library;

    ic_case system;

    /* by parameter: whether the size of a family depends on it */
    const bool *sizes;

    /* By parameter: its value as written, if its unit is not an SI unit, or NULL. */
    const char *const *written;

    /* By state: whether it is internal (ic_casefile_state_is_internal). */
    bool internal[IC_MAX_STATES + 1];
};

/**
 * Read a text into a case that is empty. `c->faults` receives the faults of the text, `error` any other error. exact:
 * see ic_case_reader.
 */
bool ic_casefile_fill(ic_casefile *c, const char *file, const char *bytes, size_t size,
                      const char *const *settings, size_t n_settings, const char *exact, ic_error *error);

/** The same for a new case, as ic_casefile_read does. */
ic_casefile *ic_casefile_make(const char *file, const char *bytes, size_t size, const char *const *settings,
                              size_t n_settings, const char *exact, ic_error *error);

/** altered.c: Makes change number `place` of a kind in a text. false: there is none. */
bool ic_alter(ic_yaml *root, ic_arena *arena, ic_alteration kind, size_t place, ic_altered *altered);

typedef struct ic_kept_file {
    struct ic_kept_file *next;
    ic_casefile *casefile;

    /* The text of a built-in case; NULL: the text is that of the file. */
    const char *text;

    /* Path, or name of the built-in case, and the settings that determine sizes. */
    char key[];
} ic_kept_file;

/** Cases are kept until the process ends, because problems borrow them. What follows is called with the lock. */
void ic_kept_lock(void);
void ic_kept_unlock(void);

/**
 * The case of a file, or of the text of a built-in case, with these settings, which is read unless it was read before.
 * exact: see ic_case_reader. NULL: `error` gives the reason.
 */
const ic_kept_file *ic_casefile_keep(const char *path, const char *text, const char *const *settings, size_t n,
                                     const char *exact, bool compiled, ic_error *error);

/** The same for a file. */
const ic_casefile *ic_casefile_kept(const char *path, const char *const *settings, size_t n, bool compiled,
                                    ic_error *error);

/** The kept file of a case; NULL: it is not from a file. */
const ic_kept_file *ic_kept_of(const ic_case *system);

/** Whether a setting is of a parameter on which sizes depend. */
bool ic_sets_size(const ic_casefile *c, const char *setting);
