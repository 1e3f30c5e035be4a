/* SPDX-License-Identifier: MIT */
/** Powers that end where a kink does. */
#ifndef IC_CASEFILE_DOMAIN_H
#define IC_CASEFILE_DOMAIN_H

#include "casefile/reader.h"

/**
 * Extend powers beyond where they end. max(d, 0)^1.5 is d^1.5 where d > 0, and so is d^1.5 in
 * where(d > 0, d^1.5, 0) or in a mode that ends where d falls; but a step may look beyond the event, and
 * rounding may place its state there, where d^1.5 has no value. So the base becomes max(d, 0).
 *
 * In the flow, once kinks are events. A power that is not confined to one side of a kink is left alone:
 * without a value it ends the run. false: memory ran out.
 */
bool ic_extend_at_kinks(ic_case_reader *r, ic_node *flow);

/** In formulas of a mode that ends where `value` turns its sign. false: memory ran out. */
bool ic_extend_at_guard(ic_case_reader *r, ic_node *formulas, size_t n, ic_node value);

#endif
