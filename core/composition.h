/* SPDX-License-Identifier: MIT */
/**
 * A case extended for one of its problems: by the parameters and the memory state of its
 * contact-force law, and with the number of states that its parameters select.
 */
#pragma once

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

/**
 * Extend `system` by the parameters and the memory state of the variant's law, if it has one (see
 * ic_variant). The result is allocated; free it with free(). It borrows everything else from both
 * arguments. NULL: `error` gives the reason. It has all states until ic_compose_states is called.
 */
ic_case *ic_compose(const ic_case *system, const ic_variant *variant, ic_error *error);

/**
 * Reduce a composed case to the number of states that its parameters select. false: `error` gives
 * the reason.
 */
bool ic_compose_states(ic_case *composed, const ic_variant *variant, const double *par, ic_error *error);

/**
 * Whether parameter i has the name of an earlier one. Such rows are not listed and cannot be set.
 */
bool ic_parameter_repeats(const ic_parameter *table, size_t i);
