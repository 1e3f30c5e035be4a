/* SPDX-License-Identifier: MIT */
/* A map between the coordinates of two h-sets, over a piece: by the mean value theorem. */
#include "reference/h_set.h"

static void set_between(arb_t value, const double ends[2])
{
    arf_t low, high;
    arf_init(low), arf_init(high);
    arf_set_d(low, ends[0]);
    arf_set_d(high, ends[1]);
    arb_set_interval_arf(value, low, high, 2 * 53);
    arf_clear(low), arf_clear(high);
}

/* One column of the derivatives: of the coordinates of `to` along a vector of `from`. */
static void set_column(arb_mat_t derivative, slong column, const ic_h_map *h_map, const arb_mat_t plane,
                       const long vector[2])
{
    const slong prec = h_map->map->prec;
    const ic_h_set *to = h_map->to;
    const ic_h_set directions = {{0, 0}, {to->unstable[0], to->unstable[1]}, {to->stable[0], to->stable[1]}};
    arb_ptr change = _arb_vec_init(2), ab = _arb_vec_init(2);
    for (int i = 0; i < 2; i++) {
        arb_mul_si(change + i, arb_mat_entry(plane, i, 0), vector[0], prec);
        arb_addmul_si(change + i, arb_mat_entry(plane, i, 1), vector[1], prec);
        arb_div_si(change + i, change + i, IC_H_SET_UNIT, prec);
    }
    ic_h_set_coordinates(ab, &directions, change, prec);
    for (int i = 0; i < 2; i++) arb_swap(arb_mat_entry(derivative, i, column), ab + i);
    _arb_vec_clear(change, 2);
    _arb_vec_clear(ab, 2);
}

/* The derivatives on the piece (a, b). */
static bool find_derivative(arb_mat_t derivative, const ic_h_map *h_map, const arb_t a, const arb_t b,
                            const char **reason)
{
    const ic_planar_map *map = h_map->map;
    arb_ptr box = _arb_vec_init(2), image = _arb_vec_init(2);
    arb_mat_t plane;
    arb_mat_init(plane, 2, 2);
    ic_h_set_point(box, h_map->from, a, b, map->prec);
    const bool good = map->image(image, plane, map->of, box, reason);
    if (good) {
        set_column(derivative, 0, h_map, plane, h_map->from->unstable);
        set_column(derivative, 1, h_map, plane, h_map->from->stable);
    }
    arb_mat_clear(plane);
    _arb_vec_clear(box, 2);
    _arb_vec_clear(image, 2);
    return good;
}

/* The image of the point (a, b). */
static bool map_point(arb_ptr ab, const ic_h_map *h_map, const arb_t a, const arb_t b, const char **reason)
{
    const ic_planar_map *map = h_map->map;
    arb_ptr point = _arb_vec_init(2), image = _arb_vec_init(2);
    arb_t turns;
    arb_init(turns);
    ic_h_set_point(point, h_map->from, a, b, map->prec);
    const bool good = map->image(image, NULL, map->of, point, reason);
    arb_const_pi(turns, map->prec);
    arb_mul_si(turns, turns, 2 * h_map->turns, map->prec);
    arb_sub(image, image, turns, map->prec);
    if (good) ic_h_set_coordinates(ab, h_map->to, image, map->prec);
    arb_clear(turns);
    _arb_vec_clear(point, 2);
    _arb_vec_clear(image, 2);
    return good;
}

bool ic_h_map_piece(arb_ptr ab, arb_mat_t derivative, const ic_h_map *h_map, const ic_h_piece *piece,
                    const char **reason)
{
    const slong prec = h_map->map->prec;
    arb_t a, b, middle_a, middle_b;
    arb_init(a), arb_init(b), arb_init(middle_a), arb_init(middle_b);
    set_between(a, piece->a);
    set_between(b, piece->b);
    arb_get_mid_arb(middle_a, a);
    arb_get_mid_arb(middle_b, b);
    const bool good =
        find_derivative(derivative, h_map, a, b, reason) && map_point(ab, h_map, middle_a, middle_b, reason);
    arb_sub(a, a, middle_a, prec);
    arb_sub(b, b, middle_b, prec);
    for (int i = 0; i < 2 && good; i++) {
        arb_addmul(ab + i, arb_mat_entry(derivative, i, 0), a, prec);
        arb_addmul(ab + i, arb_mat_entry(derivative, i, 1), b, prec);
    }
    arb_clear(a), arb_clear(b), arb_clear(middle_a), arb_clear(middle_b);
    return good;
}
