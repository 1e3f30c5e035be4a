/* SPDX-License-Identifier: MIT */
/**
 * Work of many parts distributed to processes. Each process walks through all parts in the same
 * order and does those that no other process has taken. Rows come back through pipes and are sorted
 * by part, so they do not depend on the number of processes, and a crash cannot lose rows
 * unnoticed.
 */
#pragma once

#include "validation/results.h"
#include "validation/workers.h"

/**
 * Announces every part of the work by ic_results_part, and adds the rows of the parts done here.
 */
typedef void ic_distributed_walk(ic_results *results, const void *context);

/**
 * Do the work in `jobs` processes. Rows are appended and watched as they arrive, and sorted at the
 * end. false: `error` gives the reason, or is "" if a process has reported its failure itself; all
 * processes have ended.
 */
bool ic_distribute(ic_results *results, ic_distributed_walk *walk, const void *context, size_t jobs,
                   ic_error *error);

/** Progress while results are being distributed. */
ic_workers_progress ic_distributed_progress_of(const ic_results *results);
