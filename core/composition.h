/* SPDX-License-Identifier: MIT */
/**
 * A case as one of its problems sees it: on a contact-force law with the law's parameters and its memory as a state; with as many
 * states as its parameters ask for.
 */
#ifndef IC_CORE_COMPOSITION_H
#define IC_CORE_COMPOSITION_H

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

/** Whether a case has to be composed for a variant: there is a law, or states that may not be used. */
bool ic_needs_composition(const ic_case *system, const ic_variant *variant);

/**
 * `system` with what the variant's law, if any, adds (see ic_variant), in memory of its own, to be freed with free(); the rest is
 * borrowed from both. NULL: `error` says why. All states are there until ic_compose_states is called.
 */
ic_case *ic_compose(const ic_case *system, const ic_variant *variant, ic_error *error);

/** Leave as many of a composed case's own states as its parameters say. false: `error` says why. */
bool ic_compose_states(ic_case *composed, const ic_variant *variant, const double *par, ic_error *error);

/** Whether parameter i only repeats an earlier one of the same name: such rows are not shown, and cannot be set. */
bool ic_parameter_repeats(const ic_parameter *table, size_t i);

#endif
