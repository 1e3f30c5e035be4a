/* SPDX-License-Identifier: MIT */
/** The section `sketch`: shapes whose coordinates are formulas, read in each mode as outputs are. */
#pragma once

#include "casefile/plan.h"

/** Read the shapes without their coordinates. */
bool ic_read_sketch(ic_case_reader *r, ic_case *system);

/** Read all coordinates in the mode that is being read, r->sketch.n nodes. */
bool ic_sketch_values(ic_case_reader *r, ic_node *nodes);

/** Make the function that gives all coordinates, from the plans of all variants. */
bool ic_sketch_emit(ic_case_reader *r, ic_case *system, const ic_plan *plans, size_t n);
