/* SPDX-License-Identifier: MIT */
/**
 * Arcs of periodic orbits: for each value p of a parameter in an interval there is exactly one fixed point of
 * a return map near x(p) = x_0 + x' (p - p_0), and all these points form one curve.
 *
 * With z = x - x(p), the map z -> P(x(p) + z, p) - x(p) has one fixed point in Z for each p if Krawczyk's
 * operator, with P(x(p), p) and dP/dx enclosed for all p, maps Z into itself (orbit.h).
 */
#ifndef IC_REFERENCE_ARC_H
#define IC_REFERENCE_ARC_H

#include "reference/multipliers.h"
#include "reference/return_map.h"

typedef struct ic_arc {
    /* the interval of the parameter; its ends are exact */
    double from, to;

    /* number of states that are not discrete */
    slong m;

    /* p_0; x_0, all states; x', m numbers: all exact */
    arb_t middle;
    arb_ptr x, slope;

    /* Z; and the part of it, m balls, in which the fixed points lie */
    mag_ptr alone;
    arb_ptr rest;

    /* dP/dx at all fixed points, m x m, and where its eigenvalues lie */
    arb_mat_t derivative;
    ic_multiplier_places places;
    arb_t critical;

    /* events in the orbit */
    size_t events;
} ic_arc;

/**
 * Prove the arc over an interval, which may be one point, of a map of a problem that was unfolded. `guess`:
 * n states near the orbit at its middle, without the parameter. false: map->message gives the reason. Clear
 * it in any case.
 */
bool ic_arc_prove(ic_arc *arc, ic_return_map *map, double from, double to, arb_srcptr guess, int multiple);
void ic_arc_clear(ic_arc *arc, const ic_return_map *map);

/** Encloses the states, n balls, of the orbit at a value of the parameter in the interval. */
void ic_arc_states(arb_ptr x, const ic_arc *arc, const ic_return_map *map, double p);

/** Whether the orbit of `arc` at p, in both intervals, is proved to be that of `other`. */
bool ic_arc_meets(const ic_arc *arc, const ic_arc *other, const ic_return_map *map, double p);

#endif
