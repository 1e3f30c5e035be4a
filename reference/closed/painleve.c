/* SPDX-License-Identifier: MIT */
#include "reference/closed/painleve.h"

enum { BITS = 64 };

static void set_side(arb_t x, const ic_painleve_box *box, int axis)
{
    arb_set_d(x, box->from[axis] + 0.5 * box->width[axis]);
    mag_set_d(arb_radref(x), 0.5 * box->width[axis]);
}

/* Sign of x, 0: not decided. */
static int sign_of(const arb_t x)
{
    return arb_is_positive(x) ? 1 : arb_is_negative(x) ? -1 : 0;
}

/* p = 1 + kappa/2 (1 + cos 2 phi - mu sin 2 phi): each variable but phi occurs once. */
static void effect_of_force(arb_t p, const ic_painleve_box *box)
{
    IC_BALLS(mu, angle, kappa, sine);
    set_side(mu, box, IC_PAINLEVE_MU);
    set_side(angle, box, IC_PAINLEVE_ANGLE);
    set_side(kappa, box, IC_PAINLEVE_KAPPA);
    arb_mul_2exp_si(angle, angle, 1);
    arb_sin_cos_pi(sine, p, angle, BITS);
    arb_mul(sine, sine, mu, BITS);
    arb_sub(p, p, sine, BITS);
    arb_add_ui(p, p, 1, BITS);
    arb_mul(p, p, kappa, BITS);
    arb_mul_2exp_si(p, p, -1);
    arb_add_ui(p, p, 1, BITS);
}

/* b/g = spin sin phi - 1 */
static int free_side(const ic_painleve_box *box, double spin)
{
    IC_BALLS(angle, b);
    set_side(angle, box, IC_PAINLEVE_ANGLE);
    arb_sin_pi(b, angle, BITS);
    arb_set_d(angle, spin);
    arb_mul(b, b, angle, BITS);
    arb_sub_ui(b, b, 1, BITS);
    return sign_of(b);
}

int ic_painleve_solutions(const ic_painleve_box *box, double spin)
{
    IC_BALLS(p);
    effect_of_force(p, box);
    const int side = sign_of(p), off = side < 0 ? free_side(box, spin) : 0;
    if (side > 0) return 1;
    return side == 0 || off == 0 ? -1 : off > 0 ? 2 : 0;
}

/* Adds the shares of a box that is 2^-halvings of the whole; its next halving is across `axis`. */
static void divide(ic_painleve_shares *shares, const ic_painleve_box *box, double spin, int halvings, int depth)
{
    const int solutions = ic_painleve_solutions(box, spin);
    if (solutions >= 0) {
        shares->with[solutions] += UINT64_C(1) << (depth - halvings);
    } else if (halvings == depth) {
        shares->undecided++;
    } else {
        const int axis = halvings % IC_PAINLEVE_AXES;
        ic_painleve_box half = *box;
        half.width[axis] *= 0.5;
        divide(shares, &half, spin, halvings + 1, depth);
        half.from[axis] += half.width[axis];
        divide(shares, &half, spin, halvings + 1, depth);
    }
}

ic_painleve_shares ic_painleve_map(const ic_painleve_box *box, double spin, int depth)
{
    ic_painleve_shares shares = {{0, 0, 0}, 0};
    divide(&shares, box, spin, 0, depth);
    return shares;
}

void ic_painleve_critical_friction(arb_t mu, long p, unsigned long q, long bits)
{
    IC_RATIONALS(kappa);
    IC_BALLS(ratio);
    fmpq_set_si(kappa, p, q);
    arb_set_fmpq(ratio, kappa, bits);
    arb_add_ui(mu, ratio, 1, bits);
    arb_sqrt(mu, mu, bits);
    arb_div(mu, mu, ratio, bits);
    arb_mul_2exp_si(mu, mu, 1);
}

int ic_painleve_discriminant_sign(long mu_p, unsigned long mu_q, long p, unsigned long q)
{
    IC_RATIONALS(mu, kappa, d);
    fmpq_set_si(mu, mu_p, mu_q);
    fmpq_set_si(kappa, p, q);
    fmpq_mul(mu, mu, kappa);
    fmpq_mul(mu, mu, mu);
    fmpq_add_si(d, kappa, 1);
    fmpq_mul_2exp(d, d, 2);
    fmpq_sub(d, mu, d);
    return fmpq_sgn(d);
}

static void to_degrees(arb_t angle, long bits)
{
    IC_BALLS(pi);
    arb_atan(angle, angle, bits);
    arb_const_pi(pi, bits);
    arb_div(angle, angle, pi, bits);
    arb_mul_ui(angle, angle, 180, bits);
}

/* t = (kappa mu +- sqrt(kappa^2 mu^2 - 4 (1 + kappa)))/2 */
bool ic_painleve_angles(arb_t lower, arb_t upper, double mu, double kappa, long bits)
{
    IC_BALLS(sum, root);
    arb_set_d(sum, mu);
    arb_set_d(root, kappa);
    arb_mul(sum, sum, root, bits);
    arb_add_ui(root, root, 1, bits);
    arb_mul_2exp_si(root, root, 2);
    arb_neg(root, root);
    arb_addmul(root, sum, sum, bits);
    const bool exist = arb_is_positive(root);
    if (exist) {
        arb_sqrt(root, root, bits);
        arb_sub(lower, sum, root, bits);
        arb_add(upper, sum, root, bits);
        arb_mul_2exp_si(lower, lower, -1);
        arb_mul_2exp_si(upper, upper, -1);
        to_degrees(lower, bits);
        to_degrees(upper, bits);
    }
    return exist;
}
