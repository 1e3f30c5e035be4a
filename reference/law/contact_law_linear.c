/* SPDX-License-Identifier: MIT */
/* F = k d + c d'; equations in contact_law.h. */
#include "reference/law/contact_law.h"
#include "reference/law/contact_law_parts.h"

#include <arb_hypgeom.h>
#include <stdio.h>

typedef struct linear {
    slong prec;
    arb_ptr zeta;

    /* k m - c^2/4, which has the sign of 1 - zeta; k m z^2 */
    arb_ptr excess;

    /* sqrt(1 - zeta^2), where zeta < 1 */
    arb_ptr z;

    /* arccos(zeta), where zeta < 1 */
    arb_ptr theta;

    /* sqrt(k/m), 1/s */
    arb_ptr omega;

    /* sqrt(k m) v0, N */
    arb_ptr force;
} linear;

static void set_scales(const linear *p, const ic_law_certificate *c)
{
    IC_BALLS(km, root);
    arb_mul(km, c->K, c->m, p->prec);
    arb_sqrt(root, km, p->prec);
    arb_mul(p->force, root, c->v0, p->prec);
    arb_div(p->zeta, c->c, root, p->prec);
    arb_mul_2exp_si(p->zeta, p->zeta, -1);
    arb_mul(p->excess, c->c, c->c, p->prec);
    arb_mul_2exp_si(p->excess, p->excess, -2);
    arb_sub(p->excess, km, p->excess, p->prec);
    arb_div(p->z, p->excess, km, p->prec);
    arb_sqrt(p->z, p->z, p->prec);
    arb_acos(p->theta, p->zeta, p->prec);
    arb_div(p->omega, c->K, c->m, p->prec);
    arb_sqrt(p->omega, p->omega, p->prec);
}

/* quarter_period(zeta) = arccos(zeta)/sqrt(1 - zeta^2), arcosh(zeta)/sqrt(zeta^2 - 1) beyond 1;
   near 1 the analytic function that covers both, 2F1(1, 1; 3/2; (1 - zeta)/2). */
static void quarter_period(arb_t value, const linear *p)
{
    IC_BALLS(x, near);
    arb_sub_si(x, p->zeta, 1, p->prec);
    arb_neg(x, x);
    arb_set_d(near, 0.5);
    arb_abs(value, x);
    if (arb_lt(value, near)) {
        IC_BALLS(one, below);
        arb_one(one);
        arb_set_d(below, 1.5);
        arb_mul_2exp_si(x, x, -1);
        arb_hypgeom_2f1(value, one, one, below, x, 0, p->prec);
    } else if (arb_is_positive(x)) {
        arb_div(value, p->theta, p->z, p->prec);
    } else {
        arb_mul(x, p->zeta, p->zeta, p->prec);
        arb_sub_si(x, x, 1, p->prec);
        arb_sqrt(x, x, p->prec);
        arb_acosh(value, p->zeta, p->prec);
        arb_div(value, value, x, p->prec);
    }
}

/* exp(-zeta time) */
static void decay_factor(arb_t value, const linear *p, const arb_t time)
{
    arb_mul(value, p->zeta, time, p->prec);
    arb_neg(value, value);
    arb_exp(value, value, p->prec);
}

/* From the surface: the force peaks at its start for zeta >= 1/2, otherwise at omega t = (3 theta -
   pi)/z. A ball around 1/2 covers both. */
static void peak_from_surface(ic_law_certificate *c, const linear *p)
{
    IC_BALLS(time, late, half, twice);
    arb_set_d(half, 0.5);
    arb_mul_2exp_si(twice, p->zeta, 1);
    arb_const_pi(time, p->prec);
    arb_mul_si(late, p->theta, 3, p->prec);
    arb_sub(time, late, time, p->prec);
    arb_div(time, time, p->z, p->prec);
    if (!arb_lt(p->zeta, half)) arb_nonnegative_part(time, time);
    decay_factor(late, p, time); /* F/(sqrt(k m) v0) */
    arb_one(c->u_peak);
    arb_set(c->F_max, twice);
    if (!arb_ge(p->zeta, half)) {
        arb_mul(twice, twice, late, p->prec);
        const bool sure = arb_lt(p->zeta, half);
        if (sure) arb_set(c->u_peak, twice), arb_set(c->F_max, late);
        else arb_union(c->u_peak, c->u_peak, twice, p->prec), arb_union(c->F_max, c->F_max, late, p->prec);
    }
    arb_mul(c->F_max, c->F_max, p->force, p->prec);
}

/* Half a period of the damped vibration, from one zero to the next: pi/z, or infinity. */
static void half_period(ic_law_certificate *c, const linear *p)
{
    if (!arb_is_positive(p->excess)) {
        arb_zero(c->e_out);
        arb_pos_inf(c->duration);
        return;
    }
    arb_const_pi(c->duration, p->prec);
    arb_div(c->duration, c->duration, p->z, p->prec);
    decay_factor(c->e_out, p, c->duration);
    arb_div(c->duration, c->duration, p->omega, p->prec);
}

/* d = 0 to d = 0 (A), or to F = 0 (C, D) */
static void answer_from_surface(ic_law_certificate *c, const linear *p)
{
    IC_BALLS(time);
    quarter_period(time, p);
    decay_factor(c->d_max, p, time);
    if (c->law->condition == IC_CONDITION_A) {
        half_period(c, p);
    } else {
        arb_mul(c->e_out, c->d_max, c->d_max, p->prec);
        arb_mul_2exp_si(c->duration, time, 1);
        arb_div(c->duration, c->duration, p->omega, p->prec);
    }
    arb_mul(c->d_max, c->d_max, c->v0, p->prec);
    arb_div(c->d_max, c->d_max, p->omega, p->prec);
    peak_from_surface(c, p);
}

/* F = 0 to F = 0 (B): F peaks after quarter_period(zeta); d' = 0 after (pi - theta)/z, if ever */
static void answer_from_above(ic_law_certificate *c, const linear *p)
{
    IC_BALLS(time);
    quarter_period(time, p);
    decay_factor(c->F_max, p, time);
    arb_mul(c->u_peak, c->F_max, p->zeta, p->prec);
    arb_mul_2exp_si(c->u_peak, c->u_peak, 1);
    arb_mul(c->F_max, c->F_max, p->force, p->prec);
    half_period(c, p);
    if (arb_is_positive(p->excess)) {
        arb_const_pi(time, p->prec);
        arb_sub(time, time, p->theta, p->prec);
        arb_div(time, time, p->z, p->prec);
        decay_factor(c->d_max, p, time);
        arb_mul(c->d_max, c->d_max, c->v0, p->prec);
        arb_div(c->d_max, c->d_max, p->omega, p->prec);
    } else {
        arb_zero(c->d_max);
    }
}

ic_status ic_law_answer_linear(ic_law_certificate *c, ic_law_bits bits)
{
    IC_BALLS(zeta, excess, z, theta, omega, force);
    const linear p = {bits.fine, zeta, excess, z, theta, omega, force};
    const ic_condition condition = c->law->condition;
    const bool half = condition == IC_CONDITION_A || condition == IC_CONDITION_B;
    if (condition == IC_CONDITION_C_STAR) {
        snprintf(c->message, sizeof c->message, "a linear law under condition C* is not certified");
        return IC_UNSUPPORTED;
    }
    set_scales(&p, c);
    const bool decided = !half || arb_is_positive(p.excess) || arb_is_nonpositive(p.excess);
    if (!decided) {
        snprintf(c->message, sizeof c->message,
                 "whether the contact ever opens, c < 2 sqrt(k m), is not decided with %ld bits", (long)p.prec);
    } else if (condition == IC_CONDITION_B) {
        answer_from_above(c, &p);
    } else {
        answer_from_surface(c, &p);
    }
    return decided ? IC_OK : IC_UNDECIDED;
}
