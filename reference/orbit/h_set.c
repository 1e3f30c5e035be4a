/* SPDX-License-Identifier: MIT */
/* Parallelograms with coordinates. */
#include "reference/orbit/h_set.h"

enum { BITS = 128, CORNERS = 4 };

static void set_millionths(arb_t value, long millionths, slong prec)
{
    arb_set_si(value, millionths);
    arb_div_si(value, value, IC_H_SET_UNIT, prec);
}

void ic_h_set_point(arb_ptr point, const ic_h_set *set, const arb_t a, const arb_t b, slong prec)
{
    IC_BALLS(part);
    for (int i = 0; i < 2; i++) {
        arb_mul_si(point + i, a, set->unstable[i], prec);
        arb_mul_si(part, b, set->stable[i], prec);
        arb_add(point + i, point + i, part, prec);
        arb_add_si(point + i, point + i, set->centre[i], prec);
        arb_div_si(point + i, point + i, IC_H_SET_UNIT, prec);
    }
}

/* a = (x s_1 - y s_0)/d and b = (u_0 y - u_1 x)/d with d = u_0 s_1 - u_1 s_0 and (x, y) = point - centre */
void ic_h_set_coordinates(arb_ptr ab, const ic_h_set *set, arb_srcptr point, slong prec)
{
    IC_BALLS(x, y, d);
    set_millionths(x, set->centre[0], prec);
    set_millionths(y, set->centre[1], prec);
    arb_sub(x, point, x, prec);
    arb_sub(y, point + 1, y, prec);
    arb_set_si(d, set->unstable[0]);
    arb_mul_si(d, d, set->stable[1], prec);
    arb_set_si(ab, set->unstable[1]);
    arb_mul_si(ab, ab, set->stable[0], prec);
    arb_sub(d, d, ab, prec);
    arb_div_si(d, d, IC_H_SET_UNIT, prec);
    arb_mul_si(ab, x, set->stable[1], prec);
    arb_submul_si(ab, y, set->stable[0], prec);
    arb_mul_si(ab + 1, y, set->unstable[0], prec);
    arb_submul_si(ab + 1, x, set->unstable[1], prec);
    arb_div(ab, ab, d, prec);
    arb_div(ab + 1, ab + 1, d, prec);
}

/* ---- disjoint sets */

/* Edges of a set beyond which another one may lie. */
typedef struct edges {
    bool right, left, upper, lower;
} edges;

static void keep_edges(edges *e, arb_srcptr ab)
{
    IC_BALLS(less, more);
    arb_sub_si(less, ab, 1, BITS);
    arb_add_si(more, ab, 1, BITS);
    e->right = e->right && arb_is_positive(less);
    e->left = e->left && arb_is_negative(more);
    arb_sub_si(less, ab + 1, 1, BITS);
    arb_add_si(more, ab + 1, 1, BITS);
    e->upper = e->upper && arb_is_positive(less);
    e->lower = e->lower && arb_is_negative(more);
}

/* Whether all corners of the other set lie beyond one edge of this one. */
static bool is_separated_by(const ic_h_set *set, const ic_h_set *other)
{
    edges e = {true, true, true, true};
    IC_BALL_VECTOR(point, 2);
    IC_BALL_VECTOR(ab, 2);
    IC_BALLS(a, b);
    for (int corner = 0; corner < CORNERS; corner++) {
        arb_set_si(a, corner % 2 == 0 ? -1 : 1);
        arb_set_si(b, corner < 2 ? -1 : 1);
        ic_h_set_point(point, other, a, b, BITS);
        ic_h_set_coordinates(ab, set, point, BITS);
        keep_edges(&e, ab);
    }
    return e.right || e.left || e.upper || e.lower;
}

/* Parallelograms that are disjoint are separated by a line along an edge of one of them. */
bool ic_h_sets_are_disjoint(const ic_h_set *one, const ic_h_set *two)
{
    return is_separated_by(one, two) || is_separated_by(two, one);
}
