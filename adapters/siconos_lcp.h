/* SPDX-License-Identifier: MIT */
/** Siconos' solution of linear complementarity problems, to compare ours with; in builds with peers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/**
 * w of w = M z + q, w >= 0, z >= 0, w.z = 0 by Siconos' Lemke method, lexicographic. M has n x n
 * elements by rows; q and w have n. false: Siconos reports a failure, or memory runs out.
 */
bool ic_siconos_lcp(double *w, const double *M, const double *q, size_t n);
