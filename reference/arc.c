/* SPDX-License-Identifier: MIT */
#include "reference/arc.h"

#include <math.h>
#include <stdio.h>

enum { NEWTON_STEPS = 8, TRIES = 8 };
/* Radii of the set whose derivative serves Newton's method, and least radii of Z; relative to the scales. */
#define SMALL_BOX 1e-10
#define LEAST_RADIUS 1e-15
/* Part of the interval over which that derivative is taken. */
#define SMALL_PART 1e-6
/* Z is wider than what the operator makes of it by this factor. */
#define WIDER 3.0

typedef struct arc_proof {
    ic_arc *arc;
    ic_return_map *map;
    int multiple;

    /* half of the interval */
    mag_t half;

    /* Y, exact, m x m; and P(x_0, p_0), of the states and the time */
    arb_mat_t inverse;
    arb_ptr image;
} arc_proof;

/* Number of states without the parameter. */
static slong states_of(const ic_return_map *map)
{
    return map->n - 1;
}

/* ---- evaluation */

/* The set of all x(p) + z with |p - p_0| <= half and |z| <= radius. */
static void place(ic_flow_set *set, const arc_proof *a, mag_srcptr radius, const mag_t half)
{
    const ic_return_map *map = a->map;
    const slong n = map->n, p = states_of(map);
    arb_mat_t shear;
    arb_ptr y = _arb_vec_init(n + 1);
    arb_mat_init(shear, n + 1, n + 1);
    arb_mat_one(shear);
    for (slong k = 0; k < map->m; k++) {
        mag_set(arb_radref(y + map->unknown[k]), radius + k);
        arb_set(arb_mat_entry(shear, map->unknown[k], p), a->arc->slope + k);
    }
    mag_set(arb_radref(y + p), half);
    ic_flow_set_place(set, y);
    _arb_vec_zero(y, n + 1);
    _arb_vec_set(y, a->arc->x, p);
    arb_set(y + p, a->arc->middle);
    ic_flow_set_map(set, y, shear);
    arb_mat_clear(shear);
    _arb_vec_clear(y, n + 1);
}

static bool returns(const arc_proof *a, ic_status status)
{
    if (status != IC_OK) return false;
    if (a->map->mode_at_end == a->map->mode) return true;
    snprintf(a->map->message, sizeof a->map->message, "the mode at the end of the period differs from that at its start");
    return false;
}

/* The derivative, (n + 1) x n, over that set. */
static bool evaluate_set(const arc_proof *a, arb_mat_t derivative, mag_srcptr radius, const mag_t half)
{
    ic_flow_set set;
    arb_ptr image = _arb_vec_init(a->map->n + 1);
    ic_flow_set_init(&set, a->map->n + 1);
    place(&set, a, radius, half);
    const bool good = returns(a, ic_return(a->map, image, derivative, &set, a->multiple));
    ic_flow_set_clear(&set);
    _arb_vec_clear(image, a->map->n + 1);
    return good;
}

/* The image of x_0 at p_0. */
static bool evaluate_middle(const arc_proof *a)
{
    const slong p = states_of(a->map);
    arb_ptr y = _arb_vec_init(a->map->n);
    _arb_vec_set(y, a->arc->x, p);
    arb_set(y + p, a->arc->middle);
    const bool good = returns(a, ic_return_box(a->map, a->image, NULL, y, a->multiple));
    _arb_vec_clear(y, a->map->n);
    return good;
}

/* dP/dx of the derivative. */
static void reduce(arb_mat_t reduced, const ic_return_map *map, const arb_mat_t derivative)
{
    for (slong i = 0; i < map->m; i++) {
        for (slong k = 0; k < map->m; k++)
            arb_set(arb_mat_entry(reduced, i, k), arb_mat_entry(derivative, map->unknown[i], map->unknown[k]));
    }
}

/* ---- x_0, x' and Y */

static bool invert(arc_proof *a, const arb_mat_t derivative)
{
    const slong m = a->map->m, precision = a->map->precision;
    arb_mat_t one, difference;
    arb_mat_init(one, m, m);
    arb_mat_init(difference, m, m);
    arb_mat_one(one);
    reduce(difference, a->map, derivative);
    arb_mat_sub(difference, one, difference, precision);
    arb_mat_get_mid(difference, difference);
    const bool good = arb_mat_inv(a->inverse, difference, precision) != 0;
    arb_mat_get_mid(a->inverse, a->inverse);
    if (!good) snprintf(a->map->message, sizeof a->map->message, "I - P' is singular");
    arb_mat_clear(one);
    arb_mat_clear(difference);
    return good;
}

/* x' = Y dP/dp, rounded. */
static void find_slope(arc_proof *a, const arb_mat_t derivative)
{
    const slong m = a->map->m, p = states_of(a->map), *u = a->map->unknown;
    for (slong i = 0; i < m; i++) {
        arb_zero(a->arc->slope + i);
        for (slong k = 0; k < m; k++)
            arb_addmul(a->arc->slope + i, arb_mat_entry(a->inverse, i, k), arb_mat_entry(derivative, u[k], p), 64);
        arb_get_mid_arb(a->arc->slope + i, a->arc->slope + i);
    }
}

/* Adds Y (P(x_0) - x_0) to x_0. Returns its size relative to the scales. */
static double improve(arc_proof *a)
{
    const slong m = a->map->m, precision = a->map->precision, *u = a->map->unknown;
    double size = 0;
    arb_t part;
    arb_ptr x = a->arc->x, change = _arb_vec_init(m);
    arb_init(part);
    for (slong k = 0; k < m; k++) {
        arb_sub(part, a->image + u[k], x + u[k], precision);
        for (slong i = 0; i < m; i++) arb_addmul(change + i, arb_mat_entry(a->inverse, i, k), part, precision);
    }
    for (slong i = 0; i < m; i++) {
        arb_add(x + u[i], x + u[i], change + i, precision);
        arb_get_mid_arb(x + u[i], x + u[i]);
        size = fmax(size, fabs(arf_get_d(arb_midref(change + i), ARF_RND_NEAR)) / a->map->scale[u[i]]);
    }
    arb_clear(part);
    _arb_vec_clear(change, m);
    return size;
}

/* Newton's method at p_0, with one derivative. */
static bool find_middle(arc_proof *a)
{
    arb_mat_t derivative;
    mag_t half;
    mag_ptr radius = _mag_vec_init(a->map->m);
    double before = INFINITY;
    mag_init(half);
    mag_set_d(half, SMALL_PART);
    mag_mul(half, half, a->half);
    arb_mat_init(derivative, a->map->n + 1, a->map->n);
    for (slong k = 0; k < a->map->m; k++) mag_set_d(radius + k, SMALL_BOX * a->map->scale[a->map->unknown[k]]);
    bool good = evaluate_set(a, derivative, radius, half) && invert(a, derivative);
    for (int step = 0; step < NEWTON_STEPS && good; step++) {
        good = evaluate_middle(a);
        if (!good) break;
        const double change = improve(a);
        if (change < LEAST_RADIUS || (step > 1 && change > 0.5 * before)) break;
        before = change;
    }
    good = good && evaluate_middle(a);
    if (good && !mag_is_zero(a->half)) find_slope(a, derivative);
    arb_mat_clear(derivative);
    _mag_vec_clear(radius, a->map->m);
    mag_clear(half);
    return good;
}

/* ---- Krawczyk's operator */

/* P(x(p), p) - x(p) for all p: m balls. */
static void enclose_residual(arb_ptr residual, const arc_proof *a, const arb_mat_t derivative)
{
    const slong m = a->map->m, p = states_of(a->map), precision = a->map->precision, *u = a->map->unknown;
    arb_t rate, interval;
    arb_init(rate), arb_init(interval);
    mag_set(arb_radref(interval), a->half);
    for (slong i = 0; i < m; i++) {
        arb_sub(residual + i, a->image + u[i], a->arc->x + u[i], precision);
        if (mag_is_zero(a->half)) continue;
        arb_sub(rate, arb_mat_entry(derivative, u[i], p), a->arc->slope + i, precision);
        for (slong k = 0; k < m; k++)
            arb_addmul(rate, arb_mat_entry(derivative, u[i], u[k]), a->arc->slope + k, precision);
        arb_addmul(residual + i, rate, interval, precision);
    }
    arb_clear(rate), arb_clear(interval);
}

/* The operator on |z| <= radius: m balls. */
static void apply_operator(arb_ptr made, const arc_proof *a, const arb_mat_t derivative, mag_srcptr radius)
{
    const slong m = a->map->m, precision = a->map->precision;
    arb_mat_t one, contraction;
    arb_t z;
    arb_ptr residual = _arb_vec_init(m);
    arb_mat_init(one, m, m);
    arb_mat_init(contraction, m, m);
    arb_init(z);
    arb_mat_one(one);
    reduce(contraction, a->map, derivative);
    arb_mat_sub(contraction, one, contraction, precision);
    arb_mat_mul(contraction, a->inverse, contraction, precision);
    arb_mat_sub(contraction, one, contraction, precision);
    enclose_residual(residual, a, derivative);
    for (slong i = 0; i < m; i++) {
        arb_zero(made + i);
        for (slong k = 0; k < m; k++) {
            mag_set(arb_radref(z), radius + k);
            arb_addmul(made + i, arb_mat_entry(contraction, i, k), z, precision);
            arb_addmul(made + i, arb_mat_entry(a->inverse, i, k), residual + k, precision);
        }
    }
    arb_mat_clear(one);
    arb_mat_clear(contraction);
    arb_clear(z);
    _arb_vec_clear(residual, m);
}

/* Whether the balls lie inside |z| < radius; if not, radii grow around them. */
static bool fits(mag_ptr radius, arb_srcptr made, slong m)
{
    bool inside = true;
    mag_t size, factor;
    mag_init(size), mag_init(factor);
    mag_set_d(factor, WIDER);
    for (slong i = 0; i < m; i++) {
        arb_get_mag(size, made + i);
        inside = inside && mag_cmp(size, radius + i) < 0;
    }
    for (slong i = 0; i < m && !inside; i++) {
        arb_get_mag(size, made + i);
        mag_mul(size, size, factor);
        mag_max(radius + i, radius + i, size);
    }
    mag_clear(size), mag_clear(factor);
    return inside;
}

static bool find_region(arc_proof *a)
{
    const slong m = a->map->m;
    arb_mat_t derivative;
    bool proved = false, good = true;
    arb_mat_init(derivative, a->map->n + 1, a->map->n);
    for (slong k = 0; k < m; k++)
        mag_set_d(a->arc->alone + k, LEAST_RADIUS * a->map->scale[a->map->unknown[k]]);
    for (int i = 0; i < TRIES && good && !proved; i++) {
        good = evaluate_set(a, derivative, a->arc->alone, a->half);
        if (!good) break;
        apply_operator(a->arc->rest, a, derivative, a->arc->alone);
        proved = fits(a->arc->alone, a->arc->rest, m);
    }
    if (proved) reduce(a->arc->derivative, a->map, derivative);
    else if (good)
        snprintf(a->map->message, sizeof a->map->message, "Krawczyk's operator does not map any set into itself");
    a->arc->events = a->map->events;
    arb_mat_clear(derivative);
    return proved;
}

/* ---- the arc */

/* p_0 and half of the interval. */
static void split_interval(arc_proof *a)
{
    arb_t end;
    arb_init(end);
    arb_set_d(end, a->arc->from);
    arb_set_d(a->arc->middle, a->arc->to);
    arb_add(a->arc->middle, a->arc->middle, end, ARF_PREC_EXACT);
    arb_mul_2exp_si(a->arc->middle, a->arc->middle, -1);
    arb_sub(end, a->arc->middle, end, ARF_PREC_EXACT);
    arb_get_mag(a->half, end);
    arb_clear(end);
}

bool ic_arc_prove(ic_arc *arc, ic_return_map *map, double from, double to, arb_srcptr guess, int multiple)
{
    const slong m = map->m;
    *arc = (ic_arc){.from = fmin(from, to), .to = fmax(from, to), .m = m};
    arc_proof a = {.arc = arc, .map = map, .multiple = multiple};
    arb_init(arc->middle), arb_init(arc->critical);
    arc->x = _arb_vec_init(states_of(map));
    arc->slope = _arb_vec_init(m);
    arc->rest = _arb_vec_init(m);
    arc->alone = _mag_vec_init(m);
    arb_mat_init(arc->derivative, m, m);
    mag_init(a.half);
    arb_mat_init(a.inverse, m, m);
    a.image = _arb_vec_init(map->n + 1);
    split_interval(&a);
    for (slong i = 0; i < states_of(map); i++) arb_get_mid_arb(arc->x + i, guess + i);
    const bool proved = find_middle(&a) && find_region(&a);
    if (proved) arc->places = ic_place_multipliers(arc->critical, arc->derivative, map->precision);
    mag_clear(a.half);
    arb_mat_clear(a.inverse);
    _arb_vec_clear(a.image, map->n + 1);
    return proved;
}

void ic_arc_clear(ic_arc *arc, const ic_return_map *map)
{
    if (arc->x == NULL) return;
    arb_clear(arc->middle), arb_clear(arc->critical);
    _arb_vec_clear(arc->x, states_of(map));
    _arb_vec_clear(arc->slope, arc->m);
    _arb_vec_clear(arc->rest, arc->m);
    _mag_vec_clear(arc->alone, arc->m);
    arb_mat_clear(arc->derivative);
    arc->x = NULL;
}

/* x(p) + z for z in m balls. */
static void shifted(arb_ptr x, const ic_arc *arc, const ic_return_map *map, double p, arb_srcptr z)
{
    arb_t from_middle;
    arb_init(from_middle);
    arb_set_d(from_middle, p);
    arb_sub(from_middle, from_middle, arc->middle, map->precision);
    _arb_vec_set(x, arc->x, states_of(map));
    for (slong k = 0; k < arc->m; k++) {
        arb_ptr at = x + map->unknown[k];
        arb_addmul(at, arc->slope + k, from_middle, map->precision);
        arb_add(at, at, z + k, map->precision);
    }
    arb_clear(from_middle);
}

void ic_arc_states(arb_ptr x, const ic_arc *arc, const ic_return_map *map, double p)
{
    shifted(x, arc, map, p, arc->rest);
}

bool ic_arc_meets(const ic_arc *arc, const ic_arc *other, const ic_return_map *map, double p)
{
    const slong n = states_of(map);
    bool meets = arc->from <= p && p <= arc->to && other->from <= p && p <= other->to;
    arb_ptr x = _arb_vec_init(n), zero = _arb_vec_init(arc->m), y = _arb_vec_init(n);
    ic_arc_states(x, arc, map, p);
    shifted(y, other, map, p, zero);
    /* x in y + Z of the other arc */
    for (slong k = 0; k < arc->m && meets; k++) {
        mag_t size;
        mag_init(size);
        arb_sub(x + map->unknown[k], x + map->unknown[k], y + map->unknown[k], map->precision);
        arb_get_mag(size, x + map->unknown[k]);
        meets = mag_cmp(size, other->alone + k) <= 0;
        mag_clear(size);
    }
    for (slong i = 0, next = 0; i < n && meets; i++) {
        if (next < arc->m && map->unknown[next] == i) next++;
        else meets = arb_equal(arc->x + i, other->x + i);
    }
    _arb_vec_clear(x, n);
    _arb_vec_clear(y, n);
    _arb_vec_clear(zero, arc->m);
    return meets;
}
