/* SPDX-License-Identifier: MIT */
/** A case as one of its variants on a contact-force law sees it: with the law's parameters, and the law's memory as a state. */
#ifndef IC_CORE_COMPOSITION_H
#define IC_CORE_COMPOSITION_H

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

/**
 * `system` with what the variant's law adds (see ic_variant), in memory of its own, to be freed with free(); the rest is
 * borrowed from both. NULL: `error` says why. The variant has a law.
 */
ic_case *ic_compose(const ic_case *system, const ic_variant *variant, ic_error *error);

/** Whether parameter i only repeats an earlier one of the same name: such rows are not shown, and cannot be set. */
bool ic_parameter_repeats(const ic_parameter *table, size_t i);

#endif
