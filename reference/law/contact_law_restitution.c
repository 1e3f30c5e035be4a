/* SPDX-License-Identifier: MIT */
/* Restitution: h(-a e) = h(a), solved for e and for a. */
#include "reference/law/contact_law.h"
#include "reference/law/contact_law_parts.h"

void ic_law_h(arb_t value, const arb_t x, slong prec)
{
    IC_BALLS(log);
    arb_log1p(log, x, prec);
    arb_sub(value, x, log, prec);
}

void ic_law_find_restitution(arb_t e_out, arb_t x_end, const arb_t a, slong prec)
{
    IC_BALLS(start, argument);
    if (arb_is_zero(a)) {
        arb_one(e_out);
        arb_one(x_end);
        return;
    }
    arb_add_si(start, a, 1, prec);
    arb_neg(argument, start);
    arb_exp(argument, argument, prec);
    arb_mul(argument, argument, start, prec);
    arb_neg(argument, argument);
    arb_lambertw(x_end, argument, 0, prec);
    arb_neg(x_end, x_end);
    arb_sub_si(e_out, x_end, 1, prec);
    arb_neg(e_out, e_out);
    arb_div(e_out, e_out, a, prec);
}

void ic_law_energy_spent(arb_t value, const arb_t a, const arb_t u, slong prec)
{
    IC_BALLS(x);
    if (arb_is_zero(a)) {
        arb_mul(x, u, u, prec);
        arb_sub_si(value, x, 1, prec);
        arb_mul_2exp_si(value, value, -1);
        arb_neg(value, value);
    } else {
        arb_mul(x, a, u, prec);
        ic_law_h(x, x, prec);
        ic_law_h(value, a, prec);
        arb_sub(value, value, x, prec);
        arb_div(value, value, a, prec);
        arb_div(value, value, a, prec);
    }
}

/* ---- a from e */

/* f(a) = h(a) - h(-a e) */
static void excess_at(arb_t f, const arb_t a, const arb_t e, slong prec)
{
    IC_BALLS(part);
    arb_mul(part, a, e, prec);
    arb_neg(part, part);
    ic_law_h(part, part, prec);
    ic_law_h(f, a, prec);
    arb_sub(f, f, part, prec);
}

/* f'(a) = a (1 + e) (1 - e - a e)/((1 + a) (1 - a e)) */
static void excess_slope(arb_t slope, const arb_t a, const arb_t e, slong prec)
{
    IC_BALLS(x, y);
    arb_mul(x, a, e, prec);
    arb_sub_si(x, x, 1, prec);
    arb_neg(x, x); /* 1 - a e */
    arb_sub(slope, x, e, prec);
    arb_mul(slope, slope, a, prec);
    arb_add_si(y, e, 1, prec);
    arb_mul(slope, slope, y, prec);
    arb_add_si(y, a, 1, prec);
    arb_mul(y, y, x, prec);
    arb_div(slope, slope, y, prec);
}

/* Iterates that approach the zero between (1 - e)/e and 1/e: Newton steps, or bisection. Their
   error is bounded later. */
static void approach_damping(arb_t a, const arb_t e, slong prec)
{
    IC_BALLS(low, high, f, step);
    arb_inv(high, e, prec);
    arb_get_mid_arb(high, high);
    arb_sub_si(low, high, 1, prec);
    arb_get_mid_arb(low, low);
    arb_mul_si(a, low, 3, prec); /* Hu and Guo's 3 (1 - e)/(2 e) */
    arb_mul_2exp_si(a, a, -1);
    for (slong i = 0; i < 2 * prec; i++) {
        if (!arb_gt(a, low) || !arb_lt(a, high)) {
            arb_add(a, low, high, prec);
            arb_mul_2exp_si(a, a, -1);
        }
        arb_get_mid_arb(a, a);
        excess_at(f, a, e, prec);
        if (arb_contains_zero(f) || !arb_is_finite(f)) break;
        arb_set(arb_is_positive(f) ? low : high, a);
        excess_slope(step, a, e, prec);
        arb_div(step, f, step, prec);
        arb_sub(a, a, step, prec);
    }
    arb_get_mid_arb(a, a);
}

/* f rises from f(0) = 0 to a = (1 - e)/e and falls from there to -inf at 1/e (see its slope): it
   has one zero there. f(low) > 0 and f(high) < 0, or high >= 1/e, enclose it for every e of the
   ball. */
static bool bracket_holds_zero(const arb_t low, const arb_t high, const arb_t e, slong prec)
{
    IC_BALLS(f, end, one);
    arb_one(one);
    excess_at(f, low, e, prec);
    bool yes = arb_is_positive(low) && arb_is_positive(f);
    arb_mul(end, high, e, prec);
    excess_at(f, high, e, prec);
    yes = yes && (arb_ge(end, one) || arb_is_negative(f));
    return yes;
}

void ic_law_find_damping(arb_t a, const arb_t e, slong prec)
{
    IC_BALLS(middle, low, high, radius);
    if (arb_is_one(e)) {
        arb_zero(a);
        return;
    }
    arb_get_mid_arb(low, e);
    approach_damping(middle, low, prec);
    arb_mul_2exp_si(radius, middle, 2 - prec);
    arb_indeterminate(a);
    for (slong bits = prec; bits > 4; bits -= 4) {
        arb_sub(low, middle, radius, prec);
        arb_add(high, middle, radius, prec);
        arb_get_mid_arb(low, low);
        arb_get_mid_arb(high, high);
        if (bracket_holds_zero(low, high, e, prec)) {
            arb_union(a, low, high, prec);
            break;
        }
        arb_mul_2exp_si(radius, radius, 4);
    }
}
