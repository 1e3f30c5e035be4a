/* SPDX-License-Identifier: MIT */
/**
 * F = f(d) (1 + a d'/v0), where f has the energy U and is not a power of d.
 *
 * With 1 + a u = exp(a y), u = d'/v0, the first integral is U(d) = m v0^2 Q(y),
 *
 *     Q(y) = (h(a) + 1 + a y - exp(a y))/a^2     ((1 - y^2)/2 for a = 0),     Q' = -u = -(exp(a y) - 1)/a,
 *
 * entire and concave, from y = Y_1 = ln(1 + a)/a, where contact begins, over the turning point y =
 * 0 to y = -Y_2 = ln(1 - a e)/a. With d = w^2 the expressions of f and U are analytic in w
 * (reference/law/analytic.h), also at the onset, and dU/dw = 2 w f. From
 *
 *     dt = 2 w dw/(v0 u) = -m v0 dy/f
 *
 * the duration, split at y = Y_1/2 and -Y_2/2, is a sum of regular integrals: in w over both ends,
 * where u is bounded away from 0, and in y over the middle, where f is.
 *
 *     T = 2/v0 (integral from 0 to w_1 of w/u dw + integral from 0 to w_2 of w/|u| dw)
 *         + m v0 integral from -Y_2/2 to Y_1/2 of dy/f.
 *
 * The first needs y(w), the second w(y): inverses of Q and U in complex balls, by Krawczyk's
 * operator. For G(z) = b, with a real point z0, a real c close to G'(z0), and a rectangle Z = z0 +
 * D, D symmetric,
 *
 *     K = (b - G(z0))/c + (1 - G'(Z)/c) D     inside D, and |1 - G'(Z)/c| < 1:
 *
 * z - (G(z) - b)/c then maps Z into itself and contracts, for each b of a ball: there is one zero
 * for each b, in z0 + K. There G' is not 0, so the zero is analytic in b; and it is real for real
 * b, since Z is symmetric. As G is strictly monotone on the real part of Z, that zero is the one on
 * the path: for Q if Z lies on the right side of y = 0, for U if Z lies where f > 0 is proved.
 *
 * Values of U and Q cancel; on a wide ball they are evaluated at its centre, with the derivative
 * over the ball.
 *
 * Assumed: U is the integral of f from 0 (checked by quadrature at the greatest indentation).
 * Proved, with f = w^k g(w), A = k g + w g', B = 2 A^2 - g ((k - 2) A + w A') over 0 <= w <= w_max:
 *
 *     g > 0: f > 0, and U rises.     A > 0: f rises.     B > 0: 1/f is convex in d, so that f'/f^2 falls.
 *
 * dF/dt has the sign of m v0^2 u f'(d) - a f^2. So F falls after the turning point, and before it u
 * f'/f^2 falls in time: there is one peak force.
 */
#include "reference/law/contact_law.h"
#include "reference/law/contact_law_parts.h"

#include "reference/law/analytic.h"

#include <acb_calc.h>
#include <limits.h>
#include <stdio.h>

enum {
    NEWTON_STEPS = 200,
    KRAWCZYK_STEPS = 12,
    SHAPE_BITS = 128, /* enough bits to decide signs */
    SHAPE_PARTS = 4096
};

typedef struct elastic {
    ic_law_certificate *c;
    ic_analytic_names names;
    ic_parameter table[IC_LAW_MOST_PARAMETERS];
    slong prec, fine;

    /* m v0^2 */
    arb_t energy;

    /* h(a) */
    arb_t whole;

    /* y at the beginning and at the end of the contact */
    arb_t Y[2];

    arb_t w_max;

    /* IC_OK unless an expression is malformed or unsupported */
    ic_status text;
} elastic;

/* ---- expressions */

/* g, g', g''/2 and k of an expression at w */
static slong evaluate_series(acb_ptr g, slong length, elastic *p, const char *text, const acb_t w, slong prec)
{
    ic_analytic_value value = {.g = g, .length = length};
    const ic_status status =
        ic_analytic_text(&value, text, &p->names, w, prec, p->c->message, sizeof p->c->message);
    if (status != IC_OK) {
        p->text = status;
        for (slong i = 0; i < length; i++) acb_indeterminate(g + i);
    }
    return value.k;
}

/* Value of an expression that is finite at d = 0; value is not w. */
static void evaluate_at(acb_t value, elastic *p, const char *text, const acb_t w, slong prec)
{
    IC_COMPLEX_BALLS(power);
    const slong k = evaluate_series(value, 1, p, text, w, prec);
    if (k < 0) acb_indeterminate(value);
    acb_pow_ui(power, w, k > 0 ? (ulong)k : 0, prec);
    acb_mul(value, value, power, prec);
}

/* ---- G(z) and G'(z); `value` may be NULL */

typedef void function(acb_ptr value, acb_t slope, const acb_t z, elastic *p);

/* Q(y), -u */
static void spent_energy(acb_ptr value, acb_t slope, const acb_t y, elastic *p)
{
    const bool damped = !arb_is_zero(p->c->a);
    IC_COMPLEX_BALLS(x);
    if (damped) {
        acb_mul_arb(x, y, p->c->a, p->fine);
        acb_expm1(slope, x, p->fine);
    } else {
        acb_set(slope, y);
    }
    if (value != NULL && damped) {
        acb_sub(value, x, slope, p->fine);
        acb_add_arb(value, value, p->whole, p->fine);
        acb_div_arb(value, value, p->c->a, p->fine);
        acb_div_arb(value, value, p->c->a, p->fine);
    } else if (value != NULL) {
        acb_mul(value, y, y, p->fine);
        acb_sub_si(value, value, 1, p->fine);
        acb_mul_2exp_si(value, value, -1);
        acb_neg(value, value);
    }
    if (damped) acb_div_arb(slope, slope, p->c->a, p->fine);
    acb_neg(slope, slope);
}

/* U(w^2)/(m v0^2), 2 w f(w^2)/(m v0^2) */
static void stored_energy(acb_ptr value, acb_t slope, const acb_t w, elastic *p)
{
    if (value != NULL) {
        evaluate_at(value, p, p->c->law->energy, w, p->fine);
        acb_div_arb(value, value, p->energy, p->fine);
    }
    evaluate_at(slope, p, p->c->law->elastic, w, p->fine);
    acb_mul(slope, slope, w, p->fine);
    acb_mul_2exp_si(slope, slope, 1);
    acb_div_arb(slope, slope, p->energy, p->fine);
}

/* G over a ball, from its centre and its derivative */
static void evaluate_over_ball(acb_t value, function *G, const acb_t z, elastic *p)
{
    IC_COMPLEX_BALLS(middle, slope);
    acb_set(middle, z); /* acb_get_mid, inlined, makes gcc 14 warn without a reason */
    mag_zero(arb_radref(acb_realref(middle)));
    mag_zero(arb_radref(acb_imagref(middle)));
    G(value, slope, middle, p);
    if (!acb_is_exact(z)) {
        G(NULL, slope, z, p);
        acb_sub(middle, z, middle, p->fine);
        acb_addmul(value, slope, middle, p->fine);
    }
}

/* ---- inverses */

/* k with |z| < 2^k, nearly the least; LONG_MIN/2 for 0 */
static slong exponent_of(const acb_t z)
{
    IC_BOUNDS(size);
    acb_get_mag(size, z);
    return mag_is_special(size) ? LONG_MIN / 2 : (slong)MAG_EXP(size);
}

/* Iterates that approach the real zero of G - b; not rigorous. */
static void approach_zero(acb_t z, function *G, const arb_t b, const arb_t start, elastic *p)
{
    IC_COMPLEX_BALLS(value, slope);
    acb_set_arb(z, start);
    acb_get_mid(z, z);
    for (int i = 0; i < NEWTON_STEPS; i++) {
        G(value, slope, z, p);
        acb_sub_arb(value, value, b, p->fine);
        if (arb_contains_zero(acb_realref(value)) || !acb_is_finite(value)) break;
        acb_div(value, value, slope, p->fine);
        acb_get_mid(value, value);
        arb_zero(acb_imagref(value));
        acb_sub(z, z, value, p->fine);
        acb_get_mid(z, z);
        if (exponent_of(value) < exponent_of(z) - p->fine) break;
    }
}

/* The smallest rectangle around 0 that is symmetric and contains z, enlarged by a quarter and a
   little more. */
static void widen_rectangle(acb_t D, const acb_t z, slong least)
{
    arb_ptr part[] = {acb_realref(D), acb_imagref(D)};
    arb_srcptr from[] = {acb_realref(z), acb_imagref(z)};
    IC_BOUNDS(quarter);
    for (int i = 0; i < 2; i++) {
        IC_BOUNDS(size);
        arb_get_mag(size, from[i]);
        mag_mul_2exp_si(quarter, size, -2);
        mag_add(size, size, quarter);
        mag_set_ui_2exp_si(quarter, 1, least);
        mag_add(size, size, quarter);
        arb_zero(part[i]);
        mag_swap(arb_radref(part[i]), size);
    }
}

/* K = offset + (1 - G'(z0 + D)/c) D; returns whether the map contracts */
static bool apply_krawczyk(acb_t K, function *G, const acb_t z0, const acb_t offset, const arb_t c,
                           const acb_t D, elastic *p)
{
    IC_COMPLEX_BALLS(slope);
    IC_BOUNDS(size);
    acb_add(K, z0, D, p->fine);
    G(NULL, slope, K, p);
    acb_div_arb(slope, slope, c, p->fine);
    acb_sub_si(slope, slope, 1, p->fine);
    acb_neg(slope, slope);
    acb_get_mag(size, slope);
    acb_mul(K, slope, D, p->fine);
    acb_add(K, K, offset, p->fine);
    return acb_is_finite(K) && mag_cmp_2exp_si(size, 0) < 0;
}

/* z with G(z) = b, by the theorem above; `reach` contains Z. false: not proved. */
static bool invert_function(acb_t z, acb_t reach, function *G, const acb_t b, const arb_t start, elastic *p)
{
    IC_COMPLEX_BALLS(z0, offset, D, K);
    IC_BALLS(middle, c);
    bool proved = false;
    arb_set(middle, acb_realref(b));
    arb_get_mid_arb(middle, middle);
    if (acb_is_finite(b)) approach_zero(z0, G, middle, start, p);
    else acb_indeterminate(z0);
    G(offset, K, z0, p);
    arb_set(c, acb_realref(K));
    arb_get_mid_arb(c, c);
    acb_sub(offset, b, offset, p->fine);
    acb_div_arb(offset, offset, c, p->fine);
    if (acb_is_finite(offset) && !arb_is_zero(acb_realref(z0))) {
        const slong least = exponent_of(z0) - p->fine;
        widen_rectangle(D, offset, least);
        for (int i = 0; i < KRAWCZYK_STEPS && !proved && acb_is_finite(D); i++) {
            const bool contracts = apply_krawczyk(K, G, z0, offset, c, D, p);
            proved = contracts && acb_contains_interior(D, K);
            if (!proved) widen_rectangle(D, K, least);
        }
        acb_add(reach, z0, D, p->fine);
        /* again, on the smaller rectangle that contains z0 and the zero */
        if (proved) {
            widen_rectangle(D, K, least);
            apply_krawczyk(K, G, z0, offset, c, D, p);
            acb_add(z, z0, K, p->fine);
        }
    }
    return proved && acb_is_finite(z);
}

/* y with Q(y) = b, before (0) or after (1) the turning point */
static bool invert_spent_energy(acb_t y, const acb_t b, int end, elastic *p)
{
    IC_COMPLEX_BALLS(reach);
    return invert_function(y, reach, spent_energy, b, p->Y[end], p) &&
           (end ? arb_is_negative(acb_realref(reach)) : arb_is_positive(acb_realref(reach)));
}

/* w with U = m v0^2 b, from the right: U is convex in w. f > 0 is proved up to w_max, and Z must
   lie there. */
static bool invert_stored_energy(acb_t w, const acb_t b, elastic *p)
{
    IC_COMPLEX_BALLS(reach);
    IC_BALLS(least);
    bool good = invert_function(w, reach, stored_energy, b, p->w_max, p) && arb_is_positive(acb_realref(reach));
    arb_get_lbound_arf(arb_midref(least), acb_realref(reach), p->fine);
    good = good && arb_le(least, p->w_max);
    return good;
}

/* y where d' = v0 u */
static void y_of_speed(arb_t y, const arb_t u, const elastic *p)
{
    if (arb_is_zero(p->c->a)) {
        arb_set(y, u);
        return;
    }
    arb_mul(y, u, p->c->a, p->fine);
    arb_log1p(y, y, p->fine);
    arb_div(y, y, p->c->a, p->fine);
}

/* w where d' = v0 u, away from the ends of the contact */
static bool w_of_speed(acb_t w, const arb_t u, elastic *p)
{
    IC_COMPLEX_BALLS(y, b);
    y_of_speed(acb_realref(y), u, p);
    evaluate_over_ball(b, spent_energy, y, p);
    return invert_stored_energy(w, b, p);
}

/* ---- greatest indentation, and the conditions up to it */

/* A start to the right of the zero of U - m v0^2 Q(0), and the zero. */
static bool find_depth(elastic *p)
{
    IC_COMPLEX_BALLS(w, b, value, slope, zero);
    spent_energy(b, slope, zero, p);
    acb_one(w);
    for (int shift = -1, i = 0; i < NEWTON_STEPS && shift != 0 && p->text == IC_OK; i++) {
        stored_energy(value, slope, w, p);
        acb_sub(value, value, b, p->fine);
        const bool right = arf_sgn(arb_midref(acb_realref(value))) > 0;
        if (i == 0 && !right) shift = 1;
        if (shift > 0 && right) break;
        if (shift < 0 && !right) {
            shift = 0;
            acb_mul_2exp_si(w, w, 1);
        } else {
            acb_mul_2exp_si(w, w, shift);
        }
    }
    arb_set(p->w_max, acb_realref(w));
    const bool good = p->text == IC_OK && invert_stored_energy(value, b, p);
    if (good) arb_set(p->w_max, acb_realref(value));
    arb_mul(p->c->d_max, p->w_max, p->w_max, p->prec);
    return good;
}

/* The least of g, A and B over a ball of w; k >= 0 */
static void least_of_conditions(arb_t least, elastic *p, const arb_t ball)
{
    IC_COMPLEX_VECTOR(g, 3);
    IC_COMPLEX_BALLS(w);
    IC_BALLS(A, slope, B, part);
    acb_set_arb(w, ball);
    const slong k = evaluate_series(g, 3, p, p->c->law->elastic, w, SHAPE_BITS);
    arb_srcptr g0 = acb_realref(g), g1 = acb_realref(g + 1);
    arb_mul(A, ball, g1, SHAPE_BITS);
    arb_addmul_si(A, g0, k, SHAPE_BITS);
    arb_mul(slope, ball, acb_realref(g + 2), SHAPE_BITS);
    arb_mul_2exp_si(slope, slope, 1);
    arb_addmul_si(slope, g1, k + 1, SHAPE_BITS);
    arb_mul(B, ball, slope, SHAPE_BITS);
    arb_addmul_si(B, A, k - 2, SHAPE_BITS);
    arb_mul(B, B, g0, SHAPE_BITS);
    arb_mul(part, A, A, SHAPE_BITS);
    arb_mul_2exp_si(part, part, 1);
    arb_sub(B, part, B, SHAPE_BITS);
    arb_min(least, g0, A, SHAPE_BITS);
    arb_min(least, least, B, SHAPE_BITS);
    if (k < 0) arb_indeterminate(least);
}

/* From left to right, in parts that are halved where a sign is undecided and doubled where it is
   decided. */
static bool shape_is_proved(elastic *p)
{
    IC_BALLS(from, part, ball, least, end);
    int parts = 0;
    arb_get_ubound_arf(arb_midref(end), p->w_max, SHAPE_BITS);
    arb_mul_2exp_si(part, end, -3);
    while (arb_lt(from, end) && parts++ < SHAPE_PARTS) {
        arb_add(ball, from, part, SHAPE_BITS);
        arb_get_mid_arb(ball, ball);
        arb_union(ball, from, ball, SHAPE_BITS);
        least_of_conditions(least, p, ball);
        if (!arb_is_positive(least)) {
            arb_mul_2exp_si(part, part, -1);
            continue;
        }
        arb_get_ubound_arf(arb_midref(from), ball, SHAPE_BITS);
        arb_mul_2exp_si(part, part, 1);
    }
    return !arb_lt(from, end);
}

/* 2 w_max^2 s f((w_max s)^2), whose integral from 0 to 1 is U(d_max) */
static int work_integrand(acb_ptr out, const acb_t s, void *context, slong order, slong prec)
{
    elastic *p = context;
    IC_COMPLEX_BALLS(w);
    (void)order;
    acb_mul_arb(w, s, p->w_max, prec);
    evaluate_at(out, p, p->c->law->elastic, w, prec);
    acb_mul(out, out, w, prec);
    acb_mul_arb(out, out, p->w_max, prec);
    acb_mul_2exp_si(out, out, 1);
    return 0;
}

/* Integral from 0 to 1 to the relative accuracy of `prec` bits minus some */
static void integrate_from_0_to_1(arb_t value, acb_calc_func_t integrand, elastic *p, slong prec)
{
    IC_COMPLEX_BALLS(sum, from, to);
    IC_BOUNDS(tolerance);
    acb_one(to);
    mag_set_ui_2exp_si(tolerance, 1, -2 * prec); /* the relative goal decides */
    acb_calc_integrate(sum, integrand, p, from, to, prec - IC_LAW_GUARD_BITS / 2, tolerance, NULL, prec);
    arb_set(value, acb_realref(sum));
}

/* Tests U(0) = 0 and that U(d_max) is the work of f: not contradicted, to 128 bits. */
static bool energy_is_consistent(elastic *p)
{
    IC_COMPLEX_BALLS(w, U);
    IC_BALLS(work);
    evaluate_at(U, p, p->c->law->energy, w, p->fine);
    bool good = acb_contains_zero(U);
    acb_set_arb(w, p->w_max);
    evaluate_at(U, p, p->c->law->energy, w, p->fine);
    integrate_from_0_to_1(work, work_integrand, p, SHAPE_BITS);
    good = good && arb_is_finite(work) && arb_overlaps(work, acb_realref(U));
    return good;
}

/* ---- peak force */

/* a w^(k+2) g^2 - m v0^2/2 u (k g + w g'), i.e. w^(2-k) (a f^2 - m v0^2 u f'(d)), and a f^2/(m v0^2
   f'(d)), at u and its w */
static bool peak_equation(arb_t value, arb_t next, const arb_t u, elastic *p)
{
    IC_COMPLEX_VECTOR(g, 2);
    IC_COMPLEX_BALLS(w);
    IC_BALLS(A, square);
    const bool good = w_of_speed(w, u, p);
    if (good) {
        const slong k = evaluate_series(g, 2, p, p->c->law->elastic, w, p->fine);
        arb_mul(A, acb_realref(w), acb_realref(g + 1), p->fine);
        arb_addmul_si(A, acb_realref(g), k, p->fine);
        arb_mul(A, A, p->energy, p->fine);
        arb_mul_2exp_si(A, A, -1);
        arb_mul(square, acb_realref(g), acb_realref(g), p->fine);
        arb_mul(square, square, p->c->a, p->fine);
        arb_pow_ui(value, acb_realref(w), (ulong)(k + 2), p->fine);
        arb_mul(square, square, value, p->fine);
        arb_div(next, square, A, p->fine);
        arb_mul(A, A, u, p->fine);
        arb_sub(value, square, A, p->fine);
    }
    return good;
}

/* Iterates that approach the zero (the function is > 0 left of it): secant steps, or bisection. */
static bool approach_peak(arb_t u, elastic *p)
{
    IC_BALLS(low, high, value, last, last_u, next);
    bool good = true;
    arb_one(high);
    good = peak_equation(last, u, low, p);
    for (int i = 0; good && i < NEWTON_STEPS; i++) {
        if (!arb_gt(u, low) || !arb_lt(u, high)) {
            arb_add(u, low, high, p->fine);
            arb_mul_2exp_si(u, u, -1);
        }
        arb_get_mid_arb(u, u);
        good = peak_equation(value, next, u, p);
        if (!good || arb_contains_zero(value)) break;
        arb_set(arb_is_positive(value) ? low : high, u);
        arb_sub(next, u, last_u, p->fine); /* u - value (u - last_u)/(value - last) */
        arb_sub(last, value, last, p->fine);
        arb_div(next, next, last, p->fine);
        arb_mul(next, next, value, p->fine);
        arb_set(last, value);
        arb_set(last_u, u);
        arb_sub(u, u, next, p->fine);
        arb_get_mid_arb(u, u);
        if (arb_equal(u, last_u)) break;
    }
    return good;
}

static bool has_peak_within(const arb_t low, const arb_t high, elastic *p)
{
    IC_BALLS(value, unused);
    bool yes = !arb_is_negative(low) && peak_equation(value, unused, low, p) && arb_is_positive(value);
    yes = yes && peak_equation(value, unused, high, p) && arb_is_negative(value);
    return yes;
}

/* The signs on both sides enclose the only zero. */
static bool find_peak(elastic *p)
{
    IC_BALLS(u, radius, low, high);
    bool proved = arb_is_zero(p->c->a);
    arb_zero(p->c->u_peak);
    if (!proved && approach_peak(u, p)) {
        arb_mul_2exp_si(radius, u, 4 - p->prec);
        for (slong bits = p->prec; !proved && bits > 4; bits -= 4) {
            arb_sub(low, u, radius, p->fine);
            arb_add(high, u, radius, p->fine);
            arb_get_mid_arb(low, low);
            arb_get_mid_arb(high, high);
            proved = has_peak_within(low, high, p);
            arb_mul_2exp_si(radius, radius, 4);
        }
        arb_union(p->c->u_peak, low, high, p->fine);
    }
    return proved;
}

/* F = f (1 + a u) there */
static bool find_greatest_force(elastic *p)
{
    IC_COMPLEX_BALLS(w, force);
    IC_BALLS(factor);
    if (!find_peak(p)) return false;
    const bool good = w_of_speed(w, p->c->u_peak, p);
    evaluate_at(force, p, p->c->law->elastic, w, p->fine);
    arb_mul(factor, p->c->a, p->c->u_peak, p->fine);
    arb_add_si(factor, factor, 1, p->fine);
    arb_mul(p->c->F_max, acb_realref(force), factor, p->fine);
    return good;
}

/* ---- duration */

/* An end of the contact: w = w_cut s */
typedef struct end_piece {
    elastic *p;
    int end;
    arb_ptr w_cut;
} end_piece;

/* s/|u| */
static int end_integrand(acb_ptr out, const acb_t s, void *context, slong order, slong prec)
{
    end_piece *piece = context;
    elastic *p = piece->p;
    IC_COMPLEX_BALLS(w, b);
    (void)order;
    acb_mul_arb(w, s, piece->w_cut, p->fine);
    evaluate_over_ball(b, stored_energy, w, p);
    if (invert_spent_energy(w, b, piece->end, p)) {
        /* d' = v0 u at y: u = (exp(a y) - 1)/a */
        spent_energy(NULL, w, w, p);
        acb_neg(w, w);
        if (piece->end) acb_neg(w, w);
        acb_div(out, s, w, prec);
    } else {
        acb_indeterminate(out);
    }
    return 0;
}

/* 1/f, y = Y_2/2 + (Y_1 - Y_2)/2 s, Y_2 < 0 */
static int middle_integrand(acb_ptr out, const acb_t s, void *context, slong order, slong prec)
{
    elastic *p = context;
    IC_COMPLEX_BALLS(y, b, w);
    (void)order;
    arb_sub(acb_realref(b), p->Y[0], p->Y[1], p->fine);
    acb_mul(y, b, s, p->fine);
    acb_add_arb(y, y, p->Y[1], p->fine);
    acb_mul_2exp_si(y, y, -1);
    evaluate_over_ball(b, spent_energy, y, p);
    if (invert_stored_energy(w, b, p)) {
        evaluate_at(out, p, p->c->law->elastic, w, p->fine);
        acb_inv(out, out, prec);
    } else {
        acb_indeterminate(out);
    }
    return 0;
}

/* adds 2 w_cut^2/v0 times the integral of s/|u| */
static bool add_end(arb_t sum, elastic *p, int end)
{
    IC_COMPLEX_BALLS(y, b);
    IC_BALLS(value, w_cut);
    end_piece piece = {p, end, w_cut};
    arb_mul_2exp_si(acb_realref(y), p->Y[end], -1);
    evaluate_over_ball(b, spent_energy, y, p);
    const bool good = invert_stored_energy(y, b, p);
    if (good) {
        arb_set(piece.w_cut, acb_realref(y));
        IC_COMPLEX_BALLS(zero, one, integral);
        IC_BOUNDS(tolerance);
        acb_one(one);
        mag_set_ui_2exp_si(tolerance, 1, -2 * p->prec);
        acb_calc_integrate(integral, end_integrand, &piece, zero, one, p->prec - IC_LAW_GUARD_BITS / 2,
                           tolerance, NULL, p->prec);
        arb_mul(value, piece.w_cut, piece.w_cut, p->prec);
        arb_mul(value, value, acb_realref(integral), p->prec);
        arb_mul_2exp_si(value, value, 1);
        arb_div(value, value, p->c->v0, p->prec);
        arb_add(sum, sum, value, p->prec);
    }
    return good;
}

static bool find_duration(elastic *p)
{
    IC_BALLS(factor);
    integrate_from_0_to_1(p->c->duration, middle_integrand, p, p->prec);
    arb_sub(factor, p->Y[0], p->Y[1], p->fine);
    arb_mul_2exp_si(factor, factor, -1);
    arb_mul(factor, factor, p->c->m, p->prec);
    arb_mul(factor, factor, p->c->v0, p->prec);
    arb_mul(p->c->duration, p->c->duration, factor, p->prec);
    return add_end(p->c->duration, p, 0) && add_end(p->c->duration, p, 1);
}

/* ---- certification */

static void elastic_open(elastic *p, ic_law_certificate *c, ic_law_bits bits)
{
    const ic_law *law = c->law;
    IC_BALLS(x_end);
    *p = (elastic){.c = c, .prec = bits.prec, .fine = bits.fine, .text = IC_OK};
    for (size_t i = 0; i < law->n_parameters; i++) p->table[i] = law->parameters[i];
    p->table[law->n_parameters].name = "v0";
    p->names = (ic_analytic_names){.parameters = p->table, .par = c->par, .n = law->n_parameters + 1};
    arb_init(p->energy), arb_init(p->whole), arb_init(p->Y[0]), arb_init(p->Y[1]), arb_init(p->w_max);
    arb_mul(p->energy, c->v0, c->v0, p->fine);
    arb_mul(p->energy, p->energy, c->m, p->fine);
    ic_law_h(p->whole, c->a, p->fine);
    ic_law_find_restitution(c->e_out, x_end, c->a, p->fine);
    if (arb_is_zero(c->a)) {
        arb_one(p->Y[0]);
        arb_set_si(p->Y[1], -1);
    } else {
        arb_log1p(p->Y[0], c->a, p->fine);
        arb_div(p->Y[0], p->Y[0], c->a, p->fine);
        arb_log(p->Y[1], x_end, p->fine);
        arb_div(p->Y[1], p->Y[1], c->a, p->fine);
    }
}

static void elastic_close(elastic *p)
{
    arb_clear(p->energy), arb_clear(p->whole), arb_clear(p->Y[0]), arb_clear(p->Y[1]), arb_clear(p->w_max);
}

static ic_status set_message(elastic *p, ic_status status, const char *what)
{
    if (p->text != IC_OK) return p->text;
    snprintf(p->c->message, sizeof p->c->message, "law %s: %s", p->c->law->name, what);
    return status;
}

ic_status ic_law_answer_elastic(ic_law_certificate *c, ic_law_bits bits)
{
    elastic p;
    ic_status status = IC_OK;
    elastic_open(&p, c, bits);
    if (!find_depth(&p)) status = set_message(&p, IC_UNDECIDED, "the greatest indentation is not enclosed");
    else if (!shape_is_proved(&p))
        status =
            set_message(&p, IC_UNSUPPORTED,
                        "the elastic force is not proved to be positive and rising with a convex reciprocal");
    else if (!energy_is_consistent(&p))
        status = set_message(&p, IC_INVALID, "its energy is not the integral of its elastic force");
    else if (!find_greatest_force(&p))
        status = set_message(&p, IC_UNDECIDED, "the greatest force is not enclosed");
    else if (!find_duration(&p)) status = set_message(&p, IC_UNDECIDED, "the duration is not enclosed");
    elastic_close(&p);
    return status;
}

/* A w at which the energy exceeds b: halved from w_max while that is proved. */
static void bound_from_above(arb_t d, const acb_t b, elastic *p)
{
    IC_COMPLEX_BALLS(w, value, slope);
    IC_BALLS(zero);
    arb_get_ubound_arf(arb_midref(acb_realref(w)), p->w_max, p->fine);
    for (int i = 0; i < NEWTON_STEPS; i++) {
        acb_mul_2exp_si(w, w, -1);
        stored_energy(value, slope, w, p);
        if (!arb_gt(acb_realref(value), acb_realref(b))) break;
    }
    acb_mul_2exp_si(w, w, 1);
    arb_mul(d, acb_realref(w), acb_realref(w), p->fine);
    arb_union(d, zero, d, p->fine);
}

void ic_law_path_elastic(arb_t d, const ic_law_certificate *c, ic_law_bits bits, const arb_t u)
{
    ic_law_certificate scratch = *c; /* its messages and answers are not used */
    elastic p;
    IC_COMPLEX_BALLS(w, y, b);
    arb_init(scratch.e_out);
    elastic_open(&p, &scratch, bits);
    arb_sqrt(p.w_max, c->d_max, p.fine);
    y_of_speed(acb_realref(y), u, &p);
    evaluate_over_ball(b, spent_energy, y, &p);
    if (invert_stored_energy(w, b, &p)) arb_mul(d, acb_realref(w), acb_realref(w), p.fine);
    else bound_from_above(d, b, &p);
    elastic_close(&p);
    arb_clear(scratch.e_out);
}
