/* SPDX-License-Identifier: MIT */
/*
 * Rules for coefficient k, with a = sum a_j e^j and so on:
 *
 *     y = a b           y_k = sum_j a_j b_(k-j)
 *     y = 1/a           y_k = -(sum_{j>0} a_j y_(k-j))/a_0
 *     y = a^p           y_k = (sum_{j>0} (p j - (k - j)) a_j y_(k-j))/(k a_0)          from a y' = p y a'
 *     y = f(a)          y_k = (sum_{j>0} j a_j h_(k-j))/k,  h = f'(a)                  from y' = h a'
 *     variable          y_(k+1) = rate_k/(k + 1)
 *
 * and for derivatives d with respect to the start: d(a b) = a db + b da, d f(a) = f'(a) da.
 */
#include "reference/flow_jets.h"

void ic_jets_init(ic_jets *j, const ic_flow_terms *terms, const int *rates, slong length, slong prec)
{
    const slong size = (slong)terms->count * length;
    *j = (ic_jets){.terms = terms, .rates = rates, .length = length, .prec = prec};
    j->c = _arb_vec_init(size);
    j->weighted = _arb_vec_init(size);
    arb_init(j->clock);
}

void ic_jets_clear(ic_jets *j)
{
    if (j->c == NULL) return;
    const slong size = (slong)j->terms->count * j->length;
    _arb_vec_clear(j->c, size);
    _arb_vec_clear(j->weighted, size);
    arb_clear(j->clock);
    j->c = NULL;
}

arb_srcptr ic_jet(const ic_jets *j, int term)
{
    return j->c + (slong)term * j->length;
}

static arb_ptr jet(ic_jets *j, int term)
{
    return j->c + (slong)term * j->length;
}

static arb_srcptr weighted(const ic_jets *j, int term)
{
    return j->weighted + (slong)term * j->length;
}

static void start_at(ic_jets *j, arb_srcptr y, const arb_t clock, bool box)
{
    const ic_flow_terms *t = j->terms;
    j->done = 0;
    j->box = box;
    arb_set(j->clock, clock);
    for (size_t i = 0; i < t->count; i++) {
        arb_ptr c = jet(j, (int)i);
        _arb_vec_zero(c, j->length);
        _arb_vec_zero(j->weighted + (slong)i * j->length, j->length);
        if (t->list[i].constant) arb_set_round(c, t->values + i, j->prec);
        else if (t->list[i].kind == IC_FLOW_VARIABLE && (box || t->list[i].index <= t->n))
            arb_set_round(c, y + t->list[i].index, j->prec);
    }
}

void ic_jets_start(ic_jets *j, arb_srcptr y, const arb_t clock)
{
    start_at(j, y, clock, false);
}

void ic_jets_start_box(ic_jets *j, arb_srcptr y, const arb_t clock)
{
    start_at(j, y, clock, true);
}

/* The term that a further variable is; -1: it is none, or it was given. */
static int definition_of(const ic_jets *j, int i)
{
    const ic_flow_term *term = &j->terms->list[i];
    if (j->box || term->kind != IC_FLOW_VARIABLE || term->index <= j->terms->n) return -1;
    return j->terms->definitions[term->index - j->terms->n - 1];
}

/* (u + e)^m */
static void clock_power(arb_t y, const arb_t u, slong m, slong k, slong prec)
{
    fmpz_t binomial;
    if (k > m) return;
    fmpz_init(binomial);
    fmpz_bin_uiui(binomial, (ulong)m, (ulong)k);
    arb_pow_ui(y, u, (ulong)(m - k), prec);
    arb_mul_fmpz(y, y, binomial, prec);
    fmpz_clear(binomial);
}

static void power(arb_ptr y, const ic_jets *j, const ic_flow_term *term, arb_srcptr own_weighted, slong k)
{
    arb_srcptr a = ic_jet(j, term->a), p = ic_jet(j, term->b);
    if (k == 0) {
        arb_pow(y, a, p, j->prec);
        return;
    }
    arb_t other;
    arb_init(other);
    arb_dot(y + k, NULL, 0, weighted(j, term->a) + 1, 1, y + k - 1, -1, k, j->prec);
    arb_mul(y + k, y + k, p, j->prec);
    arb_dot(other, NULL, 0, a + 1, 1, own_weighted + k - 1, -1, k, j->prec);
    arb_sub(y + k, y + k, other, j->prec);
    arb_mul_si(other, a, k, j->prec);
    arb_div(y + k, y + k, other, j->prec);
    arb_clear(other);
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
        if (k == 0 && definition_of(j, i) >= 0) arb_set(y, ic_jet(j, definition_of(j, i)));
        return;
    case IC_FLOW_CLOCK_POWER: clock_power(y + k, j->clock, term->index, k, prec); break;
    case IC_FLOW_SUM: arb_add(y + k, a + k, b + k, prec); break;
    case IC_FLOW_DIFFERENCE: arb_sub(y + k, a + k, b + k, prec); break;
    case IC_FLOW_PRODUCT:
        if (t->list[term->a].constant) arb_mul(y + k, a, b + k, prec);
        else if (k == 0 && a == b) arb_sqr(y, a, prec);
        else arb_dot(y + k, NULL, 0, a, 1, b + k, -1, k + 1, prec);
        break;
    case IC_FLOW_RECIPROCAL: reciprocal(y, a, k, prec); break;
    case IC_FLOW_POWER: power(y, j, term, j->weighted + (slong)i * j->length, k); break;
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
    if (k > 0) arb_mul_si(j->weighted + (slong)i * j->length + k, y + k, k, prec);
}

void ic_jets_extend(ic_jets *j, slong length, bool all)
{
    const ic_flow_terms *t = j->terms;
    for (slong k = j->done; k < length; k++) {
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
            arb_set_round(j->weighted + (slong)i * j->length + k + 1, r + k, j->prec);
        }
    }
    if (length > j->done) j->done = length;
}

/* ---- derivatives with respect to the start */

arb_srcptr ic_tangent(const ic_tangents *t, int term, slong column)
{
    return t->c + (column * (slong)t->jets->terms->count + term) * t->length;
}

static arb_ptr tangent(ic_tangents *t, int term, slong column)
{
    return t->c + (column * (slong)t->jets->terms->count + term) * t->length;
}

/* dy_k += sum_j f_j da_(k-j) */
static void add_product(arb_t y, const ic_tangents *t, int factor, arb_srcptr da, slong k)
{
    arb_srcptr f = ic_jet(t->jets, factor);
    if (t->jets->terms->list[factor].constant) arb_addmul(y, f, da + k, t->jets->prec);
    else arb_dot(y, y, 0, f, 1, da + k, -1, k + 1, t->jets->prec);
}

/* One of two derivatives, of which NULL stands for 0; known for the value only. */
static void either(arb_t y, arb_srcptr da, arb_srcptr db, slong k, slong prec)
{
    arb_t zero;
    arb_init(zero);
    if (k > 0) arb_indeterminate(y);
    else arb_union(y, da != NULL ? da : zero, db != NULL ? db : zero, prec);
    arb_clear(zero);
}

/* d(a b) = a db + b da */
static void differentiate_product(arb_t y, const ic_tangents *t, const ic_flow_term *term, arb_srcptr da,
                                  arb_srcptr db, slong k)
{
    if (db != NULL) add_product(y, t, term->a, db, k);
    if (da != NULL) add_product(y, t, term->b, da, k);
}

/* d(a + b) and d(a - b) */
static void differentiate_sum(arb_t y, int sign, arb_srcptr da, arb_srcptr db, slong k, slong prec)
{
    if (da != NULL) arb_set(y, da + k);
    if (db != NULL && sign > 0) arb_add(y, y, db + k, prec);
    if (db != NULL && sign < 0) arb_sub(y, y, db + k, prec);
}

static void differentiate(ic_tangents *t, int i, slong column, slong k)
{
    const ic_flow_term *term = &t->jets->terms->list[i];
    const bool *live = t->live + column * (slong)t->jets->terms->count;
    const bool by_a = term->a >= 0 && live[term->a], by_b = term->b >= 0 && live[term->b];
    const slong prec = t->jets->prec;
    if (!by_a && !by_b) return;
    arb_ptr y = tangent(t, i, column) + k;
    arb_srcptr da = by_a ? ic_tangent(t, term->a, column) : NULL,
               db = by_b ? ic_tangent(t, term->b, column) : NULL;
    switch (term->kind) {
    case IC_FLOW_SUM: differentiate_sum(y, +1, da, db, k, prec); break;
    case IC_FLOW_DIFFERENCE: differentiate_sum(y, -1, da, db, k, prec); break;
    case IC_FLOW_PRODUCT: differentiate_product(y, t, term, da, db, k); break;
    case IC_FLOW_RECIPROCAL:
    case IC_FLOW_POWER:
    case IC_FLOW_FUNCTION: add_product(y, t, term->slope, da, k); break;
    case IC_FLOW_GREATER: either(y, da, db, k, prec); break;
    default: break;
    }
    t->live[column * (slong)t->jets->terms->count + i] = true;
}

static void differentiate_all(ic_tangents *t, slong k)
{
    const ic_flow_terms *terms = t->jets->terms;
    const slong count = (slong)terms->count;
    for (slong column = 0; column < t->columns; column++) {
        for (slong i = 0; i < count; i++) {
            const int definition = k == 0 ? definition_of(t->jets, (int)i) : -1;
            if (definition >= 0 && t->live[column * count + definition]) {
                arb_set(tangent(t, (int)i, column), ic_tangent(t, definition, column));
                t->live[column * count + i] = true;
            }
            if (!terms->list[i].constant && terms->list[i].kind != IC_FLOW_VARIABLE)
                differentiate(t, (int)i, column, k);
        }
        for (slong i = 0; i < count && k + 1 < t->length; i++) {
            if (terms->list[i].kind != IC_FLOW_VARIABLE || terms->list[i].constant) continue;
            const int rate = t->jets->rates[terms->list[i].index];
            if (rate < 0 || !t->live[column * count + rate]) continue;
            arb_div_si(tangent(t, (int)i, column) + k + 1, ic_tangent(t, rate, column) + k, k + 1,
                       t->jets->prec);
            t->live[column * count + i] = true;
        }
    }
}

void ic_tangents_init(ic_tangents *t, const ic_jets *jets, const slong *variables, slong columns, slong length)
{
    const ic_flow_terms *terms = jets->terms;
    const slong count = (slong)terms->count;
    *t = (ic_tangents){.jets = jets, .columns = columns, .length = length};
    t->c = _arb_vec_init(columns * count * length);
    t->live = flint_calloc((size_t)(columns * count) + 1, sizeof *t->live);
    for (slong column = 0; column < columns; column++) {
        for (slong i = 0; i < count; i++) {
            if (terms->list[i].kind != IC_FLOW_VARIABLE || terms->list[i].index != variables[column]) continue;
            arb_one(tangent(t, (int)i, column));
            t->live[column * count + i] = true;
        }
    }
    for (slong k = 0; k < length; k++) differentiate_all(t, k);
}

void ic_tangents_clear(ic_tangents *t)
{
    if (t->c == NULL) return;
    _arb_vec_clear(t->c, t->columns * (slong)t->jets->terms->count * t->length);
    flint_free(t->live);
    t->c = NULL;
}
