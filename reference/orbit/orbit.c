/* SPDX-License-Identifier: MIT */
#include "reference/orbit/orbit.h"
#include "reference/orbit/discrete.h"
#include "reference/orbit/multipliers.h"
#include "reference/orbit/return_map.h"

#include <arb_mat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Precision beyond the digits: sets lose little. */
enum { MOST_NEWTON_STEPS = 30, SPARE_BITS = 96 };

/* Radii of boxes relative to the scales of the states; a box that fails is reduced. */
#define FIRST_BOX 1e-6
#define BOX_FACTOR 1e-3
enum { BOXES = 6 };
/* The derivative over a box of this radius serves Newton's method. */
#define SMALL_BOX 1e-14
/* Newton's method uses the last derivative where the residual is below this. */
#define CLOSE 1e-7
/* An orbit further from the approximation than this many scales is another one. */
#define NEAR 0.5

typedef struct orbit_proof {
    ic_orbit *orbit;
    ic_return_map map;

    /* Y, exact, of the m states that are not discrete */
    arb_mat_struct *inverse;

    /* P(y) for y = orbit->x */
    arb_ptr image;
} orbit_proof;

static ic_status fail(ic_orbit *orbit, ic_status status, const char *reason)
{
    orbit->status = status;
    snprintf(orbit->reason, sizeof orbit->reason, "%s", reason);
    return status;
}

/* ---- the map */

/* One return of the orbit, in which the mode does not change. */
static ic_status evaluate_orbit(orbit_proof *p, arb_ptr image, arb_mat_struct *derivative, arb_srcptr box)
{
    const ic_status status = ic_return_box(&p->map, image, derivative, box, p->orbit->multiple);
    if (status != IC_OK) return fail(p->orbit, status, p->map.message);
    if (p->map.mode_at_end == p->map.mode) return IC_OK;
    return fail(p->orbit, IC_UNDECIDED, "the mode at the end of the period differs from that at its start");
}

static void make_box(arb_ptr box, const orbit_proof *p, double radius)
{
    IC_BOUNDS(r);
    _arb_vec_set(box, p->orbit->x, p->orbit->n);
    for (slong k = 0; k < p->map.m; k++) {
        const slong i = p->map.unknown[k];
        mag_set_d(r, radius * p->map.scale[i]);
        arb_add_error_mag(box + i, r);
    }
}

/* ---- Newton's method */

/* Largest |a - b| relative to the scales, not rigorous. */
static double distance(const orbit_proof *p, arb_srcptr a, arb_srcptr b)
{
    double largest = 0;
    IC_BALLS(difference);
    for (slong i = 0; i < p->orbit->n; i++) {
        arb_sub(difference, a + i, b + i, p->map.precision);
        largest = fmax(largest, fabs(arf_get_d(arb_midref(difference), ARF_RND_NEAR)) / p->map.scale[i]);
    }
    return largest;
}

/* The derivative by the states that are not discrete, m x m. */
static void reduce(arb_mat_t reduced, const orbit_proof *p, const arb_mat_t derivative)
{
    const slong *u = p->map.unknown;
    for (slong i = 0; i < p->map.m; i++) {
        for (slong k = 0; k < p->map.m; k++)
            arb_set(arb_mat_entry(reduced, i, k), arb_mat_entry(derivative, u[i], u[k]));
    }
}

/* Y = (I - P')^-1, midpoints only. */
static bool approximate_inverse(orbit_proof *p, const arb_mat_t derivative)
{
    IC_BALL_MATRIX(difference, p->map.m, p->map.m);
    IC_BALL_MATRIX(one, p->map.m, p->map.m);
    arb_mat_one(one);
    reduce(difference, p, derivative);
    arb_mat_sub(difference, one, difference, p->map.precision);
    arb_mat_get_mid(difference, difference);
    const bool good = arb_mat_inv(p->inverse, difference, p->map.precision) != 0;
    arb_mat_get_mid(p->inverse, p->inverse);
    return good;
}

/* Y from the derivative over a small box around x. */
static ic_status find_inverse(orbit_proof *p)
{
    const slong n = p->orbit->n;
    IC_BALL_VECTOR(box, n);
    IC_BALL_VECTOR(image, n + 1);
    IC_BALL_MATRIX(derivative, n + 1, n);
    make_box(box, p, SMALL_BOX);
    ic_status status = evaluate_orbit(p, image, derivative, box);
    if (status == IC_OK && !approximate_inverse(p, derivative))
        status = fail(p->orbit, IC_UNDECIDED, "the periodic orbit is not isolated: I - P' is singular");
    return status;
}

/* x becomes x + Y (P(x) - x), rounded. */
static void improve(orbit_proof *p)
{
    const slong m = p->map.m, precision = p->map.precision, *u = p->map.unknown;
    arb_ptr x = p->orbit->x;
    IC_BALLS(residual);
    IC_BALL_VECTOR(change, m);
    for (slong k = 0; k < m; k++) {
        arb_sub(residual, p->image + u[k], x + u[k], precision);
        for (slong i = 0; i < m; i++)
            arb_addmul(change + i, arb_mat_entry(p->inverse, i, k), residual, precision);
    }
    for (slong i = 0; i < m; i++) {
        arb_add(x + u[i], x + u[i], change + i, precision);
        arb_get_mid_arb(x + u[i], x + u[i]);
    }
}

/* x becomes an approximation of full precision; the image is that of x. */
static ic_status refine(orbit_proof *p)
{
    const slong n = p->orbit->n;
    IC_BALL_VECTOR(first, n);
    _arb_vec_set(first, p->orbit->x, n);
    double before = INFINITY;
    ic_status status = IC_OK;
    for (int step = 0; step < MOST_NEWTON_STEPS; step++) {
        status = evaluate_orbit(p, p->image, NULL, p->orbit->x);
        if (status != IC_OK) break;
        const double residual = distance(p, p->orbit->x, p->image);
        if (residual == 0 || (step > 1 && before < CLOSE && !(residual < 0.5 * before))) break;
        if (!(before < CLOSE)) status = find_inverse(p);
        if (status != IC_OK) break;
        before = residual;
        improve(p);
        if (!(distance(p, p->orbit->x, first) < NEAR)) {
            status = fail(p->orbit, IC_UNDECIDED, "Newton's method finds no orbit near the approximation");
            break;
        }
    }
    return status;
}

/* ---- Krawczyk's operator */

/* contraction = I - Y (I - P') */
static void find_contraction(arb_mat_t contraction, const orbit_proof *p, const arb_mat_t derivative)
{
    const slong m = p->map.m, precision = p->map.precision;
    IC_BALL_MATRIX(one, m, m);
    arb_mat_one(one);
    reduce(contraction, p, derivative);
    arb_mat_sub(contraction, one, contraction, precision);
    arb_mat_mul(contraction, p->inverse, contraction, precision);
    arb_mat_sub(contraction, one, contraction, precision);
}

/* image = K(X) for a box X around x; true if it lies in the interior of X. derivative receives P'(X). */
static bool apply_krawczyk(orbit_proof *p, arb_ptr image, arb_ptr of_box, arb_mat_t derivative, arb_srcptr box)
{
    const slong m = p->map.m, precision = p->map.precision, *u = p->map.unknown;
    arb_srcptr x = p->orbit->x;
    IC_BALLS(part);
    if (evaluate_orbit(p, of_box, derivative, box) != IC_OK) return false;
    IC_BALL_MATRIX(contraction, m, m);
    find_contraction(contraction, p, derivative);
    bool inside = true;
    _arb_vec_set(image, x, p->orbit->n);
    for (slong i = 0; i < m; i++) {
        for (slong k = 0; k < m; k++) {
            arb_sub(part, box + u[k], x + u[k], precision);
            arb_addmul(image + u[i], arb_mat_entry(contraction, i, k), part, precision);
            arb_sub(part, p->image + u[k], x + u[k], precision);
            arb_addmul(image + u[i], arb_mat_entry(p->inverse, i, k), part, precision);
        }
        inside = inside && arb_contains_interior(box + u[i], image + u[i]);
    }
    if (!inside) fail(p->orbit, IC_UNDECIDED, "Krawczyk's operator does not map any box into itself");
    return inside;
}

/* ---- what is said of the orbit */

static void describe(orbit_proof *p, const arb_mat_t derivative, arb_srcptr of_box)
{
    ic_orbit *orbit = p->orbit;
    IC_BALLS(one);
    orbit->m = p->map.m;
    IC_BALL_MATRIX(reduced, orbit->m, orbit->m);
    arb_one(one);
    reduce(reduced, p, derivative);
    orbit->multipliers = _acb_vec_init(orbit->m);
    if (ic_multipliers(orbit->multipliers, reduced, orbit->precision)) {
        ic_largest_modulus(orbit->radius, orbit->multipliers, orbit->m, orbit->precision);
    } else {
        _acb_vec_clear(orbit->multipliers, orbit->m);
        orbit->multipliers = NULL;
        ic_spectral_radius(orbit->radius, reduced, orbit->precision);
    }
    orbit->stable = arb_lt(orbit->radius, one);
    orbit->unstable = arb_gt(orbit->radius, one);
    orbit->events = p->map.events;
    if (p->map.event == NULL) arb_mul_si(orbit->period, p->map.period, orbit->multiple, orbit->precision);
    else arb_set(orbit->period, of_box + orbit->n);
}

/*
 * Whether `q` returns lead elsewhere from the fixed point, to other states or, at that time, to another mode: 1;
 * or back to it: 0. -1: not decided. In the second case q returns have a fixed point in the box in which m
 * returns have only one.
 */
static int leads_elsewhere(orbit_proof *p, int q, arb_srcptr alone)
{
    const slong n = p->orbit->n;
    const int multiple = p->orbit->multiple;
    IC_BALL_VECTOR(image, n + 1);
    IC_BALL_VECTOR(of_box, n + 1);
    IC_BALL_MATRIX(derivative, n + 1, n);
    int answer = -1;
    const ic_status status = ic_return_box(&p->map, image, NULL, p->orbit->x, q);
    for (slong i = 0; status == IC_OK && i < n; i++) {
        if (!arb_overlaps(p->orbit->x + i, image + i)) answer = 1;
    }
    if (status == IC_OK && answer < 0 && p->map.mode_at_end == p->map.mode) {
        /* the fixed point of q returns, near the same place */
        orbit_proof smaller = *p;
        ic_orbit copy = *p->orbit;
        copy.multiple = q;
        IC_BALL_VECTOR(x, n);
        copy.x = x;
        for (slong i = 0; i < n; i++) arb_get_mid_arb(copy.x + i, p->orbit->x + i);
        smaller.orbit = &copy;
        if (find_inverse(&smaller) == IC_OK && evaluate_orbit(&smaller, p->image, NULL, copy.x) == IC_OK &&
            apply_krawczyk(&smaller, image, of_box, derivative, alone))
            answer = 0;
    }
    p->orbit->multiple = multiple;
    return answer;
}

/* Decides whether the multiple is the smallest. `alone`: the box in which the fixed point is the only one. */
static void find_smallest(orbit_proof *p, arb_srcptr alone)
{
    ic_orbit *orbit = p->orbit;
    orbit->minimal = true;
    for (int q = 1; q <= orbit->multiple / 2 && orbit->smaller == 0; q++) {
        if (orbit->multiple % q != 0) continue;
        const int elsewhere = leads_elsewhere(p, q, alone);
        orbit->minimal = orbit->minimal && elsewhere == 1;
        if (elsewhere == 0) orbit->smaller = q;
    }
}

static void prove(orbit_proof *p, long digits)
{
    ic_orbit *orbit = p->orbit;
    const slong n = orbit->n;
    IC_BALL_VECTOR(alone, n);
    IC_BALL_VECTOR(narrow, n);
    IC_BALL_VECTOR(image, n);
    IC_BALL_VECTOR(narrow_image, n);
    IC_BALL_VECTOR(of_box, n + 1);
    IC_BALL_MATRIX(derivative, n + 1, n);
    bool proved = false;
    double radius = FIRST_BOX;
    for (int k = 0; k < BOXES && !proved; k++, radius *= BOX_FACTOR) {
        make_box(alone, p, radius);
        proved = apply_krawczyk(p, image, of_box, derivative, alone);
        orbit->alone_within = radius;
    }
    if (proved) {
        /* a box of the requested width that the operator maps into itself narrows the fixed point */
        make_box(narrow, p, pow(10, -(double)digits));
        if (apply_krawczyk(p, narrow_image, of_box, derivative, narrow)) _arb_vec_swap(image, narrow_image, n);
        else proved = apply_krawczyk(p, image, of_box, derivative, alone);
    }
    if (proved) {
        _arb_vec_set(orbit->x, image, n);
        orbit->status = IC_OK;
        orbit->reason[0] = '\0';
        describe(p, derivative, of_box);
        find_smallest(p, alone);
        orbit->status = IC_OK;
        orbit->reason[0] = '\0';
    }
}

void ic_orbit_certify(ic_orbit *orbit, const ic_problem *problem, const ic_orbit_request *request)
{
    const slong n = (slong)problem->system->n_states;
    *orbit = (ic_orbit){.n = n, .multiple = request->multiple, .mode = request->mode, .status = IC_UNDECIDED};
    orbit->precision = SPARE_BITS + (slong)(3.33 * (double)request->digits);
    orbit->x = _arb_vec_init(n);
    arb_init(orbit->radius);
    arb_init(orbit->period);
    double start[IC_MAX_STATES];
    memcpy(start, request->x, (size_t)n * sizeof *start);
    ic_round_discrete_states(start, problem);
    for (slong i = 0; i < n; i++) arb_set_d(orbit->x + i, start[i]);
    orbit_proof p = {.orbit = orbit};
    const ic_status status = ic_return_map_open(&p.map, problem, start, request->mode, request->event,
                                                request->latest, orbit->precision);
    IC_BALL_MATRIX(inverse, p.map.m, p.map.m);
    IC_BALL_VECTOR(image, n + 1);
    p.inverse = inverse;
    p.image = image;
    if (status != IC_OK) fail(orbit, status, p.map.message);
    else if (refine(&p) == IC_OK) prove(&p, request->digits);
    ic_return_map_close(&p.map);
}

void ic_orbit_clear(ic_orbit *orbit)
{
    _arb_vec_clear(orbit->x, orbit->n);
    if (orbit->multipliers != NULL) _acb_vec_clear(orbit->multipliers, orbit->m);
    arb_clear(orbit->radius);
    arb_clear(orbit->period);
    *orbit = (ic_orbit){0};
}
