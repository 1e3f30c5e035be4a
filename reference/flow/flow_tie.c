/* SPDX-License-Identifier: MIT */
#include "reference/flow/flow_tie.h"

#include "reference/flow/flow_extremes.h"
#include "reference/flow/flow_parts.h"

#include <math.h>
#include <stdlib.h>

/* Margin for rounding in the check of a tube, a few units in the last place. */
enum { ROOM_BITS = 6 };

/* Boxes that are tried around an accumulation. */
enum { MOST_BOXES = 6 };

bool ic_flow_ends_run(const ic_flow *f, size_t guard)
{
    const ic_jump *jump = &ic_flow_mode(f)->guards[guard].jump;
    const int mode = jump->n_branches == 1 ? jump->branches[0].mode : -1;
    return jump->equations != NULL && mode >= 0 && f->problem->variant->modes[mode].terminal;
}

/* ---- formulas over a box */

typedef struct box_formulas {
    ic_flow_terms terms;
    ic_translation translation;
    ic_store store;
} box_formulas;

/* `constant`: by variable, or NULL: one that is exact. */
static void open_formulas(box_formulas *b, ic_flow *f, arb_srcptr box, const bool *constant)
{
    IC_BALLS(no_clock);
    *b = (box_formulas){.translation = ic_translation_of_values(&b->terms, f->problem, f->par, &f->tables)};
    bool *own = ic_store_zeros(&b->store, (size_t)f->n + 1, sizeof *own);
    for (slong v = 0; v <= f->n; v++) own[v] = constant == NULL ? arb_is_exact(box + v) : constant[v];
    ic_flow_terms_init(&b->terms, f->n, box, no_clock, own, f->prec);
}

static void close_formulas(box_formulas *b)
{
    ic_translate_end(&b->translation);
    free(b->translation.assumptions);
    ic_flow_terms_clear(&b->terms);
    ic_store_free(&b->store);
}

/* The term of an operation of the equations that were begun; -1: it is not known. */
static int term_of(box_formulas *b, int operation)
{
    if (operation < 0) return -1;
    return ic_translated_term(&b->translation, ic_translate(&b->translation, operation));
}

bool ic_flow_vanishes_at(ic_flow *f, const arb_t t, size_t guard)
{
    box_formulas b;
    IC_BALL_VECTOR(box, f->n + 1);
    ic_flow_set_box(box, &f->set);
    arb_set(box + f->n, t);
    open_formulas(&b, f, box, NULL);
    ic_translate_begin(&b.translation, ic_flow_mode(f)->equations);
    const int value = term_of(&b, f->values[f->mode].operations[guard]);
    const bool vanishes = value >= 0 && ic_flow_term_is_zero(&b.terms, value);
    close_formulas(&b);
    return vanishes;
}

/* The terms of the states after branch number `branch` of a jump, and its condition (-1: none, or not known). */
static bool states_after(box_formulas *b, int *after, int *condition, const ic_jump *jump, size_t branch,
                         slong n)
{
    const int *results = jump->equations->results + branch * (size_t)(n + 1);
    bool good = true;
    ic_translate_begin(&b->translation, jump->equations);
    *condition = term_of(b, results[0]);
    b->translation.message[0] = '\0';
    for (slong v = 0; v < n && good; v++) {
        after[v] = term_of(b, results[v + 1]);
        good = after[v] >= 0;
    }
    return good;
}

/* Whether two branches lead to one mode and, by their formulas, to the same states. */
static bool same_outcome(box_formulas *b, const ic_jump *x, size_t branch, const ic_jump *y, slong n)
{
    int condition = -1;
    IC_ZEROS(int, first, n);
    IC_ZEROS(int, second, n);
    bool same = x->branches[branch].mode == y->branches[0].mode &&
                states_after(b, first, &condition, x, branch, n) &&
                states_after(b, second, &condition, y, 0, n);
    for (slong v = 0; v < n && same; v++) same = first[v] == second[v];
    return same;
}

/* ---- the way to the end, after another guard has fired */

/* Bounds of the rates in a mode, for all states in a box. */
typedef struct box_flow {
    /* rates of the states and the time */
    arb_ptr rates;

    /* the value and the rate of the guard that ends the run */
    arb_ptr value, rate;

    /* no other guard is near zero, or due */
    bool clear;
} box_flow;

/* Whether no other guard of a mode, whose equations were begun, is near zero or due. */
static bool others_are_clear(box_formulas *b, const ic_mode *mode, size_t guard)
{
    const int *guards = mode->equations->results + mode->equations->n_results - mode->n_guards;
    bool clear = true;
    for (size_t i = 0; i < mode->n_guards && clear; i++) {
        const int other = i == guard ? -1 : term_of(b, guards[i]);
        const int sign = other < 0 ? 0 : ic_ball_sign(b->terms.values + other);
        const bool due = mode->guards[i].onset == IC_ONSET_LEVEL && sign == mode->guards[i].direction;
        clear = i == guard || (sign != 0 && !due);
    }
    return clear;
}

static bool enclose_mode(box_flow *flow, ic_flow *f, const ic_mode *mode, size_t ends, arb_srcptr box)
{
    const ic_equations *e = mode->equations;
    const int *guards = e->results + e->n_results - mode->n_guards;
    box_formulas b;
    IC_ZEROS(int, rates, f->n + 1);
    open_formulas(&b, f, box, NULL);
    ic_translate_begin(&b.translation, e);
    bool good = true;
    for (slong v = 0; v < f->n && good; v++) good = (rates[v] = term_of(&b, e->results[v])) >= 0;
    rates[f->n] = ic_flow_term_integer(&b.terms, 1);
    const int value = term_of(&b, guards[ends]);
    const int rate = good && value >= 0 ? ic_flow_term_rate(&b.terms, value, rates) : -1;
    good = good && rate >= 0;
    flow->clear = good && others_are_clear(&b, mode, ends);
    if (good && !b.terms.failed) {
        for (slong v = 0; v <= f->n; v++) arb_set(flow->rates + v, b.terms.values + rates[v]);
        arb_set(flow->value, b.terms.values + value);
        arb_set(flow->rate, b.terms.values + rate);
    }
    good = good && !b.terms.failed;
    close_formulas(&b);
    return good;
}

/* An upper bound of |value|/|rate|; infinite where the rate may vanish. */
static void bound_time_to_zero(arb_t length, const arb_t value, const arb_t rate)
{
    IC_BOUNDS(upper, lower);
    arb_get_mag(upper, value);
    arb_get_mag_lower(lower, rate);
    mag_div(upper, upper, lower);
    arf_set_mag(arb_midref(length), upper);
    mag_zero(arb_radref(length));
}

/* swept = y + [0, length] rates, n + 1 balls */
static void sweep(arb_ptr swept, const ic_flow *f, arb_srcptr y, const arb_t length, arb_srcptr rates)
{
    IC_BALLS(part, change);
    arb_union(part, part, length, f->prec);
    for (slong v = 0; v <= f->n; v++) {
        arb_mul(change, rates + v, part, f->prec);
        arb_add(swept + v, y + v, change, f->prec);
    }
}

static void add_rounding_margin(arb_ptr tube, const ic_flow *f)
{
    IC_BOUNDS(room);
    for (slong v = 0; v <= f->n; v++) {
        arb_get_mag(room, tube + v);
        mag_mul_2exp_si(room, room, ROOM_BITS - f->prec);
        arb_add_error_mag(tube + v, room);
    }
}

static bool is_inside(arb_srcptr inner, arb_srcptr outer, slong n)
{
    for (slong v = 0; v < n; v++) {
        if (!arb_contains(outer + v, inner + v)) return false;
    }
    return true;
}

/*
 * From y on, guard number `ends` crosses zero to the other side than `side` within `length` = |value|/|rate|:
 * encloses all states until then in `tube`. The tube is valid if it contains the image of y under its own flow
 * (Picard). It is tried with twice the length.
 */
static bool follow_to_end(arb_ptr tube, ic_flow *f, const ic_mode *mode, size_t ends, int side, arb_srcptr y)
{
    IC_BALLS(value, length, value_in_box, rate);
    IC_BALL_VECTOR(trial, f->n + 1);
    IC_BALL_VECTOR(rates, f->n + 1);
    box_flow flow = {.rates = rates, .value = value_in_box, .rate = rate};
    bool good = enclose_mode(&flow, f, mode, ends, y);
    if (good) {
        arb_set(value, flow.value);
        bound_time_to_zero(length, value, flow.rate);
        arb_mul_2exp_si(length, length, 1);
        sweep(trial, f, y, length, flow.rates);
        good = arb_is_finite(length) && enclose_mode(&flow, f, mode, ends, trial);
    }
    if (good) {
        sweep(tube, f, y, length, flow.rates);
        add_rounding_margin(tube, f);
        good = enclose_mode(&flow, f, mode, ends, tube);
    }
    if (good) {
        /* the value at the crossing is zero; the bound uses its value at y and its rate in the tube */
        bound_time_to_zero(length, value, flow.rate);
        sweep(trial, f, y, length, flow.rates);
        good = arb_is_finite(length) && ic_ball_sign(flow.rate) == -side && flow.clear &&
               is_inside(trial, tube, f->n + 1);
    }
    return good;
}

/*
 * Number of the guard of a mode that goes on with what guard `ends` was: with the same value after the jump to
 * `after` as before it, and the same jump. -1: there is none.
 */
static int continued_guard(box_formulas *b, const ic_flow *f, const ic_mode *mode, size_t ends,
                           const int *after)
{
    const ic_guard *guard = &ic_flow_mode(f)->guards[ends];
    int found = -1;
    ic_translate_begin(&b->translation, ic_flow_mode(f)->equations);
    const int before = term_of(b, f->values[f->mode].operations[ends]);
    for (size_t i = 0; i < mode->n_guards && found < 0 && before >= 0; i++) {
        const ic_guard *other = &mode->guards[i];
        const bool plain = mode->quantities == NULL || mode->quantities->results[i] < 0;
        if (!plain || other->direction != guard->direction || other->jump.n_branches != 1 ||
            other->jump.equations == NULL || !same_outcome(b, &other->jump, 0, &guard->jump, f->n))
            continue;
        ic_translate_begin(&b->translation, mode->equations);
        b->translation.substitute = after;
        const int value = term_of(b, mode->equations->results[mode->equations->n_results - mode->n_guards + i]);
        b->translation.substitute = NULL;
        if (value >= 0 && ic_flow_term_ratio_sign(&b->terms, value, before) > 0) found = (int)i;
    }
    return found;
}

typedef enum branch_result { ENDS_TOO, NOT_TAKEN, MAY_MATTER } branch_result;

/* Widens the box by what follows if a branch of another guard's jump is taken at the place `tie`. */
static branch_result widen_by_branch(ic_flow *f, arb_ptr box, arb_srcptr tie, size_t ends, const ic_jump *jump,
                                     size_t branch)
{
    const int next = jump->branches[branch].mode;
    const ic_jump *ending = &ic_flow_mode(f)->guards[ends].jump;
    branch_result result = MAY_MATTER;
    int condition = -1;
    box_formulas b;
    IC_ZEROS(int, after, f->n);
    open_formulas(&b, f, tie, NULL);
    const bool known = states_after(&b, after, &condition, jump, branch, f->n);
    if (condition >= 0 && arb_is_nonpositive(b.terms.values + condition)) {
        result = NOT_TAKEN;
    } else if (known && next >= 0 && f->problem->variant->modes[next].terminal) {
        if (same_outcome(&b, jump, branch, ending, f->n)) result = ENDS_TOO;
    } else if (known && next >= 0 && f->problem->variant->modes[next].equations != NULL) {
        const ic_mode *mode = &f->problem->variant->modes[next];
        const int goes_on = continued_guard(&b, f, mode, ends, after);
        IC_BALL_VECTOR(y, f->n + 1);
        IC_BALL_VECTOR(tube, f->n + 1);
        for (slong v = 0; v < f->n; v++) arb_set(y + v, b.terms.values + after[v]);
        arb_set(y + f->n, tie + f->n);
        if (goes_on >= 0 && follow_to_end(tube, f, mode, (size_t)goes_on, f->guards[ends].side, y)) {
            result = ENDS_TOO;
            for (slong v = 0; v <= f->n; v++) arb_union(box + v, box + v, tube + v, f->prec);
        }
    }
    close_formulas(&b);
    return result;
}

bool ic_flow_tie_widen(ic_flow *f, arb_ptr box, size_t ends, const bool *simultaneous)
{
    const ic_mode *mode = ic_flow_mode(f);
    bool good = true;
    IC_BALL_VECTOR(tie, f->n + 1);
    _arb_vec_set(tie, box, f->n + 1);
    for (size_t i = 0; i < mode->n_guards && good; i++) {
        const ic_jump *jump = &mode->guards[i].jump;
        if (!simultaneous[i] || i == ends) continue;
        good = jump->equations != NULL;
        for (size_t k = 0; k < jump->n_branches && good; k++)
            good = widen_by_branch(f, box, tie, ends, jump, k) != MAY_MATTER;
    }
    return good;
}

/* ---- infinitely many firings of one guard */

/*
 * Bounds for all states in a box B from which a guard g fires again and again, by its jump. With w = g' and the states y
 * before an impact, the jump is y + d w, by which g does not change and w becomes -e w: as a formula in y and w, it
 * changes nothing at w = 0, d is its derivative by w, and -e = 1 + (grad w).d.
 */
typedef struct box_impacts {
    /* of the states and the time */
    arb_ptr rates;

    /* d, 0 for the time */
    arb_ptr jumps;

    /* w, g'' and -e */
    arb_ptr rate, curvature, returned;
} box_impacts;

/* The last branch of the jump as terms: what it adds to the states, and its condition (-1: none). w is a term. */
static bool impact_terms(box_formulas *b, const ic_flow *f, int *added, int *condition, int rate, int w)
{
    const ic_jump *jump = &ic_flow_mode(f)->guards[f->fired_number].jump;
    const size_t branch = (size_t)(f->branch - jump->branches);
    IC_ZEROS(int, own, f->n);
    for (slong v = 0; v < f->n; v++) {
        own[v] = ic_flow_term_variable(&b->terms, v);
        if (ic_flow_term_opposite(&b->terms, own[v], rate)) own[v] = ic_flow_term_negate(&b->terms, w);
        if (own[v] == rate) own[v] = w;
    }
    b->translation.variables[0] = w;
    b->translation.substitute = own;
    bool good = states_after(b, added, condition, jump, branch, f->n) &&
                (*condition >= 0 || jump->equations->results[branch * (size_t)(f->n + 1)] < 0);
    for (size_t k = 0; k < branch && good; k++) {
        const int other = term_of(b, jump->equations->results[k * (size_t)(f->n + 1)]);
        good = other >= 0 && arb_is_nonpositive(b->terms.values + other);
    }
    for (slong v = 0; v < f->n && good; v++) added[v] = ic_flow_term_subtract(&b->terms, added[v], own[v]);
    b->translation.substitute = NULL;
    return good && !b->terms.failed;
}

/* Whether a jump that is known to add `at_zero` where w = 0 changes nothing there; g = 0 before it. */
static bool is_still(const box_formulas *b, const int *at_zero, slong n, int value)
{
    bool still = true;
    for (slong v = 0; v < n && still; v++)
        still = ic_flow_term_is_zero(&b->terms, at_zero[v]) ||
                ic_flow_term_ratio_sign(&b->terms, at_zero[v], value) != 0;
    return still;
}

/* Sum over the states of the derivative of a term times d. */
static void change_by_jump(arb_t change, const ic_gradients *g, int term, const box_impacts *r, slong n)
{
    arb_zero(change);
    for (slong v = 0; v < n; v++) {
        if (!arb_is_zero(r->jumps + v) && !arb_is_zero(ic_gradient(g, term, v)))
            arb_addmul(change, ic_gradient(g, term, v), r->jumps + v, g->jets->prec);
    }
}

/* Values of all terms at a place, and derivatives by the states, the time, and w if that was defined. */
typedef struct box_derivatives {
    ic_jets jets;
    ic_gradients gradients;
} box_derivatives;

static void open_derivatives(box_derivatives *d, const box_formulas *b, arb_srcptr y, slong prec)
{
    const slong n = b->terms.n + 1 + b->terms.n_further;
    IC_ZEROS(slong, variables, n);
    for (slong v = 0; v < n; v++) variables[v] = v;
    ic_jets_init(&d->jets, &b->terms, NULL, 1, prec);
    ic_jets_start(&d->jets, y, b->terms.clock);
    ic_jets_extend(&d->jets, 1, true);
    ic_gradients_init(&d->gradients, &d->jets, variables, n);
}

static void close_derivatives(box_derivatives *d)
{
    ic_gradients_clear(&d->gradients);
    ic_jets_clear(&d->jets);
}

/* Finds d and e. Whether g stays 0, and the branch is taken where w has the sign `sign`. */
static bool differentiate_jump(box_impacts *r, const ic_flow *f, const box_formulas *b, const int *added,
                               int condition, int value, int rate, int sign)
{
    const slong w = f->n + 1;
    box_derivatives d;
    IC_BALLS(change);
    open_derivatives(&d, b, b->terms.start, f->prec);
    for (slong v = 0; v < f->n; v++) arb_set(r->jumps + v, ic_gradient(&d.gradients, added[v], w));
    change_by_jump(r->returned, &d.gradients, rate, r, f->n);
    arb_add_si(r->returned, r->returned, 1, f->prec);
    change_by_jump(change, &d.gradients, value, r, f->n);
    const bool taken = condition < 0 || ic_ball_sign(ic_gradient(&d.gradients, condition, w)) == sign;
    const bool good = taken && arb_is_zero(change) && arb_is_negative(r->returned);
    close_derivatives(&d);
    return good;
}

static bool enclose_impacts(box_impacts *r, ic_flow *f, arb_srcptr box)
{
    const ic_mode *mode = ic_flow_mode(f);
    const ic_equations *e = mode->equations;
    const int direction = mode->guards[f->fired_number].direction;
    int condition = -1, condition_at_zero = -1;
    IC_ZEROS(int, rates, f->n + 1);
    IC_ZEROS(int, added, f->n);
    IC_ZEROS(int, at_zero, f->n);
    box_formulas b;
    open_formulas(&b, f, box, f->phase.constant);
    ic_translate_begin(&b.translation, e);
    bool good = true;
    for (slong v = 0; v < f->n && good; v++) good = (rates[v] = term_of(&b, e->results[v])) >= 0;
    rates[f->n] = ic_flow_term_integer(&b.terms, 1);
    const int value = term_of(&b, e->results[e->n_results - mode->n_guards + f->fired_number]);
    const int rate = good ? ic_flow_term_rate(&b.terms, value, rates) : -1;
    const int curvature = rate < 0 ? -1 : ic_flow_term_rate(&b.terms, rate, rates);
    good = curvature >= 0 && others_are_clear(&b, mode, f->fired_number);
    const int w = good ? ic_translate_define(&b.translation, rate) : -1;
    good = w >= 0 && impact_terms(&b, f, added, &condition, rate, w) &&
           impact_terms(&b, f, at_zero, &condition_at_zero, rate, ic_flow_term_integer(&b.terms, 0)) &&
           is_still(&b, at_zero, f->n, value) &&
           (condition < 0 || ic_flow_term_is_zero(&b.terms, condition_at_zero)) &&
           differentiate_jump(r, f, &b, added, condition, value, rate, direction);
    for (slong v = 0; v <= f->n && good; v++) arb_set(r->rates + v, b.terms.values + rates[v]);
    if (good) {
        arb_set(r->rate, b.terms.values + rate);
        arb_set(r->curvature, b.terms.values + curvature);
    }
    close_formulas(&b);
    return good;
}

/*
 * The time and the sum of all w that are left after an impact with g = 0 and |g'| = w_0. While |g''| is in the ball a and
 * g falls, a flight that begins with w rises to w^2/(2a), lasts 2w/a, and ends with w sqrt(a/a), each with some a of the
 * ball, after which q w is left, q = e sqrt(a/a). So for q < 1 the sums are those of geometric series, w_0 2/(a (1 - q))
 * and w_0 sqrt(a/a)/(1 - q). Both are valid while the states are in the box.
 */
static bool bound_impacts(arb_t time, arb_t sum, const box_impacts *r, const arb_t rate, int direction,
                          slong prec)
{
    IC_BALLS(a, left);
    arb_mul_si(a, r->curvature, direction, prec);
    arb_mul_si(time, rate, direction > 0 ? -2 : 2, prec);
    arb_div(sum, a, a, prec);
    arb_sqrt(sum, sum, prec);
    arb_mul(left, sum, r->returned, prec);
    arb_add_si(left, left, 1, prec);
    const bool good = arb_is_positive(a) && arb_is_positive(left);
    arb_div(time, time, left, prec);
    arb_mul(sum, sum, time, prec);
    arb_div(time, time, a, prec);
    arb_mul_si(sum, sum, direction, prec);
    arb_mul_2exp_si(sum, sum, -1);
    return good;
}

/* y + rates time + jumps sum, n + 1 balls */
static void move_by(arb_ptr to, const ic_flow *f, const box_impacts *r, const arb_t time, const arb_t sum)
{
    IC_BALLS(change);
    for (slong v = 0; v <= f->n; v++) {
        arb_mul(change, r->rates + v, time, f->prec);
        arb_addmul(change, r->jumps + v, sum, f->prec);
        arb_add(to + v, f->now + v, change, f->prec);
    }
}

/* Finds a box in which the impacts stay. It is made larger a few times: rates may be greatest after the first impact. */
static bool find_box(arb_ptr limit, ic_flow *f, int direction)
{
    const slong n = f->n + 1;
    arb_ptr reached = limit + n;
    IC_BALLS(rate, time, sum, so_far, sum_so_far, in_box, curvature, returned);
    IC_BALL_VECTOR(box, n);
    IC_BALL_VECTOR(rates, n);
    IC_BALL_VECTOR(jumps, n);
    box_impacts r = {rates, jumps, in_box, curvature, returned};
    bool inside = false, good = enclose_impacts(&r, f, f->now) && ic_ball_sign(r.rate) == -direction;
    arb_set(rate, r.rate);
    good = good && bound_impacts(time, sum, &r, rate, direction, f->prec);
    for (int i = 0; i < MOST_BOXES && good && !inside; i++) {
        /* twice as far, to either side */
        arb_zero(so_far), arb_zero(sum_so_far);
        arb_add_error(so_far, time), arb_add_error(sum_so_far, sum);
        arb_mul_2exp_si(so_far, so_far, 1), arb_mul_2exp_si(sum_so_far, sum_so_far, 1);
        move_by(box, f, &r, so_far, sum_so_far);
        good = enclose_impacts(&r, f, box) && bound_impacts(time, sum, &r, rate, direction, f->prec);
        arb_zero(so_far), arb_zero(sum_so_far);
        arb_union(so_far, so_far, time, f->prec), arb_union(sum_so_far, sum_so_far, sum, f->prec);
        move_by(reached, f, &r, so_far, sum_so_far);
        inside = good && arb_contains_zero(r.rate);
        for (slong v = 0; v < n && inside; v++)
            inside = arb_contains_interior(box + v, reached + v) ||
                     (arb_is_zero(r.rates + v) && arb_is_zero(r.jumps + v));
    }
    move_by(limit, f, &r, time, sum);
    inside = inside && arb_lt(reached + f->n, f->t_stop);
    return inside;
}

/*
 * Maps the set, in a box around a place where g = 0, by y_x - g(y)/k in place of y_x, k near dg/dy_x: that keeps the
 * place, and takes off the width across g = 0.
 */
static void move_to_zero(ic_flow *f, arb_srcptr box, size_t guard)
{
    const ic_equations *e = ic_flow_mode(f)->equations;
    const slong n = f->n + 1;
    slong x = -1;
    box_formulas b;
    box_derivatives near, centre;
    IC_BALLS(k);
    IC_BALL_VECTOR(image, n);
    IC_BALL_MATRIX(derivative, n, n);
    arb_mat_one(derivative);
    open_formulas(&b, f, box, f->phase.constant);
    ic_translate_begin(&b.translation, e);
    const int value = term_of(&b, e->results[e->n_results - ic_flow_mode(f)->n_guards + guard]);
    open_derivatives(&near, &b, box, f->prec);
    open_derivatives(&centre, &b, f->set.centre, f->prec);
    for (slong v = 0; v < f->n && value >= 0; v++) {
        arb_srcptr slope = ic_gradient(&near.gradients, value, v);
        if (arb_contains_zero(slope) || arf_cmpabs(arb_midref(slope), arb_midref(k)) <= 0) continue;
        arb_get_mid_arb(k, slope);
        x = v;
    }
    _arb_vec_set(image, f->set.centre, n);
    for (slong v = 0; v < n && x >= 0; v++) {
        arb_ptr entry = arb_mat_entry(derivative, x, v);
        arb_div(image + x, ic_gradient(&near.gradients, value, v), k, f->prec);
        arb_sub(entry, entry, image + x, f->prec);
    }
    if (x >= 0) {
        arb_div(image + x, ic_jet(&centre.jets, value), k, f->prec);
        arb_sub(image + x, f->set.centre + x, image + x, f->prec);
        ic_flow_map(f, image, derivative);
    }
    close_derivatives(&near), close_derivatives(&centre);
    close_formulas(&b);
}

bool ic_flow_enclose_limit(arb_ptr limit, ic_flow *f)
{
    const size_t i = f->fired_number;
    const ic_guard *guard = i < ic_flow_mode(f)->n_guards ? &ic_flow_mode(f)->guards[i] : NULL;
    if (f->kind != IC_EVENT_GUARD || f->mode != f->mode_from || !f->has_phase || f->clock.guard >= 0 ||
        guard == NULL || guard->direction == 0 || guard->accumulation.equations == NULL || !f->guards[i].zero ||
        f->values[f->mode].conditions[i] != 0)
        return false;
    /* a width across g = 0 would grow in each flight by the speed of a stop over that of the impact */
    if (f->proof == NULL) move_to_zero(f, f->now, i);
    ic_flow_set_box(f->now, &f->set);
    return find_box(limit, f, guard->direction);
}

ic_status ic_flow_take_limit(ic_flow *f, arb_srcptr limit)
{
    const size_t i = f->fired_number;
    const ic_guard *guard = &ic_flow_mode(f)->guards[i];
    if (f->proof != NULL) {
        snprintf(f->message, sizeof f->message,
                 "the limit of the impacts at '%.80s' has no place in a proof yet", guard->name);
        return IC_UNSUPPORTED;
    }
    _arb_vec_set(f->now, limit + f->n + 1, f->n + 1);
    ic_flow_extremes_take_last(f);
    ic_flow_set_place(&f->set, limit);
    move_to_zero(f, limit, i);
    for (size_t k = 0; k < f->values[f->mode].n; k++) f->guards[k].zero = k == i;
    ic_status status = ic_flow_begin_event(f, IC_EVENT_ACCUMULATION, guard->name, false);
    f->likely = INFINITY;
    if (status == IC_OK) status = ic_flow_jump(f, &guard->accumulation, guard, true);
    return status;
}
