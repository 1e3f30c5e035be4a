/* SPDX-License-Identifier: MIT */
#include "reference/flow_tie.h"

#include "reference/flow_parts.h"

#include <stdlib.h>

/* Margin for rounding in the check of a tube, a few units in the last place. */
enum { ROOM_BITS = 6 };

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
    bool *constant;
} box_formulas;

static void open_formulas(box_formulas *b, ic_flow *f, arb_srcptr box)
{
    arb_t no_clock;
    *b = (box_formulas){.translation = ic_translation_of_values(&b->terms, f->problem, f->par, &f->tables)};
    b->constant = flint_calloc((size_t)f->n + 1, sizeof *b->constant);
    for (slong v = 0; v <= f->n; v++) b->constant[v] = arb_is_exact(box + v);
    arb_init(no_clock);
    ic_flow_terms_init(&b->terms, f->n, box, no_clock, b->constant, f->prec);
    arb_clear(no_clock);
}

static void close_formulas(box_formulas *b)
{
    ic_translate_end(&b->translation);
    free(b->translation.assumptions);
    ic_flow_terms_clear(&b->terms);
    flint_free(b->constant);
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
    arb_ptr box = _arb_vec_init(f->n + 1);
    ic_flow_set_box(box, &f->set);
    arb_set(box + f->n, t);
    open_formulas(&b, f, box);
    ic_translate_begin(&b.translation, ic_flow_mode(f)->equations);
    const int value = term_of(&b, f->values[f->mode].operations[guard]);
    const bool vanishes = value >= 0 && ic_flow_term_is_zero(&b.terms, value);
    close_formulas(&b);
    _arb_vec_clear(box, f->n + 1);
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
    int *first = flint_calloc((size_t)n + 1, sizeof *first),
        *second = flint_calloc((size_t)n + 1, sizeof *second);
    bool same = x->branches[branch].mode == y->branches[0].mode &&
                states_after(b, first, &condition, x, branch, n) &&
                states_after(b, second, &condition, y, 0, n);
    for (slong v = 0; v < n && same; v++) same = first[v] == second[v];
    flint_free(first);
    flint_free(second);
    return same;
}

/* ---- the way to the end, after another guard has fired */

/* Bounds of the rates in a mode, for all states in a box. */
typedef struct box_flow {
    /* rates of the states and the time */
    arb_ptr rates;

    /* the value and the rate of the guard that ends the run */
    arb_t value, rate;

    /* no other guard is near zero, or due */
    bool clear;
} box_flow;

static bool enclose_mode(box_flow *flow, ic_flow *f, const ic_mode *mode, size_t ends, arb_srcptr box)
{
    const ic_equations *e = mode->equations;
    const int *guards = e->results + e->n_results - mode->n_guards;
    box_formulas b;
    int *rates = flint_calloc((size_t)f->n + 1, sizeof *rates);
    open_formulas(&b, f, box);
    ic_translate_begin(&b.translation, e);
    bool good = true;
    for (slong v = 0; v < f->n && good; v++) good = (rates[v] = term_of(&b, e->results[v])) >= 0;
    rates[f->n] = ic_flow_term_integer(&b.terms, 1);
    const int value = term_of(&b, guards[ends]);
    const int rate = good && value >= 0 ? ic_flow_term_rate(&b.terms, value, rates) : -1;
    good = good && rate >= 0;
    flow->clear = good;
    for (size_t i = 0; i < mode->n_guards && flow->clear; i++) {
        const int other = i == ends ? -1 : term_of(&b, guards[i]);
        if (i == ends) continue;
        const int sign = other < 0 ? 0 : ic_ball_sign(b.terms.values + other);
        flow->clear =
            sign != 0 && !(mode->guards[i].onset == IC_ONSET_LEVEL && sign == mode->guards[i].direction);
    }
    if (good && !b.terms.failed) {
        for (slong v = 0; v <= f->n; v++) arb_set(flow->rates + v, b.terms.values + rates[v]);
        arb_set(flow->value, b.terms.values + value);
        arb_set(flow->rate, b.terms.values + rate);
    }
    good = good && !b.terms.failed;
    close_formulas(&b);
    flint_free(rates);
    return good;
}

/* An upper bound of |value|/|rate|; infinite where the rate may vanish. */
static void bound_time_to_zero(arb_t length, const arb_t value, const arb_t rate)
{
    mag_t upper, lower;
    mag_init(upper), mag_init(lower);
    arb_get_mag(upper, value);
    arb_get_mag_lower(lower, rate);
    mag_div(upper, upper, lower);
    arf_set_mag(arb_midref(length), upper);
    mag_zero(arb_radref(length));
    mag_clear(upper), mag_clear(lower);
}

/* swept = y + [0, length] rates, n + 1 balls */
static void sweep(arb_ptr swept, const ic_flow *f, arb_srcptr y, const arb_t length, arb_srcptr rates)
{
    arb_t part, change;
    arb_init(part), arb_init(change);
    arb_union(part, part, length, f->prec);
    for (slong v = 0; v <= f->n; v++) {
        arb_mul(change, rates + v, part, f->prec);
        arb_add(swept + v, y + v, change, f->prec);
    }
    arb_clear(part), arb_clear(change);
}

static void add_rounding_margin(arb_ptr tube, const ic_flow *f)
{
    mag_t room;
    mag_init(room);
    for (slong v = 0; v <= f->n; v++) {
        arb_get_mag(room, tube + v);
        mag_mul_2exp_si(room, room, ROOM_BITS - f->prec);
        arb_add_error_mag(tube + v, room);
    }
    mag_clear(room);
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
    box_flow flow = {.rates = _arb_vec_init(f->n + 1)};
    arb_t value, length;
    arb_ptr trial = _arb_vec_init(f->n + 1);
    arb_init(flow.value), arb_init(flow.rate), arb_init(value), arb_init(length);
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
    arb_clear(flow.value), arb_clear(flow.rate), arb_clear(value), arb_clear(length);
    _arb_vec_clear(flow.rates, f->n + 1);
    _arb_vec_clear(trial, f->n + 1);
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
    int *after = flint_calloc((size_t)f->n + 1, sizeof *after);
    open_formulas(&b, f, tie);
    const bool known = states_after(&b, after, &condition, jump, branch, f->n);
    if (condition >= 0 && arb_is_nonpositive(b.terms.values + condition)) {
        result = NOT_TAKEN;
    } else if (known && next >= 0 && f->problem->variant->modes[next].terminal) {
        if (same_outcome(&b, jump, branch, ending, f->n)) result = ENDS_TOO;
    } else if (known && next >= 0 && f->problem->variant->modes[next].equations != NULL) {
        const ic_mode *mode = &f->problem->variant->modes[next];
        const int goes_on = continued_guard(&b, f, mode, ends, after);
        arb_ptr y = _arb_vec_init(f->n + 1), tube = _arb_vec_init(f->n + 1);
        for (slong v = 0; v < f->n; v++) arb_set(y + v, b.terms.values + after[v]);
        arb_set(y + f->n, tie + f->n);
        if (goes_on >= 0 && follow_to_end(tube, f, mode, (size_t)goes_on, f->guards[ends].side, y)) {
            result = ENDS_TOO;
            for (slong v = 0; v <= f->n; v++) arb_union(box + v, box + v, tube + v, f->prec);
        }
        _arb_vec_clear(y, f->n + 1);
        _arb_vec_clear(tube, f->n + 1);
    }
    close_formulas(&b);
    flint_free(after);
    return result;
}

bool ic_flow_tie_widen(ic_flow *f, arb_ptr box, size_t ends, const bool *simultaneous)
{
    const ic_mode *mode = ic_flow_mode(f);
    bool good = true;
    arb_ptr tie = _arb_vec_init(f->n + 1);
    _arb_vec_set(tie, box, f->n + 1);
    for (size_t i = 0; i < mode->n_guards && good; i++) {
        const ic_jump *jump = &mode->guards[i].jump;
        if (!simultaneous[i] || i == ends) continue;
        good = jump->equations != NULL;
        for (size_t k = 0; k < jump->n_branches && good; k++)
            good = widen_by_branch(f, box, tie, ends, jump, k) != MAY_MATTER;
    }
    _arb_vec_clear(tie, f->n + 1);
    return good;
}
