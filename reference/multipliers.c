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
