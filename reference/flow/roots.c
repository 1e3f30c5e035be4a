/* SPDX-License-Identifier: MIT */
#include "reference/flow/roots.h"
#include "reference/deadline.h"

#include <arb_poly.h>

/* Intervals are split until their ends are neighbours in double precision, or this close to the
   start of a piece: a zero there touches, or nearly so. */
#define NARROWEST 0x1p-300
/* Fraction of an interval by which it is extended when a zero lies on its end. */
#define EXTENSION 0.0625
/* In parts of the interval as short as this, the search may take long: the deadline is asked. */
#define MANY_PARTS 0x1p-6
/* Precision for the search of signs; the refinement of a root uses the full precision. */
enum { SEARCH_BITS = 128, MOST_NEWTON_STEPS = 64 };

void ic_ball_polynomial_init(ic_ball_polynomial *p, slong length, slong prec)
{
    *p = (ic_ball_polynomial){.length = length, .prec = prec};
    p->coefficients = ic_store_balls(&p->store, length);
    p->rate = ic_store_balls(&p->store, length);
    p->curvature = ic_store_balls(&p->store, length);
    p->remainder = ic_store_bounds(&p->store, 1);
    p->remainder_rate = ic_store_bounds(&p->store, 1);
}

void ic_ball_polynomial_derive(ic_ball_polynomial *p)
{
    _arb_poly_derivative(p->rate, p->coefficients, p->length, p->prec);
    arb_zero(p->rate + p->length - 1);
    _arb_poly_derivative(p->curvature, p->rate, p->length, p->prec);
    arb_zero(p->curvature + p->length - 1);
}

void ic_ball_polynomial_clear(ic_ball_polynomial *p)
{
    ic_store_free(&p->store);
}

void ic_ball_polynomial_deflate(ic_ball_polynomial *q, const ic_ball_polynomial *p, slong order)
{
    ic_ball_polynomial_init(q, p->length - order, p->prec);
    for (slong j = 0; j < q->length; j++) arb_set(q->coefficients + j, p->coefficients + j + order);
    mag_set(q->remainder, p->remainder); /* s^(K - order) <= 1 */
    /* |(r/s^k)'| <= |r'|/s^k + k |r|/s^(k+1) */
    mag_set(q->remainder_rate, p->remainder_rate);
    for (slong k = 0; k < order; k++) mag_add(q->remainder_rate, q->remainder_rate, p->remainder);
    ic_ball_polynomial_derive(q);
}

void ic_ball_polynomial_value(arb_t value, const ic_ball_polynomial *p, const arb_t s)
{
    _arb_poly_evaluate(value, p->coefficients, p->length, s, p->prec);
    arb_add_error_mag(value, p->remainder);
}

int ic_ball_sign(const arb_t value)
{
    if (arb_is_positive(value)) return 1;
    return arb_is_negative(value) ? -1 : 0;
}

/* Signs of the function and of its derivative over [a, b]; 0: not proved constant. p(I) = p(m) +
   p'(I) (I - m), p'(I) = p'(m) + p''(I) (I - m). */
static void signs_over(int *value_sign, int *rate_sign, const ic_ball_polynomial *p, double a, double b)
{
    const slong prec = p->prec < SEARCH_BITS ? p->prec : SEARCH_BITS;
    IC_BALLS(middle, interval, offset, value, rate, curvature);
    arb_set_d(middle, a);
    arb_set_d(offset, b);
    arb_union(interval, middle, offset, prec);
    arb_set_d(middle, 0.5 * (a + b));
    arb_sub(offset, interval, middle, prec);
    _arb_poly_evaluate(curvature, p->curvature, p->length, interval, prec);
    _arb_poly_evaluate(rate, p->rate, p->length, middle, prec);
    arb_addmul(rate, curvature, offset, prec);
    _arb_poly_evaluate(value, p->coefficients, p->length, middle, prec);
    /* The mean value needs the rate of the polynomial itself; the remainders are added. */
    arb_addmul(value, rate, offset, prec);
    arb_add_error_mag(value, p->remainder);
    arb_add_error_mag(rate, p->remainder_rate);
    *value_sign = ic_ball_sign(value);
    *rate_sign = ic_ball_sign(rate);
}

static int sign_at(const ic_ball_polynomial *p, double at)
{
    IC_BALLS(s, value);
    arb_set_d(s, at);
    ic_ball_polynomial_value(value, p, s);
    return ic_ball_sign(value);
}

/*
 * Searches [a, b], where the function is monotone and has the sign `side` just after a. If a zero
 * lies on b, b is moved a little.
 */
static ic_isolation classify_monotone(double *low, double *high, const ic_ball_polynomial *p, double a,
                                      double b, int side, int rate_sign)
{
    int value_sign = 0;
    const int at_end = sign_at(p, b);
    *low = a;
    *high = b;
    if (at_end == side) return IC_NO_SIGN_CHANGE;
    if (at_end == -side) return rate_sign == -side ? IC_SIGN_CHANGE : IC_CANNOT_TELL;
    *high = b + EXTENSION * (b - a);
    if (*high > 1 || rate_sign != -side) return IC_CANNOT_TELL;
    signs_over(&value_sign, &rate_sign, p, a, *high);
    return rate_sign == -side && sign_at(p, *high) == -side ? IC_SIGN_CHANGE : IC_CANNOT_TELL;
}

ic_isolation ic_first_sign_change(double *low, double *high, const ic_ball_polynomial *p, double from,
                                  double to, int side)
{
    int value_sign = 0, rate_sign = 0;
    if (!(to > from)) return IC_NO_SIGN_CHANGE;
    signs_over(&value_sign, &rate_sign, p, from, to);
    if (value_sign == side) return IC_NO_SIGN_CHANGE;
    if (value_sign == -side) return IC_CANNOT_TELL; /* contradicts the sign at `from` */
    if (rate_sign != 0) return classify_monotone(low, high, p, from, to, side, rate_sign);
    if (to - from < NARROWEST || (to - from < MANY_PARTS && ic_deadline_passed())) return IC_CANNOT_TELL;
    const double middle = 0.5 * (from + to);
    if (middle <= from || middle >= to) return IC_CANNOT_TELL;
    const ic_isolation left = ic_first_sign_change(low, high, p, from, middle, side);
    return left != IC_NO_SIGN_CHANGE ? left : ic_first_sign_change(low, high, p, middle, to, side);
}

void ic_refine_root(arb_t root, const ic_ball_polynomial *p, const ic_ball_polynomial *centre,
                    const mag_t spread)
{
    IC_BALLS(middle, value, rate, next, curvature, offset);
    for (int step = 0; step < MOST_NEWTON_STEPS; step++) {
        arb_get_mid_arb(middle, root);
        arb_sub(offset, root, middle, p->prec);
        _arb_poly_evaluate(curvature, p->curvature, p->length, root, p->prec);
        _arb_poly_evaluate(rate, p->rate, p->length, middle, p->prec);
        arb_addmul(rate, curvature, offset, p->prec);
        arb_add_error_mag(rate, p->remainder_rate);
        ic_ball_polynomial_value(value, centre, middle);
        arb_add_error_mag(value, spread);
        arb_div(next, value, rate, p->prec);
        arb_sub(next, middle, next, p->prec);
        if (!arb_is_finite(next) || !arb_intersection(next, next, root, p->prec)) break;
        /* each step squares the relative width, until limited by rounding */
        const bool ends = mag_cmp_2exp_si(arb_radref(next), -p->prec - 8) < 0 ||
                          (step > 2 && mag_cmp(arb_radref(next), arb_radref(root)) >= 0);
        arb_swap(root, next);
        if (ends) break;
    }
}
