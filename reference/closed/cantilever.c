/* SPDX-License-Identifier: MIT */
#include "reference/closed/cantilever.h"

#include <acb.h>
#include <acb_calc.h>
#include <math.h>

/* Exponentials of a mode. */
enum { EXPONENTIALS = 4 };
/* Extra bits for cancellation. */
enum { SPARE_BITS = 64 };

/* ---- lambda and sigma */

/* cos(x) + 1/cosh(x), whose zeros are those of cos cosh + 1 */
static void characteristic_at(arb_t value, const arb_t x, slong prec)
{
    IC_BALLS(sech);
    arb_sech(sech, x, prec);
    arb_cos(value, x, prec);
    arb_add(value, value, sech, prec);
}

/* Proved sign at x + 2^exponent or x - 2^exponent; 0: undecided. */
static int sign_near(const arb_t x, int side, slong exponent, slong prec)
{
    IC_BALLS(at, offset);
    arb_set_si(offset, side);
    arb_mul_2exp_si(offset, offset, exponent);
    arb_add(at, x, offset, 2 * prec);
    characteristic_at(at, at, prec);
    return arb_is_positive(at) ? 1 : arb_is_negative(at) ? -1 : 0;
}

static void newton_step(arb_t x, slong prec)
{
    IC_BALLS(value, rate, sech);
    arb_sech(sech, x, prec);
    arb_tanh(value, x, prec);
    arb_sin(rate, x, prec);
    arb_addmul(rate, sech, value, prec); /* -(cos + sech)' = sin + sech tanh */
    characteristic_at(value, x, prec);
    arb_div(value, value, rate, prec);
    arb_add(x, x, value, prec);
    arb_get_mid_arb(x, x);
}

/* Each interval (r pi, (r + 1) pi) holds one zero: Newton's method from the middle, then two signs
   that prove a zero between them. Without that proof the ball is indeterminate. */
static void find_lambda(arb_t lambda, long r, slong prec)
{
    enum { MARGIN = 16 };
    const slong exponent = MARGIN - prec;
    arb_const_pi(lambda, prec);
    arb_mul_si(lambda, lambda, 2 * r + 1, prec);
    arb_mul_2exp_si(lambda, lambda, -1);
    for (slong bits = 1; bits < 4 * prec; bits *= 2) newton_step(lambda, prec);
    const bool proved = sign_near(lambda, -1, exponent, prec) * sign_near(lambda, 1, exponent, prec) < 0;
    if (proved) arb_add_error_2exp_si(lambda, exponent);
    else arb_indeterminate(lambda);
}

void ic_cantilever_mode_init(ic_cantilever_mode *mode, long r, slong prec)
{
    const double largest = M_PI * ((double)r + 1);
    IC_BALLS(numerator, term);
    arb_init(mode->lambda), arb_init(mode->sigma);
    /* Products of two modes: exp(2 lambda) in terms whose sum is near 1, and 1 - sigma near
       exp(-lambda). */
    mode->prec = prec + (slong)(4 * largest / log(2)) + SPARE_BITS;
    find_lambda(mode->lambda, r, mode->prec);
    arb_sinh_cosh(numerator, mode->sigma, mode->lambda, mode->prec);
    arb_sin(term, mode->lambda, mode->prec);
    arb_sub(numerator, numerator, term, mode->prec);
    arb_cos(term, mode->lambda, mode->prec);
    arb_add(mode->sigma, mode->sigma, term, mode->prec);
    arb_div(mode->sigma, numerator, mode->sigma, mode->prec);
}

void ic_cantilever_mode_clear(ic_cantilever_mode *mode)
{
    arb_clear(mode->lambda), arb_clear(mode->sigma);
}

void ic_cantilever_mode_tail(arb_t value, const ic_cantilever_mode *mode)
{
    IC_BALLS(rest);
    arb_sub_si(rest, mode->sigma, 1, mode->prec);
    arb_exp(value, mode->lambda, mode->prec);
    arb_mul(value, value, rest, mode->prec);
    arb_neg(value, value);
}

/* ---- sums of exponentials */

typedef struct exponentials {
    /* sum of c exp(z xi) */
    acb_struct c[EXPONENTIALS], z[EXPONENTIALS];
} exponentials;

static void exponentials_init(exponentials *e, const ic_cantilever_mode *mode, int derivative)
{
    const slong prec = mode->prec;
    IC_COMPLEX_BALLS(power);
    for (int k = 0; k < EXPONENTIALS; k++) {
        const int sign = k % 2 == 0 ? 1 : -1;
        acb_init(&e->c[k]), acb_init(&e->z[k]);
        /* cosh - sigma sinh: (1 - sigma)/2 exp(lambda xi) + (1 + sigma)/2 exp(-lambda xi) */
        if (k < 2) {
            arb_mul_si(acb_realref(&e->z[k]), mode->lambda, sign, prec);
            arb_mul_si(acb_realref(&e->c[k]), mode->sigma, -sign, prec);
            acb_add_si(&e->c[k], &e->c[k], 1, prec);
        } else { /* -cos + sigma sin: (-1 - i sigma)/2 exp(i lambda xi), and its conjugate */
            arb_mul_si(acb_imagref(&e->z[k]), mode->lambda, sign, prec);
            arb_mul_si(acb_imagref(&e->c[k]), mode->sigma, -sign, prec);
            acb_sub_si(&e->c[k], &e->c[k], 1, prec);
        }
        acb_mul_2exp_si(&e->c[k], &e->c[k], -1);
        acb_pow_ui(power, &e->z[k], (ulong)derivative, prec);
        acb_mul(&e->c[k], &e->c[k], power, prec);
    }
}

static void exponentials_clear(exponentials *e)
{
    for (int k = 0; k < EXPONENTIALS; k++) acb_clear(&e->c[k]), acb_clear(&e->z[k]);
}

/* ---- integrals */

/* integral of (w_0 + w_1 xi + w_2 xi^2) exp(z xi); `vanishes`: z is 0 by theorem */
static void weighted_integral(acb_t value, const slong weight[3], const acb_t z, bool vanishes, slong prec)
{
    IC_COMPLEX_BALLS(moment, exponential, term);
    acb_exp(exponential, z, prec);
    acb_sub_si(moment, exponential, 1, prec);
    acb_zero(value);
    for (slong m = 0; m < 3; m++) {
        if (vanishes) {
            acb_set_si(moment, weight[m]);
            acb_div_si(term, moment, m + 1, prec);
        } else {
            if (m > 0) {
                acb_mul_si(moment, moment, m, prec);
                acb_sub(moment, exponential, moment, prec);
            }
            acb_div(moment, moment, z, prec);
            acb_mul_si(term, moment, weight[m], prec);
        }
        acb_add(value, value, term, prec);
    }
}

static void integral_of_one(acb_t value, const ic_cantilever_integrand *integrand)
{
    const slong prec = integrand->first->prec;
    exponentials e;
    IC_COMPLEX_BALLS(term);
    exponentials_init(&e, integrand->first, integrand->derivative);
    acb_zero(value);
    for (int k = 0; k < EXPONENTIALS; k++) {
        weighted_integral(term, integrand->weight, &e.z[k], false, prec);
        acb_addmul(value, term, &e.c[k], prec);
    }
    exponentials_clear(&e);
}

static void integral_of_two(acb_t value, const ic_cantilever_integrand *integrand)
{
    const ic_cantilever_mode *first = integrand->first, *second = integrand->second;
    const slong prec = first->prec > second->prec ? first->prec : second->prec;
    exponentials e, f;
    IC_COMPLEX_BALLS(z, term);
    exponentials_init(&e, first, integrand->derivative);
    exponentials_init(&f, second, integrand->derivative);
    acb_zero(value);
    for (int k = 0; k < EXPONENTIALS; k++) {
        for (int j = 0; j < EXPONENTIALS; j++) {
            acb_add(z, &e.z[k], &f.z[j], prec);
            /* z and -z of one mode; lambdas of different modes differ, and are both real or both
               imaginary */
            weighted_integral(term, integrand->weight, z, first == second && k / 2 == j / 2 && k != j, prec);
            acb_mul(term, term, &e.c[k], prec);
            acb_addmul(value, term, &f.c[j], prec);
        }
    }
    exponentials_clear(&e), exponentials_clear(&f);
}

void ic_cantilever_integral(arb_t value, const ic_cantilever_integrand *integrand)
{
    IC_COMPLEX_BALLS(sum);
    if (integrand->second == NULL) integral_of_one(sum, integrand);
    else integral_of_two(sum, integrand);
    arb_set(value, acb_realref(sum));
}
