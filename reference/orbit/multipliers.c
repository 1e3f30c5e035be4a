/* SPDX-License-Identifier: MIT */
#include "reference/orbit/multipliers.h"

#include <math.h>

bool ic_multipliers(acb_ptr multipliers, const arb_mat_t matrix, slong precision)
{
    const slong n = arb_mat_nrows(matrix);
    acb_mat_t a, right;
    IC_COMPLEX_VECTOR(approximate, n);
    acb_mat_init(a, n, n);
    acb_mat_init(right, n, n);
    acb_mat_set_arb_mat(a, matrix);
    acb_mat_approx_eig_qr(approximate, NULL, right, a, NULL, 0, precision);
    /* multiple eigenvalues (zero twice, where contact forgets its past) are enclosed as clusters */
    const bool separated = acb_mat_eig_multiple(multipliers, a, approximate, right, precision) != 0;
    acb_mat_clear(a);
    acb_mat_clear(right);
    return separated;
}

void ic_largest_modulus(arb_t modulus, acb_srcptr numbers, slong n, slong precision)
{
    IC_BALLS(next);
    arb_zero(modulus);
    for (slong i = 0; i < n; i++) {
        acb_abs(next, numbers + i, precision);
        arb_max(modulus, modulus, next, precision);
    }
}

void ic_spectral_radius(arb_t radius, const arb_mat_t matrix, slong precision)
{
    enum { DOUBLINGS = 5 };
    const slong n = arb_mat_nrows(matrix);
    IC_BALL_MATRIX(power, n, n);
    arb_mat_set(power, matrix);
    for (int k = 0; k < DOUBLINGS; k++) arb_mat_sqr(power, power, precision);
    IC_BOUNDS(bound);
    arb_mat_bound_inf_norm(bound, power);
    mag_root(bound, bound, 1u << DOUBLINGS);
    /* between 0 and the bound */
    arf_set_mag(arb_midref(radius), bound);
    arf_mul_2exp_si(arb_midref(radius), arb_midref(radius), -1);
    mag_mul_2exp_si(arb_radref(radius), bound, -1);
}

/* discs around the diagonal of V^-1 A V, for approximate eigenvectors V, which contain the eigenvalues (Gershgorin) */
static bool find_discs(acb_ptr centres, mag_ptr radii, const arb_mat_t matrix, slong precision)
{
    const slong n = arb_mat_nrows(matrix);
    acb_mat_t a, middle, right, inverse;
    IC_BOUNDS(size);
    acb_mat_init(a, n, n), acb_mat_init(middle, n, n), acb_mat_init(right, n, n), acb_mat_init(inverse, n, n);
    acb_mat_set_arb_mat(a, matrix);
    acb_mat_get_mid(middle, a);
    acb_mat_approx_eig_qr(centres, NULL, right, middle, NULL, 0, precision);
    acb_mat_get_mid(right, right);
    const bool good = acb_mat_inv(inverse, right, precision) != 0;
    if (good) {
        acb_mat_mul(a, inverse, a, precision);
        acb_mat_mul(a, a, right, precision);
    }
    for (slong i = 0; i < n && good; i++) {
        mag_zero(radii + i);
        for (slong k = 0; k < n; k++) {
            if (k == i) continue;
            acb_get_mag(size, acb_mat_entry(a, i, k));
            mag_add(radii + i, radii + i, size);
        }
        acb_set(centres + i, acb_mat_entry(a, i, i));
        mag_hypot(size, arb_radref(acb_realref(centres + i)), arb_radref(acb_imagref(centres + i)));
        mag_add(radii + i, radii + i, size);
        acb_get_mid(centres + i, centres + i);
    }
    acb_mat_clear(a), acb_mat_clear(middle), acb_mat_clear(right), acb_mat_clear(inverse);
    return good;
}

/* Whether two discs, or a disc and a ball on the real axis, have no point in common. */
static bool apart(const acb_t a, const mag_t a_radius, const acb_t b, const mag_t b_radius, slong precision)
{
    IC_COMPLEX_BALLS(difference);
    IC_BALLS(distance, radius);
    acb_sub(difference, a, b, precision);
    acb_abs(distance, difference, precision);
    arf_set_mag(arb_midref(radius), a_radius);
    arb_sub(distance, distance, radius, precision);
    arf_set_mag(arb_midref(radius), b_radius);
    arb_sub(distance, distance, radius, precision);
    return arb_is_positive(distance);
}

/* Whether a disc lies inside the unit circle. */
static bool inside(const acb_t centre, const mag_t radius, slong precision)
{
    IC_BALLS(modulus);
    acb_abs(modulus, centre, precision);
    arb_add_error_mag(modulus, radius);
    arb_sub_si(modulus, modulus, 1, precision);
    return arb_is_negative(modulus);
}

/*
 * All discs but one lie inside, and that one and the ball `except` are apart from all others. Or all discs lie
 * inside.
 */
static bool discs_inside(const arb_mat_t matrix, const arb_t except, slong precision)
{
    const slong n = arb_mat_nrows(matrix);
    IC_COMPLEX_VECTOR(centres, n);
    IC_BOUND_VECTOR(radii, n);
    IC_COMPLEX_BALLS(exception);
    acb_set_arb(exception, except);
    slong outside = -1;
    bool good = find_discs(centres, radii, matrix, precision);
    for (slong i = 0; i < n && good; i++) {
        if (inside(centres + i, radii + i, precision)) continue;
        good = outside < 0;
        outside = i;
    }
    for (slong k = 0; k < n && good && outside >= 0; k++) {
        if (k == outside) continue;
        good = apart(centres + k, radii + k, centres + outside, radii + outside, precision) &&
               apart(centres + k, radii + k, exception, arb_radref(acb_imagref(exception)), precision);
    }
    return good;
}

bool ic_others_inside(const arb_mat_t matrix, const arb_t except, slong precision)
{
    if (discs_inside(matrix, except, precision)) return true;
    const slong n = arb_mat_nrows(matrix);
    IC_COMPLEX_VECTOR(numbers, n);
    IC_COMPLEX_BALLS(exception);
    IC_BALLS(modulus, one);
    arb_one(one);
    acb_set_arb(exception, except);
    slong outside = 0;
    bool good = ic_multipliers(numbers, matrix, precision);
    for (slong i = 0; i < n && good; i++) {
        acb_abs(modulus, numbers + i, precision);
        if (arb_lt(modulus, one)) continue;
        outside++;
        /* the balls of several eigenvalues are equal where these were not separated */
        good = acb_overlaps(numbers + i, exception);
        for (slong k = 0; k < n && good; k++) {
            if (k == i) continue;
            good = !acb_overlaps(numbers + k, numbers + i) && !acb_overlaps(numbers + k, exception);
        }
    }
    good = good && outside <= 1;
    return good;
}

/* The distance of a number from -1; infinite, if its imaginary part is not less than `real`. */
static double from_minus_one(const acb_t number, double real)
{
    const double re = arf_get_d(arb_midref(acb_realref(number)), ARF_RND_NEAR);
    const double im = arf_get_d(arb_midref(acb_imagref(number)), ARF_RND_NEAR);
    return fabs(im) < real ? fabs(re + 1) : INFINITY;
}

/* A column, which is a complex multiple of a real vector, divided by its largest element; not rigorous. */
static void real_column(arb_ptr vector, const acb_mat_t matrix, slong column, slong precision)
{
    const slong n = acb_mat_nrows(matrix);
    slong largest = 0;
    IC_BOUNDS(size, most);
    IC_COMPLEX_BALLS(quotient);
    for (slong i = 0; i < n; i++) {
        acb_get_mag(size, acb_mat_entry(matrix, i, column));
        if (mag_cmp(size, most) > 0) largest = i;
        mag_max(most, most, size);
    }
    for (slong i = 0; i < n; i++) {
        acb_div(quotient, acb_mat_entry(matrix, i, column), acb_mat_entry(matrix, largest, column), precision);
        arb_get_mid_arb(vector + i, acb_realref(quotient));
    }
}

bool ic_real_eigenvector(arb_ptr vector, arb_t value, const arb_mat_t matrix, double real, slong precision)
{
    const slong n = arb_mat_nrows(matrix);
    acb_mat_t a, right;
    IC_COMPLEX_VECTOR(numbers, n);
    slong closest = -1;
    acb_mat_init(a, n, n);
    acb_mat_init(right, n, n);
    acb_mat_set_arb_mat(a, matrix);
    acb_mat_get_mid(a, a);
    acb_mat_approx_eig_qr(numbers, NULL, right, a, NULL, 0, precision);
    for (slong i = 0; i < n; i++) {
        const double distance = from_minus_one(numbers + i, real);
        if (isfinite(distance) && (closest < 0 || distance < from_minus_one(numbers + closest, real)))
            closest = i;
    }
    if (closest >= 0) {
        real_column(vector, right, closest, precision);
        arb_get_mid_arb(value, acb_realref(numbers + closest));
    }
    acb_mat_clear(a);
    acb_mat_clear(right);
    return closest >= 0;
}
