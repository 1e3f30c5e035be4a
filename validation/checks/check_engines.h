/* SPDX-License-Identifier: MIT */
/** The check of the engines of sweeps, for tests with an engine of their own. */
#ifndef IC_VALIDATION_CHECKS_CHECK_ENGINES_H
#define IC_VALIDATION_CHECKS_CHECK_ENGINES_H

#include "core/model.h"
#include "sweep/parameter_sets.h"
#include "validation/results.h"

/** Adds one row: the ends of a few parameter sets beside a preset by an engine, or why it is not available. */
void ic_engine_judge(ic_results *results, const ic_setup *setup, const ic_sweep_backend *engine,
                     const char *path);

#endif
