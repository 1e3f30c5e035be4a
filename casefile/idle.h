/* SPDX-License-Identifier: MIT */
/** Kinks that do not matter on one side of another one, as that of max(F, 0) where F itself is 0. */
#pragma once

#include "casefile/reader.h"

/** Set `idle` of all kinks from a flow in which they have become sides. false: memory ran out. */
bool ic_find_idle_kinks(ic_case_reader *r, const ic_node *flow);

/** Whether kink m does not matter where kink k is on side s, 1 or -1. */
bool ic_kink_is_idle(const ic_case_reader *r, size_t m, size_t k, int s);

/**
 * Set `gate` of kink m. Each of two quantities may decide whether the other one matters: the simpler one does, which is
 * always watched, unless it slides: whether it does depends on the flow beyond. Only files with a single mode have
 * gates: in another mode the side may matter.
 */
void ic_set_kink_gate(ic_case_reader *r, size_t m, const bool *slides);
