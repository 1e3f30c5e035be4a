/* SPDX-License-Identifier: MIT */
/**
 * Covering relations, cone conditions and horseshoes, on maps whose images are known exactly. Each condition has a
 * planted map that violates only this one.
 */
#include "reference/orbit/horseshoe.h"
#include "reference/orbit/walk.h"
#include "tests/tests.h"

IC_SUITE(solvers, "horseshoes")

/* Bounds that balls of this size cannot miss. */
#define CLOSE 1e-6

enum { BITS = 96, UNIT = IC_H_SET_UNIT };

/* ---- polynomial maps: X and Y are polynomials in x plus multiples of y and of x y */

enum { POWERS = 4 };

typedef struct polynomial {
    double x[POWERS], y, xy;
} polynomial;

typedef struct test_map {
    polynomial X, Y;

    /* The map is not smooth where x > edge; INFINITY: it is smooth everywhere. */
    double edge;

    /* The map is not proved to be smooth on boxes wider than this along x; 0: on all boxes. */
    double widest;
} test_map;

static void add_multiple(arb_t sum, const arb_t x, double factor)
{
    IC_BALLS(number);
    arb_set_d(number, factor);
    arb_addmul(sum, x, number, BITS);
}

/* The value (0), or the derivative by x (1). */
static void evaluate(arb_t value, const polynomial *p, arb_srcptr at, int derivative)
{
    IC_BALLS(term);
    arb_zero(value);
    for (int i = derivative; i < POWERS; i++) {
        arb_pow_ui(term, at, (ulong)(i - derivative), BITS);
        add_multiple(value, term, derivative ? i * p->x[i] : p->x[i]);
    }
    arb_mul(term, at, at + 1, BITS);
    add_multiple(value, derivative ? at + 1 : term, p->xy);
    if (!derivative) add_multiple(value, at + 1, p->y);
}

/* The derivative by y. */
static void evaluate_across(arb_t value, const polynomial *p, arb_srcptr at)
{
    arb_set_d(value, p->y);
    add_multiple(value, at, p->xy);
}

static bool is_smooth(const test_map *m, const arb_t x)
{
    IC_FLOATS(right);
    arb_get_ubound_arf(right, x, BITS);
    const bool smooth = arf_cmp_d(right, m->edge) <= 0;
    return smooth && (m->widest == 0 || 2 * mag_get_d(arb_radref(x)) <= m->widest);
}

static bool image(const void *of, arb_ptr value, arb_srcptr start, const char **reason)
{
    const test_map *m = of;
    *reason = "the planted edge";
    evaluate(value, &m->X, start, 0);
    evaluate(value + 1, &m->Y, start, 0);
    return is_smooth(m, start);
}

static void derivative(const void *of, arb_mat_t outer, arb_mat_t inner, arb_srcptr start, arb_srcptr at)
{
    const test_map *m = of;
    (void)at;
    arb_mat_one(outer);
    evaluate(arb_mat_entry(inner, 0, 0), &m->X, start, 1);
    evaluate(arb_mat_entry(inner, 1, 0), &m->Y, start, 1);
    evaluate_across(arb_mat_entry(inner, 0, 1), &m->X, start);
    evaluate_across(arb_mat_entry(inner, 1, 1), &m->Y, start);
}

static ic_planar_map map_of(const test_map *m)
{
    return (ic_planar_map){image, derivative, m, BITS};
}

/* |x| <= 1, |y| <= 1 */
static const ic_h_set square = {{0, 0}, {UNIT, 0}, {0, UNIT}};

static ic_covering cover(const test_map *m, long turns)
{
    const ic_planar_map map = map_of(m);
    return ic_cover(&(ic_h_map){&map, &square, &square, turns});
}

/* ---- covering relations */

static ic_cones cones(const test_map *m, int weight)
{
    const ic_planar_map map = map_of(m);
    return ic_cones_prove(&(ic_h_map){&map, &square, &square, 0}, -1, 1, weight);
}

static const test_map stretch = {{{0, 3}, 0, 0}, {{0.1}, 0.3, 0}, INFINITY, 0};

static void refused(const test_map *m, const char *reason)
{
    const ic_covering c = cover(m, 0);
    CU_ASSERT(!c.proved);
    CU_ASSERT(c.reason != NULL && strstr(c.reason, reason) != NULL);
}

IC_TEST(test_covering)
{
    ic_covering c = cover(&stretch, 0);
    CU_ASSERT(c.proved && c.reason == NULL && !c.turned);
    /* lower bounds, that come close to the exact margins */
    CU_ASSERT(c.edge_margin <= 2 && c.edge_margin > 2 - CLOSE);
    CU_ASSERT(c.side_margin <= 0.6 && c.side_margin > 0.6 - CLOSE);
    CU_ASSERT(c.enters <= -1.0 / 3 && c.enters > -0.5 && c.leaves >= 1.0 / 3 && c.leaves < 0.5);
    CU_ASSERT(c.lowest <= -3 && c.lowest > -3 - CLOSE && c.highest >= 3 && c.highest < 3 + CLOSE);
    CU_ASSERT(c.pieces > 0);
    CU_ASSERT(c.pieces < 200);
    test_map turned = stretch;
    turned.X.x[1] = -3;
    c = cover(&turned, 0);
    CU_ASSERT(c.proved && c.turned);
    CU_ASSERT(c.edge_margin <= 2 && c.edge_margin > 2 - CLOSE);
    /* the image may leave by its sides where it is beside the set: |b| = 1.8 where |a| = 3 */
    test_map slanted = stretch;
    slanted.Y.x[1] = 1.4;
    c = cover(&slanted, 0);
    CU_ASSERT(c.proved);
}

/* The reported extents describe the image and the part of the set that is mapped into the other set. */
IC_TEST(test_extents)
{
    const test_map moved = {{{1.5, 3}, 0, 0}, {{0}, 0.3, 0}, INFINITY, 0};
    ic_covering c = cover(&moved, 0);
    /* 3 x + 1.5 is -1 and 1 at x = -5/6 and -1/6 */
    CU_ASSERT(c.proved);
    CU_ASSERT(c.enters <= -5.0 / 6 && c.enters > -0.95 && c.leaves >= -1.0 / 6 && c.leaves < -0.05);
    CU_ASSERT(c.lowest <= -1.5 && c.lowest > -1.5 - CLOSE && c.highest >= 4.5 && c.highest < 4.5 + CLOSE);
    /* -4 x^3 + 6 x is 2 at the edge, and sqrt(8) at x = sqrt(1/2) */
    const test_map folded = {{{0, 6, 0, -4}, 0, 0}, {{0}, 0.3, 0}, INFINITY, 0};
    c = cover(&folded, 0);
    CU_ASSERT(c.proved && c.edge_margin <= 1);
    CU_ASSERT(c.lowest <= -sqrt(8) && c.lowest > -3 && c.highest >= sqrt(8) && c.highest < 3);
    /* onto another set */
    const test_map far = {{{10, 3}, 0, 0}, {{0}, 0.3, 0}, INFINITY, 0};
    const ic_planar_map map = map_of(&far);
    ic_h_set other = square;
    other.centre[0] = 10000000;
    c = ic_cover(&(ic_h_map){&map, &square, &other, 0});
    CU_ASSERT(c.proved && c.lowest <= 7 && c.lowest > 7 - CLOSE);
}

IC_TEST(test_edges)
{
    /* planted: the image ends inside the set, at the left or at the right */
    test_map moved = stretch;
    moved.X.x[0] = 2.25;
    refused(&moved, "an edge");
    moved.X.x[0] = -2.25;
    refused(&moved, "an edge");
    moved.X.x[1] = -3;
    refused(&moved, "an edge");
    moved.X.x[0] = 2.25;
    refused(&moved, "an edge");
    /* planted: the image ends exactly at the edge */
    const test_map touching = {{{0, 1}, 0, 0}, {{0}, 0.3, 0}, INFINITY, 0};
    refused(&touching, "an edge");
    /* planted: both edges are mapped to the same side, to the right and to the left, across the set */
    test_map folded = {{{-2, 0, 4}, 0, 0}, {{0}, 0.3, 0}, INFINITY, 0};
    refused(&folded, "an edge");
    folded.X = (polynomial){{2, 0, -4}, 0, 0};
    refused(&folded, "an edge");
    /* planted: only a part of an edge is mapped beyond the set */
    test_map skewed = stretch;
    skewed.X.y = 2.5;
    refused(&skewed, "an edge");
    /* planted: only the lower part of the right edge, or its upper part, is not */
    skewed.X = (polynomial){{-1, 3}, 1.5, 0};
    refused(&skewed, "an edge");
    skewed.X = (polynomial){{-1, 3}, -1.5, 0};
    refused(&skewed, "an edge");
    skewed.X = (polynomial){{1, 3}, 1.5, 0};
    refused(&skewed, "an edge");
    skewed.X = (polynomial){{1, 3}, -1.5, 0};
    refused(&skewed, "an edge");
    skewed.X = (polynomial){{1, 3}, -0.5, 0};
    CU_ASSERT(cover(&skewed, 0).proved);
}

IC_TEST(test_sides)
{
    /* planted: the image leaves by its upper or its lower side, in the middle only */
    test_map bent = {{{0, 3}, 0, 0}, {{0.9, 0, -0.8}, 0.3, 0}, INFINITY, 0};
    refused(&bent, "between the sides");
    bent.Y = (polynomial){{-0.9, 0, 0.8}, 0.3, 0};
    refused(&bent, "between the sides");
    bent.Y = (polynomial){{-0.6, 0, 0.8}, 0.3, 0};
    CU_ASSERT(cover(&bent, 0).proved);
    /* planted: it leaves where 1/2 < |a| < 1 only, at the right or at the left */
    bent.Y = (polynomial){{0, 2.5, 8}, 0.3, 0};
    refused(&bent, "between the sides");
    bent.Y = (polynomial){{0, -2.5, 8}, 0.3, 0};
    refused(&bent, "between the sides");
    /* planted: it leaves in a corner of the set, 1/32 wide, all images of which lie in -1 < a < 1 */
    const test_map corner = {{{38.5, 40}, 0, 0}, {{-0.5}, 0.8, 0}, INFINITY, 0},
                   other_corner = {{{-38.5, 40}, 0, 0}, {{0.5}, 0.8, 0}, INFINITY, 0};
    refused(&corner, "between the sides");
    refused(&other_corner, "between the sides");
    /* planted: as wide as the set; nothing is contracted */
    const test_map wide = {{{0, 3}, 0, 0}, {{0}, 1, 0}, INFINITY, 0};
    refused(&wide, "between the sides");
}

IC_TEST(test_smoothness)
{
    /* planted: the map ends at a place inside the set, whose image is beside the set */
    test_map broken = stretch;
    broken.edge = 0.9;
    refused(&broken, "the planted edge");
    broken.edge = 0.5;
    refused(&broken, "the planted edge");
    broken.edge = 0.99;
    refused(&broken, "the planted edge");
    CU_ASSERT(!cones(&broken, 1).proved);
    broken.edge = 1 + CLOSE;
    CU_ASSERT(cover(&broken, 0).proved);
    /* it is cut until it is proved, and not for ever */
    broken.widest = 0.05;
    CU_ASSERT(cover(&broken, 0).proved && cones(&broken, 1).proved);
    broken.widest = 1e-9;
    refused(&broken, "the planted edge");
    CU_ASSERT(!cones(&broken, 1).proved);
}

IC_TEST(test_turns)
{
    test_map later = stretch;
    later.X.x[0] = 4 * acos(-1);
    CU_ASSERT(cover(&later, 2).proved);
    /* planted: the wrong number of turns */
    CU_ASSERT(!cover(&later, 0).proved);
    CU_ASSERT(!cover(&later, 1).proved);
    CU_ASSERT(!cover(&later, -2).proved);
}

/* ---- sets */

IC_TEST(test_sets)
{
    const ic_h_set slanted = {{3000000, -2000000}, {UNIT, UNIT}, {-UNIT / 2, UNIT}};
    IC_BALL_VECTOR(point, 2);
    IC_BALL_VECTOR(ab, 2);
    IC_BALLS(a, b);
    arb_set_d(a, 0.5);
    arb_set_d(b, -0.25);
    ic_h_set_point(point, &slanted, a, b, BITS);
    arb_set_d(ab, 3.625);
    arb_set_d(ab + 1, -1.75);
    CU_ASSERT(arb_overlaps(point, ab) && arb_overlaps(point + 1, ab + 1));
    ic_h_set_coordinates(ab, &slanted, point, BITS);
    CU_ASSERT(arb_overlaps(ab, a) && arb_overlaps(ab + 1, b));
    CU_ASSERT(arb_rel_accuracy_bits(ab) > BITS / 2);
}

IC_TEST(test_disjoint)
{
    ic_h_set other = square;
    CU_ASSERT(!ic_h_sets_are_disjoint(&square, &other));
    /* a point apart, to each side; and touching */
    for (int i = 0; i < 2; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            other = square;
            other.centre[i] = sign * (2L * UNIT + 1);
            CU_ASSERT(ic_h_sets_are_disjoint(&square, &other));
            other.centre[i] = sign * 2L * UNIT;
            CU_ASSERT(!ic_h_sets_are_disjoint(&square, &other));
        }
    }
    /* a diamond near a corner: only its own edges separate it */
    other = (ic_h_set){{2000000, 2000000}, {UNIT / 2, UNIT / 2}, {-UNIT, UNIT}};
    CU_ASSERT(ic_h_sets_are_disjoint(&square, &other));
    CU_ASSERT(ic_h_sets_are_disjoint(&other, &square));
    /* planted: a set within another one, and one without area */
    other = (ic_h_set){{0, 0}, {UNIT / 2, 0}, {0, UNIT / 2}};
    CU_ASSERT(!ic_h_sets_are_disjoint(&square, &other));
    CU_ASSERT(!ic_h_sets_are_disjoint(&other, &square));
    other = (ic_h_set){{0, 0}, {UNIT, 0}, {UNIT, 0}};
    CU_ASSERT(!ic_h_sets_are_disjoint(&other, &other));
    const ic_planar_map map = map_of(&stretch);
    CU_ASSERT(!ic_cover(&(ic_h_map){&map, &square, &other, 0}).proved);
}

/* ---- cone conditions */

IC_TEST(test_cones)
{
    const ic_cones c = cones(&stretch, 1);
    CU_ASSERT(c.proved && c.reason == NULL && c.pieces > 0);
    CU_ASSERT(c.stretch <= 3 && c.stretch > 3 - CLOSE);
    /* (A, B) = (3 a + 4 b, b/10): A^2 - B^2 > a^2 - b^2 fails at a = -4/3, b = 1; a larger weight helps */
    test_map skewed = {{{0, 3}, 4, 0}, {{0}, 0.1, 0}, INFINITY, 0};
    CU_ASSERT(!cones(&skewed, 1).proved);
    CU_ASSERT(cones(&skewed, 4).proved);
    /* planted: three fixed points in the set, although its edges are stretched */
    const test_map folded = {{{0, -1, 0, 8}, 0, 0}, {{0}, 0.1, 0}, INFINITY, 0};
    CU_ASSERT(cover(&folded, 0).proved);
    CU_ASSERT(!cones(&folded, 1).proved);
    /* planted: a is stretched, but less than b grows from it */
    const test_map steep = {{{0, 1.5}, 0, 0}, {{0, 2}, 0, 0}, INFINITY, 0};
    CU_ASSERT(!cones(&steep, 1).proved);
    /* planted: a is contracted and b stretched, with a positive determinant */
    const test_map swapped = {{{0, 0.5}, 0, 0}, {{0}, 3, 0}, INFINITY, 0};
    CU_ASSERT(!cones(&swapped, 1).proved);
    /* planted: nothing is contracted */
    const test_map neutral = {{{0, 3}, 0, 0}, {{0}, 1, 0}, INFINITY, 0};
    CU_ASSERT(!cones(&neutral, 1).proved);
    /* derivatives of different size: (1.5 a, 0.6 a) */
    const test_map rising = {{{0, 1.5}, 0, 0}, {{0, 0.6}, 0, 0}, INFINITY, 0};
    CU_ASSERT(cones(&rising, 1).proved);
    /* planted: steep at both ends of the image only */
    const test_map arch = {{{0, 1.5}, 0, 0}, {{0, 0, 1}, 0, 0}, INFINITY, 0};
    CU_ASSERT(!cones(&arch, 1).proved);
    /* planted: skewed at the corners only; contracted along a at the lower or at the upper side only */
    const test_map fan = {{{0, 3}, 0, 1.5}, {{0}, 0.01, 0}, INFINITY, 0};
    CU_ASSERT(!cones(&fan, 1).proved);
    const test_map lower = {{{0, 3}, 0, 2.1}, {{0}, 0, 0}, INFINITY, 0},
                   upper = {{{0, 3}, 0, -2.1}, {{0}, 0, 0}, INFINITY, 0};
    CU_ASSERT(!cones(&lower, 100).proved);
    CU_ASSERT(!cones(&upper, 100).proved);
    CU_ASSERT(cones(&stretch, 100).proved);
    /* planted: contracted along a at the left or at the right end only */
    const test_map left = {{{0, 10.5, 5}, 0, 0}, {{0}, 0, 0}, INFINITY, 0},
                   right = {{{0, 10.5, -5}, 0, 0}, {{0}, 0, 0}, INFINITY, 0};
    CU_ASSERT(!cones(&left, 1).proved);
    CU_ASSERT(!cones(&right, 1).proved);
    /* planted: contracted along a in one corner only */
    const test_map corner = {{{0, 20.5, 8}, 0, 4}, {{0}, 0, 0}, INFINITY, 0};
    CU_ASSERT(!cones(&corner, 100).proved);
    /* planted: b is stretched at the right only */
    const test_map opening = {{{0, 3}, 0, 0}, {{0}, 0.5, 0.7}, INFINITY, 0};
    CU_ASSERT(!cones(&opening, 1).proved);
    /* planted: not smooth everywhere */
    test_map broken = stretch;
    broken.edge = 0.9;
    CU_ASSERT(!cones(&broken, 1).proved);
}

/* ---- graphs */

static const ic_transition full[] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}},
                           golden[] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}},
                           parallel[] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}, swapping[] = {{0, 1, 0}, {1, 0, 0}};

IC_TEST(test_growth)
{
    const double mean = (1 + sqrt(5)) / 2;
    ic_graph graph = {NULL, 2, full, IC_COUNT(full)};
    CU_ASSERT_EQUAL(ic_graph_growth(&graph), 2);
    for (int n = 1; n <= 6; n++) CU_ASSERT_EQUAL(ic_graph_closed_walks(&graph, n), 1UL << n);
    graph = (ic_graph){NULL, 2, golden, IC_COUNT(golden)};
    const double growth = ic_graph_growth(&graph);
    CU_ASSERT(growth <= mean && growth > mean - CLOSE);
    static const unsigned long lucas[] = {1, 3, 4, 7, 11, 18};
    for (int n = 1; n <= 6; n++) CU_ASSERT_EQUAL(ic_graph_closed_walks(&graph, n), lucas[n - 1]);
    graph = (ic_graph){NULL, 1, parallel, IC_COUNT(parallel)};
    CU_ASSERT_EQUAL(ic_graph_growth(&graph), 3);
    graph = (ic_graph){NULL, 2, swapping, IC_COUNT(swapping)};
    CU_ASSERT_EQUAL(ic_graph_growth(&graph), 1);
    /* a walk that ends */
    graph = (ic_graph){NULL, 2, swapping, 1};
    CU_ASSERT_EQUAL(ic_graph_growth(&graph), 0);
    CU_ASSERT_EQUAL(ic_graph_closed_walks(&graph, 2), 0);
}

/* ---- a horseshoe: each of two squares is stretched over both */

/* X = f (x + s), Y = 0.3 y - 0.7 s with s = 1 for x < 0 and s = -1 for x > 0; not smooth at x = 0 */
static bool baker_image(const void *of, arb_ptr value, arb_srcptr start, const char **reason)
{
    const long side = arb_is_negative(start) ? 1 : arb_is_positive(start) ? -1 : 0;
    const long *factor = of;
    *reason = "the cut of the planted map";
    arb_add_si(value, start, side, BITS);
    arb_mul_si(value, value, *factor, BITS);
    arb_mul_si(value + 1, start + 1, 3, BITS);
    arb_sub_si(value + 1, value + 1, 7 * side, BITS);
    arb_div_si(value + 1, value + 1, 10, BITS);
    return side != 0;
}

static void baker_derivative(const void *of, arb_mat_t outer, arb_mat_t inner, arb_srcptr start, arb_srcptr at)
{
    const long *factor = of;
    (void)start, (void)at;
    arb_mat_one(outer);
    arb_mat_zero(inner);
    arb_set_si(arb_mat_entry(inner, 0, 0), *factor);
    arb_set_d(arb_mat_entry(inner, 1, 1), 0.3);
}

static const long six = 6, ten = 10;
static const ic_planar_map baker = {baker_image, baker_derivative, &six, BITS},
                           longer_baker = {baker_image, baker_derivative, &ten, BITS};

static const ic_h_set halves[] = {{{-UNIT, 0}, {UNIT / 2, 0}, {0, 1500000}},
                                  {{UNIT, 0}, {UNIT / 2, 0}, {0, 1500000}}};

IC_TEST(test_horseshoe)
{
    const ic_graph graph = {halves, 2, full, IC_COUNT(full)};
    ic_horseshoe h;
    ic_horseshoe_prove(&h, &baker, &graph);
    CU_ASSERT(h.proved && h.reason == NULL);
    CU_ASSERT_EQUAL(h.growth, 2);
    /* the image reaches from -3 to 3, the sets to 1.5; 0.3 1.5 + 0.7 = 1.15 of 1.5 */
    CU_ASSERT(h.edge_margin <= 3 && h.edge_margin > 3 - CLOSE);
    CU_ASSERT(h.side_margin <= 7.0 / 30 && h.side_margin > 7.0 / 30 - CLOSE);
    ic_horseshoe_prove_cones(&h, &baker, &graph, 1);
    CU_ASSERT(h.unique && h.complete);
    CU_ASSERT(h.stretch <= 6 && h.stretch > 6 - CLOSE);
}

IC_TEST(test_complete)
{
    static const ic_transition further[] = {{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {1, 0, 0}, {1, 1, 0}};
    ic_graph graph = {halves, 2, full, IC_COUNT(full)};
    ic_horseshoe h;
    /* planted: images reach from -5 to 5, and the sets a turn later begin at 6.28 - 1.5 */
    ic_horseshoe_prove(&h, &longer_baker, &graph);
    CU_ASSERT(h.proved && !h.complete);
    /* planted: a transition is left out */
    graph = (ic_graph){halves, 2, golden, IC_COUNT(golden)};
    ic_horseshoe_prove(&h, &baker, &graph);
    CU_ASSERT(h.proved && !h.complete);
    /* planted: transitions of different turns */
    graph = (ic_graph){halves, 2, further, IC_COUNT(further)};
    ic_horseshoe_prove(&h, &baker, &graph);
    CU_ASSERT(!h.proved && !h.complete);
}

static void horseshoe_refused(const ic_h_set *sets, int n_sets, const ic_transition *transitions, size_t n,
                              const char *reason)
{
    const ic_graph graph = {sets, n_sets, transitions, n};
    ic_horseshoe h;
    ic_horseshoe_prove(&h, &baker, &graph);
    CU_ASSERT(!h.proved);
    CU_ASSERT_EQUAL(h.growth, 0);
    CU_ASSERT(h.reason != NULL && strstr(h.reason, reason) != NULL);
    ic_horseshoe_prove_cones(&h, &baker, &graph, 1);
    CU_ASSERT(!h.unique);
}

/* Planted faults of graphs and sets. */
IC_TEST(test_faults)
{
    static const ic_transition twice[] = {{0, 0, 0}, {0, 1, 0}, {0, 0, 0}}, absent[] = {{0, 2, 0}},
                               negative[] = {{-1, 0, 0}}, wrong[] = {{0, 0, 0}, {0, 1, 1}};
    horseshoe_refused(halves, 2, twice, IC_COUNT(twice), "counted twice");
    horseshoe_refused(halves, 2, absent, 1, "no such set");
    horseshoe_refused(halves, 2, negative, 1, "no such set");
    horseshoe_refused(halves, 2, &(ic_transition){2, 0, 0}, 1, "no such set");
    horseshoe_refused(halves, 2, &(ic_transition){0, -1, 0}, 1, "no such set");
    horseshoe_refused(halves, 2, wrong, IC_COUNT(wrong), "an edge");
    horseshoe_refused(halves, IC_MOST_H_SETS + 1, full, 1, "too large");
    /* one set twice: all relations hold, and there is no horseshoe */
    const ic_h_set same[] = {halves[0], halves[0]};
    horseshoe_refused(same, 2, full, IC_COUNT(full), "disjoint");
    /* a turn later it is the same set */
    const ic_h_set turn[] = {halves[0], {{-UNIT + 6283185, 0}, {UNIT / 2, 0}, {0, 1500000}}};
    horseshoe_refused(turn, 2, full, IC_COUNT(full), "fit into a turn");
    /* from -1.5 to 4.785 is more than a turn by 0.002; to 4.77 it is less */
    const ic_h_set wide[] = {halves[0], {{4285000, 0}, {UNIT / 2, 0}, {0, 1500000}}},
                   narrow[] = {halves[0], {{4270000, 0}, {UNIT / 2, 0}, {0, 1500000}}};
    horseshoe_refused(wide, 2, full, IC_COUNT(full), "fit into a turn");
    horseshoe_refused(narrow, 2, full, IC_COUNT(full), "an edge");
}

/* ---- periodic orbits */

IC_TEST(test_walks)
{
    const ic_graph graph = {halves, 2, full, IC_COUNT(full)}, other = {halves, 2, golden, IC_COUNT(golden)};
    for (int n = 1; n <= 5; n++) {
        ic_walk walk;
        unsigned long found = 0, of_other = 0;
        for (bool more = ic_walk_first(&walk, &graph, n); more; more = ic_walk_next(&walk, &graph))
            found += ic_walk_solve(&walk, &baker, &graph) && ic_walk_is_inside(&walk);
        CU_ASSERT_EQUAL(found, 1UL << n);
        for (bool more = ic_walk_first(&walk, &other, n); more; more = ic_walk_next(&walk, &other)) of_other++;
        CU_ASSERT_EQUAL(of_other, ic_graph_closed_walks(&other, n));
    }
    /* the fixed point of 6 x + 6 = x is x = -6/5, which is a = -2/5 */
    ic_walk walk;
    CU_ASSERT(ic_walk_first(&walk, &graph, 1) && ic_walk_solve(&walk, &baker, &graph));
    CU_ASSERT_DOUBLE_EQUAL(walk.ab[0][0], -0.4, CLOSE);
    CU_ASSERT_DOUBLE_EQUAL(walk.ab[0][1], -2.0 / 3, CLOSE);
    walk.ab[0][1] = 1.5;
    CU_ASSERT(!ic_walk_is_inside(&walk));
    walk.ab[0][1] = NAN;
    CU_ASSERT(!ic_walk_is_inside(&walk));
}
