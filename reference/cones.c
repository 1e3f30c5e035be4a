/* SPDX-License-Identifier: MIT */
/*
 * Cone conditions. With Q = diag(1, -k), D'Q D - Q is positive definite if
 *
 *     p = D_11^2 - k D_21^2 - 1 > 0   and   det(D'Q D - Q) = k p - D_12^2 + k D_22^2 - k det(D)^2 > 0.
 *
 * The second one is det(X - Y) = det X + det Y - trace(adj(X) Y) with X = D'Q D, Y = Q, so that nothing cancels
 * where intervals are evaluated.
 */
#include "reference/cones.h"

#include <math.h>

/* The set is cut into so many columns along a; a piece of one on which the map is not proved is halved at most so often. */
enum { COLUMNS = 64, MOST_HALVINGS = 6, BITS = 53 };

/* A part of N between two values of a. */
typedef struct column {
    /* hull of the derivatives there */
    arb_mat_t hull;
    bool has_hull;

    /* some of its points may be mapped into M */
    bool meets;
} column;

/* One condition at work. */
typedef struct cones {
    const ic_h_map *h_map;
    ic_cones result;

    /* of a piece */
    arb_ptr ab;
    arb_mat_t derivative;

    column columns[COLUMNS];

    /* of all columns that count */
    column all;
} cones;

/* ---- the part of N that may be mapped into M */

static bool may_meet(arb_srcptr ab)
{
    arb_t size;
    bool meets = true;
    arb_init(size);
    for (int i = 0; i < 2; i++) {
        arb_abs(size, ab + i);
        arb_sub_si(size, size, 1, 2 * BITS);
        meets = meets && !arb_is_positive(size);
    }
    arb_clear(size);
    return meets;
}

static void join(column *c, const arb_mat_t derivative, slong prec)
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            arb_ptr hull = arb_mat_entry(c->hull, i, j), here = arb_mat_entry(derivative, i, j);
            if (c->has_hull) arb_union(hull, hull, here, prec);
            else arb_set(hull, here);
        }
    }
    c->has_hull = true;
}

/* Joins a piece to its column. */
static bool add_piece(cones *c, column *of, const ic_h_piece *piece, int halvings)
{
    if (ic_h_map_piece(c->ab, c->derivative, c->h_map, piece, &c->result.reason)) {
        join(of, c->derivative, c->h_map->map->prec);
        of->meets = of->meets || may_meet(c->ab);
        return true;
    }
    if (halvings == 0) return false;
    ic_h_piece low = *piece, high = *piece;
    low.b[1] = high.b[0] = piece->b[0] + (piece->b[1] - piece->b[0]) / 2;
    return add_piece(c, of, &low, halvings - 1) && add_piece(c, of, &high, halvings - 1);
}

static double cut(int i)
{
    return 2.0 * i / COLUMNS - 1;
}

/* All columns between the first one and the last one that may be mapped into M: they are convex together. */
static bool join_columns(cones *c)
{
    int first = COLUMNS, last = -1;
    for (int k = 0; k < COLUMNS; k++) {
        const ic_h_piece piece = {{cut(k), cut(k + 1)}, {-1, 1}};
        if (!add_piece(c, &c->columns[k], &piece, MOST_HALVINGS)) return false;
        if (!c->columns[k].meets) continue;
        first = k < first ? k : first;
        last = k;
    }
    for (int k = first; k <= last; k++) join(&c->all, c->columns[k].hull, c->h_map->map->prec);
    c->result.from = cut(first);
    c->result.to = cut(last + 1);
    return true;
}

/* ---- the condition */

/* p, and the determinant */
static bool is_positive_definite(const arb_mat_t D, int weight, slong prec)
{
    arb_t p, part, determinant;
    arb_init(p), arb_init(part), arb_init(determinant);
    arb_sqr(p, arb_mat_entry(D, 0, 0), prec);
    arb_sqr(part, arb_mat_entry(D, 1, 0), prec);
    arb_submul_si(p, part, weight, prec);
    arb_sub_si(p, p, 1, prec);
    arb_mat_det(determinant, D, prec);
    arb_sqr(determinant, determinant, prec);
    arb_sqr(part, arb_mat_entry(D, 1, 1), prec);
    arb_sub(determinant, part, determinant, prec);
    arb_add(determinant, determinant, p, prec);
    arb_mul_si(determinant, determinant, weight, prec);
    arb_sqr(part, arb_mat_entry(D, 0, 1), prec);
    arb_sub(determinant, determinant, part, prec);
    const bool good = arb_is_positive(p) && arb_is_positive(determinant);
    arb_clear(p), arb_clear(part), arb_clear(determinant);
    return good;
}

static double least_size(const arb_t x)
{
    arf_t low;
    arf_init(low);
    arb_get_abs_lbound_arf(low, x, BITS);
    const double size = arf_get_d(low, ARF_RND_DOWN);
    arf_clear(low);
    return size;
}

static void prove(cones *c, int weight)
{
    ic_cones *result = &c->result;
    if (!join_columns(c)) return;
    result->stretch = least_size(arb_mat_entry(c->all.hull, 0, 0));
    result->proved = c->all.has_hull && is_positive_definite(c->all.hull, weight, c->h_map->map->prec);
    result->reason = result->proved ? NULL : "the cone condition is not proved";
}

ic_cones ic_cones_prove(const ic_h_map *h_map, int weight)
{
    cones c = {.h_map = h_map, .ab = _arb_vec_init(2)};
    arb_mat_init(c.derivative, 2, 2);
    arb_mat_init(c.all.hull, 2, 2);
    for (int k = 0; k < COLUMNS; k++) arb_mat_init(c.columns[k].hull, 2, 2);
    prove(&c, weight);
    _arb_vec_clear(c.ab, 2);
    arb_mat_clear(c.derivative);
    arb_mat_clear(c.all.hull);
    for (int k = 0; k < COLUMNS; k++) arb_mat_clear(c.columns[k].hull);
    return c.result;
}
