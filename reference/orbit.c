/* SPDX-License-Identifier: MIT */
#include "reference/orbit.h"
#include "reference/ball_flow.h"

#include <acb_mat.h>
#include <arb_mat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NEWTON_STEPS = 30, SPARE_BITS = 160, SCALE_BITS = 64 };
/* Radius of the first box relative to the scales of the states; a box that fails is reduced. */
#define FIRST_BOX 1e-8
#define BOX_FACTOR 1e-4
enum { BOXES = 5 };

/* The period map of a problem, and its settings. */
typedef struct ball_period_map {
    ic_problem problem;
    slong n, precision;
    int mode, multiple;
    double scale[IC_MAX_STATES];
    size_t events;
    char *reason;
    size_t reason_size;
} ball_period_map;

/* y = P(x), and its Jacobian where `derivative` is not NULL, over all balls in x. */
static ic_status evaluate_map(ball_period_map *map, arb_ptr y, arb_mat_struct *derivative, arb_srcptr x,
                              int multiple, slong precision)
{
    ic_ball_flow e;
    arb_t t, period;
    arb_init(t);
    arb_init(period);
    map->events = 0;
    ic_status status = ic_ball_flow_open(&e, &map->problem, precision, derivative != NULL);
    if (status == IC_OK) status = ic_ball_flow_place(&e, x, map->mode, t);
    if (status == IC_OK && !ic_ball_system_number(period, &e.system, map->problem.system->period, NULL)) {
        status = IC_INVALID;
    }
    arb_mul_si(period, period, multiple, precision);
    for (bool happened = true; status == IC_OK && happened;) {
        status = ic_ball_flow_next(&e, period, &happened);
        map->events += happened;
    }
    if (status == IC_OK && e.mode != map->mode) {
        status = IC_UNDECIDED;
        snprintf(e.message, sizeof e.message,
                 "the mode at the end of the period differs from that at its start");
    }
    if (status == IC_OK) {
        _arb_vec_set(y, e.z, map->n);
        for (slong i = 0; derivative != NULL && i < map->n; i++) {
            for (slong k = 0; k < map->n; k++) {
                arb_set(arb_mat_entry(derivative, i, k), e.phi + k * e.system.dim + i);
            }
        }
    } else {
        snprintf(map->reason, map->reason_size, "%s", e.message);
    }
    ic_ball_flow_close(&e);
    arb_clear(t);
    arb_clear(period);
    return status;
}

/* Largest |a - b| relative to the scales, not rigorous. */
static double distance(const ball_period_map *map, arb_srcptr a, arb_srcptr b)
{
    double largest = 0;
    arb_t difference;
    arb_init(difference);
    for (slong i = 0; i < map->n; i++) {
        arb_sub(difference, a + i, b + i, map->precision);
        largest = fmax(largest, fabs(arf_get_d(arb_midref(difference), ARF_RND_NEAR)) / map->scale[i]);
    }
    arb_clear(difference);
    return largest;
}

/* inverse = (I - P')^-1, midpoints only. */
static bool approximate_inverse(arb_mat_t inverse, const arb_mat_t derivative, slong precision)
{
    arb_mat_t difference;
    arb_mat_init(difference, arb_mat_nrows(derivative), arb_mat_nrows(derivative));
    arb_mat_one(difference);
    arb_mat_sub(difference, difference, derivative, precision);
    const bool good = arb_mat_inv(inverse, difference, precision) != 0;
    arb_mat_get_mid(inverse, inverse);
    arb_mat_clear(difference);
    return good;
}

/*
 * Newton's method in balls whose radii are set to zero at each step. x becomes an approximation of
 * full precision.
 */
static ic_status refine_fixed_point(ball_period_map *map, arb_ptr x, arb_mat_t inverse)
{
    const slong n = map->n;
    arb_ptr y = _arb_vec_init(n), change = _arb_vec_init(n);
    arb_mat_t derivative;
    arb_mat_init(derivative, n, n);
    double before = INFINITY;
    ic_status status = IC_OK;
    for (int step = 0; step < MOST_NEWTON_STEPS && status == IC_OK; step++) {
        status = evaluate_map(map, y, derivative, x, map->multiple, map->precision);
        if (status != IC_OK) break;
        const double residual = distance(map, x, y);
        if (step > 1 && !(residual < 0.5 * before)) break;
        before = residual;
        if (!approximate_inverse(inverse, derivative, map->precision)) {
            snprintf(map->reason, map->reason_size, "the periodic orbit is not isolated: I - P' is singular");
            status = IC_UNDECIDED;
            break;
        }
        for (slong i = 0; i < n; i++) {
            arb_zero(change + i);
            for (slong k = 0; k < n; k++) {
                arb_addmul(change + i, arb_mat_entry(inverse, i, k), y + k, map->precision);
                arb_submul(change + i, arb_mat_entry(inverse, i, k), x + k, map->precision);
            }
        }
        _arb_vec_add(x, x, change, n, map->precision);
        for (slong i = 0; i < n; i++) arb_get_mid_arb(x + i, x + i);
    }
    arb_mat_clear(derivative);
    _arb_vec_clear(y, n);
    _arb_vec_clear(change, n);
    return status;
}

/* K(X) for X = x +- radii; true if it lies in the interior of X. derivative receives P'(X). */
static bool apply_krawczyk(ball_period_map *map, arb_ptr image, arb_mat_t derivative, arb_srcptr x,
                           arb_srcptr box, const arb_mat_t inverse)
{
    const slong n = map->n, precision = map->precision;
    arb_ptr y = _arb_vec_init(n), offset = _arb_vec_init(n);
    arb_mat_t contraction;
    arb_mat_init(contraction, n, n);
    bool inside = evaluate_map(map, y, derivative, box, map->multiple, precision) == IC_OK &&
                  evaluate_map(map, y, NULL, x, map->multiple, precision) == IC_OK;
    if (inside) {
        arb_mat_one(contraction);
        arb_mat_sub(contraction, contraction, derivative, precision);
        arb_mat_mul(contraction, inverse, contraction, precision);
        for (slong i = 0; i < n; i++) {
            for (slong k = 0; k < n; k++) {
                arb_struct *entry = arb_mat_entry(contraction, i, k);
                arb_neg(entry, entry);
                if (i == k) arb_add_si(entry, entry, 1, precision);
            }
        }
        _arb_vec_sub(offset, box, x, n, precision);
        for (slong i = 0; i < n; i++) {
            arb_set(image + i, x + i);
            for (slong k = 0; k < n; k++) {
                arb_addmul(image + i, arb_mat_entry(contraction, i, k), offset + k, precision);
                arb_addmul(image + i, arb_mat_entry(inverse, i, k), y + k, precision);
                arb_submul(image + i, arb_mat_entry(inverse, i, k), x + k, precision);
            }
            inside = inside && arb_contains_interior(box + i, image + i);
        }
    }
    arb_mat_clear(contraction);
    _arb_vec_clear(y, n);
    _arb_vec_clear(offset, n);
    return inside;
}

static void make_box(arb_ptr box, const ball_period_map *map, arb_srcptr x, double radius)
{
    mag_t r;
    mag_init(r);
    for (slong i = 0; i < map->n; i++) {
        arb_set(box + i, x + i);
        mag_set_d(r, radius * map->scale[i]);
        arb_add_error_mag(box + i, r);
    }
    mag_clear(r);
}

/* Encloses the eigenvalues of P' at the fixed point, bounds their moduli and decides stability. */
static void enclose_multipliers(ic_orbit *orbit, const arb_mat_t derivative)
{
    const slong n = orbit->n, precision = orbit->precision;
    acb_mat_t a, right;
    acb_ptr approximate = _acb_vec_init(n);
    arb_t modulus;
    acb_mat_init(a, n, n);
    acb_mat_init(right, n, n);
    arb_init(modulus);
    acb_mat_set_arb_mat(a, derivative);
    orbit->multipliers = _acb_vec_init(n);
    acb_mat_approx_eig_qr(approximate, NULL, right, a, NULL, 0, precision);
    /* multiple eigenvalues (zero twice, where contact forgets its past) are enclosed as clusters */
    if (!acb_mat_eig_multiple(orbit->multipliers, a, approximate, right, precision)) {
        _acb_vec_clear(orbit->multipliers, n);
        orbit->multipliers = NULL;
    } else {
        arb_zero(orbit->radius);
        for (slong i = 0; i < n; i++) {
            acb_abs(modulus, orbit->multipliers + i, precision);
            arb_max(orbit->radius, orbit->radius, modulus, precision);
        }
        arb_one(modulus);
        orbit->stable = arb_lt(orbit->radius, modulus);
    }
    _acb_vec_clear(approximate, n);
    acb_mat_clear(a);
    acb_mat_clear(right);
    arb_clear(modulus);
}

/* Proves that no proper divisor of the multiple returns the fixed point to itself. */
static bool is_minimal(ball_period_map *map, arb_srcptr x)
{
    bool minimal = true;
    arb_ptr y = _arb_vec_init(map->n);
    const int mode = map->mode;
    for (int q = 1; q <= map->multiple / 2 && minimal; q++) {
        if (map->multiple % q != 0) continue;
        bool apart = false;
        const ic_status status = evaluate_map(map, y, NULL, x, q, map->precision);
        for (slong i = 0; status == IC_OK && i < map->n; i++) apart = apart || !arb_overlaps(x + i, y + i);
        minimal = apart; /* a different mode at the end is left undecided */
    }
    map->mode = mode;
    _arb_vec_clear(y, map->n);
    return minimal;
}

/* Scales of the states; 1 if the problem has no linear view, which the evaluation then reports. */
static void set_scales(ball_period_map *map)
{
    ic_ball_system system;
    const bool good = ic_ball_system_open(&system, &map->problem, SCALE_BITS);
    for (slong i = 0; i < map->n; i++) {
        map->scale[i] = good ? ic_ball_system_scale(&system, map->problem.system->states[i].scale) : 1;
    }
    ic_ball_system_close(&system);
}

static void prove_orbit(ic_orbit *orbit, ball_period_map *map, arb_mat_t inverse, long digits)
{
    const slong n = orbit->n;
    arb_ptr box = _arb_vec_init(n), image = _arb_vec_init(n);
    arb_mat_t derivative;
    arb_mat_init(derivative, n, n);
    bool proved = false;
    double radius = FIRST_BOX;
    for (int k = 0; k < BOXES && !proved; k++, radius *= BOX_FACTOR) {
        make_box(box, map, orbit->x, radius);
        proved = apply_krawczyk(map, image, derivative, orbit->x, box, inverse);
    }
    if (proved) {
        /* The fixed point is unique in the box: a box of the requested width inside it that the
           operator maps into itself narrows it. */
        arb_ptr narrow = _arb_vec_init(n), narrow_image = _arb_vec_init(n);
        make_box(narrow, map, orbit->x, pow(10, -(double)digits));
        if (apply_krawczyk(map, narrow_image, derivative, orbit->x, narrow, inverse))
            _arb_vec_swap(image, narrow_image, n);
        _arb_vec_clear(narrow, n);
        _arb_vec_clear(narrow_image, n);
        orbit->events = map->events;
        _arb_vec_set(orbit->x, image, n);
        enclose_multipliers(orbit, derivative);
        orbit->minimal = map->multiple == 1 || is_minimal(map, orbit->x);
        orbit->status = IC_OK;
        orbit->reason[0] = '\0';
    } else {
        orbit->status = IC_UNDECIDED;
        if (orbit->reason[0] == '\0') {
            snprintf(orbit->reason, sizeof orbit->reason,
                     "Krawczyk's operator does not map any box into itself");
        }
    }
    arb_mat_clear(derivative);
    _arb_vec_clear(box, n);
    _arb_vec_clear(image, n);
}

void ic_orbit_certify(ic_orbit *orbit, const ic_problem *problem, const double *x, int mode, int multiple,
                      long digits)
{
    const slong n = (slong)problem->system->n_states;
    *orbit = (ic_orbit){.n = n, .multiple = multiple, .mode = mode, .status = IC_UNSUPPORTED};
    orbit->precision = SPARE_BITS + (slong)(3.33 * (double)digits);
    orbit->x = _arb_vec_init(n);
    arb_init(orbit->radius);
    if (problem->system->period == NULL) {
        snprintf(orbit->reason, sizeof orbit->reason, "the case has no period");
        return;
    }
    ball_period_map map = {.problem = *problem,
                           .n = n,
                           .precision = orbit->precision,
                           .mode = mode,
                           .multiple = multiple,
                           .reason = orbit->reason,
                           .reason_size = sizeof orbit->reason};
    map.problem.t_start = 0;
    map.problem.x_start = NULL;
    set_scales(&map);
    for (slong i = 0; i < n; i++) arb_set_d(orbit->x + i, x[i]);
    arb_mat_t inverse;
    arb_mat_init(inverse, n, n);
    orbit->status = refine_fixed_point(&map, orbit->x, inverse);
    if (orbit->status == IC_OK) prove_orbit(orbit, &map, inverse, digits);
    arb_mat_clear(inverse);
}

void ic_orbit_clear(ic_orbit *orbit)
{
    _arb_vec_clear(orbit->x, orbit->n);
    if (orbit->multipliers != NULL) _acb_vec_clear(orbit->multipliers, orbit->n);
    arb_clear(orbit->radius);
    *orbit = (ic_orbit){0};
}
