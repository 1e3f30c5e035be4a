/* SPDX-License-Identifier: MIT */
/* A map between the coordinates of two h-sets, over a piece: by the mean value theorem. */
#include "reference/orbit/h_set.h"

#include <math.h>

/* How often an image is used to enclose the derivatives better, from which a better image follows. */
enum { REPETITIONS = 2 };

/* Precision of balls between two doubles. */
enum { BITS = 106 };

static void set_between(arb_t value, const double ends[2])
{
    IC_FLOATS(low, high);
    arf_set_d(low, ends[0]);
    arf_set_d(high, ends[1]);
    arb_set_interval_arf(value, low, high, BITS);
}

/* The vectors of a set as columns, in units of the plane. */
static void set_vectors(arb_mat_t vectors, const ic_h_set *set, slong prec)
{
    for (int i = 0; i < 2; i++) {
        arb_set_si(arb_mat_entry(vectors, i, 0), set->unstable[i]);
        arb_set_si(arb_mat_entry(vectors, i, 1), set->stable[i]);
    }
    arb_mat_scalar_div_si(vectors, vectors, IC_H_SET_UNIT, prec);
}

/* (V^-1 outer) (inner U), with the vectors of `to` in V and those of `from` in U. */
static void change_coordinates(arb_mat_t derivative, const ic_h_map *h_map, arb_mat_t outer, arb_mat_t inner)
{
    const slong prec = h_map->map->prec;
    IC_BALL_MATRIX(vectors, 2, 2);
    set_vectors(vectors, h_map->from, prec);
    arb_mat_mul(inner, inner, vectors, prec);
    set_vectors(vectors, h_map->to, prec);
    /* an inverse that does not exist is not finite, and proves nothing */
    if (arb_mat_inv(vectors, vectors, prec)) arb_mat_mul(outer, vectors, outer, prec);
    else arb_mat_indeterminate(outer);
    arb_mat_mul(derivative, outer, inner, prec);
}

/* One piece at work. */
typedef struct mapped_piece {
    const ic_h_map *h_map;

    /* a and b, and the middle of both */
    arb_ptr piece, middle;

    /* the differences from the middle */
    arb_ptr spread;

    /* in the plane: a box that holds the piece, and one that holds its image, with all its turns */
    arb_ptr box, image;

    /* the image of the middle, in the coordinates of `to` */
    arb_ptr centre;

    arb_ptr turns;
} mapped_piece;

static void place_piece(mapped_piece *m, const ic_h_map *h_map, const ic_h_piece *piece)
{
    const slong prec = h_map->map->prec;
    arb_const_pi(m->turns, prec);
    arb_mul_si(m->turns, m->turns, 2 * h_map->turns, prec);
    set_between(m->piece, piece->a);
    set_between(m->piece + 1, piece->b);
    for (int i = 0; i < 2; i++) {
        arb_get_mid_arb(m->middle + i, m->piece + i);
        arb_sub(m->spread + i, m->piece + i, m->middle + i, prec);
    }
    ic_h_set_point(m->box, h_map->from, m->piece, m->piece + 1, prec);
}

static bool map_middle(mapped_piece *m, const char **reason)
{
    const ic_planar_map *map = m->h_map->map;
    IC_BALL_VECTOR(point, 2);
    ic_h_set_point(point, m->h_map->from, m->middle, m->middle + 1, map->prec);
    const bool good = map->image(map->of, m->image, point, reason);
    arb_sub(m->image, m->image, m->turns, map->prec);
    if (good) ic_h_set_coordinates(m->centre, m->h_map->to, m->image, map->prec);
    return good;
}

/* The derivatives where images lie in the box, and from them the image by the mean value theorem. */
static void apply_mean_value(arb_ptr ab, arb_mat_t derivative, const mapped_piece *m)
{
    const ic_planar_map *map = m->h_map->map;
    IC_BALL_MATRIX(outer, 2, 2);
    IC_BALL_MATRIX(inner, 2, 2);
    map->derivative(map->of, outer, inner, m->box, m->image);
    change_coordinates(derivative, m->h_map, outer, inner);
    for (int i = 0; i < 2; i++) {
        arb_set(ab + i, m->centre + i);
        arb_addmul(ab + i, arb_mat_entry(derivative, i, 0), m->spread, map->prec);
        arb_addmul(ab + i, arb_mat_entry(derivative, i, 1), m->spread + 1, map->prec);
    }
}

/* A smaller box for the image: that of its coordinates. */
static void shrink_image(mapped_piece *m, arb_srcptr ab)
{
    const slong prec = m->h_map->map->prec;
    IC_BALL_VECTOR(image, 2);
    ic_h_set_point(image, m->h_map->to, ab, ab + 1, prec);
    arb_add(image, image, m->turns, prec);
    for (int i = 0; i < 2; i++) arb_intersection(m->image + i, m->image + i, image + i, prec);
}

bool ic_h_map_piece(arb_ptr ab, arb_mat_t derivative, const ic_h_map *h_map, const ic_h_piece *piece,
                    const char **reason)
{
    const ic_planar_map *map = h_map->map;
    IC_BALL_VECTOR(x, 13);
    mapped_piece m = {h_map, x, x + 2, x + 4, x + 6, x + 8, x + 10, x + 12};
    place_piece(&m, h_map, piece);
    const bool good = map_middle(&m, reason) && map->image(map->of, m.image, m.box, reason);
    if (good) apply_mean_value(ab, derivative, &m);
    for (int i = 0; i < REPETITIONS && good; i++) {
        shrink_image(&m, ab);
        apply_mean_value(ab, derivative, &m);
    }
    return good;
}

static double middle_of(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

bool ic_h_map_point(double image[2], double derivative[2][2], const ic_h_map *h_map, const double ab[2])
{
    const ic_h_piece point = {{ab[0], ab[0]}, {ab[1], ab[1]}};
    const char *reason;
    IC_BALL_VECTOR(place, 2);
    IC_BALL_MATRIX(rates, 2, 2);
    const bool good = ic_h_map_piece(place, rates, h_map, &point, &reason);
    for (int i = 0; i < 2; i++) {
        image[i] = middle_of(place + i);
        for (int k = 0; k < 2; k++) derivative[i][k] = middle_of(arb_mat_entry(rates, i, k));
    }
    return good;
}

/* ---- cutting */

/* An upper bound of the image's length along one coordinate of the piece: the larger one of both coordinates. */
static double image_length(const arb_mat_t derivative, slong column, const double ends[2])
{
    double length = 0;
    IC_BOUNDS(size);
    for (int i = 0; i < 2; i++) {
        arb_get_mag(size, arb_mat_entry(derivative, i, column));
        length = fmax(length, mag_get_d(size) * (ends[1] - ends[0]));
    }
    return length;
}

void ic_h_piece_halve(ic_h_piece *low, ic_h_piece *high, const ic_h_piece *piece, const arb_mat_t derivative)
{
    const double *a = piece->a, *b = piece->b;
    const double along_a = derivative == NULL ? a[1] - a[0] : image_length(derivative, 0, a),
                 along_b = derivative == NULL ? b[1] - b[0] : image_length(derivative, 1, b);
    *low = *high = *piece;
    if (along_a > along_b) low->a[1] = high->a[0] = a[0] + (a[1] - a[0]) / 2;
    else low->b[1] = high->b[0] = b[0] + (b[1] - b[0]) / 2;
}
