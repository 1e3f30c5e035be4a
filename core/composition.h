/* SPDX-License-Identifier: MIT */
/**
 * A case as seen by one of its problems: with the parameters and the memory state of its
 * contact-force law, and with as many states as its parameters ask for.
 */
#ifndef IC_CORE_COMPOSITION_H
#define IC_CORE_COMPOSITION_H

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

/**
 * Whether a case must be composed for a variant: the variant has a law or outputs of its own, or the
 * number of states varies.
 */
bool ic_needs_composition(const ic_case *system, const ic_variant *variant);

/**
 * Extend `system` by the parameters and the memory state of the variant's law, if any (see
 * ic_variant). The result is allocated, to be freed with free(), and borrows the rest from both.
 * NULL: `error` says why. It has all states until ic_compose_states is called.
 */
ic_case *ic_compose(const ic_case *system, const ic_variant *variant, ic_error *error);

/**
 * Reduce a composed case to the number of states that its parameters ask for. false: `error` says
 * why.
 */
bool ic_compose_states(ic_case *composed, const ic_variant *variant, const double *par, ic_error *error);

/**
 * Whether parameter i has the name of an earlier one. Such rows are not listed and cannot be set.
 */
bool ic_parameter_repeats(const ic_parameter *table, size_t i);

#endif
