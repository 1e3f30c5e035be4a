/* SPDX-License-Identifier: MIT */
#include "reference/multipliers.h"

bool ic_multipliers(acb_ptr multipliers, const arb_mat_t matrix, slong precision)
{
    const slong n = arb_mat_nrows(matrix);
    acb_mat_t a, right;
    acb_ptr approximate = _acb_vec_init(n);
    acb_mat_init(a, n, n);
    acb_mat_init(right, n, n);
    acb_mat_set_arb_mat(a, matrix);
    acb_mat_approx_eig_qr(approximate, NULL, right, a, NULL, 0, precision);
    /* multiple eigenvalues (zero twice, where contact forgets its past) are enclosed as clusters */
    const bool separated = acb_mat_eig_multiple(multipliers, a, approximate, right, precision) != 0;
    _acb_vec_clear(approximate, n);
    acb_mat_clear(a);
    acb_mat_clear(right);
    return separated;
}

void ic_largest_modulus(arb_t modulus, acb_srcptr numbers, slong n, slong precision)
{
    arb_t next;
    arb_init(next);
    arb_zero(modulus);
    for (slong i = 0; i < n; i++) {
        acb_abs(next, numbers + i, precision);
        arb_max(modulus, modulus, next, precision);
    }
    arb_clear(next);
}

void ic_spectral_radius(arb_t radius, const arb_mat_t matrix, slong precision)
{
    enum { DOUBLINGS = 5 };
    const slong n = arb_mat_nrows(matrix);
    arb_mat_t power;
    arb_mat_init(power, n, n);
    arb_mat_set(power, matrix);
    for (int k = 0; k < DOUBLINGS; k++) arb_mat_sqr(power, power, precision);
    mag_t bound;
    mag_init(bound);
    arb_mat_bound_inf_norm(bound, power);
    mag_root(bound, bound, 1u << DOUBLINGS);
    /* between 0 and the bound */
    arf_set_mag(arb_midref(radius), bound);
    arf_mul_2exp_si(arb_midref(radius), arb_midref(radius), -1);
    mag_mul_2exp_si(arb_radref(radius), bound, -1);
    mag_clear(bound);
    arb_mat_clear(power);
}

/* Whether number i is real: it is apart from all others, and so is its conjugate. */
static bool is_real(acb_srcptr numbers, slong n, slong i)
{
    bool alone = arb_contains_zero(acb_imagref(numbers + i));
    acb_t conjugate;
    acb_init(conjugate);
    acb_conj(conjugate, numbers + i);
    for (slong k = 0; k < n; k++) {
        if (k == i) continue;
        alone = alone && !acb_overlaps(numbers + i, numbers + k) && !acb_overlaps(conjugate, numbers + k);
    }
    acb_clear(conjugate);
    return alone;
}

/* The number whose middle is closest to -1. */
static slong closest_to_minus_one(acb_srcptr numbers, slong n, slong precision)
{
    slong closest = 0;
    arb_t least, distance;
    acb_t difference;
    arb_init(least), arb_init(distance), acb_init(difference);
    for (slong i = 0; i < n; i++) {
        acb_add_si(difference, numbers + i, 1, precision);
        acb_abs(distance, difference, precision);
        if (i > 0 && arf_cmp(arb_midref(distance), arb_midref(least)) >= 0) continue;
        arb_set(least, distance);
        closest = i;
    }
    arb_clear(least), arb_clear(distance), acb_clear(difference);
    return closest;
}

ic_multiplier_places ic_place_multipliers(arb_t critical, const arb_mat_t matrix, slong precision)
{
    const slong n = arb_mat_nrows(matrix);
    ic_multiplier_places places = IC_MULTIPLIERS_UNDECIDED;
    acb_ptr numbers = _acb_vec_init(n);
    arb_t modulus, one;
    arb_init(modulus), arb_init(one);
    arb_one(one);
    arb_indeterminate(critical);
    if (ic_multipliers(numbers, matrix, precision)) {
        const slong c = closest_to_minus_one(numbers, n, precision);
        bool others = true;
        for (slong i = 0; i < n; i++) {
            acb_abs(modulus, numbers + i, precision);
            others = others && (i == c || arb_lt(modulus, one));
        }
        const bool real = is_real(numbers, n, c);
        if (real) arb_set(critical, acb_realref(numbers + c));
        acb_abs(modulus, numbers + c, precision);
        arb_neg(one, one);
        if (others && real && arb_lt(critical, one)) places = IC_MULTIPLIERS_ONE_BELOW;
        arb_neg(one, one);
        if (others && arb_lt(modulus, one)) places = IC_MULTIPLIERS_INSIDE;
    }
    _acb_vec_clear(numbers, n);
    arb_clear(modulus), arb_clear(one);
    return places;
}
