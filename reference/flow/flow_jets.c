/* SPDX-License-Identifier: MIT */
/*
 * Rules for coefficient k, with a = sum a_j e^j and so on:
 *
 *     y = a b           y_k = sum_j a_j b_(k-j)
 *     y = 1/a           y_k = -(sum_{j>0} a_j y_(k-j))/a_0
 *     y = a^p           y_k = (sum_{j>0} (p j - (k - j)) a_j y_(k-j))/(k a_0)          from a y' = p y a'
 *     y = f(a)          y_k = (sum_{j>0} j a_j h_(k-j))/k,  h = f'(a)                  from y' = h a'
 *     variable          y_(k+1) = rate_k/(k + 1)
 */
#include "reference/flow/flow_jets.h"
#include "reference/deadline.h"

static void give_slot(ic_jets *j, int term)
{
    if (j->slots[term] == 0) j->slots[term] = ++j->n_slots;
}

void ic_jets_init(ic_jets *j, const ic_flow_terms *terms, const int *rates, slong length, slong prec)
{
    const slong size = (slong)terms->count * length;
    *j = (ic_jets){.terms = terms, .rates = rates, .length = length, .prec = prec};
    j->c = ic_store_balls(&j->store, size);
    j->slots = ic_store_zeros(&j->store, terms->count, sizeof *j->slots);
    for (size_t i = 0; i < terms->count; i++) {
        const ic_flow_term_kind kind = terms->list[i].kind;
        if (kind != IC_FLOW_POWER && kind != IC_FLOW_FUNCTION) continue;
        give_slot(j, terms->list[i].a);
        if (kind == IC_FLOW_POWER) give_slot(j, (int)i);
    }
    j->weighted = ic_store_balls(&j->store, j->n_slots * length);
    j->clock = ic_store_balls(&j->store, 1);
}

void ic_jets_clear(ic_jets *j)
{
    ic_store_free(&j->store);
}

arb_srcptr ic_jet(const ic_jets *j, int term)
{
    return j->c + (slong)term * j->length;
}

static arb_ptr jet(ic_jets *j, int term)
{
    return j->c + (slong)term * j->length;
}

/* Coefficients times their numbers, of a term with a slot. */
static arb_srcptr weighted(const ic_jets *j, int term)
{
    return j->weighted + (j->slots[term] - 1) * j->length;
}

static void keep_weighted(ic_jets *j, int term, slong k)
{
    if (j->slots[term] == 0) return;
    arb_mul_si(j->weighted + (j->slots[term] - 1) * j->length + k, jet(j, term) + k, k, j->prec);
}

void ic_jets_start(ic_jets *j, arb_srcptr y, const arb_t clock)
{
    const ic_flow_terms *t = j->terms;
    j->done = 0;
    arb_set(j->clock, clock);
    _arb_vec_zero(j->weighted, j->n_slots * j->length);
    for (size_t i = 0; i < t->count; i++) {
        arb_ptr c = jet(j, (int)i);
        _arb_vec_zero(c, j->length);
        if (t->list[i].constant) arb_set_round(c, t->values + i, j->prec);
        else if (t->list[i].kind == IC_FLOW_VARIABLE && t->list[i].index <= t->n)
            arb_set_round(c, y + t->list[i].index, j->prec);
    }
}

static void power(arb_ptr y, const ic_jets *j, const ic_flow_term *term, arb_srcptr own_weighted, slong k)
{
    arb_srcptr a = ic_jet(j, term->a), p = ic_jet(j, term->b);
    if (k == 0) {
        arb_pow(y, a, p, j->prec);
        return;
    }
    IC_BALLS(other);
    arb_dot(y + k, NULL, 0, weighted(j, term->a) + 1, 1, y + k - 1, -1, k, j->prec);
    arb_mul(y + k, y + k, p, j->prec);
    arb_dot(other, NULL, 0, a + 1, 1, own_weighted + k - 1, -1, k, j->prec);
    arb_sub(y + k, y + k, other, j->prec);
    arb_mul_si(other, a, k, j->prec);
    arb_div(y + k, y + k, other, j->prec);
}

static void reciprocal(arb_ptr y, arb_srcptr a, slong k, slong prec)
{
    if (k == 0) {
        arb_inv(y, a, prec);
        return;
    }
    arb_dot(y + k, NULL, 1, a + 1, 1, y + k - 1, -1, k, prec);
    arb_mul(y + k, y + k, y, prec);
}

static void compute(ic_jets *j, int i, slong k)
{
    const ic_flow_terms *t = j->terms;
    const ic_flow_term *term = &t->list[i];
    const slong prec = j->prec;
    arb_ptr y = jet(j, i);
    arb_srcptr a = term->a >= 0 ? ic_jet(j, term->a) : NULL, b = term->b >= 0 ? ic_jet(j, term->b) : NULL;
    switch (term->kind) {
    case IC_FLOW_NUMBER: return;
    case IC_FLOW_VARIABLE:
        if (k == 0 && ic_flow_term_definition(t, i) >= 0) arb_set(y, ic_jet(j, ic_flow_term_definition(t, i)));
        return;
    case IC_FLOW_CLOCK_POWER: ic_flow_clock_power(y + k, j->clock, term->index, k, prec); break;
    case IC_FLOW_SUM: arb_add(y + k, a + k, b + k, prec); break;
    case IC_FLOW_DIFFERENCE: arb_sub(y + k, a + k, b + k, prec); break;
    case IC_FLOW_PRODUCT:
        if (t->list[term->a].constant) arb_mul(y + k, a, b + k, prec);
        else if (k == 0 && a == b) arb_sqr(y, a, prec);
        else arb_dot(y + k, NULL, 0, a, 1, b + k, -1, k + 1, prec);
        break;
    case IC_FLOW_RECIPROCAL: reciprocal(y, a, k, prec); break;
    case IC_FLOW_POWER: power(y, j, term, weighted(j, i), k); break;
    case IC_FLOW_FUNCTION:
        if (k == 0) {
            ic_flow_term_function_value(y, (ic_flow_term_function)term->index, a, prec);
        } else {
            arb_dot(y + k, NULL, 0, weighted(j, term->a) + 1, 1, ic_jet(j, term->slope) + k - 1, -1, k, prec);
            arb_div_si(y + k, y + k, k, prec);
        }
        break;
    case IC_FLOW_GREATER:
        if (k == 0) arb_max(y, a, b, prec);
        else arb_indeterminate(y + k);
        break;
    }
    if (k > 0) keep_weighted(j, i, k);
}

void ic_jets_extend(ic_jets *j, slong length, bool all)
{
    const ic_flow_terms *t = j->terms;
    for (slong k = j->done; k < length && !ic_deadline_passed_in(k); k++) {
        for (size_t i = 0; i < t->count; i++) {
            if (!t->list[i].constant && (all || t->list[i].needed)) compute(j, (int)i, k);
        }
        if (k + 1 >= j->length) continue;
        for (size_t i = 0; i < t->count; i++) {
            if (t->list[i].kind != IC_FLOW_VARIABLE || t->list[i].constant) continue;
            const int rate = j->rates[t->list[i].index];
            if (rate < 0) continue;
            arb_srcptr r = ic_jet(j, rate);
            if (t->list[rate].constant && k > 0) continue;
            arb_div_si(jet(j, (int)i) + k + 1, r + k, k + 1, j->prec);
            keep_weighted(j, (int)i, k + 1);
        }
    }
    if (length > j->done) j->done = length;
}

/* ---- derivatives of values */

arb_srcptr ic_gradient(const ic_gradients *g, int term, slong column)
{
    return g->values + column * (slong)g->jets->terms->count + term;
}

/* Where nothing depends on the start, the factor may be unknown. */
static void add_product(arb_t d, arb_srcptr factor, arb_srcptr derivative, slong prec)
{
    if (!arb_is_zero(derivative)) arb_addmul(d, factor, derivative, prec);
}

/* The derivative of term number i from those of its operands, `d` by term. */
static void differentiate(arb_ptr d, const ic_jets *jets, slong i)
{
    const ic_flow_term *term = &jets->terms->list[i];
    const int definition = ic_flow_term_definition(jets->terms, (int)i);
    const slong prec = jets->prec;
    switch (term->kind) {
    case IC_FLOW_VARIABLE:
        if (definition >= 0) arb_set(d + i, d + definition);
        break;
    case IC_FLOW_SUM: arb_add(d + i, d + term->a, d + term->b, prec); break;
    case IC_FLOW_DIFFERENCE: arb_sub(d + i, d + term->a, d + term->b, prec); break;
    case IC_FLOW_PRODUCT:
        add_product(d + i, ic_jet(jets, term->a), d + term->b, prec);
        add_product(d + i, ic_jet(jets, term->b), d + term->a, prec);
        break;
    case IC_FLOW_RECIPROCAL:
    case IC_FLOW_POWER:
    case IC_FLOW_FUNCTION: add_product(d + i, ic_jet(jets, term->slope), d + term->a, prec); break;
    case IC_FLOW_GREATER: arb_union(d + i, d + term->a, d + term->b, prec); break;
    default: break;
    }
}

void ic_gradients_init(ic_gradients *g, const ic_jets *jets, const slong *variables, slong columns)
{
    const ic_flow_terms *terms = jets->terms;
    const slong count = (slong)terms->count;
    *g = (ic_gradients){.jets = jets, .columns = columns};
    g->values = _arb_vec_init(columns * count);
    for (slong column = 0; column < columns; column++) {
        arb_ptr d = g->values + column * count;
        for (slong i = 0; i < count; i++) {
            const ic_flow_term *term = &terms->list[i];
            if (term->kind == IC_FLOW_VARIABLE && term->index == variables[column]) arb_one(d + i);
            else if (!term->constant) differentiate(d, jets, i);
        }
    }
}

void ic_gradients_clear(ic_gradients *g)
{
    _arb_vec_clear(g->values, g->columns * (slong)g->jets->terms->count);
}
