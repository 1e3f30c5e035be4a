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
