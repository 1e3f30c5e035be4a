/* SPDX-License-Identifier: MIT */
/* The derivative of the place that a flow has reached with respect to the states at its start. */
#include "reference/flow/flow_parts.h"

#include <stdlib.h>

ic_status ic_flow_follow_derivative(ic_flow *f)
{
    const slong n = f->n;
    IC_BALL_VECTOR(unit, n + 1);
    f->columns = calloc((size_t)n, sizeof *f->columns);
    for (slong k = 0; k < n && f->columns != NULL; k++) {
        arb_one(unit + k);
        ic_flow_set_init(&f->columns[k], n + 1);
        ic_flow_set_place(&f->columns[k], unit);
        arb_zero(unit + k);
    }
    return f->columns == NULL ? IC_NO_MEMORY : IC_OK;
}

/*
 * A column v of the derivative becomes D v, for a D in the enclosure. Columns are sets, which do not wrap. D
 * has no derivatives by coordinates that are exact here: the states at the start vary, so that those columns
 * are 0 there.
 */
static void map_column(ic_flow_set *column, const arb_mat_t derivative)
{
    const slong n = column->n;
    IC_BALL_VECTOR(image, n);
    for (slong i = 0; i < n; i++) {
        for (slong k = 0; k < n; k++)
            arb_addmul(image + i, arb_mat_entry(derivative, i, k), column->centre + k, IC_SECTION_BITS);
    }
    ic_flow_set_map(column, image, derivative);
}

void ic_flow_map(ic_flow *f, arb_srcptr image, const arb_mat_t derivative)
{
    ic_flow_set_map(&f->set, image, derivative);
    for (slong k = 0; k < f->n && f->columns != NULL; k++) map_column(&f->columns[k], derivative);
}

void ic_flow_derivative(arb_mat_t derivative, const ic_flow *f)
{
    IC_BALL_VECTOR(column, f->n + 1);
    for (slong k = 0; k < f->n; k++) {
        ic_flow_set_box(column, &f->columns[k]);
        for (slong i = 0; i <= f->n; i++) arb_set(arb_mat_entry(derivative, i, k), column + i);
    }
}

void ic_flow_derivative_clear(ic_flow *f)
{
    for (slong k = 0; k < f->n && f->columns != NULL; k++) ic_flow_set_clear(&f->columns[k]);
    free(f->columns);
    f->columns = NULL;
}
