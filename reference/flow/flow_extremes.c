/* SPDX-License-Identifier: MIT */
/*
 * The greatest value of a polynomial p on [0, end] is searched for by halving. On a part with middle m, x = s - m,
 *
 *     p <= p(m) + p'(m) x + p''(m) x^2/2 + p'''(part) x^3/6,     p <= p(c) + p'(c)^2/(2 min |p''|) where p'' < 0,
 *
 * with c found by Newton's method; to the third order, since few parts are then left at a flat place. Parts on which
 * p is monotone or convex have their greatest value at an end.
 * A part is dropped if its bound is below what is reached elsewhere. The least value is minus the greatest of -p.
 */
#include "reference/flow/flow_extremes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HALVINGS = 60, MOST_PARTS = 500, MOST_NEWTON_STEPS = 12, SPARE_BITS = 8 };
#define BITS_PER_DIGIT 3.33
/* A step is shortened by at least the first factor, and to at most the second part. */
#define LEAST_SHORTENING 0.9
#define MOST_SHORTENING 0.25

/* ---- extremes */

size_t ic_flow_extremes_count(const ic_problem *problem)
{
    const size_t n = problem->system->n_outputs;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(problem->system->outputs[i].name, "energy") == 0) return n;
    }
    for (size_t i = 0; i < problem->variant->n_modes; i++) {
        if (problem->variant->modes[i].stored_energy != NULL) return n + 1;
    }
    return n;
}

ic_flow_extreme *ic_flow_extremes_new(size_t n)
{
    ic_flow_extreme *extremes = flint_calloc(n + 1, sizeof *extremes);
    ic_flow_extremes_reset(extremes, n);
    return extremes;
}

void ic_flow_extremes_reset(ic_flow_extreme *extremes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        extremes[i].known = true;
        for (int k = 0; k < 2; k++) arf_neg_inf(extremes[i].reached + k), arf_neg_inf(extremes[i].admitted + k);
    }
}

void ic_flow_extremes_free(ic_flow_extreme *extremes, size_t n)
{
    for (size_t i = 0; i < n && extremes != NULL; i++) {
        for (int k = 0; k < 2; k++) arf_clear(extremes[i].reached + k), arf_clear(extremes[i].admitted + k);
    }
    flint_free(extremes);
}

static void give_up(ic_flow_extreme *e, const char *why)
{
    if (e->known) snprintf(e->why, sizeof e->why, "%s", why);
    e->known = false;
}

static void reach(arf_ptr reached, const arb_t value, slong prec)
{
    IC_FLOATS(low);
    arb_get_lbound_arf(low, value, prec);
    if (arf_cmp(low, reached) > 0) arf_set(reached, low);
}

static void admit(arf_ptr admitted, const arf_t high)
{
    if (arf_is_nan(high)) arf_pos_inf(admitted);
    else if (arf_cmp(high, admitted) > 0) arf_set(admitted, high);
}

bool ic_flow_extreme_get(arb_t greatest, arb_t least, ic_flow_extreme *e, slong prec)
{
    for (int k = 0; k < 2; k++) {
        if (arf_is_neg_inf(e->admitted + k)) give_up(e, "it has no value in the modes of the run");
        if (!arf_is_finite(e->reached + k) || !arf_is_finite(e->admitted + k)) give_up(e, "it may be infinite");
        if (!e->known) return false;
        admit(e->admitted + k, e->reached + k);
        arb_ptr extreme = k == 0 ? greatest : least;
        arb_set_interval_arf(extreme, e->reached + k, e->admitted + k, prec);
        if (!arb_contains_zero(extreme)) continue;
        /* it reads better as 0 within a radius */
        arb_get_mag(arb_radref(extreme), extreme);
        arf_zero(arb_midref(extreme));
    }
    arb_neg(least, least);
    return true;
}

static void take_value(ic_flow_extreme *e, const arb_t value, slong prec)
{
    IC_BALLS(signed_value);
    IC_FLOATS(high);
    arb_set(signed_value, value);
    for (int k = 0; k < 2; k++) {
        reach(e->reached + k, signed_value, prec);
        arb_get_ubound_arf(high, signed_value, prec);
        admit(e->admitted + k, high);
        arb_neg(signed_value, signed_value);
    }
}

/* ---- the search */

typedef struct search {
    const ic_ball_polynomial *p;

    /* p''' */
    arb_srcptr third;

    /* every solution goes at least so far */
    arf_srcptr certain;

    /* a width at which a bound is good enough */
    mag_srcptr wanted;

    arf_ptr reached, admitted;
    int parts_left;
} search;

/* The value at a place, which it reaches if it is certain to come there. */
static void value_at(arb_t value, const search *s, const arf_t place)
{
    IC_BALLS(at);
    arb_set_arf(at, place);
    ic_ball_polynomial_value(value, s->p, at);
    if (arf_cmp(place, s->certain) <= 0) reach(s->reached, value, s->p->prec);
}

static void admit_at(const search *s, const arf_t place)
{
    IC_BALLS(value);
    IC_FLOATS(high);
    value_at(value, s, place);
    arb_get_ubound_arf(high, value, s->p->prec);
    admit(s->admitted, high);
}

/* Lowers a bound on a part where p'' < 0 to p(c) + p'(c)^2/(2 min |p''|); top = p(c). */
static void bound_hill(arf_t high, arb_t top, const search *s, arf_srcptr from, arf_srcptr to,
                       const arb_t curvature)
{
    const slong prec = s->p->prec;
    IC_BALLS(place, rate, local, more);
    IC_FLOATS(bound);
    arf_add(arb_midref(place), from, to, prec, ARF_RND_NEAR);
    arb_mul_2exp_si(place, place, -1);
    for (int i = 0; i < MOST_NEWTON_STEPS; i++) {
        _arb_poly_evaluate(rate, s->p->rate, s->p->length, place, prec);
        arb_sqr(more, rate, prec);
        arb_div(more, more, curvature, prec);
        arb_mul_2exp_si(more, more, -1);
        value_at(top, s, arb_midref(place));
        arb_sub(more, top, more, prec);
        arb_get_ubound_arf(bound, more, prec);
        if (!arf_is_nan(bound) && arf_cmp(bound, high) < 0) arf_set(high, bound);
        if (arb_contains_zero(rate)) break;
        _arb_poly_evaluate(local, s->p->curvature, s->p->length, place, prec);
        arb_div(rate, rate, local, prec);
        arb_sub(local, place, rate, prec);
        arb_get_mid_arb(local, local);
        if (arf_is_nan(arb_midref(local)) || arf_cmp(arb_midref(local), from) < 0) arb_set_arf(local, from);
        if (arf_cmp(arb_midref(local), to) > 0) arb_set_arf(local, to);
        if (arb_equal(local, place)) break;
        arb_swap(place, local);
    }
}

/* Whether a bound is as near to a value as is wanted, or as values are known. */
static bool is_near(const search *s, const arf_t high, const arb_t value)
{
    IC_FLOATS(left, low);
    IC_BOUNDS(width, allowed);
    arb_get_lbound_arf(low, value, s->p->prec);
    arf_sub(left, high, low, MAG_BITS, ARF_RND_UP);
    arf_get_mag(width, left);
    mag_mul_ui(allowed, arb_radref(value), 4);
    mag_add(allowed, allowed, s->wanted);
    return mag_cmp(width, allowed) <= 0;
}

/* p, p' and p'' on a part, by the expansion from its middle to the third order; and p at the middle. */
typedef struct ranges {
    arb_ptr value, rate, curvature, middle;
} ranges;

static void find_ranges(ranges *r, search *s, const arf_t middle, const arb_t part)
{
    const ic_ball_polynomial *p = s->p;
    const slong prec = p->prec;
    IC_BALLS(at, third, offset);
    arb_set_arf(at, middle);
    value_at(r->middle, s, middle);
    _arb_poly_evaluate(r->rate, p->rate, p->length, at, prec);
    _arb_poly_evaluate(r->curvature, p->curvature, p->length, at, prec);
    _arb_poly_evaluate(third, s->third, p->length, part, prec);
    arb_sub(offset, part, at, prec);
    /* ((third x/3 + p'') x/2 + p') x + p */
    arb_mul(third, third, offset, prec);
    arb_div_ui(r->value, third, 3, prec);
    arb_add(r->value, r->value, r->curvature, prec);
    arb_mul(r->value, r->value, offset, prec);
    arb_mul_2exp_si(r->value, r->value, -1);
    arb_add(r->value, r->value, r->rate, prec);
    arb_mul(r->value, r->value, offset, prec);
    arb_add(r->value, r->value, r->middle, prec);
    /* (third x/2 + p'') x + p' */
    arb_mul_2exp_si(at, third, -1);
    arb_add(at, at, r->curvature, prec);
    arb_addmul(r->rate, at, offset, prec);
    arb_add(r->curvature, r->curvature, third, prec);
}

static void search_part(search *s, const arf_t from, const arf_t to, int halvings)
{
    const slong prec = s->p->prec;
    IC_BALLS(part, value, rate, curvature, at_middle);
    IC_FLOATS(high, middle);
    ranges r = {value, rate, curvature, at_middle};
    arb_set_interval_arf(part, from, to, prec);
    arf_add(middle, from, to, ARF_PREC_EXACT, ARF_RND_NEAR);
    arf_mul_2exp_si(middle, middle, -1);
    find_ranges(&r, s, middle, part);
    arb_get_ubound_arf(high, r.value, prec);
    const bool valley = arb_is_nonnegative(r.curvature);
    const bool falls = valley || arb_is_nonpositive(r.rate), rises = valley || arb_is_nonnegative(r.rate);
    s->parts_left--;
    if (arf_cmp(high, s->reached) > 0 || arf_is_nan(high)) {
        if (falls) admit_at(s, from);
        if (rises) admit_at(s, to);
        if (!falls && !rises && arb_is_negative(r.curvature))
            bound_hill(high, r.middle, s, from, to, r.curvature);
        if (falls || rises || arf_cmp(high, s->reached) <= 0) {
            /* nothing is left of it */
        } else if (halvings == 0 || s->parts_left <= 0 || is_near(s, high, r.middle)) {
            admit(s->admitted, high);
        } else {
            search_part(s, from, middle, halvings - 1);
            search_part(s, middle, to, halvings - 1);
        }
    }
}

/* Bits by which a width is below the size of a quantity. */
static slong wanted_bits(long digits)
{
    return (slong)(BITS_PER_DIGIT * (double)digits) + SPARE_BITS;
}

/* A width of 10^-digits of what was met so far. */
static void find_wanted(mag_t wanted, const ic_flow_extreme *e, slong digits)
{
    IC_BOUNDS(size);
    mag_zero(wanted);
    for (int k = 0; k < 2; k++) {
        if (!arf_is_finite(e->reached + k)) continue;
        arf_get_mag(size, e->reached + k);
        mag_max(wanted, wanted, size);
    }
    mag_mul_2exp_si(wanted, wanted, -wanted_bits(digits));
}

static void take_polynomial(ic_flow_extreme *e, ic_ball_polynomial *p, const arb_t end, slong digits)
{
    IC_FLOATS(zero, certain, last);
    IC_BOUNDS(wanted);
    IC_BALL_VECTOR(third, p->length);
    _arb_poly_derivative(third, p->curvature, p->length, p->prec);
    arb_get_lbound_arf(certain, end, p->prec);
    arb_get_ubound_arf(last, end, p->prec);
    if (arf_sgn(certain) < 0) arf_zero(certain);
    for (int k = 0; k < 4; k++) {
        /* both ends in both directions first: what they reach shortens the search */
        search s = {.p = p,
                    .third = third,
                    .certain = certain,
                    .wanted = wanted,
                    .reached = e->reached + k % 2,
                    .admitted = e->admitted + k % 2,
                    .parts_left = MOST_PARTS};
        if (k < 2) {
            admit_at(&s, zero);
            admit_at(&s, certain);
        } else {
            find_wanted(wanted, e, digits);
            search_part(&s, zero, last, MOST_HALVINGS);
        }
        _arb_vec_neg(p->coefficients, p->coefficients, p->length);
        _arb_vec_neg(p->rate, p->rate, p->length);
        _arb_vec_neg(p->curvature, p->curvature, p->length);
        _arb_vec_neg(third, third, p->length);
    }
}

/* ---- along the flow */

/* Number of a quantity among those of a mode. */
static size_t quantity_number(const ic_flow *f, size_t i)
{
    return i < f->problem->system->n_outputs ? IC_FLOW_OUTPUTS + i : IC_FLOW_STORED_ENERGY;
}

/* Whether the case gives the quantity a value in the mode, where it gives no formula. */
static bool has_value(const ic_flow *f, size_t i)
{
    const ic_problem *problem = f->problem;
    if (i == problem->system->n_outputs) return problem->variant->modes[f->mode].stored_energy != NULL;
    IC_ZEROS(double, x, f->n + 1);
    for (slong v = 0; v <= f->n; v++) x[v] = arf_get_d(arb_midref(f->now + v), ARF_RND_NEAR);
    const double value = problem->system->outputs[i].value(x[f->n], x, f->mode, problem->par);
    return value == value;
}

/* Adds the signs on which the formula of a quantity relies. */
static void add_signs(ic_flow *f, size_t quantity, const ic_translation *t)
{
    ic_flow_phase *p = &f->phase;
    ic_flow_sign *longer = realloc(p->signs, (p->n_signs + t->n_assumptions + 1) * sizeof *longer);
    if (longer == NULL) {
        t->terms->failed = true;
        return;
    }
    p->signs = longer;
    for (size_t i = 0; i < t->n_assumptions; i++)
        p->signs[p->n_signs++] = (ic_flow_sign){.quantity = quantity, .is = t->assumptions[i]};
}

void ic_flow_extremes_translate(const ic_translation *t, ic_flow *f)
{
    const ic_mode *mode = &f->problem->variant->modes[f->mode];
    /* its own roots and signs: the flow must not depend on what outputs need */
    ic_translation own = *t;
    if (f->n_extremes == 0) return;
    own.done = NULL;
    own.assumptions = NULL;
    own.assumption_capacity = 0;
    for (size_t i = 0; i < f->n_extremes; i++) {
        ic_flow_extreme *e = &f->extremes[i];
        const int operation = ic_flow_quantity_operation(mode, quantity_number(f, i));
        f->phase.outputs[i] = IC_VALUE_NEVER;
        if (!e->known || (operation < 0 && !has_value(f, i))) continue;
        own.message[0] = '\0';
        own.n_assumptions = 0;
        if (operation >= 0) ic_translate_begin(&own, mode->quantities);
        const int term = operation < 0 ? -1 : ic_translated_term(&own, ic_translate(&own, operation));
        f->phase.outputs[i] = term >= 0 ? term : IC_VALUE_DORMANT;
        if (term >= 0) add_signs(f, i, &own);
        else
            snprintf(e->why, sizeof e->why, "%s in mode '%.40s'",
                     operation < 0 ? "it has no formula" : own.message, mode->name);
    }
    ic_translate_end(&own);
    free(own.assumptions);
}

bool ic_flow_extremes_lack_signs(const ic_flow *f)
{
    for (size_t i = 0; i < f->n_extremes; i++) {
        if (f->phase.outputs[i] == IC_VALUE_DORMANT) return true;
    }
    return false;
}

/* Number of a term of which the extremes are searched for in a step; -1: none. */
static int changing_term(const ic_flow *f, size_t i)
{
    const int term = f->phase.outputs[i];
    return term < 0 || !f->extremes[i].known || f->phase.formulas.terms.list[term].constant ? -1 : term;
}

/* The polynomial of a term for the whole set. */
static void find_polynomial(ic_ball_polynomial *p, const ic_step *step, int term)
{
    ic_step_polynomial(p, step, term);
    ic_step_add_spread(p, step, term, 0);
}

/* Gives up quantities whose formulas rely on a sign that is not proved up to the end. */
static void check_signs(ic_flow *f, const ic_step *step, const arb_t end)
{
    IC_FLOATS(last);
    arb_get_ubound_arf(last, end, f->prec);
    const double to = fmin(1, arf_get_d(last, ARF_RND_UP));
    for (size_t i = 0; i < f->phase.n_signs; i++) {
        const ic_flow_sign *sign = &f->phase.signs[i];
        ic_flow_extreme *e = &f->extremes[sign->quantity];
        if (!e->known || step->signs[sign->is.term] == sign->is.sign) continue;
        ic_ball_polynomial p;
        double low, high;
        find_polynomial(&p, step, sign->is.term);
        if (ic_first_sign_change(&low, &high, &p, 0, to, sign->is.sign) != IC_NO_SIGN_CHANGE) {
            char *t = arb_get_str(f->set.centre + f->n, 6, ARB_STR_NO_RADIUS);
            char why[sizeof e->why];
            snprintf(why, sizeof why, "the sign of an argument of abs, max or a power changes after t = %.40s",
                     t);
            give_up(e, why);
            flint_free(t);
        }
        ic_ball_polynomial_clear(&p);
    }
}

/* log2 of what was met of a quantity, or of its first coefficient that is not zero. */
static double log_size(const ic_flow_extreme *e, const ic_step *step, int term)
{
    enum { FIRST = 4 };
    IC_BALLS(part);
    IC_BOUNDS(size, other);
    for (int k = 0; k < 2; k++) {
        if (!arf_is_finite(e->reached + k)) continue;
        arf_get_mag(other, e->reached + k);
        mag_max(size, size, other);
    }
    for (slong k = 0; k < FIRST && mag_is_zero(size); k++) {
        arb_mul(part, ic_jet(&step->centre, term) + k, step->powers + k, MAG_BITS);
        arb_get_mag(size, part);
    }
    return mag_is_zero(size) ? INFINITY : mag_get_d_log2_approx(size);
}

double ic_flow_extremes_shorten(const ic_flow *f, const ic_step *step)
{
    double excess = 0;
    IC_BOUNDS(spread);
    for (size_t i = 0; i < f->n_extremes; i++) {
        const int term = changing_term(f, i);
        if (term < 0) continue;
        ic_step_spread(spread, step, term, 0);
        if (mag_cmp(step->remainder + term, spread) <= 0) continue;
        const double wanted = log_size(&f->extremes[i], step, term) - (double)wanted_bits(f->digits);
        excess = fmax(excess, mag_get_d_log2_approx(step->remainder + term) - wanted);
    }
    /* the remainder has order K */
    return excess > 0 ? fmax(MOST_SHORTENING, LEAST_SHORTENING * exp2(-excess / (double)step->order)) : 1;
}

void ic_flow_extremes_take_step(ic_flow *f, const ic_step *step, const arb_t end)
{
    if (f->n_extremes == 0) return;
    check_signs(f, step, end);
    for (size_t i = 0; i < f->n_extremes; i++) {
        ic_flow_extreme *e = &f->extremes[i];
        const int term = f->phase.outputs[i], changing = changing_term(f, i);
        if (term == IC_VALUE_DORMANT) e->known = false;
        if (term >= 0 && changing < 0 && e->known)
            take_value(e, f->phase.formulas.terms.values + term, f->prec);
        if (changing < 0) continue;
        ic_ball_polynomial p;
        find_polynomial(&p, step, term);
        take_polynomial(e, &p, end, f->digits);
        ic_ball_polynomial_clear(&p);
    }
}

void ic_flow_extremes_take_last(ic_flow *f)
{
    IC_BALLS(value);
    for (size_t i = 0; i < f->n_extremes; i++) {
        if (ic_flow_quantity(value, f->problem, quantity_number(f, i), f->mode, f->now + f->n, f->now, f->prec))
            take_value(&f->extremes[i], value, f->prec);
        else if (has_value(f, i)) give_up(&f->extremes[i], "its last value is not enclosed");
    }
}
