/* SPDX-License-Identifier: MIT */
/** Extension of powers beyond the end of their domain. */
#pragma once

#include "casefile/reader.h"

/**
 * Extend powers beyond the end of their domain. A base that is positive only on one side of an
 * event (d^1.5 in where(d > 0, d^1.5, 0), or in a mode that ends where d falls to 0) becomes max(d,
 * 0): a step may evaluate the flow beyond the event, and rounding may place the state there, where
 * d^1.5 has no value.
 *
 * This is done in the flow after its kinks have become events. A power that is not confined to one
 * side of a kink is not changed: the run ends where it has no value. false: memory ran out.
 */
bool ic_extend_at_kinks(ic_case_reader *r, ic_node *flow);

/**
 * Extend powers in the formulas of a mode that ends where `value` changes sign. false: memory ran
 * out.
 */
bool ic_extend_at_guard(ic_case_reader *r, ic_node *formulas, size_t n, ic_node value);

/**
 * Whether a formula has a power below 1 of a base that vanishes where `value` does, so that its extension has
 * no rate there.
 */
bool ic_is_steep_at(ic_case_reader *r, ic_node formula, ic_node value);
