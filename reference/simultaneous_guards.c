/* SPDX-License-Identifier: MIT */
#include "reference/simultaneous_guards.h"

#include <string.h>

static bool ends_run(const ic_ball_system *s, const ic_jump *jump)
{
    for (size_t b = 0; b < jump->n_branches; b++) {
        const int mode = jump->branches[b].mode;
        if (mode < 0 || !s->modes[mode].mode->terminal) return false;
    }
    return jump->linear && jump->n_branches == 1;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_states(const ic_ball_system *s, const ic_branch *a, const ic_branch *b)
{
    if (a->state == NULL || b->state == NULL) return a->state == b->state;
    for (slong i = 0; i < s->n; i++) {
        if (!same_text(a->state[i], b->state[i])) return false;
    }
    return true;
}

static bool same_jump(const ic_ball_system *s, const ic_jump *a, const ic_jump *b)
{
    bool same = a->n_branches == b->n_branches;
    for (size_t i = 0; same && i < a->n_branches; i++) {
        const ic_branch *c = &a->branches[i], *d = &b->branches[i];
        same = c->mode == d->mode && same_text(c->condition, d->condition) && same_states(s, c, d);
    }
    return same;
}

/* Index of the same guard in another mode: same value, same jump; -1: not present. */
static int same_guard(const ic_ball_system *s, const ic_mode *mode, const ic_guard *guard)
{
    for (size_t i = 0; i < mode->n_guards; i++) {
        const ic_guard *other = &mode->guards[i];
        if (other->direction == guard->direction && other->enabled == NULL && guard->enabled == NULL &&
            same_jump(s, &other->jump, &guard->jump) && strcmp(other->linear, guard->linear) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* z after a branch, in the mode to which it leads. */
static bool map_state(arb_ptr after, ic_ball_system *s, const ic_branch *branch, const ic_ball_mode *mode,
                      const arb_t t, arb_srcptr z)
{
    _arb_vec_set(after, z, s->dim);
    for (slong i = 0; branch->state != NULL && i < s->n; i++) {
        ic_ball_row row = ic_ball_system_row(s, branch->state[i], true);
        if (row == NULL) return false;
        ic_ball_row_value(after + i, s, row, z);
        ic_ball_row_clear(s, row);
    }
    ic_ball_anchor(after, s, mode->frequency, t);
    return true;
}

/* An upper bound of |value|/|rate|; infinite where the rate may vanish. */
static void bound_time_to_zero(arb_t length, const arb_t value, const arb_t rate)
{
    mag_t upper, lower;
    mag_init(upper);
    mag_init(lower);
    arb_get_mag(upper, value);
    arb_get_mag_lower(lower, rate);
    mag_div(upper, upper, lower);
    arf_set_mag(arb_midref(length), upper);
    mag_zero(arb_radref(length));
    mag_clear(upper);
    mag_clear(lower);
}

/* swept = z + [0, length] M from */
static void advance_tube(arb_ptr swept, const ic_ball_system *s, const ic_ball_mode *mode, arb_srcptr z,
                         const arb_t length, arb_srcptr from)
{
    arb_t part, rate;
    arb_init(part);
    arb_init(rate);
    arb_union(part, part, length, s->prec); /* [0, length] */
    for (slong i = 0; i < s->dim; i++) {
        arb_dot(rate, NULL, 0, mode->matrix + i * s->dim, 1, from, 1, s->dim, s->prec);
        arb_mul(rate, rate, part, s->prec);
        arb_add(swept + i, z + i, rate, s->prec);
    }
    arb_clear(part);
    arb_clear(rate);
}

/* Margin for rounding in the check of a tube, a few units in the last place. */
enum { ROOM_BITS = 6 };

static void add_rounding_margin(arb_ptr tube, const ic_ball_system *s)
{
    mag_t room;
    mag_init(room);
    for (slong i = 0; i < s->n; i++) {
        arb_get_mag(room, tube + i);
        mag_mul_2exp_si(room, room, ROOM_BITS - s->prec);
        arb_add_error_mag(tube + i, room);
    }
    mag_clear(room);
}

static void rate_of_guard(arb_t rate, const ic_ball_system *s, const ic_ball_mode *mode, arb_srcptr guard,
                          arb_srcptr z)
{
    arb_ptr dz = _arb_vec_init(s->dim);
    for (slong i = 0; i < s->dim; i++) {
        arb_dot(dz + i, NULL, 0, mode->matrix + i * s->dim, 1, z, 1, s->dim, s->prec);
    }
    ic_ball_row_value(rate, s, guard, dz);
    _arb_vec_clear(dz, s->dim);
}

/* Returns whether no guard except number `ends` is near zero in the tube. */
static bool is_only_guard_near_zero(const ic_ball_system *s, const ic_ball_mode *mode, size_t ends,
                                    arb_srcptr tube)
{
    arb_t value;
    bool clear = true;
    arb_init(value);
    for (size_t i = 0; i < mode->mode->n_guards && clear; i++) {
        if (i == ends || mode->never[i]) continue;
        ic_ball_row_value(value, s, mode->guards[i], tube);
        clear = !arb_contains_zero(value);
    }
    arb_clear(value);
    return clear;
}

static bool is_inside(const ic_ball_system *s, arb_srcptr inner, arb_srcptr outer)
{
    for (slong i = 0; i < s->dim; i++) {
        if (!arb_contains(outer + i, inner + i)) return false;
    }
    return true;
}

/* From z on, guard number `ends` crosses zero within `length` = |value|/|rate|: encloses all states
   until then in `tube`. The tube is valid if it contains the image of z under its own flow
   (Picard). It is tried with twice the length. */
static bool follow_to_end(arb_ptr tube, arb_t length, const ic_ball_system *s, const ic_ball_mode *mode,
                          size_t ends, arb_srcptr z)
{
    arb_t value, rate, twice;
    arb_ptr trial = _arb_vec_init(s->dim);
    arb_init(value);
    arb_init(rate);
    arb_init(twice);
    ic_ball_row_value(value, s, mode->guards[ends], z);
    rate_of_guard(rate, s, mode, mode->guards[ends], z);
    bound_time_to_zero(length, value, rate);
    arb_mul_si(twice, length, 2, s->prec);
    advance_tube(trial, s, mode, z, twice, z);
    advance_tube(tube, s, mode, z, twice, trial);
    add_rounding_margin(tube, s);
    /* The value in the tube at the crossing is zero; the bound uses its value at z and its rate in
       the tube. */
    rate_of_guard(rate, s, mode, mode->guards[ends], tube);
    bound_time_to_zero(length, value, rate);
    advance_tube(trial, s, mode, z, length, tube);
    const bool good =
        arb_is_finite(length) && is_inside(s, trial, tube) && is_only_guard_near_zero(s, mode, ends, tube);
    _arb_vec_clear(trial, s->dim);
    arb_clear(value);
    arb_clear(rate);
    arb_clear(twice);
    return good;
}

/* Widens t and z by the consequences of guard `first` firing just before the one that ends the
   run. */
static bool widen_by_order(ic_ball_system *s, arb_t t, arb_ptr z, arb_srcptr z_start, const ic_guard *first,
                           const ic_guard *ending)
{
    arb_t length;
    bool good = first->jump.linear;
    arb_ptr after = _arb_vec_init(s->dim), tube = _arb_vec_init(s->dim);
    arb_init(length);
    for (size_t b = 0; b < first->jump.n_branches && good; b++) {
        const ic_branch *branch = &first->jump.branches[b];
        const ic_ball_mode *mode = branch->mode < 0 ? NULL : &s->modes[branch->mode];
        if (mode != NULL && mode->mode->terminal) {
            /* it ends the run in the same way */
            good = same_states(s, branch, &ending->jump.branches[0]);
            continue;
        }
        const int ends = mode == NULL ? -1 : same_guard(s, mode->mode, ending);
        good = ends >= 0 && map_state(after, s, branch, mode, t, z_start) &&
               follow_to_end(tube, length, s, mode, (size_t)ends, after);
        if (!good) break;
        for (slong i = 0; i < s->n; i++) arb_union(z + i, z + i, tube + i, s->prec);
        arb_add(length, length, t, s->prec);
        arb_union(t, t, length, s->prec);
    }
    arb_clear(length);
    _arb_vec_clear(after, s->dim);
    _arb_vec_clear(tube, s->dim);
    return good;
}

int ic_simultaneous_end(ic_ball_system *s, arb_t t, arb_ptr z, int mode, const bool *simultaneous)
{
    const ic_mode *m = s->modes[mode].mode;
    int ends = -1;
    for (size_t i = 0; i < m->n_guards; i++) {
        if (simultaneous[i] && ends < 0 && ends_run(s, &m->guards[i].jump)) ends = (int)i;
    }
    if (ends < 0) return -1;
    arb_ptr z_start = _arb_vec_init(s->dim);
    _arb_vec_set(z_start, z, s->dim);
    bool good = true;
    for (size_t i = 0; i < m->n_guards && good; i++) {
        if (simultaneous[i] && (int)i != ends)
            good = widen_by_order(s, t, z, z_start, &m->guards[i], &m->guards[ends]);
    }
    _arb_vec_clear(z_start, s->dim);
    return good ? ends : -1;
}
