/* SPDX-License-Identifier: MIT */
/* Covering relations: N is cut into pieces until the image of each one is proved to lie where it must. */
#include "reference/covering.h"

#include <math.h>

/* N is cut into so many pieces along a and b, and its edges along b; a piece is then halved at most so often. */
enum { PIECES_A = 48, PIECES_B = 4, MOST_HALVINGS = 8 };

/* A piece: a and b lie between these numbers. */
typedef struct piece {
    double a[2], b[2];
} piece;

/* One relation at work. */
typedef struct relation {
    const ic_planar_map *map;
    const ic_h_set *from, *to;
    long turns;
    ic_covering result;

    /* the coordinates of a piece's image in `to` */
    arb_ptr ab;
} relation;

static void set_between(arb_t value, const double ends[2])
{
    arf_t low, high;
    arf_init(low), arf_init(high);
    arf_set_d(low, ends[0]);
    arf_set_d(high, ends[1]);
    arb_set_interval_arf(value, low, high, 2 * 53);
    arf_clear(low), arf_clear(high);
}

/* ---- the image of a piece, by the mean value theorem */

/* The image of the point, in the coordinates of `to`; and the derivatives over the box. */
static bool map_point(relation *r, arb_mat_t derivative, arb_srcptr point, arb_srcptr box)
{
    const ic_planar_map *map = r->map;
    arb_ptr image = _arb_vec_init(2);
    arb_t turn;
    arb_init(turn);
    const bool good = map->image(image, derivative, map->of, box, &r->result.reason) &&
                      map->image(image, NULL, map->of, point, &r->result.reason);
    arb_const_pi(turn, map->prec);
    arb_mul_si(turn, turn, 2 * r->turns, map->prec);
    arb_sub(image, image, turn, map->prec);
    if (good) ic_h_set_coordinates(r->ab, r->to, image, map->prec);
    arb_clear(turn);
    _arb_vec_clear(image, 2);
    return good;
}

/* r->ab += the derivative of the coordinates along the vector, at all points of the piece, times `length` */
static void add_spread(relation *r, const arb_mat_t derivative, const long vector[2], const arb_t length)
{
    const slong prec = r->map->prec;
    const ic_h_set *to = r->to;
    const ic_h_set directions = {{0, 0}, {to->unstable[0], to->unstable[1]}, {to->stable[0], to->stable[1]}};
    arb_ptr change = _arb_vec_init(2), ab = _arb_vec_init(2);
    for (int i = 0; i < 2; i++) {
        arb_mul_si(change + i, arb_mat_entry(derivative, i, 0), vector[0], prec);
        arb_addmul_si(change + i, arb_mat_entry(derivative, i, 1), vector[1], prec);
        arb_div_si(change + i, change + i, IC_H_SET_UNIT, prec);
    }
    ic_h_set_coordinates(ab, &directions, change, prec);
    for (int i = 0; i < 2; i++) arb_addmul(r->ab + i, ab + i, length, prec);
    _arb_vec_clear(change, 2);
    _arb_vec_clear(ab, 2);
}

/* Encloses the image of a piece in r->ab. */
static bool map_piece(relation *r, const piece *p)
{
    const slong prec = r->map->prec;
    arb_ptr box = _arb_vec_init(2), point = _arb_vec_init(2);
    arb_mat_t derivative;
    arb_t a, b, middle_a, middle_b;
    arb_init(a), arb_init(b), arb_init(middle_a), arb_init(middle_b);
    arb_mat_init(derivative, 2, 2);
    set_between(a, p->a);
    set_between(b, p->b);
    arb_get_mid_arb(middle_a, a);
    arb_get_mid_arb(middle_b, b);
    ic_h_set_point(box, r->from, a, b, prec);
    ic_h_set_point(point, r->from, middle_a, middle_b, prec);
    const bool good = map_point(r, derivative, point, box);
    if (good) {
        arb_sub(a, a, middle_a, prec);
        arb_sub(b, b, middle_b, prec);
        add_spread(r, derivative, r->from->unstable, a);
        add_spread(r, derivative, r->from->stable, b);
    }
    arb_clear(a), arb_clear(b), arb_clear(middle_a), arb_clear(middle_b);
    arb_mat_clear(derivative);
    _arb_vec_clear(box, 2);
    _arb_vec_clear(point, 2);
    return good;
}

/* ---- margins of an image: lower bounds */

/* value of `sign` x - 1 */
static double beyond(const arb_t x, int sign)
{
    arb_t excess;
    arf_t bound;
    arb_init(excess);
    arf_init(bound);
    arb_mul_si(excess, x, sign, arb_rel_accuracy_bits(x) + 2 * 53);
    arb_sub_si(excess, excess, 1, 2 * 53);
    arb_get_lbound_arf(bound, excess, 53);
    const double margin = arf_get_d(bound, ARF_RND_DOWN);
    arb_clear(excess);
    arf_clear(bound);
    return margin;
}

/* 1 - |x| */
static double within(const arb_t x)
{
    arb_t size;
    arf_t bound;
    arb_init(size);
    arf_init(bound);
    arb_abs(size, x);
    arb_sub_si(size, size, 1, 2 * 53);
    arb_neg(size, size);
    arb_get_lbound_arf(bound, size, 53);
    const double margin = arf_get_d(bound, ARF_RND_DOWN);
    arb_clear(size);
    arf_clear(bound);
    return margin;
}

/* To the left (-1) or to the right (1) of `to`; or (0) beside it or between its sides. */
static double margin_of(const relation *r, int side)
{
    if (side != 0) return beyond(r->ab, side);
    return fmax(fmax(beyond(r->ab, 1), beyond(r->ab, -1)), within(r->ab + 1));
}

/* ---- pieces */

static bool prove_piece(relation *r, const piece *p, int side, double *margin, int halvings);

/* Across its longer side, in parts of N. */
static bool prove_halves(relation *r, const piece *p, int side, double *margin, int halvings)
{
    piece low = *p, high = *p;
    if (p->a[1] - p->a[0] > p->b[1] - p->b[0]) low.a[1] = high.a[0] = p->a[0] + (p->a[1] - p->a[0]) / 2;
    else low.b[1] = high.b[0] = p->b[0] + (p->b[1] - p->b[0]) / 2;
    return prove_piece(r, &low, side, margin, halvings - 1) &&
           prove_piece(r, &high, side, margin, halvings - 1);
}

/* A margin that is no number is none. */
static bool prove_piece(relation *r, const piece *p, int side, double *margin, int halvings)
{
    const bool mapped = map_piece(r, p);
    const double here = mapped ? margin_of(r, side) : -1;
    if (here > 0) {
        *margin = fmin(*margin, here);
        r->result.pieces++;
        return true;
    }
    if (halvings > 0) return prove_halves(r, p, side, margin, halvings);
    if (mapped)
        r->result.reason = side == 0 ? "the image is not proved to pass between the sides"
                                     : "an edge is not proved to be mapped beyond the set";
    return false;
}

static double cut(int i, int n)
{
    return 2.0 * i / n - 1;
}

/* The edge a = `a` of N lies beyond `to` on that side. */
static bool prove_edge(relation *r, double a, int side)
{
    bool good = true;
    for (int i = 0; i < PIECES_B && good; i++) {
        const piece p = {{a, a}, {cut(i, PIECES_B), cut(i + 1, PIECES_B)}};
        good = prove_piece(r, &p, side, &r->result.edge_margin, MOST_HALVINGS);
    }
    return good;
}

static bool prove_sides(relation *r)
{
    bool good = true;
    for (int i = 0; i < PIECES_A * PIECES_B && good; i++) {
        const int k = i / PIECES_B, m = i % PIECES_B;
        const piece p = {{cut(k, PIECES_A), cut(k + 1, PIECES_A)}, {cut(m, PIECES_B), cut(m + 1, PIECES_B)}};
        good = prove_piece(r, &p, 0, &r->result.side_margin, MOST_HALVINGS);
    }
    return good;
}

/* Whether the middle of the left edge is mapped to the right. */
static bool is_turned(relation *r)
{
    const piece middle = {{-1, -1}, {0, 0}};
    return map_piece(r, &middle) && arb_is_positive(r->ab);
}

ic_covering ic_cover(const ic_planar_map *map, const ic_h_set *from, const ic_h_set *to, long turns)
{
    relation r = {.map = map, .from = from, .to = to, .turns = turns, .ab = _arb_vec_init(2)};
    r.result.edge_margin = r.result.side_margin = INFINITY;
    r.result.turned = is_turned(&r);
    const int left = r.result.turned ? 1 : -1;
    r.result.proved = prove_edge(&r, -1, left) && prove_edge(&r, 1, -left) && prove_sides(&r);
    if (r.result.proved) r.result.reason = NULL;
    _arb_vec_clear(r.ab, 2);
    return r.result;
}
