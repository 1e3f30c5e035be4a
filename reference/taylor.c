/* SPDX-License-Identifier: MIT */
#include "reference/taylor.h"

#include <math.h>

/* Length of a piece times the growth rate of |M|: terms grow to exp(6) before they fall, so 9 bits
   cancel. */
#define PIECE_GROWTH 6.0
/* Bits of the enclosure of exp(d s M): it only multiplies radii. */
enum { SPREAD_BITS = 64 };
/* Bits of the remainder below the working precision. */
enum { SPARE_BITS = 4 };

static void next_term(arb_ptr out, const ic_taylor *t, arb_srcptr c, const arb_t d, slong j)
{
    const slong dim = t->system->dim, prec = t->system->prec;
    for (slong i = 0; i < dim; i++) {
        arb_zero(out + i);
        for (slong k = 0; k < dim; k++) {
            const arb_struct *entry = t->mode->matrix + i * dim + k;
            if (!arb_is_zero(entry) && !arb_is_zero(c + k)) arb_addmul(out + i, entry, c + k, prec);
        }
        arb_mul(out + i, out + i, d, prec);
        arb_div_si(out + i, out + i, j, prec);
    }
}

/* u = d |M| u / j, rounded up. */
static void multiply_term(mag_ptr u, mag_ptr scratch, const ic_taylor *t, const mag_t d, slong j)
{
    const slong dim = t->system->dim;
    for (slong i = 0; i < dim; i++) {
        mag_zero(scratch + i);
        for (slong k = 0; k < dim; k++) mag_addmul(scratch + i, t->mode->magnitude + i * dim + k, u + k);
        mag_mul(scratch + i, scratch + i, d);
        mag_div_ui(scratch + i, scratch + i, (ulong)j);
    }
    for (slong i = 0; i < dim; i++) mag_set(u + i, scratch + i);
}

/*
 * Tests whether `next` <= u/2 entry by entry: every later term then halves too, since (d |M|)/(j+1)
 * decreases.
 */
static bool term_halves(mag_srcptr next, mag_srcptr u, slong dim)
{
    mag_t twice;
    mag_init(twice);
    bool yes = true;
    for (slong i = 0; i < dim && yes; i++) {
        mag_mul_2exp_si(twice, next + i, 1);
        yes = mag_cmp(twice, u + i) <= 0;
    }
    mag_clear(twice);
    return yes;
}

/* u_K + ... + u_{K+dim-1} from u_{K-1}, which is overwritten. Unlike u_K, whose entries may
   alternate between zero and positive (an undamped oscillator that starts at rest), every entry
   that is positive in any term is positive in this sum. */
static void sum_of_terms(mag_ptr sum, mag_ptr u, mag_ptr scratch, const ic_taylor *t, const mag_t d)
{
    const slong dim = t->system->dim;
    for (slong i = 0; i < dim; i++) mag_zero(sum + i);
    for (slong k = 0; k < dim; k++) {
        multiply_term(u, scratch, t, d, t->order + k);
        for (slong i = 0; i < dim; i++) mag_add(sum + i, sum + i, u + i);
    }
}

/* remainder = sum_{j >= K} (d|M|)^j/j! |z|. On entry u is the term K - 1, which is added for
   remainder_rate. */
static void bound_remainder(ic_taylor *t, mag_ptr u, const mag_t d)
{
    const slong dim = t->system->dim;
    mag_ptr before = _mag_vec_init(dim), scratch = _mag_vec_init(dim), term = _mag_vec_init(dim);
    for (slong i = 0; i < dim; i++) mag_set(t->remainder_rate + i, u + i);
    sum_of_terms(term, u, scratch, t, d);
    for (slong i = 0; i < dim; i++) mag_set(t->remainder + i, term + i);
    for (slong j = t->order + 1;; j++) {
        for (slong i = 0; i < dim; i++) mag_set(before + i, term + i);
        multiply_term(term, scratch, t, d, j);
        const bool last = term_halves(term, before, dim);
        /* the sum of all further terms is at most twice this one */
        for (slong i = 0; i < dim; i++) {
            if (last) mag_mul_2exp_si(term + i, term + i, 1);
            mag_add(t->remainder + i, t->remainder + i, term + i);
        }
        if (last) break;
    }
    for (slong i = 0; i < dim; i++) mag_add(t->remainder_rate + i, t->remainder_rate + i, t->remainder + i);
    _mag_vec_clear(before, dim);
    _mag_vec_clear(scratch, dim);
    _mag_vec_clear(term, dim);
}

/* Order at which the terms have fallen below 2^-prec of the largest: log2 of growth^j/j!. */
static slong choose_order(slong prec, double growth)
{
    const double goal = -(double)(prec + SPARE_BITS) * log(2);
    slong order = 4;
    if (growth <= 0) return IC_MAX_STATES + 4; /* nilpotent: the series ends */
    while ((double)order * log(growth) - lgamma((double)order + 1) > goal - growth ||
           (double)order < 2 * growth)
        order++;
    return order;
}

void ic_taylor_open(ic_taylor *t, const ic_ball_system *system, const ic_ball_mode *mode, arb_srcptr z,
                    double longest)
{
    const slong dim = system->dim;
    const double length = mode->growth > 0 ? fmin(PIECE_GROWTH / mode->growth, longest) : longest;
    *t = (ic_taylor){.system = system, .mode = mode};
    t->order = choose_order(system->prec, mode->growth * length);
    if (t->order < 4) t->order = 4;
    arf_init(t->length);
    arf_set_d(t->length, length);
    t->coefficients = _arb_vec_init(t->order * dim);
    t->centre = _arb_vec_init(t->order * dim);
    t->radius = _mag_vec_init(dim);
    t->remainder = _mag_vec_init(dim);
    t->remainder_rate = _mag_vec_init(dim);
    arb_t d;
    mag_t d_mag;
    mag_ptr u = _mag_vec_init(dim), scratch = _mag_vec_init(dim);
    arb_init(d);
    mag_init(d_mag);
    arb_set_arf(d, t->length);
    arb_get_mag(d_mag, d);
    _arb_vec_set(t->coefficients, z, dim);
    for (slong i = 0; i < dim; i++) {
        arb_get_mag(u + i, z + i);
        arb_get_mid_arb(t->centre + i, z + i);
        mag_set(t->radius + i, arb_radref(z + i));
    }
    for (slong j = 1; j < t->order; j++) {
        next_term(t->coefficients + j * dim, t, t->coefficients + (j - 1) * dim, d, j);
        next_term(t->centre + j * dim, t, t->centre + (j - 1) * dim, d, j);
        multiply_term(u, scratch, t, d_mag, j);
    }
    bound_remainder(t, u, d_mag);
    _mag_vec_clear(u, dim);
    _mag_vec_clear(scratch, dim);
    arb_clear(d);
    mag_clear(d_mag);
}

void ic_taylor_close(ic_taylor *t)
{
    const slong dim = t->system->dim;
    _arb_vec_clear(t->coefficients, t->order * dim);
    _arb_vec_clear(t->centre, t->order * dim);
    _mag_vec_clear(t->radius, dim);
    _mag_vec_clear(t->remainder, dim);
    _mag_vec_clear(t->remainder_rate, dim);
    arf_clear(t->length);
}

void ic_taylor_transition(arb_mat_t e, const ic_taylor *t, const arb_t s)
{
    const slong dim = t->system->dim;
    arb_t factor;
    arb_init(factor);
    arb_set_arf(factor, t->length);
    arb_mul(factor, factor, s, SPREAD_BITS);
    for (slong i = 0; i < dim; i++) {
        for (slong k = 0; k < dim; k++) {
            arb_mul(arb_mat_entry(e, i, k), t->mode->matrix + i * dim + k, factor, SPREAD_BITS);
        }
    }
    arb_mat_exp(e, e, SPREAD_BITS);
    arb_clear(factor);
}

void ic_taylor_spread(mag_t spread, const ic_taylor *t, arb_srcptr row, const arb_t s)
{
    const slong dim = t->system->dim;
    arb_mat_t e;
    arb_t entry;
    mag_t size;
    arb_mat_init(e, dim, dim);
    arb_init(entry);
    mag_init(size);
    ic_taylor_transition(e, t, s);
    mag_zero(spread);
    for (slong k = 0; k < dim; k++) {
        arb_zero(entry);
        for (slong i = 0; i < dim; i++) arb_addmul(entry, row + i, arb_mat_entry(e, i, k), SPREAD_BITS);
        arb_get_mag(size, entry);
        mag_addmul(spread, size, t->radius + k);
    }
    arb_mat_clear(e);
    arb_clear(entry);
    mag_clear(size);
}

/* Horner's rule for the series from the midpoint. */
static void centre_at(arb_ptr z, const ic_taylor *t, const arb_t s)
{
    const slong dim = t->system->dim, prec = t->system->prec;
    _arb_vec_set(z, t->centre + (t->order - 1) * dim, dim);
    for (slong j = t->order - 2; j >= 0; j--) {
        for (slong i = 0; i < dim; i++) {
            arb_mul(z + i, z + i, s, prec);
            arb_add(z + i, z + i, t->centre + j * dim + i, prec);
        }
    }
    for (slong i = 0; i < dim; i++) arb_add_error_mag(z + i, t->remainder + i);
}

/* The same for a ball s by the mean value form z(s_m) + d M z(s) (s - s_m): Horner's rule on a ball
   would widen it by exp(d |M|). */
static void centre_over(arb_ptr z, const ic_taylor *t, const arb_t s)
{
    const slong dim = t->system->dim, prec = t->system->prec;
    arb_t middle, offset, rate;
    arb_ptr over = _arb_vec_init(dim);
    arb_init(middle);
    arb_init(offset);
    arb_init(rate);
    arb_get_mid_arb(middle, s);
    arb_sub(offset, s, middle, prec);
    arb_set_arf(rate, t->length);
    arb_mul(offset, offset, rate, prec);
    centre_at(over, t, s);
    centre_at(z, t, middle);
    for (slong i = 0; i < dim; i++) {
        arb_dot(rate, NULL, 0, t->mode->matrix + i * dim, 1, over, 1, dim, prec);
        arb_addmul(z + i, rate, offset, prec);
    }
    _arb_vec_clear(over, dim);
    arb_clear(middle);
    arb_clear(offset);
    arb_clear(rate);
}

void ic_taylor_state(arb_ptr z, const ic_taylor *t, const arb_t s)
{
    const slong dim = t->system->dim;
    arb_mat_t e;
    arb_mat_init(e, dim, dim);
    ic_taylor_transition(e, t, s);
    ic_taylor_state_by(z, t, s, e);
    arb_mat_clear(e);
}

void ic_taylor_state_by(arb_ptr z, const ic_taylor *t, const arb_t s, const arb_mat_t e)
{
    const slong dim = t->system->dim;
    mag_t size;
    mag_init(size);
    if (arb_is_exact(s)) centre_at(z, t, s);
    else centre_over(z, t, s);
    for (slong i = 0; i < dim; i++) {
        for (slong k = 0; k < dim; k++) {
            arb_get_mag(size, arb_mat_entry(e, i, k));
            mag_mul(size, size, t->radius + k);
            arb_add_error_mag(z + i, size);
        }
    }
    mag_clear(size);
}

void ic_taylor_centre_row(arb_ptr polynomial, const ic_taylor *t, arb_srcptr row)
{
    const slong dim = t->system->dim;
    for (slong j = 0; j < t->order; j++) {
        arb_dot(polynomial + j, NULL, 0, row, 1, t->centre + j * dim, 1, dim, t->system->prec);
    }
}

void ic_taylor_row(arb_ptr polynomial, mag_t remainder, mag_t remainder_rate, const ic_taylor *t,
                   arb_srcptr row)
{
    const slong dim = t->system->dim;
    mag_t factor, d;
    mag_ptr row_mag = _mag_vec_init(dim);
    mag_init(factor);
    mag_init(d);
    for (slong j = 0; j < t->order; j++) {
        arb_dot(polynomial + j, NULL, 0, row, 1, t->coefficients + j * dim, 1, dim, t->system->prec);
    }
    arf_get_mag(d, t->length);
    mag_zero(remainder);
    mag_zero(remainder_rate);
    for (slong i = 0; i < dim; i++) {
        arb_get_mag(row_mag + i, row + i);
        mag_addmul(remainder, row_mag + i, t->remainder + i);
    }
    /* d/ds (row . r) = d row M (remainder of the polynomial with one term fewer) */
    for (slong i = 0; i < dim; i++) {
        for (slong k = 0; k < dim; k++) {
            mag_mul(factor, row_mag + i, t->mode->magnitude + i * dim + k);
            mag_mul(factor, factor, d);
            mag_addmul(remainder_rate, factor, t->remainder_rate + k);
        }
    }
    _mag_vec_clear(row_mag, dim);
    mag_clear(factor);
    mag_clear(d);
}
