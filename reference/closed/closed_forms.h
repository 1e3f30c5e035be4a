/* SPDX-License-Identifier: MIT */
/** Closed-form answers in ball arithmetic, independent of the certifier and of the solvers. */
#pragma once

#include "reference/ball.h"

#include <stdbool.h>

/**
 * Two masses stuck together without forcing (Dedow & Murphy 2021, the case with the rank-deficient
 * matrix): with q = (s, u, v, F_i), q' = A q where A has the rows 0; (0, 0, 1, 0); (0, -K/M, -C/M,
 * 0); (0, -b K/M, a - b C/M, 0). Its eigenvalues are 0 twice, with eigenvectors e1 and e4, and the
 * pair L of M L^2 + C L + K = 0 with eigenvectors (0, 1, L, a + b L), so that for C^2 < 4 K M
 *
 *     u(t) = exp(-s t) (u_0 cos w t + (v_0 + s u_0)/w sin w t),   s = C/2M,  w^2 = K/M - s^2,
 *
 * and F_i = a u + b v + const with const = 0 at the start. q_0 is overwritten by q(t). false:
 * overdamped or not decided.
 */
bool ic_stuck_masses(arb_ptr u_v_force, const arb_t t, const arb_t u0, const arb_t v0,
                     arb_srcptr m1_m2_k1_k2_c1_c2, slong precision);

/** Example 1: time of separation, (pi - atan sqrt 29)/sqrt 0.29. */
void ic_example_1_separation(arb_t t, slong precision);

/**
 * Example 1: tests whether the balls of separation and impact are consistent. With s the time since
 * separation, both masses start at u = 0 with one velocity and meet where sin(sqrt(.19)
 * s)/sqrt(.19) = sin(sqrt(.39) s)/sqrt(.39). `difference` encloses the difference of both sides at
 * s = t - separation; it contains zero at the impact.
 */
void ic_example_1_impact_residual(arb_t residual, const arb_t t, slong precision);
