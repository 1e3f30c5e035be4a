/* SPDX-License-Identifier: MIT */
/* Covering relations: N is cut into pieces until the image of each one is proved to lie where it must. */
#include "reference/orbit/covering.h"

#include <math.h>

/*
 * N is cut into so many pieces along a and b, and its edges along b. A piece is then halved until its margin is ample,
 * and at most so often: a margin that is left after that counts if it is positive.
 */
enum { PIECES_A = 32, PIECES_B = 2, MOST_HALVINGS = 8 };
static const double ample = 0.25;

/* Precisions of bounds: of one that becomes a double, and of what leads to it. */
enum { BITS = 53, MORE_BITS = 106 };

/* One relation at work. */
typedef struct relation {
    const ic_h_map *h_map;
    ic_covering result;

    /* the image of a piece, and the derivatives there */
    arb_ptr ab;
    arb_mat_struct *derivative;
} relation;

/* ---- margins of an image: lower bounds */

static double lower_bound(const arb_t x)
{
    IC_FLOATS(bound);
    arb_get_lbound_arf(bound, x, BITS);
    return arf_get_d(bound, ARF_RND_DOWN);
}

/* sign x - 1 */
static double beyond(const arb_t x, int sign)
{
    IC_BALLS(excess);
    arb_mul_si(excess, x, sign, MORE_BITS);
    arb_sub_si(excess, excess, 1, MORE_BITS);
    return lower_bound(excess);
}

/* 1 - |x| */
static double within(const arb_t x)
{
    IC_BALLS(rest);
    arb_abs(rest, x);
    arb_sub_si(rest, rest, 1, MORE_BITS);
    arb_neg(rest, rest);
    return lower_bound(rest);
}

/* To the left (-1) or to the right (1) of M; or (0) beside M or between its sides. */
static double margin_of(arb_srcptr ab, int side)
{
    if (side != 0) return beyond(ab, side);
    return fmax(fmax(beyond(ab, 1), beyond(ab, -1)), within(ab + 1));
}

/* ---- pieces */

/* Joins the first coordinate of the image to the bounds. */
static void join_image(relation *r)
{
    const ic_h_map *h_map = r->h_map;
    IC_BALL_VECTOR(image, 2);
    ic_h_set_point(image, h_map->to, r->ab, r->ab + 1, h_map->map->prec);
    if (!arb_is_finite(image)) arb_zero_pm_inf(image);
    r->result.lowest = fmin(r->result.lowest, lower_bound(image));
    arb_neg(image, image);
    r->result.highest = fmax(r->result.highest, -lower_bound(image));
}

static void count_piece(relation *r, const ic_h_piece *piece, int side)
{
    r->result.pieces++;
    if (side == 0) join_image(r);
    if (side != 0 || beyond(r->ab, -1) > 0 || beyond(r->ab, 1) > 0) return;
    r->result.enters = fmin(r->result.enters, piece->a[0]);
    r->result.leaves = fmax(r->result.leaves, piece->a[1]);
}

/* A margin that is no number is none. */
static bool prove_piece(relation *r, const ic_h_piece *piece, int side, double *margin, int halvings)
{
    const bool mapped = ic_h_map_piece(r->ab, r->derivative, r->h_map, piece, &r->result.reason);
    const double here = mapped ? margin_of(r->ab, side) : -1;
    if (here > ample || (here > 0 && halvings == 0)) {
        *margin = fmin(*margin, here);
        count_piece(r, piece, side);
        return true;
    }
    if (halvings > 0) {
        ic_h_piece low, high;
        ic_h_piece_halve(&low, &high, piece, mapped ? r->derivative : NULL);
        return prove_piece(r, &low, side, margin, halvings - 1) &&
               prove_piece(r, &high, side, margin, halvings - 1);
    }
    if (mapped)
        r->result.reason = side == 0 ? "the image is not proved to pass between the sides"
                                     : "an edge is not proved to be mapped beyond the set";
    return false;
}

static double cut(int i, int n)
{
    return 2.0 * i / n - 1;
}

/* The edge of N lies beyond M on that side. */
static bool prove_edge(relation *r, double edge, int side)
{
    bool good = true;
    for (int i = 0; i < PIECES_B && good; i++) {
        const ic_h_piece piece = {{edge, edge}, {cut(i, PIECES_B), cut(i + 1, PIECES_B)}};
        good = prove_piece(r, &piece, side, &r->result.edge_margin, MOST_HALVINGS);
    }
    return good;
}

static bool prove_sides(relation *r)
{
    bool good = true;
    for (int i = 0; i < PIECES_A * PIECES_B && good; i++) {
        const int k = i / PIECES_B, m = i % PIECES_B;
        const ic_h_piece piece = {{cut(k, PIECES_A), cut(k + 1, PIECES_A)},
                                  {cut(m, PIECES_B), cut(m + 1, PIECES_B)}};
        good = prove_piece(r, &piece, 0, &r->result.side_margin, MOST_HALVINGS);
    }
    return good;
}

/* Whether the middle of the left edge is mapped to the right. */
static bool is_turned(relation *r)
{
    const ic_h_piece middle = {{-1, -1}, {0, 0}};
    return ic_h_map_piece(r->ab, r->derivative, r->h_map, &middle, &r->result.reason) && arb_is_positive(r->ab);
}

ic_covering ic_cover(const ic_h_map *h_map)
{
    IC_BALL_VECTOR(ab, 2);
    IC_BALL_MATRIX(derivative, 2, 2);
    relation r = {.h_map = h_map, .ab = ab, .derivative = derivative};
    r.result.edge_margin = r.result.side_margin = INFINITY;
    r.result.enters = 1, r.result.leaves = -1;
    r.result.lowest = INFINITY, r.result.highest = -INFINITY;
    r.result.turned = is_turned(&r);
    const int left = r.result.turned ? 1 : -1;
    r.result.proved = prove_edge(&r, -1, left) && prove_edge(&r, 1, -left) && prove_sides(&r);
    if (r.result.proved) r.result.reason = NULL;
    return r.result;
}
