/* SPDX-License-Identifier: MIT */
/**
 * A row about a paper must reject its counter-value: its measure with a parameter, a model or a
 * sign changed, so that the statement is false. A row without one could not fail, and is no test.
 *
 * A counter-value is written as settings of the first path of the row's measure, "[k=3e8]", as
 * another path in its place, "roller/II/B", or as a measure of its own, "extreme(roller/II/A;
 * contact_force; min)".
 */
#pragma once

#include "validation/claims/claims.h"

/** Read the counter-value of a row. false: `error` gives the reason, and *offset its place. */
bool ic_counter_read(ic_quantity *counter, const ic_claim *claim, size_t *offset, ic_error *error);

/**
 * Measure the counter-value, and whether the row rejects it. false: `error` says that it holds, or
 * why it cannot be measured.
 */
bool ic_counter_rejected(const ic_claim *claim, ic_claim_evaluator *evaluator, ic_error *error);
