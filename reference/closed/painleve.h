/* SPDX-License-Identifier: MIT */
/**
 * Painleve's rod (case painleve-rod): how many motions a rod has that slides on its end. The end's acceleration off the
 * plane is b + p F/m by the force F of the plane,
 *
 *     p = 1 + kappa cos phi (cos phi - mu sin phi),     b/g = spin sin phi - 1,
 *
 * with kappa = m s^2/J, spin = s w^2/g. F >= 0, b + p F/m >= 0 and F (b + p F/m) = 0 have no solution if p < 0 and
 * b < 0, two if p < 0 and b > 0, and else one. With t = tan phi, p (1 + t^2) = t^2 - kappa mu t + 1 + kappa: p < 0 is
 * possible if mu > 2 sqrt(1 + kappa)/kappa.
 */
#pragma once

#include "reference/ball.h"

#include <stdbool.h>
#include <stdint.h>

/** Friction, angle over pi, and kappa. */
enum { IC_PAINLEVE_MU, IC_PAINLEVE_ANGLE, IC_PAINLEVE_KAPPA, IC_PAINLEVE_AXES };

/** A box of dyadic numbers: it has no rounding errors. */
typedef struct ic_painleve_box {
    double from[IC_PAINLEVE_AXES], width[IC_PAINLEVE_AXES];
} ic_painleve_box;

/** Number of solutions everywhere in the box; -1: not decided. `spin` is s w^2/g. */
int ic_painleve_solutions(const ic_painleve_box *box, double spin);

/**
 * Parts of a box in units of 2^-depth of its volume: boxes proved to have 0, 1 and 2 solutions, and what is left
 * undecided after `depth` halvings. Their sum is 2^depth.
 */
typedef struct ic_painleve_shares {
    uint64_t with[3], undecided;
} ic_painleve_shares;

ic_painleve_shares ic_painleve_map(const ic_painleve_box *box, double spin, int depth);

/** 2 sqrt(1 + kappa)/kappa for kappa = p/q, the least friction with p = 0. */
void ic_painleve_critical_friction(arb_t mu, long p, unsigned long q, long bits);

/**
 * Whether friction mu_p/mu_q is exactly critical for kappa = p/q, by the discriminant in rational numbers:
 * the sign of kappa^2 mu^2 - 4 (1 + kappa).
 */
int ic_painleve_discriminant_sign(long mu_p, unsigned long mu_q, long p, unsigned long q);

/**
 * Angles between 0 and pi/2 between which p < 0, in degrees. false: there are none, or this is not decided.
 */
bool ic_painleve_angles(arb_t lower, arb_t upper, double mu, double kappa, long bits);
