/* SPDX-License-Identifier: MIT */
/** The check of the methods of sweeps, for tests with an method of their own. */
#ifndef IC_VALIDATION_CHECKS_CHECK_SWEEPS_H
#define IC_VALIDATION_CHECKS_CHECK_SWEEPS_H

#include "core/model.h"
#include "sweep/parameter_sets.h"
#include "validation/results.h"

/** Adds one row: the ends of a few parameter sets beside a preset by an method, or why it is not available. */
void ic_sweep_method_judge(ic_results *results, const ic_setup *setup, const ic_sweep_method *method,
                           const char *path);

#endif
