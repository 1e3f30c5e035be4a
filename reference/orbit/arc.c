/* SPDX-License-Identifier: MIT */
#include "reference/orbit/arc.h"

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
/* An eigenvalue with a smaller imaginary part may be real. */
#define REAL 1e-6

/* ---- numbers of things */

static slong size_of(const ic_arc_map *map)
{
    return 2 * map->m + 1;
}

/* The coordinate of the set in which unknown i of y lies, for all but mu. */
static slong coordinate(const ic_arc_map *map, slong i)
{
    return i < map->m ? map->unknown[i] : map->n + 1 + map->unknown[i - map->m];
}

static double scale_of(const ic_arc_map *map, slong i)
{
    return i == 2 * map->m ? 1 : map->map.scale[map->unknown[i % map->m]];
}

/* ---- guesses */

void ic_arc_guess_init(ic_arc_guess *guess, const ic_arc_map *map)
{
    *guess = (ic_arc_guess){0};
    guess->states = ic_store_balls(&guess->store, map->n);
    guess->y = ic_store_balls(&guess->store, size_of(map));
}

void ic_arc_guess_clear(ic_arc_guess *guess)
{
    ic_store_free(&guess->store);
}

void ic_arc_guess_set(ic_arc_guess *guess, const ic_arc_guess *from, const ic_arc_map *map)
{
    for (slong i = 0; i < map->n; i++) arb_get_mid_arb(guess->states + i, from->states + i);
    for (slong i = 0; i < size_of(map); i++) arb_get_mid_arb(guess->y + i, from->y + i);
}

/* ---- evaluation */

typedef struct arc_proof {
    ic_arc *arc;
    ic_arc_map *map;

    /* half of the interval */
    mag_ptr half;

    /* Y, exact */
    arb_mat_t inverse;

    /* F_y over a set */
    arb_mat_t jacobian;

    /* F_p over a set */
    arb_ptr by_parameter;

    /* F at the middle */
    arb_ptr residual;

    ic_store store;
} arc_proof;

/* The middle of the curve as coordinates of the linearised problem. */
static void place_middle(arb_ptr point, const arc_proof *a)
{
    const ic_arc_map *map = a->map;
    _arb_vec_zero(point, map->map.n + 1);
    _arb_vec_set(point, a->arc->centre.states, map->n);
    for (slong i = 0; i < 2 * map->m; i++) arb_set(point + coordinate(map, i), a->arc->centre.y + i);
    arb_set(point + map->n, a->arc->middle);
}

/* The set of all y(p) + z with |p - p_0| <= half and |z| <= radius. */
static void place(ic_flow_set *set, const arc_proof *a, mag_srcptr radius, const mag_t half)
{
    const ic_arc_map *map = a->map;
    const slong all = map->map.n + 1;
    IC_BALL_VECTOR(box, all);
    IC_BALL_MATRIX(shear, all, all);
    arb_mat_one(shear);
    for (slong i = 0; i < 2 * map->m; i++) {
        mag_set(arb_radref(box + coordinate(map, i)), radius + i);
        arb_set(arb_mat_entry(shear, coordinate(map, i), map->n), a->arc->slope + i);
    }
    mag_set(arb_radref(box + map->n), half);
    ic_flow_set_place(set, box);
    place_middle(box, a);
    ic_flow_set_map(set, box, shear);
}

static bool returns(ic_arc_map *map, ic_status status)
{
    if (status != IC_OK) return false;
    if (map->map.mode_at_end == map->map.mode) return true;
    snprintf(map->map.message, sizeof map->map.message,
             "the mode at the end of the period differs from that at its start");
    return false;
}

/* The range of unknown i of y over the set. */
static void range_of(arb_t range, const arc_proof *a, slong i, mag_srcptr radius, const mag_t half)
{
    IC_BOUNDS(size);
    arb_get_mag(size, a->arc->slope + i);
    mag_mul(size, size, half);
    mag_add(size, size, radius + i);
    arb_set(range, a->arc->centre.y + i);
    arb_add_error_mag(range, size);
}

/* F_y and F_p from the derivative of the linearised map over the set. */
static void fill_jacobian(arc_proof *a, const arb_mat_t d, mag_srcptr radius, const mag_t half)
{
    const ic_arc_map *map = a->map;
    const slong m = map->m, precision = map->map.precision;
    IC_BALLS(mu, v);
    range_of(mu, a, 2 * m, radius, half);
    arb_mat_zero(a->jacobian);
    for (slong i = 0; i < 2 * m; i++) {
        for (slong k = 0; k < (i < m ? m : 2 * m); k++)
            arb_set(arb_mat_entry(a->jacobian, i, k), arb_mat_entry(d, coordinate(map, i), coordinate(map, k)));
        arb_struct *diagonal = arb_mat_entry(a->jacobian, i, i);
        if (i < m) arb_sub_si(diagonal, diagonal, 1, precision);
        else arb_sub(diagonal, diagonal, mu, precision);
        arb_set(a->by_parameter + i, arb_mat_entry(d, coordinate(map, i), map->n));
        if (mag_is_zero(half)) arb_zero(a->by_parameter + i);
        if (i < m) continue;
        range_of(v, a, i, radius, half);
        arb_neg(arb_mat_entry(a->jacobian, i, 2 * m), v);
    }
    arb_one(arb_mat_entry(a->jacobian, 2 * m, m + map->fixed));
    arb_zero(a->by_parameter + 2 * m);
}

/* F_y and F_p over a set; `derivative`, that of the linearised map, may be NULL. */
static bool evaluate_set(arc_proof *a, arb_mat_struct *derivative, mag_srcptr radius, const mag_t half)
{
    ic_return_map *map = &a->map->map;
    ic_flow_set set;
    IC_BALL_VECTOR(image, map->n + 1);
    IC_BALL_MATRIX(d, map->n + 1, map->n);
    ic_flow_set_init(&set, map->n + 1);
    place(&set, a, radius, half);
    const bool good = returns(a->map, ic_return(map, image, d, &set, a->map->multiple));
    if (good) fill_jacobian(a, d, radius, half);
    if (good && derivative != NULL) arb_mat_set(derivative, d);
    ic_flow_set_clear(&set);
    return good;
}

/* F at the middle. */
static bool evaluate_middle(arc_proof *a)
{
    ic_return_map *map = &a->map->map;
    const slong m = a->map->m, precision = map->precision;
    arb_srcptr y = a->arc->centre.y;
    IC_BALL_VECTOR(point, map->n + 1);
    IC_BALL_VECTOR(image, map->n + 1);
    place_middle(point, a);
    const bool good = returns(a->map, ic_return_box(map, image, NULL, point, a->map->multiple));
    for (slong i = 0; i < 2 * m && good; i++) {
        arb_set(a->residual + i, image + coordinate(a->map, i));
        if (i < m) arb_sub(a->residual + i, a->residual + i, y + i, precision);
        else arb_submul(a->residual + i, y + 2 * m, y + i, precision);
    }
    /* v_c */
    arb_set_d(a->residual + 2 * m, scale_of(a->map, m + a->map->fixed));
    arb_sub(a->residual + 2 * m, y + m + a->map->fixed, a->residual + 2 * m, precision);
    return good;
}

/* ---- y_0, y' and Y */

/* Equations for x do not contain v and mu: with zeros in Y, x alone is the only one in its part of Z. */
static bool invert(arc_proof *a)
{
    const slong M = size_of(a->map);
    IC_BALL_MATRIX(middle, M, M);
    arb_mat_get_mid(middle, a->jacobian);
    const bool good = arb_mat_inv(a->inverse, middle, a->map->map.precision) != 0;
    arb_mat_get_mid(a->inverse, a->inverse);
    for (slong i = 0; i < a->map->m; i++) {
        for (slong k = a->map->m; k < M; k++) arb_zero(arb_mat_entry(a->inverse, i, k));
    }
    if (!good)
        snprintf(a->map->map.message, sizeof a->map->map.message,
                 "the orbit or its multiplier is not isolated");
    return good;
}

/* y' = -Y F_p, rounded. */
static void find_slope(arc_proof *a)
{
    const slong M = size_of(a->map);
    for (slong i = 0; i < M; i++) {
        arb_zero(a->arc->slope + i);
        for (slong k = 0; k < M; k++)
            arb_submul(a->arc->slope + i, arb_mat_entry(a->inverse, i, k), a->by_parameter + k, 64);
        arb_get_mid_arb(a->arc->slope + i, a->arc->slope + i);
    }
}

/* Subtracts Y F from y_0. Returns its size relative to the scales. */
static double improve(arc_proof *a)
{
    const slong M = size_of(a->map), precision = a->map->map.precision;
    arb_ptr y = a->arc->centre.y;
    double size = 0;
    IC_BALL_VECTOR(change, M);
    for (slong i = 0; i < M; i++) {
        for (slong k = 0; k < M; k++)
            arb_addmul(change + i, arb_mat_entry(a->inverse, i, k), a->residual + k, precision);
    }
    for (slong i = 0; i < M; i++) {
        arb_sub(y + i, y + i, change + i, precision);
        arb_get_mid_arb(y + i, y + i);
        if (i < a->map->m) arb_set(a->arc->centre.states + a->map->unknown[i], y + i);
        size = fmax(size, fabs(arf_get_d(arb_midref(change + i), ARF_RND_NEAR)) / scale_of(a->map, i));
    }
    return size;
}

static void small_radii(mag_ptr radius, const ic_arc_map *map, double part)
{
    for (slong i = 0; i < size_of(map); i++) mag_set_d(radius + i, part * scale_of(map, i));
}

/* Newton's method at p_0, with one derivative. */
static bool find_middle(arc_proof *a)
{
    const slong M = size_of(a->map);
    IC_BOUNDS(half);
    IC_BOUND_VECTOR(radius, M);
    double before = INFINITY;
    mag_set_d(half, SMALL_PART);
    mag_mul(half, half, a->half);
    small_radii(radius, a->map, SMALL_BOX);
    bool good = evaluate_set(a, NULL, radius, half) && invert(a);
    if (good && !mag_is_zero(a->half)) find_slope(a);
    for (int step = 0; step < NEWTON_STEPS && good; step++) {
        good = evaluate_middle(a);
        if (!good) break;
        const double change = improve(a);
        if (change < LEAST_RADIUS || (step > 1 && change > 0.5 * before)) break;
        before = change;
    }
    good = good && evaluate_middle(a);
    return good;
}

/* ---- Krawczyk's operator */

/* rate = F_y y' + F_p over the set */
static void find_rate(arb_ptr rate, const arc_proof *a)
{
    const slong M = size_of(a->map), precision = a->map->map.precision;
    for (slong i = 0; i < M; i++) {
        arb_set(rate + i, a->by_parameter + i);
        for (slong k = 0; k < M; k++)
            arb_addmul(rate + i, arb_mat_entry(a->jacobian, i, k), a->arc->slope + k, precision);
    }
}

/* contraction = I - Y F_y */
static void find_contraction(arb_mat_t contraction, const arc_proof *a)
{
    IC_BALL_MATRIX(one, size_of(a->map), size_of(a->map));
    arb_mat_one(one);
    arb_mat_mul(contraction, a->inverse, a->jacobian, a->map->map.precision);
    arb_mat_sub(contraction, one, contraction, a->map->map.precision);
}

/* made = K(Z) */
static void apply_operator(arb_ptr made, const arc_proof *a, const arb_mat_t contraction, arb_srcptr rate)
{
    const slong M = size_of(a->map), precision = a->map->map.precision;
    IC_BALLS(part, interval);
    mag_set(arb_radref(interval), a->half);
    _arb_vec_zero(made, M);
    for (slong k = 0; k < M; k++) {
        arb_set(part, a->residual + k);
        arb_addmul(part, rate + k, interval, precision);
        for (slong i = 0; i < M; i++) arb_submul(made + i, arb_mat_entry(a->inverse, i, k), part, precision);
        arb_zero(part);
        mag_set(arb_radref(part), a->arc->alone + k);
        for (slong i = 0; i < M; i++) arb_addmul(made + i, arb_mat_entry(contraction, i, k), part, precision);
    }
}

/* Whether the balls lie inside |z| < radius; if not, radii grow around them. */
static bool fits(mag_ptr radius, arb_srcptr made, slong n)
{
    bool inside = true;
    IC_BOUNDS(size, factor);
    mag_set_d(factor, WIDER);
    for (slong i = 0; i < n; i++) {
        arb_get_mag(size, made + i);
        inside = inside && mag_cmp(size, radius + i) < 0;
    }
    for (slong i = 0; i < n && !inside; i++) {
        arb_get_mag(size, made + i);
        mag_mul(size, size, factor);
        mag_max(radius + i, radius + i, size);
    }
    return inside;
}

/*
 * |dy/dp - y'| <= w |g|_w/(1 - |I - Y F_y|_w) for g = Y (F_y y' + F_p), where |.|_w is the largest component
 * divided by the radii w of Z. Sets d mu/dp.
 */
static void bound_speed(const arc_proof *a, const arb_mat_t contraction, arb_srcptr rate)
{
    const slong M = size_of(a->map);
    IC_BOUNDS(size, sum, g, most_g, most);
    IC_BALLS(entry);
    for (slong i = 0; i < M; i++) {
        mag_zero(sum);
        arb_zero(entry);
        for (slong k = 0; k < M; k++) {
            arb_get_mag(size, arb_mat_entry(contraction, i, k));
            mag_addmul(sum, size, a->arc->alone + k);
            arb_addmul(entry, arb_mat_entry(a->inverse, i, k), rate + k, a->map->map.precision);
        }
        mag_div(sum, sum, a->arc->alone + i);
        mag_max(most, most, sum);
        arb_get_mag(g, entry);
        mag_div(g, g, a->arc->alone + i);
        mag_max(most_g, most_g, g);
    }
    mag_one(size);
    mag_sub_lower(size, size, most);
    mag_div(most_g, most_g, size); /* infinite where 1 - |...| is not positive */
    mag_mul(most_g, most_g, a->arc->alone + M - 1);
    arb_set(a->arc->speed, a->arc->slope + M - 1);
    arb_add_error_mag(a->arc->speed, most_g);
}

/* mu over the interval. */
static void enclose_multiplier(const arc_proof *a)
{
    const slong last = size_of(a->map) - 1;
    IC_BOUNDS(size);
    arb_get_mag(size, a->arc->slope + last);
    mag_mul(size, size, a->half);
    arb_add(a->arc->multiplier, a->arc->centre.y + last, a->arc->rest + last, a->map->map.precision);
    arb_add_error_mag(a->arc->multiplier, size);
}

static bool find_region(arc_proof *a, arb_mat_t derivative)
{
    const slong M = size_of(a->map);
    IC_BALL_VECTOR(rate, M);
    bool proved = false, good = true;
    IC_BALL_MATRIX(contraction, M, M);
    small_radii(a->arc->alone, a->map, LEAST_RADIUS);
    for (int i = 0; i < TRIES && good && !proved; i++) {
        good = evaluate_set(a, derivative, a->arc->alone, a->half);
        if (!good) break;
        find_rate(rate, a);
        find_contraction(contraction, a);
        apply_operator(a->arc->rest, a, contraction, rate);
        proved = fits(a->arc->alone, a->arc->rest, M);
    }
    if (proved) {
        bound_speed(a, contraction, rate);
        enclose_multiplier(a);
    } else if (good) {
        snprintf(a->map->map.message, sizeof a->map->map.message,
                 "Krawczyk's operator does not map any set into itself");
    }
    a->arc->events = a->map->map.events;
    return proved;
}

/* ---- the other multipliers */

/* P' from the derivative of the linearised map, m x m. */
static void reduce(arb_mat_t reduced, const ic_arc_map *map, const arb_mat_t derivative)
{
    for (slong i = 0; i < map->m; i++) {
        for (slong k = 0; k < map->m; k++)
            arb_set(arb_mat_entry(reduced, i, k), arb_mat_entry(derivative, map->unknown[i], map->unknown[k]));
    }
}

static void place_others(arc_proof *a, const arb_mat_t derivative)
{
    IC_BALL_MATRIX(reduced, a->map->m, a->map->m);
    reduce(reduced, a->map, derivative);
    a->arc->others_inside = ic_others_inside(reduced, a->arc->multiplier, a->map->map.precision);
}

/* ---- the arc */

/* p_0 and half of the interval. */
static void split_interval(arc_proof *a)
{
    IC_BALLS(end);
    arb_set_d(end, a->arc->from);
    arb_set_d(a->arc->middle, a->arc->to);
    arb_add(a->arc->middle, a->arc->middle, end, ARF_PREC_EXACT);
    arb_mul_2exp_si(a->arc->middle, a->arc->middle, -1);
    arb_sub(end, a->arc->middle, end, ARF_PREC_EXACT);
    arb_get_mag(a->half, end);
}

static void open_proof(arc_proof *a, ic_arc *arc, ic_arc_map *map, double from, double to,
                       const ic_arc_guess *guess)
{
    const slong M = size_of(map);
    *arc = (ic_arc){.from = fmin(from, to), .to = fmax(from, to)};
    *a = (arc_proof){.arc = arc, .map = map};
    arc->middle = ic_store_balls(&arc->store, 1);
    arc->multiplier = ic_store_balls(&arc->store, 1);
    arc->speed = ic_store_balls(&arc->store, 1);
    ic_arc_guess_init(&arc->centre, map);
    ic_arc_guess_set(&arc->centre, guess, map);
    arc->slope = ic_store_balls(&arc->store, M);
    arc->rest = ic_store_balls(&arc->store, M);
    arc->alone = ic_store_bounds(&arc->store, M);
    a->half = ic_store_bounds(&a->store, 1);
    a->by_parameter = ic_store_balls(&a->store, M);
    a->residual = ic_store_balls(&a->store, M);
    arb_mat_init(a->inverse, M, M);
    arb_mat_init(a->jacobian, M, M);
    split_interval(a);
}

static void close_proof(arc_proof *a)
{
    arb_mat_clear(a->inverse);
    arb_mat_clear(a->jacobian);
    ic_store_free(&a->store);
}

bool ic_arc_prove(ic_arc *arc, ic_arc_map *map, double from, double to, const ic_arc_guess *guess)
{
    arc_proof a;
    open_proof(&a, arc, map, from, to, guess);
    IC_BALL_MATRIX(derivative, map->map.n + 1, map->map.n);
    const bool proved = find_middle(&a) && find_region(&a, derivative);
    if (proved) place_others(&a, derivative);
    close_proof(&a);
    return proved;
}

void ic_arc_clear(ic_arc *arc)
{
    ic_arc_guess_clear(&arc->centre);
    ic_store_free(&arc->store);
}

/* Chooses the component v_c, the largest one, and makes it the scale of its state. */
static void choose_fixed(ic_arc_guess *guess, ic_arc_map *map)
{
    const slong m = map->m;
    double largest = 0;
    IC_BALLS(factor);
    for (slong i = 0; i < m; i++) {
        const double size = fabs(arf_get_d(arb_midref(guess->y + m + i), ARF_RND_NEAR)) / scale_of(map, i);
        if (size > largest) map->fixed = i;
        largest = fmax(largest, size);
    }
    arb_set_d(factor, scale_of(map, map->fixed));
    arb_div(factor, factor, guess->y + m + map->fixed, map->map.precision);
    for (slong i = 0; i < m; i++) {
        arb_mul(guess->y + m + i, guess->y + m + i, factor, map->map.precision);
        arb_get_mid_arb(guess->y + m + i, guess->y + m + i);
    }
}

bool ic_arc_begin(ic_arc_guess *guess, ic_arc_map *map, double p)
{
    const slong m = map->m;
    ic_arc arc;
    arc_proof a;
    IC_BOUND_VECTOR(radius, size_of(map));
    for (slong i = 0; i < m; i++) arb_set(guess->y + i, guess->states + map->unknown[i]);
    open_proof(&a, &arc, map, p, p, guess);
    IC_BALL_MATRIX(derivative, map->map.n + 1, map->map.n);
    IC_BALL_MATRIX(reduced, m, m);
    small_radii(radius, map, SMALL_BOX);
    bool good = evaluate_set(&a, derivative, radius, a.half);
    if (good) {
        reduce(reduced, map, derivative);
        good = ic_real_eigenvector(guess->y + m, guess->y + 2 * m, reduced, REAL, map->map.precision);
        if (!good)
            snprintf(map->map.message, sizeof map->map.message, "there is no real multiplier close to -1");
    }
    if (good) choose_fixed(guess, map);
    close_proof(&a);
    ic_arc_clear(&arc);
    return good;
}

/* ---- what is known of the curve */

/* y_0 + y' (p - p_0) */
static void on_line(arb_ptr y, const ic_arc *arc, const ic_arc_map *map, double p)
{
    IC_BALLS(from_middle);
    arb_set_d(from_middle, p);
    arb_sub(from_middle, from_middle, arc->middle, map->map.precision);
    for (slong i = 0; i < size_of(map); i++) {
        arb_set(y + i, arc->centre.y + i);
        arb_addmul(y + i, arc->slope + i, from_middle, map->map.precision);
    }
}

void ic_arc_predict(ic_arc_guess *guess, const ic_arc *arc, const ic_arc_map *map, double p)
{
    ic_arc_guess_set(guess, &arc->centre, map);
    on_line(guess->y, arc, map, p);
    for (slong i = 0; i < size_of(map); i++) {
        arb_add(guess->y + i, guess->y + i, arc->rest + i, map->map.precision);
        arb_get_mid_arb(guess->y + i, guess->y + i);
        if (i < map->m) arb_set(guess->states + map->unknown[i], guess->y + i);
    }
}

void ic_arc_states(arb_ptr x, const ic_arc *arc, const ic_arc_map *map, double p)
{
    IC_BALL_VECTOR(y, size_of(map));
    on_line(y, arc, map, p);
    _arb_vec_set(x, arc->centre.states, map->n);
    for (slong i = 0; i < map->m; i++) arb_add(x + map->unknown[i], y + i, arc->rest + i, map->map.precision);
}

/* Whether discrete states are the same. */
static bool same_discrete_states(const ic_arc *a, const ic_arc *b, const ic_arc_map *map)
{
    slong next = 0;
    for (slong i = 0; i < map->n; i++) {
        if (next < map->m && map->unknown[next] == i) next++;
        else if (!arb_equal(a->centre.states + i, b->centre.states + i)) return false;
    }
    return true;
}

bool ic_arc_meets(const ic_arc *arc, const ic_arc *other, const ic_arc_map *map, double p)
{
    const slong M = size_of(map);
    IC_BALL_VECTOR(y, M);
    IC_BALL_VECTOR(line, M);
    IC_BOUNDS(size);
    bool meets = arc->from <= p && p <= arc->to && other->from <= p && p <= other->to &&
                 same_discrete_states(arc, other, map);
    on_line(y, arc, map, p);
    on_line(line, other, map, p);
    /* y in the region of the other arc, in which its curve is the only one */
    for (slong i = 0; i < M && meets; i++) {
        arb_add(y + i, y + i, arc->rest + i, map->map.precision);
        arb_sub(y + i, y + i, line + i, map->map.precision);
        arb_get_mag(size, y + i);
        meets = mag_cmp(size, other->alone + i) <= 0;
    }
    return meets;
}
