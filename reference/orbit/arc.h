/* SPDX-License-Identifier: MIT */
/**
 * Arcs of periodic orbits with one of their multipliers. For each value p of a parameter in an interval there
 * is exactly one (x, v, mu) near a curve with
 *
 *     P(x, p) = x,    P'(x, p) v = mu v,    v_c = const,
 *
 * and all of them form one smooth curve y(p) = (x, v, mu)(p). P and P' v are the return map of a problem that
 * was unfolded and linearised (unfolded.h, tangent.h), whose derivatives are those of these equations F.
 *
 * Near a straight line y_0 + y' (p - p_0), Krawczyk's operator for all p at once,
 *
 *     K(Z) = -Y (F_0 + (F_y y' + F_p) (p - p_0)) + (I - Y F_y) Z,
 *
 * maps Z into itself. Then F_y can be inverted, which makes mu a simple eigenvalue, and bounds dy/dp.
 */
#pragma once

#include "reference/orbit/multipliers.h"
#include "reference/orbit/return_map.h"
#include "reference/store.h"

/** A map for arcs. */
typedef struct ic_arc_map {
    /* the return map of the linearised problem: states, parameter, tangents */
    ic_return_map map;

    /* states without the parameter */
    slong n;

    /* those that vary, and their numbers */
    slong m, unknown[IC_MAX_STATES];

    /* periods of the forcing in one return */
    int multiple;

    /* the component v_c of the tangent that is constant */
    slong fixed;
} ic_arc_map;

/** An approximation: n states, and y = (x, v, mu), 2 m + 1 numbers, exact. */
typedef struct ic_arc_guess {
    arb_ptr states, y;
    ic_store store;
} ic_arc_guess;

void ic_arc_guess_init(ic_arc_guess *guess, const ic_arc_map *map);
void ic_arc_guess_clear(ic_arc_guess *guess);
void ic_arc_guess_set(ic_arc_guess *guess, const ic_arc_guess *from, const ic_arc_map *map);

typedef struct ic_arc {
    /* the interval of the parameter; its ends are exact */
    double from, to;

    /* p_0 */
    arb_ptr middle;

    /* y_0 with all states */
    ic_arc_guess centre;

    /* y', exact */
    arb_ptr slope;

    /* Z */
    mag_ptr alone;

    /* the part of Z, 2 m + 1 balls, that the curve does not leave */
    arb_ptr rest;

    /* mu and d mu/dp over the interval */
    arb_ptr multiplier, speed;

    /* proved over the interval: all other multipliers lie inside the unit circle */
    bool others_inside;

    /* events in the orbit */
    size_t events;

    ic_store store;
} ic_arc;

/**
 * Find a real multiplier close to -1 of the orbit near `guess->states` at p, and its tangent. false:
 * map->map.message gives the reason.
 */
bool ic_arc_begin(ic_arc_guess *guess, ic_arc_map *map, double p);

/** Prove the arc over an interval, which may be one point. false: as above. Clear it in any case. */
bool ic_arc_prove(ic_arc *arc, ic_arc_map *map, double from, double to, const ic_arc_guess *guess);
void ic_arc_clear(ic_arc *arc);

/** The middle of what is known of the curve at p. */
void ic_arc_predict(ic_arc_guess *guess, const ic_arc *arc, const ic_arc_map *map, double p);

/** Encloses the states, n balls, at a value in the interval. */
void ic_arc_states(arb_ptr x, const ic_arc *arc, const ic_arc_map *map, double p);

/** Whether the curve of `arc` at p, in both intervals, is proved to be that of `other`. */
bool ic_arc_meets(const ic_arc *arc, const ic_arc *other, const ic_arc_map *map, double p);
