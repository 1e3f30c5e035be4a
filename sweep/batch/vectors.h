/* SPDX-License-Identifier: MIT */
/** Products of rows with z = (x, 1, cos w t, sin w t) of n states, in vectors. Only for kernel.c. */
#pragma once

#include "sweep/batch/batch.h"
#include "sweep/vectors.h"

/** Columns of a row that are nonzero in some lane. */
typedef struct pattern {
    int n, at[IC_BATCH_COLUMNS];
} pattern;

/* A constant, and row times z without its 1. */
static ALWAYS_INLINE vec dot_from(vec constant, const vec *row, const vec *z, const int n)
{
    /* two sums halve the chain of dependent additions */
    vec sum = row[n + 1] * z[n + 1], other = fused(row[n + 2], z[n + 2], constant);
    UNROLL
    for (int j = 0; j + 1 < n; j += 2) {
        sum = fused(row[j], z[j], sum);
        other = fused(row[j + 1], z[j + 1], other);
    }
    if (n % 2 != 0) sum = fused(row[n - 1], z[n - 1], sum);
    return sum + other;
}

/* Row times z. */
static ALWAYS_INLINE vec dot(const vec *row, const vec *z, const int n)
{
    return dot_from(row[n], row, z, n);
}

static ALWAYS_INLINE vec sparse_dot(const vec *row, const pattern *columns, const vec *z)
{
    vec sum = row[columns->at[0]] * z[columns->at[0]];
    for (int k = 1; k < columns->n; k++) sum = fused(row[columns->at[k]], z[columns->at[k]], sum);
    return sum;
}

/* z one step later: states by the matrix, forcing by rotation. */
static ALWAYS_INLINE void carry(vec *out, const vec m[IC_BATCH_STATES][IC_BATCH_COLUMNS], vec cosine, vec sine,
                                const vec *z, const int n)
{
    UNROLL
    for (int i = 0; i < n; i++) out[i] = dot(m[i], z, n);
    const vec c = fused(cosine, z[n + 1], -(sine * z[n + 2]));
    out[n + 2] = fused(sine, z[n + 1], cosine * z[n + 2]);
    out[n + 1] = c;
    out[n] = all(1);
}
