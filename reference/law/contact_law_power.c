/* SPDX-License-Identifier: MIT */
/* F = K d^n (1 + a d'/v0); equations in contact_law.h. */
#include "reference/law/contact_law.h"
#include "reference/law/contact_law_parts.h"

#include <acb_calc.h>

/* Intermediate numbers of a certificate. */
typedef struct power_impact {
    slong prec, fine;

    /* n/(n + 1) */
    arb_ptr q;

    /* 1/(n + 1) */
    arb_ptr root;

    /* D */
    arb_ptr length;

    /* 1 + a u at the end, 1 - a e */
    arb_ptr x_end;
} power_impact;

/* ---- peak indentation, peak force */

/* f(x) = h(a) - h(x) - q x */
static void peak_equation(arb_t f, const arb_t whole, const arb_t x, const arb_t q, slong prec)
{
    IC_BALLS(part);
    ic_law_h(part, x, prec);
    arb_sub(f, whole, part, prec);
    arb_submul(f, q, x, prec);
}

/* f is concave and falls, so Newton's iterates from a descend to the zero. They are points; |f|/q
   bounds their error. */
static void find_peak(ic_law_certificate *c, const power_impact *p)
{
    IC_BALLS(whole, x, f, slope);
    if (arb_is_zero(c->a)) {
        arb_zero(c->u_peak);
        return;
    }
    ic_law_h(whole, c->a, p->fine);
    arb_get_mid_arb(x, c->a);
    for (int i = 0; i < 100; i++) {
        peak_equation(f, whole, x, p->q, p->fine);
        if (arb_contains_zero(f)) break;
        arb_add_si(slope, x, 1, p->fine);
        arb_div(slope, x, slope, p->fine);
        arb_add(slope, slope, p->q, p->fine);
        arb_div(slope, f, slope, p->fine);
        arb_add(x, x, slope, p->fine);
        arb_get_mid_arb(x, x);
    }
    if (arb_is_positive(x)) {
        peak_equation(f, whole, x, p->q, p->fine);
        arb_div(f, f, p->q, p->fine);
        arb_add_error(x, f);
        arb_div(c->u_peak, x, c->a, p->fine);
    } else {
        arb_indeterminate(c->u_peak);
    }
}

/* x^power for x >= 0 and power > 0; for a ball that extends to 0 or below, of its nonnegative
   part */
static void nonnegative_power(arb_t value, const arb_t x, const arb_t power, slong prec)
{
    if (arb_is_positive(x)) {
        arb_pow(value, x, power, prec);
        return;
    }
    IC_BALLS(top, zero);
    arb_get_ubound_arf(arb_midref(top), x, prec);
    if (arb_is_positive(top)) arb_pow(top, top, power, prec);
    else arb_zero(top);
    arb_union(value, zero, top, prec);
}

static void indentation_of(arb_t d, const ic_law_certificate *c, const power_impact *p, const arb_t u)
{
    IC_BALLS(factor);
    ic_law_energy_spent(d, c->a, u, p->fine);
    arb_add_si(factor, c->n, 1, p->prec);
    arb_mul(d, d, factor, p->prec);
    nonnegative_power(d, d, p->root, p->prec);
    arb_mul(d, d, p->length, p->prec);
}

/* F = K d^n (1 + a u) at the peak */
static void find_extremes(ic_law_certificate *c, const power_impact *p)
{
    IC_BALLS(zero, factor);
    indentation_of(c->d_max, c, p, zero);
    indentation_of(c->F_max, c, p, c->u_peak);
    arb_pow(c->F_max, c->F_max, c->n, p->prec);
    arb_mul(c->F_max, c->F_max, c->K, p->prec);
    arb_mul(factor, c->a, c->u_peak, p->prec);
    arb_add_si(factor, factor, 1, p->prec);
    arb_mul(c->F_max, c->F_max, factor, p->prec);
}

/* ---- duration */

/* One side of the turning point: approach or departure. */
typedef struct impact_side {
    /* x_end = 1 - a e */
    arb_srcptr a, e, x_end;

    bool departure;

    /* distance, in y, from the end of the contact to the turning point */
    arb_ptr Z;

    /* r(n + 1) */
    arb_ptr exponent;

    /* -q */
    arb_ptr power;

    slong r;
} impact_side;

/* sum over k of x^k/(k + from)!, from = 1 or 2, for |x| <= 1: phi or psi. The remainder after
   `terms` terms is below 2/(terms + from)!. */
static void exponential_tail(acb_t value, const acb_t x, slong from, slong prec)
{
    slong terms = 4;
    IC_BOUNDS(rest);
    for (mag_rfac_ui(rest, (ulong)(terms + from)); mag_cmp_2exp_si(rest, -prec) > 0; terms++) {
        mag_rfac_ui(rest, (ulong)(terms + 1 + from));
    }
    mag_mul_2exp_si(rest, rest, 1);
    /* 1/from! (1 + x/(from + 1) (1 + x/(from + 2) (...))) */
    acb_one(value);
    for (slong k = terms - 1; k >= 1; k--) {
        acb_mul(value, value, x, prec);
        acb_div_si(value, value, k + from, prec);
        acb_add_si(value, value, 1, prec);
    }
    if (from == 2) acb_mul_2exp_si(value, value, -1);
    acb_add_error_mag(value, rest);
}

static bool is_small(const acb_t x)
{
    IC_BOUNDS(size);
    acb_get_mag(size, x);
    return mag_cmp_2exp_si(size, 0) <= 0;
}

/* phi(x) = (exp(x) - 1)/x */
static void phi(acb_t value, const acb_t x, slong prec)
{
    if (is_small(x)) {
        exponential_tail(value, x, 1, prec);
        return;
    }
    IC_COMPLEX_BALLS(above);
    acb_expm1(above, x, prec);
    /* not finite where x may be 0: the integration then subdivides */
    acb_div(value, above, x, prec);
}

/* psi(x) = (phi(x) - 1)/x, for `small` phi */
static void psi(acb_t value, const acb_t x, const acb_t phi_of_x, slong prec)
{
    if (is_small(x)) {
        exponential_tail(value, x, 2, prec);
        return;
    }
    IC_COMPLEX_BALLS(above);
    acb_sub_si(above, phi_of_x, 1, prec);
    acb_div(value, above, x, prec);
}

/*
 * g(z). The form without division by a serves a < 1; for large a its two terms are large and nearly
 * cancel, so that
 *     a g = (1 + a) phi(-a z) - 1,  a g = 1 - (1 - a e) phi(a z)
 * are used.
 */
static void regular_factor(acb_t g, const acb_t z, const impact_side *half, slong prec)
{
    IC_COMPLEX_BALLS(x, factor, other);
    IC_BALLS(one);
    arb_one(one);
    acb_mul_arb(x, z, half->a, prec);
    if (!half->departure) acb_neg(x, x);
    phi(factor, x, prec);
    if (arb_lt(half->a, one)) {
        psi(other, x, factor, prec);
        acb_mul(other, other, z, prec);
        if (half->departure) acb_mul_arb(factor, factor, half->e, prec);
        acb_sub(g, factor, other, prec);
    } else {
        if (half->departure) {
            acb_mul_arb(factor, factor, half->x_end, prec);
            acb_neg(factor, factor);
            acb_add_si(g, factor, 1, prec);
        } else {
            arb_add_si(one, half->a, 1, prec);
            acb_mul_arb(factor, factor, one, prec);
            acb_sub_si(g, factor, 1, prec);
        }
        acb_div_arb(g, g, half->a, prec);
    }
}

/* s^exponent, principal branch; a ball around 0 lies in a disc. A non-integer power is not analytic
   at 0 and on the negative axis. */
static void complex_power(acb_t value, const acb_t s, const arb_t exponent, bool analytic, slong prec)
{
    if (!acb_contains_zero(s) || arb_is_int(exponent)) {
        IC_COMPLEX_BALLS(power);
        acb_set_arb(power, exponent);
        acb_pow_analytic(value, s, power, analytic, prec);
    } else if (analytic) {
        acb_indeterminate(value);
    } else {
        IC_BALLS(size);
        IC_BOUNDS(bound);
        acb_get_mag(bound, s);
        arf_set_mag(arb_midref(size), bound);
        if (arb_is_positive(size)) arb_pow(size, size, exponent, prec);
        arb_get_mag(bound, size);
        acb_zero(value);
        acb_add_error_mag(value, bound);
    }
}

/* s^(r-1) g(Z s^(r(n+1)))^(-q) */
static int integrand(acb_ptr out, const acb_t s, void *context, slong order, slong prec)
{
    const impact_side *half = context;
    IC_COMPLEX_BALLS(z);
    complex_power(z, s, half->exponent, order != 0, prec);
    acb_mul_arb(z, z, half->Z, prec);
    regular_factor(out, z, half, prec);
    acb_set_arb(z, half->power);
    acb_pow_analytic(out, out, z, order != 0, prec);
    if (half->r == 2) acb_mul(out, out, s, prec);
    return 0;
}

/* adds r Z^(1/(n+1)) times the integral over one side */
static void add_side(arb_t sum, impact_side *half, const power_impact *p)
{
    IC_COMPLEX_BALLS(value, from, to);
    IC_BALLS(factor);
    IC_BOUNDS(tolerance);
    acb_one(to);
    mag_set_ui_2exp_si(tolerance, 1, -2 * p->prec); /* the relative goal decides */
    acb_calc_integrate(value, integrand, half, from, to, p->prec - IC_LAW_GUARD_BITS / 2, tolerance, NULL,
                       p->prec);
    arb_pow(factor, half->Z, p->root, p->prec);
    arb_mul_si(factor, factor, half->r, p->prec);
    arb_addmul(sum, factor, acb_realref(value), p->prec);
}

/* in units of D/v0 */
static void integrate_duration(arb_t sum, const ic_law_certificate *c, const power_impact *p)
{
    IC_BALLS(factor, Z, exponent, power);
    impact_side half = {c->a, c->e_out, p->x_end, false, Z, exponent, power, arb_is_int(c->n) ? 1 : 2};
    arb_add_si(half.exponent, c->n, 1, p->prec);
    arb_pow(factor, half.exponent, p->root, p->prec);
    arb_mul_si(half.exponent, half.exponent, half.r, p->prec);
    arb_neg(half.power, p->q);
    arb_zero(sum);
    /* exp(a y) = 1 + a at the beginning, 1 - a e at the end */
    arb_log1p(half.Z, c->a, p->fine);
    arb_div(half.Z, half.Z, c->a, p->fine);
    add_side(sum, &half, p);
    half.departure = true;
    arb_log(half.Z, p->x_end, p->fine);
    arb_div(half.Z, half.Z, c->a, p->fine);
    arb_neg(half.Z, half.Z);
    add_side(sum, &half, p);
    arb_mul(sum, sum, factor, p->prec);
    arb_mul(sum, sum, p->length, p->prec);
}

/* 2 sqrt(pi) Gamma(1 + 1/(n+1))/Gamma(1/2 + 1/(n+1)) d_max */
static void elastic_duration(arb_t value, const ic_law_certificate *c, const power_impact *p)
{
    IC_BALLS(x);
    arb_const_sqrt_pi(value, p->prec);
    arb_mul_2exp_si(value, value, 1);
    arb_mul(value, value, c->d_max, p->prec);
    arb_add_si(x, p->root, 1, p->prec);
    arb_gamma(x, x, p->prec);
    arb_mul(value, value, x, p->prec);
    arb_one(x);
    arb_mul_2exp_si(x, x, -1);
    arb_add(x, x, p->root, p->prec);
    arb_rgamma(x, x, p->prec);
    arb_mul(value, value, x, p->prec);
}

static void set_scales(const power_impact *p, const ic_law_certificate *c)
{
    IC_BALLS(energy);
    arb_add_si(p->q, c->n, 1, p->fine);
    arb_inv(p->root, p->q, p->fine);
    arb_div(p->q, c->n, p->q, p->fine);
    arb_mul(energy, c->v0, c->v0, p->prec);
    arb_mul(energy, energy, c->m, p->prec);
    arb_div(energy, energy, c->K, p->prec);
    arb_pow(p->length, energy, p->root, p->prec);
}

ic_status ic_law_answer_power(ic_law_certificate *c, ic_law_bits bits)
{
    IC_BALLS(q, root, length, x_end);
    const power_impact p = {bits.prec, bits.fine, q, root, length, x_end};
    set_scales(&p, c);
    ic_law_find_restitution(c->e_out, p.x_end, c->a, p.fine);
    find_peak(c, &p);
    find_extremes(c, &p);
    if (arb_is_zero(c->a)) elastic_duration(c->duration, c, &p);
    else integrate_duration(c->duration, c, &p);
    arb_div(c->duration, c->duration, c->v0, p.prec);
    return IC_OK;
}

void ic_law_path_power(arb_t d, const ic_law_certificate *c, ic_law_bits bits, const arb_t u)
{
    IC_BALLS(q, root, length);
    const power_impact p = {bits.prec, bits.fine, q, root, length, NULL};
    set_scales(&p, c);
    indentation_of(d, c, &p, u);
}
