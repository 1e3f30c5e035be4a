/* SPDX-License-Identifier: MIT */
#include "reference/flow/flow_set.h"
#include "reference/store.h"

#include <math.h>
#include <stdbool.h>

/* Precision of the orthogonal matrices, which need not be exactly orthogonal. */
enum { WORKING_BITS = IC_SECTION_BITS };

/* Errors greater than this part of an extent are noise, which must not leave its coordinate. */
enum { NOISE_BITS = 5 };

void ic_flow_set_init(ic_flow_set *set, slong n)
{
    *set = (ic_flow_set){.n = n};
    set->centre = _arb_vec_init(n);
    arb_mat_init(set->frame, n, 0);
}

void ic_flow_set_clear(ic_flow_set *set)
{
    if (set->centre == NULL) return;
    _arb_vec_clear(set->centre, set->n);
    _mag_vec_clear(set->radius, set->columns);
    arb_mat_clear(set->frame);
    set->centre = NULL;
}

void ic_flow_set_copy(ic_flow_set *set, const ic_flow_set *from)
{
    ic_flow_set_clear(set);
    ic_flow_set_init(set, from->n);
    set->columns = from->columns;
    set->radius = _mag_vec_init(from->columns);
    _arb_vec_set(set->centre, from->centre, from->n);
    for (slong j = 0; j < from->columns; j++) mag_set(set->radius + j, from->radius + j);
    arb_mat_clear(set->frame);
    arb_mat_init(set->frame, from->n, from->columns);
    arb_mat_set(set->frame, from->frame);
}

void ic_flow_set_spread(mag_t spread, const ic_flow_set *set, slong i)
{
    IC_BOUNDS(size);
    mag_zero(spread);
    for (slong j = 0; j < set->columns; j++) {
        arb_get_mag(size, arb_mat_entry(set->frame, i, j));
        mag_addmul(spread, size, set->radius + j);
    }
}

void ic_flow_set_box(arb_ptr box, const ic_flow_set *set)
{
    IC_BOUNDS(spread);
    for (slong i = 0; i < set->n; i++) {
        ic_flow_set_spread(spread, set, i);
        arb_set(box + i, set->centre + i);
        arb_add_error_mag(box + i, spread);
    }
}

/* ---- replacing the frame */

/* Replaces frame and radii, and scales the columns so that radii lie between 1/2 and 1. */
static void replace(ic_flow_set *set, arb_mat_t frame, mag_ptr radius, slong columns)
{
    arb_mat_swap(set->frame, frame);
    _mag_vec_clear(set->radius, set->columns);
    set->radius = radius;
    set->columns = columns;
    for (slong j = 0; j < columns; j++) {
        if (mag_is_zero(radius + j)) continue;
        const slong exponent = (slong)MAG_EXP(radius + j);
        mag_mul_2exp_si(radius + j, radius + j, -exponent);
        for (slong i = 0; i < set->n; i++)
            arb_mul_2exp_si(arb_mat_entry(set->frame, i, j), arb_mat_entry(set->frame, i, j), exponent);
    }
}

/* Radii along the coordinates. Coordinates without a radius have no column. */
static void place_errors(ic_flow_set *set, mag_srcptr error)
{
    slong columns = 0, j = 0;
    for (slong i = 0; i < set->n; i++) columns += !mag_is_zero(error + i);
    IC_BALL_MATRIX(frame, set->n, columns);
    mag_ptr radius = _mag_vec_init(columns);
    for (slong i = 0; i < set->n; i++) {
        if (mag_is_zero(error + i)) continue;
        arb_one(arb_mat_entry(frame, i, j));
        mag_set(radius + j++, error + i);
    }
    replace(set, frame, radius, columns);
}

/* Splits balls into an exact centre and errors. */
static void split(ic_flow_set *set, mag_ptr error, arb_srcptr image)
{
    for (slong i = 0; i < set->n; i++) {
        mag_set(error + i, arb_radref(image + i));
        arb_get_mid_arb(set->centre + i, image + i);
    }
}

void ic_flow_set_place(ic_flow_set *set, arb_srcptr box)
{
    IC_BOUND_VECTOR(error, set->n);
    split(set, error, box);
    place_errors(set, error);
}

/* The map of a set, on the coordinates that are not exact afterwards. */
typedef struct set_map {
    /* number of these coordinates, and their numbers */
    slong n, *coordinates;

    /* derivative times frame, rows of these coordinates, scaled by 1/extent: n x columns */
    arb_mat_t image;

    /* error of the centre, divided by `extent` */
    mag_ptr error;

    /* bounds error and |image r| before scaling */
    mag_ptr extent;

    ic_store store;
} set_map;

static void set_map_init(set_map *m, const ic_flow_set *set, const arb_mat_t whole, mag_srcptr error)
{
    IC_BOUNDS(size);
    *m = (set_map){0};
    m->coordinates = ic_store_zeros(&m->store, (size_t)set->n, sizeof *m->coordinates);
    m->extent = ic_store_bounds(&m->store, set->n);
    m->error = ic_store_bounds(&m->store, set->n);
    for (slong i = 0; i < set->n; i++) {
        mag_ptr extent = m->extent + m->n;
        mag_set(extent, error + i);
        for (slong j = 0; j < set->columns; j++) {
            arb_get_mag(size, arb_mat_entry(whole, i, j));
            mag_addmul(extent, size, set->radius + j);
        }
        if (mag_is_zero(extent)) continue;
        /* a power of two, so that scaling is exact */
        mag_set_ui_2exp_si(extent, 1, (slong)MAG_EXP(extent));
        mag_div(m->error + m->n, error + i, extent);
        m->coordinates[m->n++] = i;
    }
    arb_mat_init(m->image, m->n, set->columns);
    for (slong k = 0; k < m->n; k++) {
        const slong exponent = (slong)MAG_EXP(m->extent + k) - 1;
        for (slong j = 0; j < set->columns; j++)
            arb_mul_2exp_si(arb_mat_entry(m->image, k, j), arb_mat_entry(whole, m->coordinates[k], j),
                            -exponent);
    }
}

/* Length of column j of the image times its radius, not rigorous. */
static double column_length(const set_map *m, const ic_flow_set *set, slong j)
{
    double sum = 0;
    for (slong k = 0; k < m->n; k++) {
        const double x = arf_get_d(arb_midref(arb_mat_entry(m->image, k, j)), ARF_RND_NEAR);
        sum += x * x;
    }
    return sqrt(sum) * mag_get_d(set->radius + j);
}

/* Subtracts from v its parts along the first `done` columns of q, and makes its length 1. false: nothing is left. */
static bool orthogonalise(arb_mat_t q, slong done, double *v, slong n, double whole)
{
    for (int pass = 0; pass < 2; pass++) {
        for (slong j = 0; j < done; j++) {
            double part = 0;
            for (slong k = 0; k < n; k++)
                part += v[k] * arf_get_d(arb_midref(arb_mat_entry(q, k, j)), ARF_RND_NEAR);
            for (slong k = 0; k < n; k++)
                v[k] -= part * arf_get_d(arb_midref(arb_mat_entry(q, k, j)), ARF_RND_NEAR);
        }
    }
    double length = 0;
    for (slong k = 0; k < n; k++) length += v[k] * v[k];
    length = sqrt(length);
    if (!(length > 1e-6 * whole) || !isfinite(length)) return false;
    for (slong k = 0; k < n; k++) arb_set_d(arb_mat_entry(q, k, done), v[k] / length);
    return true;
}

/* Appends an axis to the columns of q and p, unless it depends on them. Returns how many columns there are. */
static slong append_axis(arb_mat_t q, arb_mat_t p, slong done, slong axis, double *v, slong n)
{
    for (slong k = 0; k < n; k++) v[k] = k == axis;
    if (!orthogonalise(q, done, v, n, 1)) return done;
    for (slong k = 0; k < n; k++) arb_set(arb_mat_entry(p, k, done), arb_mat_entry(q, k, done));
    return done + 1;
}

/* Whether the error of the centre is a good part of the extent of this coordinate. */
static bool is_noisy(const set_map *m, slong k)
{
    return mag_cmp_2exp_si(m->error + k, -NOISE_BITS) > 0;
}

/*
 * Fills q (n x n) with nearly orthogonal columns, that of the longest column of the image first:
 * directions in which the set is long keep their direction. p has the same columns of the image as they
 * are, and those of q where there are no more. Axes of noisy coordinates come first if `axes` is true.
 */
static void choose_frames(arb_mat_t q, arb_mat_t p, const set_map *m, const ic_flow_set *set, bool axes)
{
    const slong n = m->n;
    slong done = 0;
    IC_ZEROS(double, v, n);
    IC_ZEROS(double, lengths, set->columns);
    for (slong axis = 0; axis < n && axes; axis++) {
        if (is_noisy(m, axis)) done = append_axis(q, p, done, axis, v, n);
    }
    for (slong j = 0; j < set->columns; j++) lengths[j] = column_length(m, set, j);
    while (done < n) {
        slong longest = -1;
        for (slong j = 0; j < set->columns; j++) {
            if (lengths[j] > 0 && (longest < 0 || lengths[j] > lengths[longest])) longest = j;
        }
        if (longest < 0) break;
        const double whole = lengths[longest] / mag_get_d(set->radius + longest);
        lengths[longest] = 0;
        for (slong k = 0; k < n; k++)
            v[k] = arf_get_d(arb_midref(arb_mat_entry(m->image, k, longest)), ARF_RND_NEAR);
        if (!orthogonalise(q, done, v, n, whole)) continue;
        for (slong k = 0; k < n; k++)
            arb_get_mid_arb(arb_mat_entry(p, k, done), arb_mat_entry(m->image, k, longest));
        done++;
    }
    for (slong axis = 0; axis < n && done < n; axis++) done = append_axis(q, p, done, axis, v, n);
}

/* The set after the map with axes along the coordinates: the fallback. */
static void use_box(ic_flow_set *set, const set_map *m, mag_ptr error)
{
    IC_BOUNDS(size);
    for (slong i = 0; i < set->n; i++) mag_zero(error + i);
    for (slong k = 0; k < m->n; k++) {
        mag_ptr e = error + m->coordinates[k];
        mag_set(e, m->error + k);
        for (slong j = 0; j < set->columns; j++) {
            arb_get_mag(size, arb_mat_entry(m->image, k, j));
            mag_addmul(e, size, set->radius + j);
        }
        mag_mul(e, e, m->extent + k);
    }
    place_errors(set, error);
}

/* Radii in the frame q: |q^-1 image| rho + |q^-1| error. false: q cannot be inverted. */
static bool radii_in_frame(mag_ptr radius, const arb_mat_t q, const set_map *m, const ic_flow_set *set)
{
    IC_BOUNDS(size);
    IC_BALL_MATRIX(inverse, m->n, m->n);
    IC_BALL_MATRIX(image, m->n, set->columns);
    const bool good = arb_mat_inv(inverse, q, WORKING_BITS) != 0;
    if (good) arb_mat_mul(image, inverse, m->image, WORKING_BITS);
    for (slong k = 0; k < m->n && good; k++) {
        for (slong j = 0; j < set->columns; j++) {
            arb_get_mag(size, arb_mat_entry(image, k, j));
            mag_addmul(radius + k, size, set->radius + j);
        }
        for (slong j = 0; j < m->n; j++) {
            arb_get_mag(size, arb_mat_entry(inverse, k, j));
            mag_addmul(radius + k, size, m->error + j);
        }
    }
    return good;
}

/* log2 of the product of the extents |q| radius of the coordinates. */
static double log_extents(const arb_mat_t q, mag_srcptr radius, slong n)
{
    double sum = 0;
    IC_BOUNDS(extent, size);
    for (slong k = 0; k < n; k++) {
        mag_zero(extent);
        for (slong j = 0; j < n; j++) {
            arb_get_mag(size, arb_mat_entry(q, k, j));
            mag_addmul(extent, size, radius + j);
        }
        sum += mag_is_inf(extent) ? INFINITY : mag_get_d_log2_approx(extent);
    }
    return sum;
}

/* Makes q the frame of the set. */
static void use_frame(ic_flow_set *set, const arb_mat_t q, mag_ptr radius, const set_map *m)
{
    IC_BALL_MATRIX(frame, set->n, m->n);
    for (slong k = 0; k < m->n; k++) {
        const slong exponent = (slong)MAG_EXP(m->extent + k) - 1;
        for (slong j = 0; j < m->n; j++)
            arb_mul_2exp_si(arb_mat_entry(frame, m->coordinates[k], j), arb_mat_entry(q, k, j), exponent);
    }
    replace(set, frame, radius, m->n);
}

/* The frame in which the set is smallest so far. */
typedef struct best_frame {
    arb_mat_t frame;
    mag_ptr radius;
    double log_extents;
} best_frame;

static void consider(best_frame *best, arb_mat_t frame, const set_map *m, const ic_flow_set *set)
{
    mag_ptr radius = _mag_vec_init(m->n);
    const double log = radii_in_frame(radius, frame, m, set) ? log_extents(frame, radius, m->n) : INFINITY;
    if (log < best->log_extents) {
        arb_mat_set(best->frame, frame);
        mag_ptr other = best->radius;
        best->radius = radius;
        radius = other;
        best->log_extents = log;
    }
    _mag_vec_clear(radius, m->n);
}

/*
 * A parallelepiped follows oscillations without loss; where it has become flat, QR is better; and where the flow
 * shrinks some coordinates down to the errors of a step, axes along these keep the errors from all others.
 */
static void consider_frames(best_frame *best, const set_map *m, const ic_flow_set *set)
{
    int ways = 1;
    for (slong k = 0; k < m->n; k++) ways = is_noisy(m, k) ? 2 : ways;
    for (int way = 0; way < ways; way++) {
        IC_BALL_MATRIX(q, m->n, m->n);
        IC_BALL_MATRIX(p, m->n, m->n);
        choose_frames(q, p, m, set, way > 0);
        consider(best, q, m, set);
        consider(best, p, m, set);
    }
}

/* Bits of the largest entry of a derivative above 1: large entries cancel where a section is nearly touched. */
static slong excess_exponent(const arb_mat_t derivative)
{
    IC_BOUNDS(size, largest);
    for (slong i = 0; i < arb_mat_nrows(derivative); i++) {
        for (slong j = 0; j < arb_mat_ncols(derivative); j++) {
            arb_get_mag(size, arb_mat_entry(derivative, i, j));
            mag_max(largest, largest, size);
        }
    }
    const double bits = mag_is_special(largest) ? 0 : mag_get_d_log2_approx(largest);
    return bits > 0 ? (slong)bits : 0;
}

void ic_flow_set_map(ic_flow_set *set, arb_srcptr image, const arb_mat_t derivative)
{
    set_map m;
    IC_BOUND_VECTOR(error, set->n);
    IC_BALL_MATRIX(whole, set->n, set->columns);
    arb_mat_mul(whole, derivative, set->frame, WORKING_BITS + excess_exponent(derivative));
    split(set, error, image);
    set_map_init(&m, set, whole, error);
    best_frame best = {.radius = _mag_vec_init(m.n), .log_extents = INFINITY};
    arb_mat_init(best.frame, m.n, m.n);
    consider_frames(&best, &m, set);
    if (best.log_extents < INFINITY) {
        use_frame(set, best.frame, best.radius, &m);
    } else {
        use_box(set, &m, error);
        _mag_vec_clear(best.radius, m.n);
    }
    arb_mat_clear(best.frame);
    arb_mat_clear(m.image);
    ic_store_free(&m.store);
}
