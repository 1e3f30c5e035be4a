/* SPDX-License-Identifier: MIT */
/*
 * Cone conditions. With Q = diag(1, -k), D'Q D - Q is positive definite if
 *
 *     p = D_11^2 - k D_21^2 - 1 > 0   and   det(D'Q D - Q) = k p - D_12^2 + k D_22^2 - k det(D)^2 > 0.
 *
 * The second one is det(X - Y) = det X + det Y - trace(adj(X) Y) with X = D'Q D, Y = Q, so that nothing cancels
 * where intervals are evaluated.
 */
#include "reference/orbit/cones.h"

/* That part is cut into so many pieces along a and b; one on which the map is not proved is halved at most so often. */
enum { PIECES_A = 32, PIECES_B = 8, MOST_HALVINGS = 6 };

/* Precisions of bounds: of one that becomes a double, and of what leads to it. */
enum { BITS = 53, MORE_BITS = 106 };

/* One condition at work. */
typedef struct cones {
    const ic_h_map *h_map;
    ic_cones result;

    /* of a piece */
    arb_ptr ab;
    arb_mat_struct *derivative;

    /* hull of all derivatives */
    arb_mat_struct *hull;
} cones;

/* ---- the derivatives */

static void join_hull(cones *c)
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            arb_ptr hull = arb_mat_entry(c->hull, i, j), here = arb_mat_entry(c->derivative, i, j);
            if (c->result.pieces > 0) arb_union(hull, hull, here, c->h_map->map->prec);
            else arb_set(hull, here);
        }
    }
    c->result.pieces++;
}

static bool add_piece(cones *c, const ic_h_piece *piece, int halvings)
{
    ic_h_piece low, high;
    if (ic_h_map_piece(c->ab, c->derivative, c->h_map, piece, &c->result.reason)) {
        join_hull(c);
        return true;
    }
    if (halvings == 0) return false;
    ic_h_piece_halve(&low, &high, piece, NULL);
    return add_piece(c, &low, halvings - 1) && add_piece(c, &high, halvings - 1);
}

static double cut(double low, double high, int i, int n)
{
    return low + (high - low) * i / n;
}

static bool find_hull(cones *c, double enters, double leaves)
{
    bool good = true;
    for (int i = 0; i < PIECES_A * PIECES_B && good; i++) {
        const int k = i / PIECES_B, m = i % PIECES_B;
        const ic_h_piece piece = {{cut(enters, leaves, k, PIECES_A),
                                   k + 1 < PIECES_A ? cut(enters, leaves, k + 1, PIECES_A) : leaves},
                                  {cut(-1, 1, m, PIECES_B), cut(-1, 1, m + 1, PIECES_B)}};
        good = add_piece(c, &piece, MOST_HALVINGS);
    }
    return good;
}

/* ---- the condition */

/* The square of a bound of |x|, least or greatest: a ball about a wide interval would be wider than its squares. */
static void square_of_bound(arb_t square, const arb_t x, bool least)
{
    IC_FLOATS(bound);
    if (least) arb_get_abs_lbound_arf(bound, x, BITS);
    else arb_get_abs_ubound_arf(bound, x, BITS);
    arb_set_arf(square, bound);
    arb_sqr(square, square, MORE_BITS);
}

/* Lower bounds of p, and of the determinant. */
static bool is_positive_definite(const arb_mat_t D, int weight)
{
    const slong prec = MORE_BITS;
    IC_BALLS(p, part, determinant);
    square_of_bound(p, arb_mat_entry(D, 0, 0), true);
    square_of_bound(part, arb_mat_entry(D, 1, 0), false);
    arb_submul_si(p, part, weight, prec);
    arb_sub_si(p, p, 1, prec);
    arb_mat_det(part, D, prec);
    square_of_bound(part, part, false);
    square_of_bound(determinant, arb_mat_entry(D, 1, 1), true);
    arb_sub(determinant, determinant, part, prec);
    arb_add(determinant, determinant, p, prec);
    arb_mul_si(determinant, determinant, weight, prec);
    square_of_bound(part, arb_mat_entry(D, 0, 1), false);
    arb_sub(determinant, determinant, part, prec);
    return arb_is_positive(p) && arb_is_positive(determinant);
}

static double least_size(const arb_t x)
{
    IC_FLOATS(low);
    arb_get_abs_lbound_arf(low, x, BITS);
    return arf_get_d(low, ARF_RND_DOWN);
}

ic_cones ic_cones_prove(const ic_h_map *h_map, double enters, double leaves, int weight)
{
    IC_BALL_VECTOR(ab, 2);
    IC_BALL_MATRIX(derivative, 2, 2);
    IC_BALL_MATRIX(hull, 2, 2);
    cones c = {.h_map = h_map, .ab = ab, .derivative = derivative, .hull = hull};
    if (find_hull(&c, enters, leaves)) {
        c.result.stretch = least_size(arb_mat_entry(c.hull, 0, 0));
        c.result.proved = is_positive_definite(c.hull, weight);
        c.result.reason = c.result.proved ? NULL : "the cone condition is not proved";
    }
    return c.result;
}
