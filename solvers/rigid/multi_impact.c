/* SPDX-License-Identifier: MIT */
#include "solvers/rigid/multi_impact.h"

#include "core/numbers.h"

#include <float.h>
#include <math.h>

/* W_ij and W_ji are the same sum in another order: a few roundings of terms not above sqrt(W_ii W_jj). */
#define ASYMMETRY (64 * DBL_EPSILON)

const char *ic_multi_impact_fault(const ic_multi_impact *impact)
{
    const size_t n = impact->n;
    const double *W = impact->W;
    if (n < 1 || n > IC_MULTI_CONTACTS) return "the number of contacts is not from 1 to 64";
    if (!ic_all_finite(W, n * n) || !ic_all_finite(impact->u, n) || !ic_all_finite(impact->e, n))
        return "a number of the impact is not finite";
    for (size_t i = 0; i < n; i++) {
        if (impact->e[i] < 0 || impact->e[i] > 1) return "a coefficient of restitution lies outside [0, 1]";
        if (W[i * n + i] <= 0) return "the diagonal of W is not positive";
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const double size = sqrt(W[i * n + i]) * sqrt(W[j * n + j]);
            if (fabs(W[i * n + j] - W[j * n + i]) > ASYMMETRY * size) return "W is not symmetric";
            if (fabs(W[i * n + j]) > (1 + ASYMMETRY) * size) return "W is not positive semidefinite";
        }
    }
    return NULL;
}

void ic_multi_impact_change(double *change, const ic_multi_impact *impact, const double *P)
{
    const size_t n = impact->n;
    for (size_t i = 0; i < n; i++) {
        change[i] = 0;
        for (size_t j = 0; j < n; j++) change[i] += impact->W[i * n + j] * P[j];
    }
}

void ic_multi_impact_finish(ic_multi_impact_result *result, const ic_multi_impact *impact)
{
    result->loss = 0;
    for (size_t i = 0; i < impact->n; i++) result->loss -= result->P[i] * (impact->u[i] + result->u[i]) / 2;
}
