/* SPDX-License-Identifier: MIT */
/** Linear systems of nodes, and the section `mass`: M v' = force. */
#pragma once

#include "casefile/reader.h"

/**
 * Solve `matrix` x = `right`, n x n, stored by rows, by elimination without row exchanges. The
 * leading minors must not vanish, which holds for a positive definite matrix. `right` receives x;
 * `matrix` is overwritten.
 */
void ic_graph_solve(ic_graph *g, ic_node *matrix, ic_node *right, size_t n);

/**
 * Read the section `mass`, if the file has it, and add the rates of its velocities to the flow.
 * `given[i]` is set for each of these velocities.
 */
bool ic_read_mass(ic_case_reader *r, const ic_yaml *section, ic_node *flow, bool *given);
