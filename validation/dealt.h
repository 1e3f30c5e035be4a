/* SPDX-License-Identifier: MIT */
/**
 * Work of many parts dealt to processes. Each of them walks through all parts, in the same order,
 * and does those that no other has taken; their rows come back through pipes, and are put into the
 * order of their parts. So rows do not depend on how many processes there are, and a process that
 * crashes takes none of them with it unseen.
 */
#ifndef IC_VALIDATION_DEALT_H
#define IC_VALIDATION_DEALT_H

#include "validation/results.h"

/**
 * Comes by all parts of the work by ic_results_part, and adds the rows of those that are done here.
 */
typedef void ic_dealt_walk(ic_results *results, const void *context);

/** How far the work has come, for those who watch the results. */
typedef struct ic_dealt_progress {
    size_t done, parts;

    /* of the work that is done, by what the parts are said to cost; 0 to 1 */
    double share;
} ic_dealt_progress;

/**
 * Do the work in `jobs` processes. Rows are appended, and watched, as they come; at the end they
 * are in order. false: `error` says what has failed, and no process is left; "" where a process has
 * said so itself before it gave up.
 */
bool ic_deal(ic_results *results, ic_dealt_walk *walk, const void *context, size_t jobs, ic_error *error);

/** While results are dealt. */
ic_dealt_progress ic_dealt_progress_of(const ic_results *results);

/** Processors that this process may use. */
size_t ic_processors(void);

#endif
